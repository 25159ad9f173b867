import type { IDataObject } from 'n8n-workflow';
import {
	describeDelivery,
	inColumns,
	type TriggerOutput,
} from '../../../../../nodes/BrlPaymentsTrigger/emit/output';
import { DELIVERY_ID, NOW, PAYMENT_ID } from '../support/delivery';

const TX_ID = 'PAY0123456789ABCDEF0123456789ABCDEF';
const WITHDRAWAL_ID = '7d444840-9dc0-11d1-b245-5ffdce74fad2';
const WITHDRAWAL_TX_ID = 'WIT1795262400000A1B2C';
const REFUND_ID = '9b2d5c1e-4f6a-4b7c-8d9e-0a1b2c3d4e5f';

const describeBody = (event: string, body: IDataObject): TriggerOutput =>
	describeDelivery({ event, deliveryId: DELIVERY_ID, body }, NOW, NOW + 1_500);

type Ids = Partial<
	Pick<TriggerOutput, 'resourceType' | 'paymentId' | 'withdrawalId' | 'txId' | 'status' | 'isTest'>
>;

const NOTHING = {
	resourceType: null,
	paymentId: null,
	withdrawalId: null,
	txId: null,
	status: null,
	isTest: false,
};
const payment = (ids: Ids) => ({ ...NOTHING, resourceType: 'payment', ...ids });
const withdrawal = (ids: Ids) => ({ ...NOTHING, resourceType: 'withdrawal', ...ids });

const thin = { id: PAYMENT_ID, txId: TX_ID, status: 'PAID', amount: 10 };

test.each<[string, string, IDataObject, object]>([
	[
		'both ids',
		'PAYMENT_PAID',
		{ id: PAYMENT_ID, txId: TX_ID, status: 'PAID', paidAt: null, endToEndId: null, payer: null },
		payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'PAID' }),
	],
	[
		'a payer whose fields are all null',
		'PAYMENT_PAID',
		{ id: PAYMENT_ID, txId: TX_ID, status: 'PAID', payer: { name: null, document: null } },
		payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'PAID' }),
	],
	...['PAYMENT_CONFIRMED', 'PAYMENT_CHARGEBACK', 'PAYMENT_EXPIRED', 'PAYMENT_CANCELLED'].map(
		(event): [string, string, IDataObject, object] => [
			'only txId',
			event,
			{ txId: TX_ID, status: 'CONFIRMED' },
			payment({ txId: TX_ID, status: 'CONFIRMED' }),
		],
	),
	...['PAYMENT_EXPIRED', 'PAYMENT_CANCELLED'].map(
		(event): [string, string, IDataObject, object] => [
			'both ids',
			event,
			{ id: PAYMENT_ID, txId: TX_ID, status: 'EXPIRED' },
			payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'EXPIRED' }),
		],
	),
	// A body with more fields than a resend: only the table of events says whose the id is.
	...['PAYMENT_PAID', 'PAYMENT_EXPIRED', 'PAYMENT_CANCELLED'].map(
		(event): [string, string, IDataObject, object] => [
			'both ids, and more',
			event,
			{ id: PAYMENT_ID, txId: TX_ID, status: 'PAID', paidAt: null },
			payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'PAID' }),
		],
	),
	...['PAYMENT_REFUNDED', 'PAYMENT_REFUND_FAILED', 'MED_RECEIVED', 'MED_RESOLVED'].flatMap(
		(event): Array<[string, string, IDataObject, object]> => [
			[
				'only paymentId, the others vanished',
				event,
				{ paymentId: PAYMENT_ID, status: 'REFUNDED' },
				payment({ paymentId: PAYMENT_ID, status: 'REFUNDED' }),
			],
			[
				'paymentId and null for everything else',
				event,
				{ paymentId: PAYMENT_ID, id: null, txId: null, status: null, amount: null },
				payment({ paymentId: PAYMENT_ID }),
			],
			[
				'paymentId next to its own id',
				event,
				{ id: REFUND_ID, paymentId: PAYMENT_ID, refundId: REFUND_ID, source: 'API', amount: 5 },
				payment({ paymentId: PAYMENT_ID }),
			],
			[
				'its own id and no payment: does not count as the payment',
				event,
				{ id: REFUND_ID, providerMedId: 'M1', status: 'PENDING' },
				payment({ status: 'PENDING' }),
			],
			[
				'the thin body of a resend',
				event,
				thin,
				payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'PAID' }),
			],
		],
	),
	...['PAYMENT_PAID', 'PAYMENT_CONFIRMED', 'PAYMENT_CHARGEBACK'].map(
		(event): [string, string, IDataObject, object] => [
			'the thin body of a resend',
			event,
			thin,
			payment({ paymentId: PAYMENT_ID, txId: TX_ID, status: 'PAID' }),
		],
	),
	...['WITHDRAWAL_SENT', 'WITHDRAWAL_FAILED'].flatMap(
		(event): Array<[string, string, IDataObject, object]> => [
			[
				'id and recipient',
				event,
				{
					id: WITHDRAWAL_ID,
					txId: WITHDRAWAL_TX_ID,
					status: 'COMPLETED',
					recipient: { name: null, document: null },
				},
				withdrawal({ withdrawalId: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'COMPLETED' }),
			],
			[
				'withdrawalId',
				event,
				{ withdrawalId: WITHDRAWAL_ID, recipient: null },
				withdrawal({ withdrawalId: WITHDRAWAL_ID }),
			],
			[
				'the thin body of a resend',
				event,
				{ id: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'FAILED', amount: 10, netAmount: 9 },
				withdrawal({ withdrawalId: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'FAILED' }),
			],
			['only txId', event, { txId: WITHDRAWAL_TX_ID }, withdrawal({ txId: WITHDRAWAL_TX_ID })],
		],
	),
	[
		'livemode',
		'TEST',
		{ data: { livemode: false, message: 'Test' } },
		{ ...NOTHING, isTest: true },
	],
	[
		'the probe that reactivates an endpoint',
		'webhook.test',
		{ data: { message: 'Probe', webhookConfigId: REFUND_ID } },
		{ ...NOTHING, isTest: true },
	],
	['nothing', 'PAYMENT_PAID', {}, payment({})],
	[
		'ids of other types',
		'PAYMENT_PAID',
		{ id: 17, txId: { of: 'x' }, status: ['PAID'] },
		payment({}),
	],
	['empty ids', 'PAYMENT_PAID', { id: '', txId: '', status: '' }, payment({})],
	['an id that is no UUID', 'PAYMENT_PAID', { id: 'evt_1', txId: TX_ID }, payment({ txId: TX_ID })],
	[
		'a payment by its txId',
		'SOMETHING_NEW',
		{ id: REFUND_ID, txId: TX_ID, more: true },
		payment({ txId: TX_ID }),
	],
	['a payment by its name', 'PAYMENT_DISPUTED', { txId: 'X1' }, payment({ txId: 'X1' })],
	[
		'a payment by paymentId',
		'SOMETHING',
		{ paymentId: PAYMENT_ID },
		payment({ paymentId: PAYMENT_ID }),
	],
	[
		'a withdrawal by its txId',
		'SOMETHING_NEW',
		{ txId: WITHDRAWAL_TX_ID },
		withdrawal({ txId: WITHDRAWAL_TX_ID }),
	],
	[
		'a withdrawal by its name',
		'WITHDRAWAL_CANCELLED',
		{ id: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'CANCELLED', amount: 5, netAmount: 4 },
		withdrawal({ withdrawalId: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'CANCELLED' }),
	],
	[
		'more fields than a resend, whose txId says that it is the withdrawal',
		'WITHDRAWAL_CANCELLED',
		{ id: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'CANCELLED', feeAmount: 1 },
		withdrawal({ withdrawalId: WITHDRAWAL_ID, txId: WITHDRAWAL_TX_ID, status: 'CANCELLED' }),
	],
	[
		'an ID of something else next to the txId',
		'WITHDRAWAL_RETURNED',
		{ id: REFUND_ID, txId: 'E123', feeAmount: 1 },
		withdrawal({ txId: 'E123' }),
	],
	[
		'an ID that may be of something else',
		'WITHDRAWAL_RETURNED',
		{ id: REFUND_ID, feeAmount: 1 },
		withdrawal({}),
	],
	[
		'more fields than a resend, of a payment: a refund may have a txId of that form too',
		'PAYMENT_CREATED',
		{ id: REFUND_ID, txId: TX_ID, feeAmount: 1 },
		payment({ txId: TX_ID }),
	],
	[
		'nothing known',
		'SOMETHING_NEW',
		{ id: REFUND_ID, status: 'NEW' },
		{ ...NOTHING, status: 'NEW' },
	],
	['a name of every object', 'constructor', { status: 'NEW' }, { ...NOTHING, status: 'NEW' }],
	['a name of every object', '__proto__', {}, NOTHING],
])('%s: %s', (_, event, body, expected) => {
	expect(describeBody(event, body)).toEqual({
		event,
		source: 'webhook',
		deliveryId: DELIVERY_ID,
		sentAt: '2026-11-21T12:00:00.000Z',
		receivedAt: '2026-11-21T12:00:01.500Z',
		...expected,
		body,
	});
});

test('the body is handed on as it was sent', () => {
	const body = { id: PAYMENT_ID, metadata: { order: '7', nested: { list: [1, null, 'a'] } } };
	expect(describeBody('PAYMENT_PAID', body).body).toBe(body);
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

	test('say how much, from whom and for what, first; what the event lacks is read from its current state', () => {
		const current = { amount: 99, paidAt: '2026-11-21T12:00:00.000Z', externalId: 'order-1' };
		const output = inColumns({ event: 'PAYMENT_PAID', body, current });

		expect(output).toMatchObject({
			amount: 10.5,
			payerName: 'Maria',
			description: 'Rent',
			externalId: 'order-1',
			paidAt: '2026-11-21T12:00:00.000Z',
		});
		expect(Object.keys(output).at(-1)).toBe('body');
	});

	test('are null where nothing says them', () => {
		expect(inColumns({ event: 'PAYMENT_PAID', body: { payer: null } })).toMatchObject({
			amount: null,
			payerName: null,
		});
	});
});
