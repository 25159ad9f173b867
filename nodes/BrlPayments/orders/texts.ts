/** What people read about orders: each says what is known, and what one person does next. */
import type { IDataObject } from 'n8n-workflow';
import { ApiFailure, type OwnFailure } from '../../shared/failures/failure';
import { maskText } from '../../shared/privacy/text';
import { omitUndefined } from '../../shared/text/omitUndefined';
import { toBrasiliaTime, toDayAndTime } from '../../shared/text/time';
import type { ApiRecord } from '../../shared/transport/schemas';
import { centsOfAnswer, formatReais } from '../../shared/input/money';
import { toText } from '../../shared/input/text';
import { LedgerUnavailable, type ActedOrder, type LedgerProblem } from './ledger';
import type { Kind } from './names';
import type { Conclusion } from './protocol';

/** An order as texts name it. */
export interface Named {
	/** The reference or External ID as entered, or `auto-…`. */
	readonly shown: string;
	readonly isAutomatic: boolean;
	/** Centavos that the item asks for; undefined if the price is a product's. */
	readonly cents: number | undefined;
	/** On Error is set to Continue, so that n8n offers no retry of the execution. */
	readonly isContinued?: boolean;
	/** An agent called the node as its tool: its execution succeeds, so n8n offers no retry either. */
	readonly isForAgent?: boolean;
}

export type Doubt = Extract<Conclusion, { say: 'inDoubt' }>;

/** How the outcomes of the protocol are told, see `Conclusion`. Times in epoch ms by the clock of this n8n. */
export interface OrderTexts {
	/** Hint for records that are known and cannot be read now. */
	readonly notShown: string;
	/** Hint if the ledger could not be written. */
	readonly notWritten: string;
	/** Hint for items that share a name. */
	readonly shared: string;
	/** How the same request is made again, as a sentence. */
	again(order: Named): string;
	/** @param record undefined if it cannot be read */
	mismatch(order: Named, id: string, record?: ApiRecord): ApiFailure;
	elsewhere(order: Named): ApiFailure;
	failed(order: Named, record: ApiRecord): ApiFailure;
	/** @param why the attempt of this run was refused */
	later(order: Named, from: number | undefined, why: string | undefined): ApiFailure;
	/**
	 * @param unread why the list shows nothing, as a sentence
	 * @param owners for which the table has one of the candidates, by the word of a person
	 */
	inDoubt(
		order: Named,
		doubt: Doubt,
		unread: string | undefined,
		owners?: readonly string[],
	): ApiFailure;
	/** Another item of this run has the name and asks for something else. @param row of that item, from 1 */
	contradicting(order: Named, row: number): ApiFailure;
}

/** A failure that says nothing of other items. */
function failure(order: Named | undefined, own: OwnFailure): ApiFailure {
	const reference = order && !order.isAutomatic ? order.shown : undefined;
	return new ApiFailure({ ...omitUndefined({ reference }), ...own, concernsItemOnly: true });
}

const quote = ({ shown }: Pick<Named, 'shown'>): string => `"${maskText(shown)}"`;
const listIds = (ids: readonly string[]): string =>
	`${ids.length === 1 ? 'ID' : 'IDs'} ${ids.map(maskText).join(', ')}`;
const amountOf = ({ cents }: Named): string => (cents === undefined ? '' : formatReais(cents));

/** The time after the last attempt from which a list is a proof. */
export const PROOF_TIME = 'five minutes';

/* Payouts */

const IN_DOUBT = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown' } as const;
const CHARGE_IN_DOUBT = { code: 'CHARGE_IN_DOUBT', effect: 'unknown' } as const;

const unknownWhetherPaid = (order: Named): string =>
	`It is not known whether an earlier attempt paid this item of ${amountOf(order)}`;

/** @param from epoch ms; undefined: at once */
const againPayout = (order: Named, from?: number): string => {
	if (!order.isAutomatic) {
		const again = order.isForAgent
			? `Ask the agent for it again${after(from)}, with the same reference: that`
			: `Run the workflow again${after(from)}: the reference`;
		return `${again} is recognized, and paid once.`;
	}
	if (order.isForAgent)
		return `To know it, look it up at the service${after(from)}. ${settle(order)}`;
	return order.isContinued
		? `Send this item with its field error to this node again${after(from)}, for example by connecting the error output to its input: the payout is recognized, and paid once. Without that field, it would be paid as a new one.`
		: `Retry this execution in the list Executions${after(from)}: the payout is recognized, and paid once. A new execution would pay it as a new one.`;
};

const after = (from: number | undefined): string =>
	from === undefined ? '' : ` after ${toBrasiliaTime(from, 'up')}`;

const rerun = ({ isAutomatic, isContinued, isForAgent }: Named): string => {
	if (isForAgent) return 'ask the agent for it again';
	if (!isAutomatic) return 'run the workflow again';
	return isContinued
		? 'send this item with its field error to this node again'
		: 'retry this execution';
};

/** What a person does who has looked the payout up. @param notThese IDs to rule out */
function settle(order: Named, notThese: readonly string[] = []): string {
	const ruleOut =
		notThese.length === 0
			? ''
			: ` and these IDs in 'Not These': ${notThese.map(maskText).join(', ')}`;
	return `If it was paid, run Withdrawal > Settle Reference with the reference ${quote(order)}, Outcome Paid and the ID. If it was not, run it with Outcome Not Paid${ruleOut}, at least ${PROOF_TIME} after the last attempt. Then ${rerun(order)}.`;
}

/** @param owners for which a person has recorded a candidate */
const whose = (owners: readonly string[] = []): string => {
	if (owners.length === 0) return 'nothing shows whose payout that is';
	const named = owners.map((value) => quote({ shown: value })).join(' and ');
	return `somebody has recorded it for ${named}. If that is this payout under another name, nothing is owed: do not send it again. If that record is wrong, first run Withdrawal > Settle Reference with the reference ${named} and Outcome Not Paid`;
};

export const KEY_THAT_READS =
	'The API key requires the scope withdrawals:read, and has to belong to the account that paid.';

/** Which withdrawal paid nobody, and why, in sentences. */
export function whichFailed({ id, errorMessage }: ApiRecord): string {
	const why = toText(errorMessage);
	return `Its ID: ${toText(id)}.${why === '' ? '' : ` The service said: ${maskText(why)}.`}`;
}

/** Whoever changes the expression instead gives new names to all rows that were paid. */
const OWN_REFERENCE =
	'give this row its own reference. Do not change the expression: all rows that were paid would be paid again';

export const payoutTexts: OrderTexts = {
	notShown: `At least one payout with the status UNKNOWN was made before, and could not be read now: the bank may have refused it since. Look at it later with Withdrawal > Get and its ID. ${KEY_THAT_READS}`,
	notWritten:
		'What was paid could not be written to the table BRL Payouts. Run this again within 24 hours: the service recognizes each payout, and nothing is paid twice. If somebody has deleted the table, first replace this node with a new one.',
	shared: 'Items with the same reference were paid once, and all return the same withdrawal.',
	again: (order) => againPayout(order),
	mismatch(order, id, record) {
		const cents = centsOfAnswer(record?.netAmount);
		const isOther = cents !== null && order.cents !== undefined && cents !== order.cents;
		const amounts = isOther
			? `: it paid ${formatReais(cents)}, and this row says ${amountOf(order)}`
			: '';
		const state = record ? '' : ' What became of it could not be read.';
		// The row may be one that a person has added, without its content.
		const was = record ? 'was paid before' : 'was paid before, as far as the table shows,';
		return failure(order, {
			code: 'REFERENCE_MISMATCH',
			message: `The reference ${quote(order)} ${was} with another amount or PIX key${amounts}`,
			description: `This item was not sent. The earlier payout has the ID ${id}.${state} If this is the same payout, correct the row, or pay what is missing under a reference of its own. If it is another one, ${OWN_REFERENCE}.`,
			effect: 'none',
			withdrawalIds: [id],
		});
	},
	elsewhere: (order) =>
		failure(order, {
			code: 'REFERENCE_MISMATCH',
			message: `The reference ${quote(order)} was used with other content, and not by this n8n project`,
			description: `This item was not sent. Another n8n, another tool, or this n8n before a backup was restored has sent a payout under this reference in the last 24 hours. Look for it with Withdrawal > Get Many. If it is this payout, run Withdrawal > Settle Reference with Outcome Paid and its ID: otherwise it is paid again after these 24 hours. If this is another payout, give it its own reference.`,
			effect: 'none',
		}),
	failed(order, record) {
		const again = order.isAutomatic
			? `To pay it anyway, ${rerun(order)}.`
			: 'To pay it under the same reference, run the workflow again.';
		return failure(order, {
			code: 'WITHDRAWAL_NOT_PAID',
			message: `The withdrawal is ${toText(record.status)}: the recipient received nothing`,
			description: `${whichFailed(record)} Check the PIX key with the recipient. ${again}`,
			effect: 'none',
			withdrawalIds: [toText(record.id)],
		});
	},
	later: (order, from, why) =>
		failure(order, {
			...IN_DOUBT,
			message: unknownWhetherPaid(order),
			description: `${againPayout(order, from)}${ownRefusal(why)}`,
			retryable: true,
		}),
	inDoubt(order, doubt, unread = 'The list of withdrawals could not be read completely.', owners) {
		switch (doubt.because) {
			case 'candidates':
				return failure(order, {
					...IN_DOUBT,
					message: unknownWhetherPaid(order),
					description: `The list of withdrawals shows what may be an earlier attempt of it (${listIds(doubt.ids)}), and ${whose(owners)}. Look it up at the service. ${settle(order, doubt.ids)}`,
					withdrawalIds: [...doubt.ids],
				});
			case 'listUnreadable':
				return failure(order, {
					...IN_DOUBT,
					message: unknownWhetherPaid(order),
					description: `${unread} So the list does not show whether an earlier attempt paid. Fix that, then ${rerun(order)}. If it stays like this, look the payout up at the service. ${settle(order)}`,
					retryable: true,
				});
			case 'otherKey':
				return failure(order, {
					...IN_DOUBT,
					message: `${unknownWhetherPaid(order)}: it was sent with another API key`,
					description: `Choose the credential with that key (column apiKey of the table BRL Payouts), and ${rerun(order)}. If that key is gone, look the payout up in its account. ${settle(order)}`,
				});
			case 'noAnswer':
				return failure(order, {
					...IN_DOUBT,
					message: unknownWhetherPaid(order),
					description: `The service was asked again and gave no clear response. ${againPayout(order)} If it stays like this, look the payout up at the service. ${settle(order)}`,
					retryable: true,
				});
			case 'edited':
				return failure(order, {
					...IN_DOUBT,
					message: `Somebody has changed a row of ${quote(order)} in the table BRL Payouts so that it cannot be read`,
					description: `This item was not sent. Look the payout up at the service. ${settle(order)}`,
				});
		}
	},
	contradicting: (order, row) =>
		failure(order, {
			code: 'REFERENCE_MISMATCH',
			message: `Row ${row} of this list has the same reference ${quote(order)} and another amount, PIX key or description`,
			description: `This item was not sent. A reference stands for one payout. If only one is owed, correct or remove the row. If both are, ${OWN_REFERENCE}.`,
			effect: 'none',
		}),
};

/** @param why the attempt of this run was refused */
const ownRefusal = (why: string | undefined): string =>
	why === undefined
		? ''
		: ` The attempt of this run was not accepted: ${why}. If you can fix that, do it first.`;

/** Two items without a reference that nothing tells apart. @param rows from 1; one: the other is of another run */
export function equalRows(order: Named, rows: readonly number[]): ApiFailure {
	const [first, second] = rows;
	const equal = { code: 'EQUAL_ROWS', effect: 'none' } as const;
	if (second === undefined) {
		return failure(order, {
			...equal,
			message: `Row ${first} is the same in every field of its item as one that this execution has asked for before, in another round or node`,
			description:
				'This one was not sent. Look at the result of the other one: if that was paid and only one is owed, nothing is left to do. Otherwise pay this one alone in a new execution.',
		});
	}
	const alone = order.isContinued
		? ' Then run only what is owed of these rows in a new execution: any other rows would be paid again.'
		: '';
	return failure(order, {
		...equal,
		message: `Rows ${first} and ${second} are the same in every field of their items`,
		description: `If both are owed, give each a Reference. If one is a copy, remove it.${alone}`,
	});
}

/**
 * Nothing new is sent while an order of an earlier attempt has not come up again.
 * @param mayHaveActed an earlier attempt has sent the order that this item passes for, too
 * @param isEvent an event of the trigger started the execution: the earlier one need not have failed
 */
export function changedRows(
	{ cells, paidBy }: ActedOrder,
	kind: Kind,
	mayHaveActed = false,
	isEvent = false,
): ApiFailure {
	const isPayout = kind === 'payout';
	const thing = isPayout ? 'A payout' : 'A charge';
	const amount = cells.amount === null ? thing : formatReais(centsOfAnswer(cells.amount) ?? 0);
	const to = cells.pixKey === null ? '' : ` to ${cells.pixKey}`;
	const done = isPayout ? 'paid' : `charged as ${quote({ shown: cells.reference })}`;
	const was = paidBy === undefined ? `may have been ${done}` : `was ${done}`;
	const id = paidBy === undefined ? '' : ` (${paidBy})`;
	const why = mayHaveActed
		? 'This item was not sent again: an earlier attempt may have paid it, too.'
		: 'This item was not sent: is one of these rows its correction?';
	const next = isEvent
		? `${paidBy === undefined ? `Retry this execution in ${PROOF_TIME}. ` : ''}If that was paid for the same event, nothing is left to do. What is owed besides, pay in a workflow without this trigger.`
		: 'Put the row back as it was, and retry the first execution. Or start a new execution with only what is still owed.';
	return failure(undefined, {
		code: 'ROWS_CHANGED',
		message: `${amount}${to} ${was} by an earlier attempt${id} and has not come up again`,
		description: `${why} ${next}`,
		effect: mayHaveActed ? 'unknown' : 'none',
		...(paidBy === undefined
			? {}
			: isPayout
				? { withdrawalIds: [paidBy] }
				: { paymentIds: [paidBy] }),
	});
}

/** Without its error, an item that comes back passes for another one. */
export const HOW_TO_COME_BACK =
	'To let an item come back to this node, connect its error output to the input without a node that drops the field error.';

/** An equal order of another run of this execution has no answer yet. @param until epoch ms */
export function openElsewhere(order: Named, until: number): ApiFailure {
	const time = after(until);
	// With Continue On Fail, n8n offers no retry.
	const next = order.isContinued
		? `Look up${time} at the service whether that one was paid. If it was not, pay this item in a new execution.`
		: `Retry this execution${time}.`;
	return failure(order, {
		...IN_DOUBT,
		message: unknownWhetherPaid(order),
		description: `An item of the same amount and PIX key got no answer earlier in this execution. ${next} ${HOW_TO_COME_BACK}`,
		retryable: true,
	});
}

/** An item came back with its error, and now asks for something else. */
export function changedOnTheWay(order: Named, kind: Kind): ApiFailure {
	const isPayout = kind === 'payout';
	return failure(order, {
		...(isPayout ? IN_DOUBT : CHARGE_IN_DOUBT),
		message: `This item carries the field error of an attempt with another ${isPayout ? 'amount, PIX key or reference' : 'External ID'}, and it is not known whether that attempt took effect`,
		description: `This item was not sent. Restore it to get the outcome. If this is another ${kind}, remove its field error.`,
	});
}

/** Nothing would recognize a second attempt at this item. @param mayHavePaid an earlier one may have been made */
export function needsReference(order: Named, mayHavePaid: boolean): ApiFailure {
	const before = mayHavePaid
		? 'An earlier attempt may have paid it: look it up with Withdrawal > Get Many (names without a reference leave the table BRL Payouts after 20 days). Then start a new execution with only what is still owed, and fill in Reference'
		: 'Fill in Reference';
	return failure(order, {
		code: 'REFERENCE_NEEDED',
		message:
			'This execution cannot be told from an earlier attempt, so a payout without a reference could be paid twice',
		description: `This item was not sent. ${before}, for example with the invoice number.`,
		effect: mayHavePaid ? 'unknown' : 'none',
	});
}

/** The item is the output of this node. */
export function resultOfPayout(order: Named, { id }: IDataObject): ApiFailure {
	return failure(order, {
		code: 'REFERENCE_NEEDED',
		message: `This item is the result of a payout that was made before (${maskText(toText(id))})`,
		description:
			'It was not paid again. To wait for the bank, use Withdrawal > Wait for Status behind this node. If the bank has refused it, or one more payout of this amount to this PIX key is owed, fill in Reference.',
		effect: 'none',
		withdrawalIds: [toText(id)],
	});
}

/** When the caller is retried, n8n starts the called workflow anew: nothing tells that from a new order. */
export function calledWithoutReference(order: Named): ApiFailure {
	return failure(order, {
		code: 'REFERENCE_NEEDED',
		message:
			'Another workflow called this one, so a payout without a reference could be paid again when the caller is retried',
		description:
			"This item was not sent. Fill in Reference, for example with the invoice number. To pay in every call all the same, and once more whenever the caller is retried, choose Never in 'Options > Duplicate Guard'.",
		effect: 'none',
	});
}

/** @param reference that is written as automatic names are */
export function reservedForm(reference: string): ApiFailure {
	return failure(undefined, {
		code: 'INVALID_INPUT',
		message: `The reference "${maskText(reference)}" has the form of the names that this node makes itself`,
		description: 'This item was not sent. Use another reference, such as the invoice number.',
		effect: 'none',
	});
}

/** A limit stops a payout. @param mayHavePaid whether an earlier attempt may have paid it */
export function overLimit(
	order: Named,
	limit: { message: string; remedy: string },
	mayHavePaid: boolean,
): ApiFailure {
	const before = mayHavePaid ? ' An earlier attempt may have paid it: check that first.' : '';
	return failure(order, {
		code: 'OVER_LIMIT',
		message: limit.message,
		description: `This item was not sent.${before} ${limit.remedy}`,
		effect: mayHavePaid ? 'unknown' : 'none',
	});
}

/** Why Duplicate Guard looked, see `guard.ts`. */
export type GuardReason = 'lateReference' | 'always' | 'manual' | 'retry' | 'agentTool';

/**
 * An equal payout of another execution.
 * @param found at least one @param now epoch ms @param mayHavePaid an earlier attempt at this one got no answer
 */
export function possibleDuplicate(
	order: Named,
	found: readonly ActedOrder[],
	reason: GuardReason,
	now: number,
	mayHavePaid = false,
): ApiFailure {
	// A withdrawal that a reference has taken over is found under both names.
	const ids = [...new Set(found.flatMap(({ paidBy }) => paidBy ?? []))];
	const paid = ids.length === 0 ? '' : ` (${ids.map(maskText).join(', ')})`;
	const [first] = found;
	const open = found.find(({ paidBy }) => paidBy === undefined);
	const sentAt = first?.cells.sentAt;
	const at = sentAt ? ` ${toDayAndTime(new Date(sentAt).getTime(), now)}` : '';
	const named = first?.isAutomatic
		? 'without a reference'
		: `as ${quote({ shown: first?.value ?? '' })}`;
	const what = `${amountOf(order)} ${first?.paidBy ? 'went' : 'may have gone'} to this PIX key${at}, ${named}`;
	return failure(order, {
		code: 'POSSIBLE_DUPLICATE',
		// Of the other rows of a list, only the message is shown.
		message: `${what}${paid}, so it was not paid again`,
		description: mayHavePaid
			? `An earlier attempt of this execution may have paid it, too: look at the service for a second payout. If there is none, and the first one was this row, nothing is left to do. ${settle(order, ids)}`
			: adviseOnDuplicate(order, ids, reason, open),
		effect: mayHavePaid ? 'unknown' : 'none',
		...(ids.length === 0 ? {} : { withdrawalIds: ids }),
	});
}

/** @param open one of which it is not known whether it was paid */
function adviseOnDuplicate(
	order: Named,
	ids: readonly string[],
	reason: GuardReason,
	open: ActedOrder | undefined,
): string {
	if (reason === 'agentTool') {
		const named = ids.length === 0 ? '' : ` (${listIds(ids)})`;
		const doubt = open
			? ` If nobody knows whether it was paid, look it up at the service. ${settle({ ...order, shown: open.value })}`
			: '';
		return `Tell the requester${named}. As a tool, this node pays the same amount to the same PIX key once in 24 hours, however often the agent calls it.${doubt} To pay it once more, pay it in a workflow without an agent.`;
	}
	const never = "run only this row, with 'Options > Duplicate Guard' set to Never";
	if (open) {
		const other = quote({ shown: open.value });
		const again = order.isAutomatic ? 'This row is done then' : 'Then run the workflow again';
		const name = order.isAutomatic ? other : quote(order);
		const gone = open.isAutomatic
			? ' If it does not know that name, nothing was sent under it.'
			: '';
		return `If this is another payout, ${never}. If it is the same one, look up at the service whether it was paid. If it was, run Withdrawal > Settle Reference with the reference ${name}, Outcome Paid and the ID. ${again}. If it was not, run it with the reference ${other} and Outcome Not Paid, at least ${PROOF_TIME} after that attempt.${gone} Then ${rerun(order)}.`;
	}
	if (!order.isAutomatic) {
		const id = ids.map(maskText).join(' or ');
		return `Was that ${maskText(order.shown)}? Then record it: Withdrawal > Settle Reference, Paid, ${id}. If not, ${never}.`;
	}
	return `If that was this row, it is paid: do not add a reference to it now. To pay it once more, ${never}.`;
}

/* Charges */

const unknownWhetherCharged = (order: Named): string =>
	`It is not known whether a charge with the External ID ${quote(order)} was created`;

/** It may have been created. @param own what differs from that */
const chargeInDoubt = (
	order: Named,
	own: Partial<OwnFailure> & { description: string },
): ApiFailure =>
	failure(order, {
		...CHARGE_IN_DOUBT,
		message: unknownWhetherCharged(order),
		...own,
	});

const ANOTHER_ID = 'To charge again, use another External ID, for example with -2 at the end.';
const LOOK_UP = 'Look for it with Payment > Get Many, or in the dashboard.';
const chargeAgain = (from?: number): string =>
	`Run the workflow again${after(from)}: the External ID is recognized, and charged once.`;

/** How a person says in the table what became of a charge. */
const enterInTable = (order: Named): string =>
	`${LOOK_UP} Then open the table BRL Payouts under Data tables and find the row with the reference ${quote(order)} and the status sending. If the charge exists, set its status to created and its paymentId to the ID of the payment. If it does not, set its status to not created, at least ${PROOF_TIME} after the last attempt. Then run the workflow again.`;

export const chargeTexts: OrderTexts = {
	notShown:
		'At least one payment with the status UNKNOWN was created before, and could not be read now. Look at it later with Payment > Get and its ID. The API key requires the scope payments:read, and has to belong to the account that created it.',
	notWritten:
		'The charges that were created could not be written to the table BRL Payouts. Run the workflow again within 24 hours: the service recognizes each External ID, and no customer is charged twice.',
	shared: 'Items with the same External ID were charged once, and all return the same payment.',
	again: () => chargeAgain(),
	mismatch: (order, id) =>
		failure(order, {
			code: 'EXTERNAL_ID_MISMATCH',
			message: `The External ID ${quote(order)} was charged before with another amount, product or customer document`,
			description: `Nothing was created. The earlier charge has the ID ${id}. If this is another order, or another customer's, give it its own External ID. If the row is wrong, correct it. If the earlier charge is wrong, cancel it in the dashboard, then run the workflow again: another External ID would charge the customer twice.`,
			effect: 'none',
			paymentIds: [id],
		}),
	elsewhere: (order) =>
		failure(order, {
			code: 'EXTERNAL_ID_MISMATCH',
			message: `The External ID ${quote(order)} was charged with other content, and not by this n8n project`,
			description: `Nothing was created. Another n8n, another tool, or this n8n before a backup was restored has sent a charge with this External ID in the last 24 hours. ${LOOK_UP} If this is another order, give it its own External ID.`,
			effect: 'none',
		}),
	failed: (order, { id, status }) =>
		failure(order, {
			code: 'EXISTING_PAYMENT',
			message: `The service returned a charge of the External ID ${quote(order)} that nobody can pay any more (${toText(status)})`,
			description: `Its ID: ${toText(id)}. ${ANOTHER_ID}`,
			effect: 'none',
			paymentIds: [toText(id)],
		}),
	later: (order, from, why) =>
		chargeInDoubt(order, {
			description: `${chargeAgain(from)}${ownRefusal(why)}`,
			retryable: true,
		}),
	inDoubt(order, doubt, unread = 'The list of payments could not be read completely.') {
		switch (doubt.because) {
			case 'candidates':
				return chargeInDoubt(order, {
					description: `The list of payments shows what may be it (${listIds(doubt.ids)}), and nothing shows whose charge that is. ${enterInTable(order)}`,
					paymentIds: [...doubt.ids],
				});
			case 'listUnreadable':
				return chargeInDoubt(order, {
					description: `${unread} Fix that, then run the workflow again. If it stays like this: ${enterInTable(order)}`,
					retryable: true,
				});
			case 'otherKey':
				return chargeInDoubt(order, {
					message: `${unknownWhetherCharged(order)}: it was sent with another API key`,
					description: `Choose the credential with that key (column apiKey of the table BRL Payouts), and run the workflow again. If that key is gone: ${enterInTable(order)}`,
				});
			case 'noAnswer':
				return chargeInDoubt(order, {
					description: `The service was asked again and gave no clear response. ${chargeAgain()} If it stays like this: ${enterInTable(order)}`,
					retryable: true,
				});
			case 'edited':
				return chargeInDoubt(order, {
					message: `Somebody has changed a row of the External ID ${quote(order)} in the table BRL Payouts so that it cannot be read`,
					description: `Nothing was created. ${enterInTable(order)}`,
				});
		}
	},
	contradicting: (order, row) =>
		failure(order, {
			code: 'EXTERNAL_ID_MISMATCH',
			message: `Row ${row} of this list has the same External ID ${quote(order)} and another amount, product or customer document`,
			description:
				'Nothing was created. An External ID stands for one charge. Correct the row, or give it its own External ID.',
			effect: 'none',
		}),
};

/** A boleto may be paid shortly after its due date (docs/api.md#payment-states). */
export function mayStillBePaid(externalId: string, { id, paymentMethod }: ApiRecord): ApiFailure {
	const why =
		paymentMethod === 'BOLETO'
			? 'its boleto may still be paid'
			: 'the service does not show its method: if it is a boleto, it may still be paid';
	return failure(undefined, {
		code: 'CHARGE_EXPIRED',
		reference: externalId,
		message: `The charge of the External ID ${quote({ shown: externalId })} has expired, and ${why}`,
		description: `Nothing was created. The expired charge has the ID ${toText(id)}: a boleto that is paid on or shortly after its due date still arrives. ${ANOTHER_ID}`,
		effect: 'none',
		paymentIds: [toText(id)],
	});
}

/* The table */

const LEDGER_REMEDIES: Record<LedgerProblem, string> = {
	noDataTables:
		'Payouts, and charges with an External ID, need n8n 2.3 or later with its Data Table module turned on (remove data-table from N8N_DISABLED_MODULES).',
	gone: 'The table BRL Payouts that this node has used was deleted or renamed, or the workflow was moved to another project. Move it back, or give it its name back, or restore the table from a backup of the database of n8n: without it, what was paid would be paid again. To start over on purpose, replace this node with a new one, and remove all rows that were paid from the list.',
	renamed:
		'There is no table BRL Payouts, but another table has its columns. If somebody renamed it, give it its name back. If BRL Payouts was deleted and this is a copy, rename the copy to BRL Payouts, then add what was paid since it was made. Delete it only if nothing was ever paid by its rows.',
	columns:
		'There is a table named BRL Payouts that does not have the right columns. If somebody removed one, restore the column with its values, for example from a backup. If somebody imported it from a file, import the file again, with the type of column that n8n names below. Rename it only if it has never held payouts: the node then creates a new one, which knows nothing of what was paid.',
	full: 'The data tables of this n8n are full. Delete rows that are no longer needed, or increase N8N_DATA_TABLES_MAX_SIZE_BYTES.',
	failed: 'Have the database of n8n checked.',
};

/** Without the table, nobody knows whether an order was made: nothing is sent. */
export function ledgerUnavailable(
	order: Named | undefined,
	error: unknown,
	mayHaveActed: boolean,
): ApiFailure {
	const problem = error instanceof LedgerUnavailable ? error.problem : 'failed';
	const sent = mayHaveActed
		? 'Nothing more was sent. An earlier attempt may have taken effect.'
		: 'Nothing was sent.';
	const isPassing = problem === 'full' || problem === 'failed';
	// A new execution would pay once more what has no reference.
	const next = isPassing ? ` Then ${order ? rerun(order) : 'run the workflow again'}.` : '';
	const said = error instanceof Error ? maskText(error.message) : 'unknown reason';
	return failure(order, {
		code: 'LEDGER_UNAVAILABLE',
		message: 'The table BRL Payouts, in which each payout is written down, cannot be used',
		description: `${sent} ${LEDGER_REMEDIES[problem]}${next} n8n said: ${said}.`,
		effect: mayHaveActed ? 'unknown' : 'none',
		retryable: problem === 'failed',
	});
}
