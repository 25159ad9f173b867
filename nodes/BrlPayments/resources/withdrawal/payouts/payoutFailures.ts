import { ApiFailure, type Failure } from '../../../../shared/failures/failure';
import { formatReais } from '../../../../shared/validation/money';
import { toText } from '../../../../shared/validation/text';
import type { Order } from '../../../../shared/orders/order';
import { maskText } from '../../../../shared/privacy/text';
import type { ApiRecord } from '../../../../shared/transport/schemas';
import { omitUndefined } from '../../../../shared/text/omitUndefined';

type PayoutFailure = Pick<Failure, 'code' | 'message' | 'description' | 'effect'> &
	Partial<Pick<Failure, 'withdrawalIds' | 'retryable'>>;

function failure(order: Order | undefined, own: PayoutFailure): ApiFailure {
	const { reference } = order ?? {};
	return new ApiFailure({
		httpStatus: null,
		retryable: false,
		...omitUndefined({ reference: reference?.shown }),
		...own,
		concernsItemOnly: true,
	});
}

const withId = (id: string | undefined): Pick<Failure, 'withdrawalIds'> =>
	id === undefined ? {} : { withdrawalIds: [id] };

/**
 * The service may recognize an idempotency key for one API key only
 * (docs/open-points.md#idempotencyscope).
 */
export const SENT_WITH_OTHER_KEY =
	'At least one payout was sent before with another API key of this account, and no response arrived. The list does not show it, so it was sent again under the same idempotency key. If that first request arrives late, only a service that recognizes the key for all API keys pays it once: look at the list of withdrawals in a few minutes.';

/**
 * The reference is known with other content.
 * @param id of the payout that was made under it, which has another amount or PIX key. Where none is
 * known, the service has only said that something differs.
 * @param isOpen the outcome of the earlier attempt is unknown
 */
export function referenceMismatch(
	order: Order,
	{ id, isOpen = false }: { id?: string | undefined; isOpen?: boolean } = {},
): ApiFailure {
	const isUnknown = isOpen || (id === undefined && order.isUnclear);
	const what = id === undefined ? 'with other content' : 'for another payout';
	const advice = isUnknown
		? 'It is not known whether that earlier attempt paid: look it up with Withdrawal > Get Many first. Then correct the row, or give it its own reference.'
		: 'Correct the row, or give it its own reference.';
	const detail =
		id === undefined
			? 'If only its description or Additional Body Fields have changed, restore them.'
			: `The earlier payout has the ID ${id}.`;
	return failure(order, {
		code: 'REFERENCE_MISMATCH',
		message: `The reference "${maskText(order.reference?.shown ?? '')}" was used before ${what}`,
		description: `This item was not sent. A reference stands for one payout: the same amount to the same PIX key. ${advice} ${detail}`,
		effect: isUnknown ? 'unknown' : 'none',
		...withId(id),
	});
}

/** @param id of the withdrawal that was made under the reference; undefined where it is not known */
export function usedByOtherAccount(order: Order, id: string | undefined): ApiFailure {
	const shown = maskText(order.reference?.shown ?? '');
	const payout = id === undefined ? 'that payout' : `the payout ${id}`;
	return failure(order, {
		code: 'OTHER_ACCOUNT',
		message: `The reference "${shown}" was used for a payout from another account`,
		description: `This item was not sent. The account of this API key does not show ${payout}. If both are the same invoice, look up in the other account whether it was paid, and remove the row here. If this one is another client's, include the client in its reference, or use a separate workflow for each client.`,
		effect: 'none',
		...withId(id),
	});
}

/**
 * The reference was paid with another API key, and the one in use cannot show the withdrawal.
 * @param id of it; undefined where it is not known
 */
export function notShown(order: Order, id: string | undefined): ApiFailure {
	const shown = maskText(order.reference?.shown ?? '');
	const payout = id === undefined ? 'The payout' : `The payout ${id}`;
	return failure(order, {
		code: 'PAYOUT_IN_DOUBT',
		message: `The reference "${shown}" was used for a payout with another API key, which this one could not look up`,
		description: `This item was not sent. ${payout} may be of this account or of another one. Give the API key the scope withdrawals:read, and run this again. Or choose the credential that paid.`,
		effect: 'unknown',
		retryable: true,
		...withId(id),
	});
}

/** The bank refused what the service had accepted (docs/api.md#withdrawal-states). */
export function notPaid(order: Order, withdrawal: ApiRecord): ApiFailure {
	const { id, status, errorMessage } = withdrawal;
	const why = toText(errorMessage);
	const canRepeat =
		order.kind === 'reference'
			? 'Run the workflow again to pay it under the same reference.'
			: 'To pay it anyway, run a new execution with only this item.';
	return failure(order, {
		code: 'WITHDRAWAL_NOT_PAID',
		message: `The withdrawal is ${toText(status)}: the recipient received nothing`,
		description: `Its ID: ${toText(id)}.${why === '' ? '' : ` The service said: ${maskText(why)}.`} Check the PIX key with the recipient. ${canRepeat}`,
		effect: 'none',
		withdrawalIds: [toText(id)],
	});
}

/** It cannot be determined whether an earlier attempt paid. */
export function inDoubt(
	order: Order,
	cents: number,
	reason: string,
	retryable = false,
): ApiFailure {
	return failure(order, {
		retryable,
		code: 'PAYOUT_IN_DOUBT',
		message: `It is not known whether an earlier attempt paid these ${formatReais(cents)}, so it was not sent`,
		description: `${reason} To check it yourself, use Withdrawal > Get Many, by PIX key and amount. If it was not paid, run a new execution with only this item${order.reference === undefined ? '' : ', under another reference'}.`,
		effect: 'unknown',
	});
}

/**
 * Another execution has sent the same payout, and the service may still be working on it.
 * @param sentAt, until epoch ms
 */
export function stillUnclear(
	order: Order,
	cents: number,
	sentAt: number,
	until: number,
): ApiFailure {
	return failure(order, {
		retryable: true,
		code: 'PAYOUT_IN_DOUBT',
		message: `It is not known whether another execution has just paid these ${formatReais(cents)}, so they were not sent`,
		description: `Its last attempt was on ${new Date(sentAt).toISOString()}, and the list of withdrawals may show the payout later. Run this again after ${new Date(until).toISOString()}: if the list shows the payout by then, Duplicate Guard stops it, and otherwise it is paid. Or retry that execution: it sends the payout again under the same idempotency key.`,
		effect: 'unknown',
	});
}

/** @param limit the sentence that names it, and its remedy */
export function overLimit(
	order: Order,
	code: string,
	limit: { message: string; remedy: string },
): Failure {
	return failure(order, {
		code,
		message: limit.message,
		description: `This item was not sent. ${limit.remedy}`,
		effect: order.isUnclear ? 'unknown' : 'none',
	}).failure;
}

/** What n8n says of its store that failed. */
export function getReason(error: unknown): string {
	return error instanceof Error ? maskText(error.message) : 'unknown error';
}

/** References are remembered in n8n's store: without it, it is unknown whether one was paid. */
export function storeUnavailable(order: Order, error: unknown): Failure {
	return failure(order, {
		code: 'REFERENCES_UNAVAILABLE',
		message: 'The memory of references in the database of n8n cannot be read',
		description: `This item was not sent. n8n said: ${getReason(error)}. Save the workflow if it was never saved. Otherwise have the database of n8n checked, and run the workflow again.`,
		effect: order.isUnclear ? 'unknown' : 'none',
		retryable: true,
	}).failure;
}

/** A later key is used only once that is remembered: the first one may pay if it is sent again. */
export function laterKeyNotNoted(order: Order, error: unknown): ApiFailure {
	return failure(order, {
		code: 'REFERENCES_UNAVAILABLE',
		message: 'The memory of references in the database of n8n cannot be written',
		description: `The service refused this payout and asks for a new idempotency key. It was not sent under a new key, because n8n could not remember which one. n8n said: ${getReason(error)}. Have the database of n8n checked, and run the workflow again.`,
		effect: order.isUnclear ? 'unknown' : 'none',
		retryable: true,
	});
}

/** The execution was stopped while another one was sending the same order. */
export function stopped(order: Order): ApiFailure {
	return failure(order, {
		code: 'NOT_STARTED',
		message: 'The execution was stopped before this item was sent',
		description: 'This item was not sent by this execution. Run the workflow again.',
		effect: order.isUnclear ? 'unknown' : 'none',
		retryable: true,
	});
}
