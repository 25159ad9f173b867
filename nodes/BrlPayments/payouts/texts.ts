import type { ApiFailure, Failure } from '../../shared/failures/failure';
import type { Order } from '../../shared/orders/order';
import { maskText } from '../../shared/privacy/text';
import { getCreatedAt } from '../../shared/lists/rowCollector';
import type { ApiRecord } from '../../shared/transport/schemas';
import { toBrasiliaTime, toDayAndTime } from '../../shared/text/time';
import { formatReais } from '../../shared/validation/money';
import { toText } from '../../shared/validation/text';
import type { Finding } from '../ledger/absence';
import { failure, listIds, quote, type Named, PROOF_TIME } from '../ledger/texts';
import type { Doubt } from '../ledger/protocol';
import { hidesContent } from './samePayout';

/** The reference was paid with another amount or PIX key. @param id of that withdrawal */
export function referenceMismatch(order: Named, id: string): ApiFailure {
	return failure(order, {
		code: 'REFERENCE_MISMATCH',
		message: `The reference ${quote(order)} was paid before with another amount or PIX key`,
		description: `This item was not sent. The earlier payout has the ID ${id}. If this is another payout, give it its own reference. Otherwise correct the row.`,
		effect: 'none',
		withdrawalIds: [id],
	});
}

/** The reference was paid with another API key, and the one in use cannot read that withdrawal. */
export function paidByOther(order: Named, id: string): ApiFailure {
	return failure(order, {
		...IN_DOUBT,
		message: `The reference ${quote(order)} was paid with another API key, and this one cannot read that payout`,
		description: `This item was not sent. The payout has the ID ${id}. If it belongs to this account, give the API key the scope withdrawals:read, or choose the credential that paid. If it is another client's, include the client in the reference.`,
		withdrawalIds: [id],
	});
}

/** Two rows of one list have one reference and ask for different payouts. @param row of the other one, from 1 */
export function sharedReference(order: Order, row: number): ApiFailure {
	return failure(order, {
		code: 'REFERENCE_MISMATCH',
		message: `Row ${row} of this list has the same reference ${quote(order)} and another amount or PIX key`,
		description: `This item was not sent. A reference stands for one payout. Correct the row, or give it its own reference.`,
		effect: 'none',
	});
}

/** The service knows the key of the reference from a request that the ledger does not know. */
export function usedElsewhere(order: Order): ApiFailure {
	return failure(order, {
		code: 'REFERENCE_MISMATCH',
		message: `The reference ${quote(order)} was used with other content, and not by this n8n project`,
		description: `This item was not sent. Another n8n or another tool has sent a payout under this reference in the last 24 hours. Look for it with Withdrawal > Get Many. If this is another payout, give it its own reference.`,
		effect: 'none',
	});
}

const SETTLE =
	'If one of them is this payout, run Withdrawal > Settle Reference with Outcome Paid and its ID. If none is, run it with Outcome Not Paid. Then run the workflow again.';

/**
 * A person has to decide about a reference.
 * @param unread why the list shows nothing, as a sentence
 */
export function referenceInDoubt(
	order: Named,
	cents: number,
	doubt: Doubt,
	unread = 'The list of withdrawals could not be read completely.',
): ApiFailure {
	switch (doubt.reason) {
		case 'candidates':
			return failure(order, {
				...IN_DOUBT,
				message: unknownWhetherPaid(cents),
				description: `The list of withdrawals shows what may be an earlier attempt of it (${listIds(doubt.ids)}), and nothing shows whose payout that is. Look it up at the service. ${SETTLE}`,
				withdrawalIds: [...doubt.ids],
			});
		case 'listUnreadable':
			return failure(order, {
				...IN_DOUBT,
				message: unknownWhetherPaid(cents),
				description: `${unread} So the list does not show whether an earlier attempt paid. Fix the problem, then run the workflow again. If it stays like this, look the payout up at the service. If it was paid, run Withdrawal > Settle Reference with Outcome Paid and its ID. If it was not, delete the rows of this reference in the table BRL Payouts, at least ${PROOF_TIME} after the last attempt. Then run the workflow again.`,
				retryable: true,
			});
		case 'otherKey':
			if (doubt.apiKeys.includes('')) {
				return failure(order, {
					...IN_DOUBT,
					message: unknownWhetherPaid(cents),
					description: `Somebody has entered an attempt in the table BRL Payouts by hand, and it does not say with which API key it was sent. Look the payout up at the service. If it was paid, run Withdrawal > Settle Reference with Outcome Paid and its ID. If it was not, run it with Outcome Not Paid, at least ${PROOF_TIME} after the attempt. Then run the workflow again.`,
				});
			}
			return failure(order, {
				...IN_DOUBT,
				message: `${unknownWhetherPaid(cents)}: it was sent with another API key`,
				description: `It was sent with the API key ${doubt.apiKeys.join(', ')}, and nothing shows that this key belongs to the same account. Choose the credential with that key, and run the workflow again. If that key is gone, look the payout up in its account. If it was paid, run Withdrawal > Settle Reference with Outcome Paid and its ID. If it was not, run it with Outcome Not Paid, at least ${PROOF_TIME} after the last attempt.`,
			});
		case 'noAnswer':
			return failure(order, {
				...IN_DOUBT,
				message: unknownWhetherPaid(cents),
				description: `The service was asked again and gave no clear response. Run the workflow again later: the reference is recognized, and paid once. If it stays like this, wait ${PROOF_TIME} without a run, and look the payout up at the service. If it was paid, run Withdrawal > Settle Reference with Outcome Paid and its ID. If it was not, run it with Outcome Not Paid. Then run the workflow again.`,
				retryable: true,
			});
		case 'claimedTwice':
			return failure(order, {
				...IN_DOUBT,
				message: `Two payouts claim the withdrawal ${doubt.id}: the reference ${quote(order)} and ${doubt.claimants.map(maskText).join(', ')}`,
				description: `It can have paid only one of them. If you have not entered its ID yourself, a proxy between n8n and the service may be returning the wrong responses. Check at the service which one it paid. If the table BRL Payouts has it with Status paid for the one that it did not pay, correct that row: enter the right ID, or change Status to not paid if nothing paid it. Then run the workflow again: each reference is asked about, and paid once.`,
				withdrawalIds: [doubt.id],
			});
		case 'unreadableWord':
			return failure(order, {
				...IN_DOUBT,
				message: `The table BRL Payouts says that the withdrawal ${doubt.id} paid the reference ${quote(order)}, but that withdrawal cannot be read`,
				description: `This item was not sent. Check the ID in the table BRL Payouts, and the credential: the API key requires the scope withdrawals:read and has to belong to the account that paid.`,
				withdrawalIds: [doubt.id],
			});
	}
}

/** A retry of which neither n8n nor the ledger knows anything. @param found what the list shows */
export function untraced(order: Order, found: Finding): ApiFailure {
	const ids = found.state === 'candidates' ? found.ids : [];
	const shown =
		found.state === 'unreadable'
			? found.reason
			: `Since this execution began, the same amount was paid to the same PIX key (${listIds(ids)}).`;
	return failure(order, {
		...IN_DOUBT,
		message: `It is not known whether the first attempt of this execution paid this under another reference, or without one`,
		description: `${shown} The table BRL Payouts does not know the reference ${quote(order)}. If the first attempt had this very reference, start a new execution: each reference is paid once. If the reference was filled in or changed since, look up whether this payout was made, and remove the row if it was.`,
		...(ids.length > 0 ? { withdrawalIds: [...ids] } : {}),
	});
}

/**
 * It will be known later whether an earlier attempt has paid.
 * @param from epoch ms; undefined if nothing has to be waited for
 * @param why the attempt of this run was refused, or never left
 */
export function knownLater(
	order: Order,
	cents: number,
	from: number | undefined,
	why?: string,
): ApiFailure {
	const when =
		from === undefined
			? 'Run the workflow again'
			: `Run the workflow again after ${toBrasiliaTime(from, 'up')}`;
	const own =
		why === undefined
			? ''
			: ` The attempt of this run was not accepted: ${why}. If you can fix that, do it first.`;
	return failure(order, {
		...IN_DOUBT,
		message: unknownWhetherPaid(cents),
		description: `${when}: the reference is recognized, and paid once.${own}`,
		retryable: true,
	});
}

/** For payouts with `UNKNOWN_STATUS`. */
export const NOT_SHOWN =
	'At least one payout with the status UNKNOWN was made before, and could not be read now: the bank may have refused it since. Look at it later with Withdrawal > Get and its ID. The API key requires the scope withdrawals:read, and has to belong to the account that paid.';

const IN_DOUBT = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown' } as const;

/** @param cents that the item asks for; an earlier attempt may have asked for another amount */
function unknownWhetherPaid(cents: number): string {
	return `It is not known whether an earlier attempt paid this item of ${formatReais(cents)}`;
}

/** Without a reference: why it is not known whether an earlier attempt paid. */
export function inDoubt(
	order: Order,
	cents: number,
	reason: string,
	{
		ids = [],
		retryable = false,
		message = `It is not known whether an earlier attempt paid this amount (${formatReais(cents)}), so nothing was sent`,
	}: { ids?: readonly string[]; retryable?: boolean; message?: string } = {},
): ApiFailure {
	return failure(order, {
		...IN_DOUBT,
		message,
		description: `${reason} To check it yourself, use Withdrawal > Get Many, by PIX key and amount. If it was not paid, run a new execution with only this item.`,
		retryable,
		idempotencyKey: order.key,
		...(ids.length > 0 ? { withdrawalIds: [...ids] } : {}),
	});
}

/** The service named a withdrawal that it has named before for another payout of this n8n. */
export function belongsToOther(order: Order, cents: number, id: string): ApiFailure {
	const message = `It is not known whether this amount (${formatReais(cents)}) was paid: the service responded with the withdrawal of another payout`;
	const reason = `The withdrawal ${id} was named for another payout of this n8n a moment ago: a proxy may be returning the wrong responses. In a minute, retry this execution or send this item to the node again.`;
	return inDoubt(order, cents, reason, { ids: [id], message });
}

/** The bank refused what the service had accepted (docs/api.md#withdrawal-states). */
export function notPaid(order: Order, withdrawal: ApiRecord): ApiFailure {
	const { id, status, errorMessage } = withdrawal;
	const why = toText(errorMessage);
	const canRepeat =
		order.reference !== undefined
			? 'Run the workflow again to pay it under the same reference.'
			: order.hasOwnKey
				? 'To pay it anyway, run a new execution with only this item, and with another key in Options > Idempotency Key.'
				: 'To pay it anyway, run a new execution with only this item.';
	return failure(order, {
		code: 'WITHDRAWAL_NOT_PAID',
		message: `The withdrawal is ${toText(status)}: the recipient received nothing`,
		description: `Its ID: ${toText(id)}.${why === '' ? '' : ` The service said: ${maskText(why)}.`} Check the PIX key with the recipient. ${canRepeat}`,
		effect: 'none',
		withdrawalIds: [toText(id)],
	});
}

/**
 * A reference that was never sent, and a payout of the last 24 hours that may be it: somebody has filled in
 * the reference since.
 * @param found belongs to no other reference
 * @param now epoch ms
 * @param mayBeOwn whether an earlier attempt of this execution may have made it
 */
export function paidWithoutReference(
	order: Named,
	cents: number,
	found: readonly ApiRecord[],
	now: number,
	mayBeOwn: boolean,
): ApiFailure {
	const ids = found.map(({ id }) => toText(id));
	const isOne = ids.length === 1;
	const went = found.some(hidesContent) ? 'may have gone' : 'went';
	const often = isOne ? '' : ` ${ids.length} times`;
	const times = found.map(getCreatedAt).filter((time) => !Number.isNaN(time));
	const last = toDayAndTime(Math.max(...times), now);
	const when =
		times.length === 0 ? ' in the last 24 hours' : isOne ? ` ${last}` : `, most recently ${last}`;
	const reference = maskText(order.reference?.shown ?? '');
	return failure(order, {
		code: 'POSSIBLE_DUPLICATE',
		message: `${formatReais(cents)} ${went} to this PIX key${often}${when}, without a reference`,
		description: `This item was not sent. Was ${isOne ? 'that' : 'one of them'} ${reference}? Then record it: Withdrawal > Settle Reference, Paid, ${ids.join(' or ')}. If not, set Duplicate Guard to Never for this run.`,
		effect: mayBeOwn ? 'unknown' : 'none',
		withdrawalIds: ids,
	});
}

/**
 * Another execution has sent the same payout, and the service may still be working on it.
 * @param sentAt epoch ms, as is `until`
 */
export function stillUnclear(
	order: Order,
	cents: number,
	sentAt: number,
	until: number,
): ApiFailure {
	return failure(order, {
		...IN_DOUBT,
		retryable: true,
		message: `It is not known whether another execution has just paid this amount (${formatReais(cents)}), so nothing was sent`,
		description: `Its last attempt was on ${toBrasiliaTime(sentAt, 'down')}, and the list of withdrawals may show the payout later. Run this again after ${toBrasiliaTime(until, 'up')}: if the list shows the payout by then, Duplicate Guard stops it, and otherwise it is paid. Or retry that execution: it sends the payout again under the same idempotency key.`,
	});
}

/**
 * @param limit the sentence that names it, and its remedy
 * @param mayHavePaid whether an earlier attempt may have paid it
 */
export function overLimit(
	order: Order,
	code: string,
	limit: { message: string; remedy: string },
	mayHavePaid: boolean,
): Failure {
	const before = mayHavePaid ? ' An earlier attempt may have paid it: check that first.' : '';
	return failure(order, {
		code,
		message: limit.message,
		description: `This item was not sent.${before} ${limit.remedy}`,
		effect: mayHavePaid ? 'unknown' : 'none',
	}).failure;
}
