import {
	getBirth,
	chooseExecutionIdentity,
	executionFacts,
	lastingTimestamp,
	nameRun,
	type Establishment,
	type ExecutionFacts,
} from '../../../../../nodes/shared/orders/executionIdentity';
import { fakeNodeContext, type NodeContextOptions } from '../../../support/nodeContext';

const FACTS: ExecutionFacts = {
	executionId: '101',
	mode: 'trigger',
	isStartedByHand: false,
	establishedAt: 1795262400000,
	delivery: undefined,
	isSubExecution: false,
	isAgentTool: false,
	run: 'run-1',
};
const DELIVERY = { subject: 'signed:PAY1:PAID', receivedAt: 1795262399000 };

test('what is stored wins: a retry has other facts and must find the same name', () => {
	expect(chooseExecutionIdentity('execution:7', { ...FACTS, delivery: DELIVERY })).toBe(
		'execution:7',
	);
});

test('then the delivery, which is the same for every execution that a copy of it starts', () => {
	const copies = [FACTS, { ...FACTS, executionId: '102', establishedAt: FACTS.establishedAt! + 9 }];
	for (const facts of copies) {
		expect(chooseExecutionIdentity(undefined, { ...facts, delivery: DELIVERY })).toBe(
			'delivery:signed:PAY1:PAID',
		);
	}
	const other = { ...DELIVERY, subject: 'signed:PAY2:PAID' };
	expect(chooseExecutionIdentity(undefined, { ...FACTS, delivery: other })).toBe(
		'delivery:signed:PAY2:PAID',
	);
});

test('then the timestamp the execution was established, which survives kill -9', () => {
	expect(chooseExecutionIdentity(undefined, FACTS)).toBe('established:1795262400000');
	expect(chooseExecutionIdentity(undefined, { ...FACTS, executionId: '102', mode: 'retry' })).toBe(
		'established:1795262400000',
	);
});

test('two of the same millisecond have the tokens that n8n gave them', () => {
	const names = ['token-1', 'token-2'].map((token) =>
		chooseExecutionIdentity(undefined, { ...FACTS, token }),
	);
	expect(names).toEqual(['established:1795262400000:token-1', 'established:1795262400000:token-2']);
});

test('an execution began when it was established, else when its delivery came', () => {
	expect(getBirth({ ...FACTS, delivery: DELIVERY })).toBe(1795262400000);
	expect(getBirth({ ...FACTS, establishedAt: undefined, delivery: DELIVERY })).toBe(1795262399000);
	expect(getBirth({ ...FACTS, establishedAt: undefined })).toBeUndefined();
	const undated = { ...DELIVERY, receivedAt: undefined };
	expect(getBirth({ ...FACTS, establishedAt: undefined, delivery: undated })).toBeUndefined();
});

describe('the timestamp by which an execution is known when it is started again', () => {
	const ESTABLISHED: Establishment = {
		establishedAt: 1795262400000,
		source: 'webhook',
		triggerNode: { name: 'Webhook', type: 'n8n-nodes-base.webhook' },
	};

	test.each<[string, Establishment | undefined]>([
		['n8n says nothing, as before 1.121', undefined],
		['n8n does not name the trigger, as before 2.1', { ...ESTABLISHED, triggerNode: undefined }],
		['the retry was established again', { ...ESTABLISHED, source: 'retry' }],
	])('is not known where %s', (_case, established) => {
		expect(lastingTimestamp(established)).toBeUndefined();
	});
});

describe('what n8n says about an execution', () => {
	const told = (options: NodeContextOptions = {}) =>
		executionFacts(fakeNodeContext({ establishedAt: 1795262400000, ...options }).context);

	test('is read from its context', () => {
		expect(told()).toEqual({
			...FACTS,
			mode: 'manual',
			isStartedByHand: true,
			token: expect.stringMatching(/^[\w-]{16}$/),
			run: nameRun({ previousNode: 'Loop' }),
		});
	});

	test.each([
		['has none', 'https://n8n.example/webhook-waiting/101'],
		['has one of another form', 'https://n8n.example/webhook-waiting/101?signature=eyJh.eyJz.c2ln'],
	])('has no token where the address to resume it at %s', (_, resumeUrl) => {
		expect(told({ resumeUrl }).token).toBeUndefined();
	});

	test.each<[boolean, string, NodeContextOptions]>([
		[true, 'is by hand', { mode: 'manual', establishedSource: 'trigger' }],
		[true, 'is a test case of an evaluation', { mode: 'evaluation' }],
		[true, 'retries one by hand', { mode: 'retry', establishedSource: 'manual' }],
		[false, 'retries one of a webhook', { mode: 'retry', establishedSource: 'webhook' }],
		[false, 'retries one in an n8n that does not say', { mode: 'retry', establishedAt: null }],
	])('shows (%o) that a person pressed Execute where it %s', (isByHand, _, options) => {
		expect(told(options).isStartedByHand).toBe(isByHand);
	});

	test.each<[string, NodeContextOptions]>([
		['by its mode', { mode: 'integrated' }],
		['by its parent', { parentExecutionId: '100' }],
	])('shows a sub-execution %s', (_, options) => {
		expect(told(options).isSubExecution).toBe(true);
	});

	test('shows the tool of an agent', () => {
		expect(told({ nodeType: 'n8n-nodes-brl-payments.brlPaymentsTool' }).isAgentTool).toBe(true);
	});
});

describe('a run of the node', () => {
	const SOURCE = { previousNode: 'Loop', previousNodeOutput: 1, previousNodeRun: 3 };

	test.each([
		['in the next round of a loop', { previousNodeRun: 4 }],
		['behind another node', { previousNode: 'Rows' }],
		['behind another output', { previousNodeOutput: 0 }],
	])('has another name %s', (_, changed) => {
		expect(nameRun({ ...SOURCE, ...changed })).not.toBe(nameRun(SOURCE));
	});

	test('has a name if n8n leaves out what is zero, and if nothing came before', () => {
		const first = { previousNode: 'Rows', previousNodeOutput: 0, previousNodeRun: 0 };

		expect(nameRun({ previousNode: 'Rows' })).toBe(nameRun(first));
		expect(nameRun(null)).toBe('');
	});
});
