import type { IDataObject } from 'n8n-workflow';
import {
	findStartingDelivery,
	getSubject,
	nameRun,
	readFacts,
	subjectOfItem,
	type ExecutionFacts,
} from '../../../../../nodes/BrlPayments/orders/execution';
import { EVENTS } from '../../../../../nodes/BrlPaymentsTrigger/events';
import { fakeNodeContext, type NodeContextOptions } from '../../../support/nodeContext';

// Copies of an event, and polls that bring several: test/engine/money/deliveries.test.ts.

const TIME = Date.parse('2026-11-21T12:00:00Z');
const TOOL = { nodeType: 'n8n-nodes-brl-payments.brlPaymentsTool' };
const ITEM: IDataObject = {
	event: 'PAYMENT_PAID',
	deliveryId: 'delivery-1',
	receivedAt: '2026-11-21T12:00:00.000Z',
};
const FOUND = { subject: 'id:delivery-1', receivedAt: TIME };
const TRIGGER = {
	name: 'On Payment',
	type: 'n8n-nodes-brl-payments.brlPaymentsTrigger',
	outputs: [[ITEM]],
};

const factsOf = (options: NodeContextOptions = {}) =>
	readFacts(fakeNodeContext({ establishedAt: TIME, ...options }).context);

describe('what n8n says about an execution', () => {
	const BY_HAND = { isStartedByHand: true };
	const NOT_BY_HAND = { isStartedByHand: false };

	test.each<[string, NodeContextOptions, Partial<ExecutionFacts>]>([
		['is by hand', { mode: 'manual', establishedSource: 'trigger' }, BY_HAND],
		['is an evaluation', { mode: 'evaluation', establishedSource: 'trigger' }, BY_HAND],
		['retries one by hand', { mode: 'retry' }, BY_HAND],
		['retries a webhook', { mode: 'retry', establishedSource: 'webhook' }, NOT_BY_HAND],
		['retries on an older n8n', { mode: 'retry', establishedAt: null }, NOT_BY_HAND],
		['is a sub-execution by its mode', { mode: 'integrated' }, { isSubExecution: true }],
		['is one by its parent', { parentExecutionId: '100' }, { isSubExecution: true }],
		['runs a tool of an agent', TOOL, { isAgentTool: true }],
		['was started by an event', { parents: [TRIGGER] }, { isEvent: true }],
	])('shows that it %s', (_, options, facts) => {
		expect(factsOf(options)).toMatchObject(facts);
	});
});

describe('the root, which attempts of one execution share', () => {
	const rootOf = (options: NodeContextOptions = {}, item = 0) => factsOf(options).rootOf(item);
	const ADDRESS = 'https://n8n.example/webhook-waiting/101';
	const tokenOf = (digit: string) => `${ADDRESS}?signature=${digit.repeat(64)}`;

	test('survives Retry On Fail, a retry of the execution, and another node or run', () => {
		expect(rootOf()).toMatchObject({ bornAt: TIME, isEvent: false });
		const again = { executionId: '102', mode: 'retry', nodeName: 'Pay', runIndex: 3 } as const;
		expect(rootOf(again, 1)).toEqual(rootOf());
	});

	test.each<[string, NodeContextOptions]>([
		['another time', { establishedAt: TIME + 1, resumeUrl: tokenOf('0') }],
		['another token: two executions may begin in one millisecond', { resumeUrl: tokenOf('f') }],
		['another workflow', { workflowId: 'workflow-2', resumeUrl: tokenOf('0') }],
		['another n8n', { instanceId: 'instance-2', resumeUrl: tokenOf('0') }],
	])('is another one with %s', (_, options) => {
		expect(rootOf(options)?.name).not.toBe(rootOf({ resumeUrl: tokenOf('0') })?.name);
	});

	test.each<[string, NodeContextOptions]>([
		['has no time before 1.121', { establishedAt: null }],
		['may get another time before 2.1', { isTriggerNamed: false }],
		['was established again', { establishedSource: 'retry' }],
	])(
		'is absent where an execution %s; an agent, whom the guard stops, has its own',
		(_, options) => {
			expect(rootOf(options)).toBeUndefined();
			const [one, other] = ['101', '102'].map((executionId) =>
				rootOf({ ...options, ...TOOL, executionId }),
			);
			expect(one?.bornAt).toBeUndefined();
			expect(one?.name).not.toBe(other?.name);
		},
	);
});

test('a run is named by the node before it, its output and its run; n8n leaves out what is zero', () => {
	const names = [
		nameRun({ previousNode: 'Loop' }),
		nameRun({ previousNode: 'Rows' }),
		nameRun({ previousNode: 'Loop', previousNodeOutput: 1 }),
		nameRun({ previousNode: 'Loop', previousNodeRun: 1 }),
	];
	const whole = { previousNode: 'Loop', previousNodeOutput: 0, previousNodeRun: 0 };

	expect(new Set(names).size).toBe(4);
	expect(nameRun(whole)).toBe(names[0]);
	expect(nameRun(null)).toBe('');
});

describe('the delivery that started the execution', () => {
	const find = (changed: Partial<typeof TRIGGER>) =>
		findStartingDelivery(fakeNodeContext({ parents: [{ ...TRIGGER, ...changed }] }).context);

	test('is found under the name of a node under development', () => {
		expect(find({ type: 'CUSTOM.brlPaymentsTrigger' })).toEqual(FOUND);
	});

	test.each<[string, Partial<typeof TRIGGER>]>([
		['another trigger is before it', { type: 'n8n-nodes-base.webhook' }],
		['the name of the trigger only begins like it', { type: `${TRIGGER.type}Old` }],
		['the trigger did not run', { outputs: [] }],
		['what it put out is blank, as n8n leaves it after a crash', { outputs: [[{}]] }],
		['the id is empty', { outputs: [[{ ...ITEM, deliveryId: '' }]] }],
		['the id is no text', { outputs: [[{ ...ITEM, deliveryId: 7 }]] }],
	])('is not found if %s', (_, changed) => {
		expect(find(changed)).toBeUndefined();
	});

	// `Date.parse` would read a number as a year.
	test.each([undefined, 'yesterday', 2026])('is found without a time if that is %o', (time) => {
		expect(find({ outputs: [[{ ...ITEM, receivedAt: time }]] })).toEqual({
			...FOUND,
			receivedAt: undefined,
		});
	});

	// Versions of n8n differ in it.
	test.each([
		['the agent, as the source of the run', 'Agent', undefined],
		['what is before the agent, as the source of the run', 'On Payment', undefined],
		['what is before the agent, in the item', undefined, 'On Payment'],
		['the person who approved, and the agent in the item', 'Ask', 'Agent'],
	])('is found by the tool of an agent if n8n names %s', (_, source, previousNode) => {
		const { context } = fakeNodeContext({ ...TOOL, parents: [TRIGGER] });
		Object.assign(context, {
			getParentNodes: (name: string) => (name === 'Agent' ? [TRIGGER] : []),
			getChildNodes: (name: string) => (name === 'On Payment' ? [{ name: 'Agent' }] : []),
			getInputSourceData: () => ({ previousNode: source }),
			getInputData: () => [{ pairedItem: { item: 0, sourceOverwrite: { previousNode } } }],
		});
		expect(findStartingDelivery(context)).toEqual(FOUND);
	});

	test('of several that a poll brought is the first one, if n8n cannot pair the item', () => {
		const [one, other] = ['tx-1', 'tx-2'].map((txId) => ({
			...ITEM,
			body: { txId, status: 'PAID' },
		}));
		const { context } = fakeNodeContext({ parents: [{ ...TRIGGER, outputs: [[one!, other!]] }] });
		const delivery = findStartingDelivery(context)!;
		expect(delivery.triggerOfSeveral).toBe('On Payment');
		expect(subjectOfItem(context, delivery, 1)).toBe('signed:tx-1:PAID');
	});
});

describe('what an event is about', () => {
	const subject = (body: unknown, deliveryId = 'delivery-1') =>
		getSubject({ deliveryId, body } as IDataObject);

	test.each<[string, IDataObject]>([
		['signed:PAY1:CONFIRMED', { txId: 'PAY1', paymentId: 'uuid-1', status: 'CONFIRMED' }],
		// Of a failed refund, a delivery, and one that is resent by hand.
		['signed:uuid-1:PAID', { txId: 'PAY1', id: 'uuid-1', status: 'PAID' }],
		['signed:uuid-1:PAID', { paymentId: 'uuid-1', id: 'uuid-9', status: 'PAID' }],
		['signed:uuid-2:FAILED', { withdrawalId: 'uuid-2', id: 'uuid-9', status: 'FAILED' }],
		['signed:uuid-1:PAID', { id: 'uuid-1', txId: null, status: 'PAID' }],
		['signed:uuid-1:REFUNDED', { paymentId: 'uuid-1', txId: 'PAY1', status: 'REFUNDED' }],
		[
			'signed:uuid-1:PARTIAL_REFUND',
			{ paymentId: 'uuid-1', txId: 'PAY1', status: 'PARTIAL_REFUND' },
		],
		// A row of a list, and a delivery that is resent by hand.
		['signed:uuid-1:MED_FROZEN', { id: 'uuid-1', txId: 'PAY1', status: 'MED_FROZEN' }],
		['signed:PAY1:REFUNDED', { txId: 'PAY1', status: 'REFUNDED' }],
		// Refunds before the last one, and the last one, which the payment has once.
		['signed:PAY1:PARTIAL_REFUND:r1', { txId: 'PAY1', refundId: 'r1', status: 'PARTIAL_REFUND' }],
		['signed:PAY1:PAID:r2', { txId: 'PAY1', refundId: 'r2', status: 'PAID' }],
		['signed:PAY1:REFUNDED', { txId: 'PAY1', refundId: 'r1', status: 'REFUNDED' }],
	])('is %s in %o', (expected, body) => {
		expect(subject(body)).toBe(expected);
	});

	const WITHDRAWAL = {
		delivered: { withdrawalId: 'uuid-1' },
		polled: { id: 'uuid-1', txId: 'WIT1' },
	};
	const polled = { id: 'uuid-1', txId: 'PAY1' };
	const PAID = { delivered: { id: 'uuid-1', txId: 'PAY1' }, polled };
	const BY_TX_ID = { delivered: { txId: 'PAY1' }, polled };
	const BY_ID = { delivered: { paymentId: 'uuid-1', id: 'uuid-9' }, polled };

	test.each(
		Object.entries(EVENTS).flatMap(([event, { listed = [], ...entry }]) => {
			const ofPayment = entry.idIsResource ? BY_TX_ID : BY_ID;
			const { delivered, polled } =
				entry.resourceType === 'withdrawal'
					? WITHDRAWAL
					: event === 'PAYMENT_PAID'
						? PAID
						: ofPayment;
			return listed.map((status) => ({ event, status, delivered, polled }));
		}),
	)('is the same for a delivered and a polled $event of $status', (row) => {
		const { status, delivered, polled } = row;
		expect(subject({ ...polled, status })).toBe(subject({ ...delivered, status }));
	});

	test.each([{ paymentId: 'uuid-1' }, { status: 'PAID' }, { txId: '', status: 'PAID' }, {}])(
		'is the whole body of %o',
		(body) => {
			expect(subject(body)).toMatch(/^body:/);
			expect(subject(body, 'delivery-2')).toBe(subject(body));
			expect(subject({ ...body, more: 1 })).not.toBe(subject(body));
		},
	);

	test.each([undefined, null, 'text'])('is the delivery if the body is %o', (body) => {
		expect(subject(body, 'delivery-2')).toBe('id:delivery-2');
	});
});
