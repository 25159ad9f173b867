import {
	beginningOf,
	chooseExecutionIdentity,
	lastingMoment,
	type Establishment,
	type ExecutionFacts,
} from '../../../../../nodes/api/orders/executionIdentity';

const FACTS: ExecutionFacts = {
	executionId: '101',
	mode: 'trigger',
	establishedAt: 1795262400000,
	delivery: undefined,
	isSubExecution: false,
	isAgentTool: false,
};
const DELIVERY = { deliveryId: 'delivery-1', receivedAt: 1795262399000 };

test('what is stored wins: a retry has other facts and must find the same name', () => {
	expect(chooseExecutionIdentity('execution:7', { ...FACTS, delivery: DELIVERY })).toBe('execution:7');
});

test('then the delivery, which is the same for every execution that a copy of it starts', () => {
	const copies = [FACTS, { ...FACTS, executionId: '102', establishedAt: FACTS.establishedAt! + 9 }];
	for (const facts of copies) {
		expect(chooseExecutionIdentity(undefined, { ...facts, delivery: DELIVERY })).toBe('delivery:delivery-1');
	}
	const other = { ...DELIVERY, deliveryId: 'delivery-2' };
	expect(chooseExecutionIdentity(undefined, { ...FACTS, delivery: other })).toBe('delivery:delivery-2');
});

test('then the moment the execution was established, which survives kill -9', () => {
	expect(chooseExecutionIdentity(undefined, FACTS)).toBe('established:1795262400000');
	expect(chooseExecutionIdentity(undefined, { ...FACTS, executionId: '102', mode: 'retry' })).toBe(
		'established:1795262400000',
	);
});

test('then the execution', () => {
	expect(chooseExecutionIdentity(undefined, { ...FACTS, establishedAt: undefined })).toBe('execution:101');
	expect(chooseExecutionIdentity(undefined, { ...FACTS, establishedAt: undefined, executionId: '102' })).toBe(
		'execution:102',
	);
});

test('an execution began when it was established, else when its delivery came', () => {
	expect(beginningOf({ ...FACTS, delivery: DELIVERY })).toBe(1795262400000);
	expect(beginningOf({ ...FACTS, establishedAt: undefined, delivery: DELIVERY })).toBe(
		1795262399000,
	);
	expect(beginningOf({ ...FACTS, establishedAt: undefined })).toBeUndefined();
	const undated = { ...DELIVERY, receivedAt: undefined };
	expect(beginningOf({ ...FACTS, establishedAt: undefined, delivery: undated })).toBeUndefined();
});

describe('the moment by which an execution is known when it is started again', () => {
	const ESTABLISHED: Establishment = {
		establishedAt: 1795262400000,
		source: 'webhook',
		triggerNode: { name: 'Webhook', type: 'n8n-nodes-base.webhook' },
	};

	test('is when it was established', () => {
		expect(lastingMoment(ESTABLISHED)).toBe(1795262400000);
	});

	test.each<[string, Establishment | undefined]>([
		['n8n tells nothing, as before 1.121', undefined],
		['n8n does not name the trigger, as before 2.1', { ...ESTABLISHED, triggerNode: undefined }],
		['the retry was established again', { ...ESTABLISHED, source: 'retry' }],
	])('is not known where %s', (_case, established) => {
		expect(lastingMoment(established)).toBeUndefined();
	});
});
