import { ApiFailure, type Failure } from '../../shared/failures/failure';
import type { Order } from '../../shared/orders/order';
import { maskText } from '../../shared/privacy/text';
import { idOfAnswer } from '../../shared/validation/uuid';
import { toBrasiliaTime } from '../../shared/text/time';
import { toText } from '../../shared/validation/text';
import type { Doubt } from '../ledger/protocol';
import type { ReferencedTexts } from '../ledger/referencedKind';
import { failure, ledgerUnavailable, listIds, quote, PROOF_TIME } from '../ledger/texts';

const unknown = (order: Order): string =>
	`It is not known whether a charge with the External ID ${quote(order)} was created`;

/** It may have been created. @param own what differs from that */
const inDoubtAbout = (order: Order, own: Partial<Failure> & { description: string }): ApiFailure =>
	failure(order, { code: 'CHARGE_IN_DOUBT', message: unknown(order), effect: 'unknown', ...own });

const ANOTHER_ID = 'To charge again, use another External ID, for example with -2 at the end.';

/** How a person says in the table what became of a charge. @param row which one to edit */
const enterInTable = (order: Order, row: string): string =>
	`Open the table BRL Payouts under Data tables and look for a row with the reference ${quote(order)} ${row}. If the charge exists, set its status to created and its paymentId to the ID of the payment, and run the workflow again. If it does not, set its status to not created, and run the workflow again ${PROOF_TIME} later.`;
const ROW_IN_DOUBT = 'and the status in doubt';
const ROW_SENDING = 'and the status sending';
const LOOK_UP = 'Look for it with Payment > Get Many, or in the dashboard.';

/** The outcomes of charges with an External ID. */
export const chargeTexts: ReferencedTexts = {
	notShown:
		'At least one payment with the status UNKNOWN was created before, and could not be read now. Look at it later with Payment > Get and its ID. The API key requires the scope payments:read, and has to belong to the account that created it.',
	notWritten:
		'The charges that were created could not be written to the table BRL Payouts. Run the workflow again within 24 hours: the service recognizes each External ID, and no customer is charged twice.',
	otherContent: 'a charge of another amount',
	mismatch: (order, id) =>
		failure(order, {
			code: 'EXTERNAL_ID_MISMATCH',
			message: `The External ID ${quote(order)} was charged before with another amount or product`,
			description: `Nothing was created. The earlier charge has the ID ${id}. If this is another order, give it its own External ID. Otherwise correct the amount.`,
			effect: 'none',
			paymentIds: [id],
		}),
	elsewhere: (order) =>
		failure(order, {
			code: 'EXTERNAL_ID_MISMATCH',
			message: `The External ID ${quote(order)} was charged with other content, and not by this n8n project`,
			description: `Nothing was created. Another n8n or another tool has sent a charge with this External ID in the last 24 hours. ${LOOK_UP} If this is another order, give it its own External ID.`,
			effect: 'none',
		}),
	foreign: (order, id) =>
		inDoubtAbout(order, {
			message: `The External ID ${quote(order)} was charged with another API key, and this one cannot read that payment`,
			description: `Nothing was created. The payment has the ID ${id}. If it belongs to this account, give the API key the scope payments:read, or choose the credential that created it. If it is another client's, include the client in the External ID.`,
			paymentIds: [id],
		}),
	failed: (order, record) =>
		failure(order, {
			code: 'EXISTING_PAYMENT',
			message: `The service returned a charge of the External ID ${quote(order)} that nobody can pay any more (${toText(record.status)})`,
			description: `Its ID: ${idOfAnswer(record) ?? ''}. ${ANOTHER_ID}`,
			effect: 'none',
			paymentIds: [idOfAnswer(record) ?? ''],
		}),
	later: (order, _wanted, from, why) => {
		const when = from === undefined ? '' : ` after ${toBrasiliaTime(from, 'up')}`;
		const own =
			why === undefined
				? ''
				: ` The attempt of this run was not accepted: ${why}. If you can fix that, do it first.`;
		return inDoubtAbout(order, {
			description: `Run the workflow again${when}: the External ID is recognized, and charged once.${own}`,
			retryable: true,
		});
	},
	inDoubt: (order, _wanted, doubt, unread) => inDoubt(order, doubt, unread),
	ledgerUnavailable: (order, error, mayHaveActed) => {
		const { description, ...rest } = ledgerUnavailable(order, error, mayHaveActed).failure;
		const without =
			'Without the table, nobody knows what was charged before. To charge all the same, look for each External ID in the list of payments first, then turn off Options > Once per External ID: each run then charges every item, also what was charged before.';
		return new ApiFailure({ ...rest, description: `${description} ${without}` });
	},
};

function inDoubt(
	order: Order,
	doubt: Doubt,
	unread = 'The list of payments could not be read completely.',
): ApiFailure {
	switch (doubt.reason) {
		case 'candidates':
			return inDoubtAbout(order, {
				description: `The list of payments shows what may be it (${listIds(doubt.ids)}), and nothing shows whose charge that is. ${enterInTable(order, ROW_IN_DOUBT)}`,
				paymentIds: [...doubt.ids],
			});
		case 'listUnreadable':
			return inDoubtAbout(order, {
				description: `${unread} Fix the problem, then run the workflow again. If it stays like this: ${LOOK_UP} ${enterInTable(order, ROW_SENDING)}`,
				retryable: true,
			});
		case 'otherKey':
			return inDoubtAbout(order, {
				message: `${unknown(order)}: it was sent with another API key`,
				description: `It was sent with the API key ${doubt.apiKeys.filter(Boolean).join(', ') || '(not recorded)'}, and nothing shows that this key belongs to the same account. Choose the credential with that key, and run the workflow again. If that key is gone, look for the charge in its account, at least ${PROOF_TIME} after the last attempt. ${enterInTable(order, ROW_SENDING)}`,
			});
		case 'noAnswer':
			return inDoubtAbout(order, {
				description: `The service was asked again and gave no clear response. Run the workflow again later: the External ID is recognized, and charged once. If it stays like this, wait ${PROOF_TIME} without a run. ${LOOK_UP} ${enterInTable(order, ROW_SENDING)}`,
				retryable: true,
			});
		case 'claimedTwice':
			return inDoubtAbout(order, {
				message: `Two charges claim the payment ${doubt.id}: the External ID ${quote(order)} and ${doubt.claimants.map(maskText).join(', ')}`,
				description: `It belongs to only one of them. If you have not entered its ID yourself, a proxy between n8n and the service may be returning the wrong responses. Check at the service which one it belongs to. If the table BRL Payouts has it for the other one, correct that row: enter the right paymentId, or set its status to not created. Then run the workflow again.`,
				paymentIds: [doubt.id],
			});
		case 'unreadableWord':
			return inDoubtAbout(order, {
				message: `The table BRL Payouts says that the payment ${doubt.id} is the charge of the External ID ${quote(order)}, but that payment cannot be read`,
				description: `Nothing was created. Check the paymentId in the table BRL Payouts, and the credential: the API key requires the scope payments:read and has to belong to the account that created it.`,
				paymentIds: [doubt.id],
			});
	}
}

/**
 * A boleto may be paid shortly after its due date (docs/api.md#payment-states).
 * @param isBoleto false if the service does not show the method
 */
export function mayStillBePaid(order: Order, id: string, isBoleto: boolean): ApiFailure {
	const why = isBoleto
		? 'its boleto may still be paid'
		: 'the service does not show its method: if it is a boleto, it may still be paid';
	return failure(order, {
		code: 'CHARGE_EXPIRED',
		message: `The charge of the External ID ${quote(order)} has expired, and ${why}`,
		description: `Nothing was created. The expired charge has the ID ${id}: a boleto that is paid on or shortly after its due date still arrives. ${ANOTHER_ID}`,
		effect: 'none',
		paymentIds: [id],
	});
}

/** Two items of one run have one External ID and ask for different charges. @param row of the other one, from 1 */
export function sharedExternalId(order: Order, row: number): ApiFailure {
	return failure(order, {
		code: 'EXTERNAL_ID_MISMATCH',
		message: `Row ${row} of this list has the same External ID ${quote(order)} and another amount or product`,
		description:
			'Nothing was created. An External ID stands for one charge. Correct the row, or give it its own External ID.',
		effect: 'none',
	});
}
