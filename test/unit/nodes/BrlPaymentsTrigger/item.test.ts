import type { IDataObject } from 'n8n-workflow';
import {
	inColumns,
	resourceOf,
	toIdentities,
	toItem,
} from '../../../../nodes/BrlPaymentsTrigger/item';
import { DELIVERY_ID, NOW, PAYMENT_ID } from './support/delivery';

const TX_ID = 'PAY0123456789ABCDEF0123456789ABCDEF';
const WITHDRAWAL_ID = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
const WITHDRAWAL_TX_ID = 'WIT1795262400000A1B2C';
const REFUND_ID = '9b2d5c1e-4f6a-4b7c-8d9e-0a1b2c3d4e5f';

const describeBody = (event: string, body: IDataObject) =>
	toItem({ event, deliveryId: DELIVERY_ID, body }, NOW, NOW + 1_500);

const NOTHING = {
	...{ resourceType: null, paymentId: null, withdrawalId: null, txId: null },
	...{ status: null, isTest: false },
};
/** What is read of an event about a payment or withdrawal; IDs that are not named are null. */
const payment = (read: object) => ({ ...NOTHING, resourceType: 'payment', ...read });
const withdrawal = (read: object) => ({ ...NOTHING, resourceType: 'withdrawal', ...read });

const paid = { id: PAYMENT_ID, txId: TX_ID, status: 'PAID' };
const readPaid = payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'PAID' });
const sent = { id: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'COMPLETED' };
const ids = { withdrawalId: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID };
const readSent = withdrawal({ ...ids, status: 'COMPLETED' });
const byWithdrawalId = { withdrawalId: WITHDRAWAL_ID };
const byPaymentId = payment({ paymentId: PAYMENT_ID });
const byTxId = payment({ txId: TX_ID });

/** Something else, which has an ID of its own, next to the txId. */
const refund = { id: REFUND_ID, txId: 'E123', feeAmount: 1 };

type Row = [what: string, event: string, body: IDataObject, read: object];

const ABOUT_PAYMENTS = [
	...['PAYMENT_PAID', 'PAYMENT_CONFIRMED', 'PAYMENT_CHARGEBACK'],
	...['PAYMENT_EXPIRED', 'PAYMENT_CANCELLED'],
].flatMap((event): Row[] => [
	// Only the table of events says whose the id is: a resend has fewer fields.
	['both IDs, and more', event, { ...paid, paidAt: null, payer: { name: null } }, readPaid],
	['only the txId', event, { txId: TX_ID }, byTxId],
]);

/** A refund or a dispute, which has an ID of its own. */
const ABOUT_OTHERS = [
	...['PAYMENT_REFUNDED', 'PAYMENT_REFUND_FAILED'],
	...['MED_RECEIVED', 'MED_RESOLVED'],
].flatMap((event): Row[] => [
	['null for everything else', event, { paymentId: PAYMENT_ID, id: null, txId: null }, byPaymentId],
	['an ID of its own', event, { id: REFUND_ID, paymentId: PAYMENT_ID, amount: 5 }, byPaymentId],
	['an ID of its own alone, which is no payment', event, { id: REFUND_ID, fee: 1 }, payment({})],
	['the thin body of a resend', event, { ...paid, amount: 10 }, readPaid],
]);

const ABOUT_WITHDRAWALS = ['WITHDRAWAL_SENT', 'WITHDRAWAL_FAILED'].flatMap((event): Row[] => [
	['id and recipient', event, { ...sent, recipient: { name: null } }, readSent],
	['the withdrawalId', event, byWithdrawalId, withdrawal(byWithdrawalId)],
	['only the txId', event, { txId: WITHDRAWAL_TX_ID }, withdrawal({ txId: WITHDRAWAL_TX_ID })],
]);

test.each<Row>([
	...ABOUT_PAYMENTS,
	...ABOUT_OTHERS,
	...ABOUT_WITHDRAWALS,
	['a test of the dashboard', 'TEST', { data: {} }, { ...NOTHING, isTest: true }],
	['nothing', 'PAYMENT_PAID', {}, payment({})],
	['IDs of other types', 'PAYMENT_PAID', { id: 17, txId: { of: 'x' }, status: [] }, payment({})],
	['an ID that is no UUID', 'PAYMENT_PAID', { id: 'evt_1', txId: TX_ID }, byTxId],
	['the txId of a payment', 'NEW_EVENT', { id: REFUND_ID, txId: TX_ID, more: true }, byTxId],
	['a payment by its name', 'PAYMENT_DISPUTED', { txId: 'X1' }, payment({ txId: 'X1' })],
	['the paymentId', 'NEW_EVENT', { paymentId: PAYMENT_ID }, byPaymentId],
	['the txId of a withdrawal', 'NEW_EVENT', { ...sent, feeAmount: 1 }, readSent],
	['an ID next to the txId', 'WITHDRAWAL_BACK', refund, withdrawal({ txId: 'E123' })],
	['an ID that may be of anything', 'WITHDRAWAL_BACK', { id: REFUND_ID, fee: 1 }, withdrawal({})],
	['nothing known', 'NEW_EVENT', { id: REFUND_ID, status: 'NEW' }, { ...NOTHING, status: 'NEW' }],
	['a name of every object', 'constructor', {}, NOTHING],
])('%s: %s', (_, event, body, expected) => {
	const output = describeBody(event, body);
	expect(output).toEqual({
		event,
		source: 'webhook',
		deliveryId: DELIVERY_ID,
		sentAt: '2026-11-21T12:00:00.000Z',
		receivedAt: '2026-11-21T12:00:01.500Z',
		...expected,
		body,
	});
	expect(output.body).toBe(body);
});

test('a withdrawal never becomes a payment, nor a payment a withdrawal', () => {
	const body = { id: PAYMENT_ID, paymentId: PAYMENT_ID, withdrawalId: WITHDRAWAL_ID };
	expect(describeBody('PAYMENT_PAID', body).withdrawalId).toBeNull();
	expect(describeBody('WITHDRAWAL_SENT', body)).toMatchObject({
		paymentId: null,
		withdrawalId: WITHDRAWAL_ID,
	});
});

describe('the columns', () => {
	const body = { amount: 10.5, payer: { name: 'Maria' }, description: 'Rent', paidAt: null };
	const columnsOf = (more: object) => inColumns({ event: 'PAYMENT_PAID', body, ...more });

	test('say how much, from whom and for what, first; what the event lacks is read from its current state', () => {
		const current = { amount: 99, paidAt: '2026-11-21T12:00:00.000Z', externalId: 'order-1' };
		const output = columnsOf({ current });

		expect(output).toMatchObject({
			...{ amount: 10.5, payerName: 'Maria', description: 'Rent' },
			...{ externalId: 'order-1', paidAt: '2026-11-21T12:00:00.000Z' },
		});
		expect(Object.keys(output).at(-1)).toBe('body');
	});

	test('say of a withdrawal what the recipient gets, however the event came', () => {
		const delivered = { amount: 101.5, netAmount: 100 };
		for (const withdrawal of [delivered, { grossAmount: 101.5, netAmount: 100 }]) {
			const output = columnsOf({ body: withdrawal, resourceType: 'withdrawal' });
			expect(output.amount).toBe(100);
		}
	});

	test('have the names that the ledger has; what the service says of the External ID counts first', () => {
		const names = { externalId: 'order-1', reference: 'NF-1' };
		expect(columnsOf(names)).toMatchObject(names);
		const shown = { body: { ...body, externalId: 'o-2' }, ...names };
		expect(columnsOf(shown)).toMatchObject({ externalId: 'o-2' });
	});

	test('are null where nothing says them', () => {
		const nothing = { amount: null, payerName: null, externalId: null, reference: null };
		expect(columnsOf({ body: { payer: null } })).toMatchObject(nothing);
	});
});

describe('the identities of an event', () => {
	const item = toItem({ event: 'PAYMENT_REFUNDED', deliveryId: DELIVERY_ID, body: {} }, NOW, NOW);
	const identify = (changed: object) => toIdentities({ ...item, ...changed });
	const whole = { paymentId: 'p1', txId: 'PAY1', status: 'REFUNDED' };

	test('are one for each ID, whichever of them a delivery contains', () => {
		const both = identify(whole);
		expect(new Set(both).size).toBe(2);
		expect([...identify({ paymentId: 'p1' }), ...identify({ txId: 'PAY1' })]).toEqual(both);
		// An empty TxID is none: otherwise two payments would be one.
		expect(toItem({ event: 'X', deliveryId: '1', body: { txId: '' } }, NOW, NOW).txId).toBeNull();
	});

	test.each<[string, object]>([
		['another event', { event: 'PAYMENT_PAID' }],
		['a partial refund before it', { status: 'PARTIAL_REFUND' }],
		['another payment', { paymentId: 'p2', txId: 'PAY2' }],
	])('are others for %s', (_, changed) => {
		const other = identify({ ...whole, ...changed });
		expect(other.filter((identity) => identify(whole).includes(identity))).toEqual([]);
	});

	test('have their resource in common with other events of it, and of it alone', () => {
		const resources = (changed: object) => identify({ ...whole, ...changed }).map(resourceOf);
		expect(resources({ event: 'PAYMENT_PAID', status: 'PAID' })).toEqual(resources({}));
		expect(resources({ status: 'PARTIAL_REFUND' })).toEqual(resources({}));
		expect(resources({ paymentId: 'p2' })[0]).not.toBe(resources({})[0]);
	});
});
