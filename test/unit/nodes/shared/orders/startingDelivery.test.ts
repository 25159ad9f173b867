import type { IDataObject } from 'n8n-workflow';
import {
	findStartingDelivery,
	getSubject,
	subjectOfItem,
} from '../../../../../nodes/shared/orders/executionIdentity';
import { fakeNodeContext } from '../../../support/nodeContext';

const TRIGGER = 'n8n-nodes-brl-payments.brlPaymentsTrigger';
const ITEM: IDataObject = {
	event: 'PAYMENT_PAID',
	deliveryId: 'delivery-1',
	receivedAt: '2026-11-21T12:00:00.000Z',
};
const FOUND = { subject: 'id:delivery-1', receivedAt: Date.parse('2026-11-21T12:00:00Z') };

const find = (...parents: Array<{ name: string; type?: string; outputs: IDataObject[][] }>) =>
	findStartingDelivery(
		fakeNodeContext({ parents: parents.map((parent) => ({ type: TRIGGER, ...parent })) }).context,
	);

test('finds it on any output of the trigger', () => {
	expect(find({ name: 'On Event', outputs: [[], [], [ITEM]] })).toEqual(FOUND);
});

test('knows the trigger under the name that a node under development has', () => {
	expect(
		find({ name: 'On Payment', type: 'CUSTOM.brlPaymentsTrigger', outputs: [[ITEM]] }),
	).toEqual(FOUND);
});

test.each([
	['no trigger of this package is before it', { type: 'n8n-nodes-base.webhook' }],
	['the name of the trigger only begins like that of this package', { type: `${TRIGGER}Old` }],
	['the trigger did not run', { outputs: [] }],
	['what it put out is blank, as n8n leaves it after a crash', { outputs: [[{}]] }],
	['the id is empty', { outputs: [[{ ...ITEM, deliveryId: '' }]] }],
	['the id is no text', { outputs: [[{ ...ITEM, deliveryId: 7 }]] }],
])('finds none where %s', (_, changed) => {
	expect(find({ name: 'On Payment', outputs: [[ITEM]], ...changed })).toBeUndefined();
});

test.each([
	['is missing', undefined],
	['is no date', 'yesterday'],
	// `Date.parse` would read it as a year.
	['is no text', 2026],
])('keeps the id where the time %s', (_, receivedAt) => {
	expect(find({ name: 'On Payment', outputs: [[{ ...ITEM, receivedAt }]] })).toEqual({
		subject: 'id:delivery-1',
		receivedAt: undefined,
	});
});

describe('where an agent calls the node as its tool', () => {
	const TOOL = {
		nodeType: 'n8n-nodes-brl-payments.brlPaymentsTool',
		agent: 'Agent',
		parents: [{ name: 'On Payment', type: TRIGGER, outputs: [[ITEM]] }],
	};

	test.each([
		['the agent, as the source of the run', { source: 'Agent' }],
		['what is before the agent, as the source of the run', { source: 'On Payment' }],
		['what is before the agent, in the item', { pairedItem: 'On Payment' }],
		['the person who approved, and the agent in the item', { source: 'Ask', pairedItem: 'Agent' }],
	])('finds the delivery that woke the agent when n8n names %s', (_, calledFrom) => {
		const { context } = fakeNodeContext({ ...TOOL, calledFrom });

		expect(findStartingDelivery(context)).toEqual(FOUND);
	});

	test('finds it by the source of the run where the item names no node', () => {
		const { context } = fakeNodeContext({ ...TOOL, calledFrom: { source: 'Agent' } });
		context.getInputData = () => [{ json: {}, pairedItem: { item: 0 } }];

		expect(findStartingDelivery(context)).toEqual(FOUND);
	});
});

describe('what a delivery is about', () => {
	const PAYMENT = { txId: 'PAY1', status: 'PAID' };
	const subject = (body: unknown, deliveryId = 'delivery-1') =>
		getSubject({ deliveryId, body } as IDataObject);

	test('is the same in a thinner body, as of a resend', () => {
		const full = { id: 'uuid-1', ...PAYMENT, amount: 10, paidAt: null, payer: { name: 'Ana' } };
		expect(subject({ id: 'uuid-1', ...PAYMENT, amount: 10 })).toBe(subject(full));
	});

	test.each([
		['txId', { txId: 'PAY1', paymentId: 'uuid-1', status: 'PAID' }, 'signed:PAY1:PAID'],
		['paymentId', { paymentId: 'uuid-1', id: 'uuid-9', status: 'PAID' }, 'signed:uuid-1:PAID'],
		['withdrawalId', { withdrawalId: 'uuid-2', status: 'FAILED' }, 'signed:uuid-2:FAILED'],
		['id', { id: 'uuid-1', txId: null, status: 'PAID' }, 'signed:uuid-1:PAID'],
	])('is recognized by %s', (_, body, expected) => {
		expect(subject(body)).toBe(expected);
	});

	test.each([{ paymentId: 'uuid-1' }, { status: 'PAID' }, { txId: '', status: 'PAID' }, {}])(
		'is the whole body of %o',
		(body) => {
			expect(subject(body)).toMatch(/^body:/);
			expect(subject(body, 'delivery-2')).toBe(subject(body));
			expect(subject({ ...body, more: 1 })).not.toBe(subject(body));
		},
	);

	test.each([undefined, null, 'text'])('is the delivery where the body is %o', (body) => {
		expect(subject(body, 'delivery-2')).toBe('id:delivery-2');
	});
});

describe('where a poll brought several events', () => {
	const PAID = { ...ITEM, source: 'polling', body: { txId: 'tx-1', status: 'PAID' } };
	const EXPIRED = { ...ITEM, source: 'polling', body: { txId: 'tx-2', status: 'EXPIRED' } };

	test('names the trigger, whose item each item is asked for', () => {
		expect(find({ name: 'On Payment', outputs: [[PAID, EXPIRED]] })).toEqual({
			subject: 'signed:tx-1:PAID',
			receivedAt: FOUND.receivedAt,
			triggerOfSeveral: 'On Payment',
		});
	});

	/** What n8n says of the items of the trigger, by the item that is asked about. */
	const getContext = (events: readonly IDataObject[]) => ({
		getWorkflowDataProxy: (itemIndex: number) =>
			({
				$: (name: string) => {
					const json = name === 'On Payment' ? events[itemIndex] : undefined;
					if (json === undefined) throw new Error('Items are not paired');
					return { item: { json } };
				},
			}) as never,
	});
	const several = { ...FOUND, triggerOfSeveral: 'On Payment' };

	test('says what each item is about', () => {
		const context = getContext([PAID, EXPIRED]);
		expect([0, 1].map((index) => subjectOfItem(context, several, index))).toEqual([
			'signed:tx-1:PAID',
			'signed:tx-2:EXPIRED',
		]);
	});

	test('takes the first event where items are not paired', () => {
		expect(subjectOfItem(getContext([]), several, 1)).toBe(FOUND.subject);
	});
});

describe('what an event of a refund or a dispute is about', () => {
	const subject = (body: IDataObject) => getSubject({ ...ITEM, body });

	test.each(['REFUNDED', 'PARTIAL_REFUND', 'MED_FROZEN'])(
		'is the payment in the status %s by its ID, in every shape',
		(status) => {
			for (const body of [
				{ paymentId: 'payment-1' },
				{ paymentId: 'payment-1', txId: 'tx-1' },
				{ paymentId: 'payment-1', id: 'refund-1' },
				// A row of a list, and a delivery that is resent by hand.
				{ id: 'payment-1', txId: 'tx-1' },
			]) {
				expect(subject({ ...body, status })).toBe(`signed:payment-1:${status}`);
			}
			expect(subject({ txId: 'tx-1', status })).toBe(`signed:tx-1:${status}`);
		},
	);

	test.each(['PARTIAL_REFUND', 'PAID'])('is the refund, before the last one: %s', (status) => {
		const of = (refundId: string) => subject({ paymentId: 'payment-1', refundId, status });
		expect(of('refund-1')).toBe(of('refund-1'));
		expect(of('refund-2')).not.toBe(of('refund-1'));
	});

	test('is the payment that is refunded as a whole, with and without the refund', () => {
		const whole = { paymentId: 'payment-1', status: 'REFUNDED' };
		expect(subject({ ...whole, refundId: 'refund-1' })).toBe(subject(whole));
	});
});
