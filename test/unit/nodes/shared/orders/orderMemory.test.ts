import type { IContextObject } from 'n8n-workflow';
import { keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import { OrderMemory, type OrderRecord } from '../../../../../nodes/shared/orders/orderMemory';
import { savedAndLoaded } from '../../../support/nodeContext';

const NODE = { id: 'node-1', name: 'Pay' };

interface Opening {
	node?: { id: string; name: string };
	runIndex?: number;
	executionId?: string;
	identity?: string;
}

const open = (
	executionContext: IContextObject,
	{ node = NODE, runIndex = 0, executionId = '101', identity = 'execution-1' }: Opening = {},
) =>
	new OrderMemory(
		executionContext,
		node,
		runIndex,
		{ executionId, mode: 'trigger' },
		(stored) => stored ?? identity,
	);

const record = (key: string, changed: Partial<OrderRecord> = {}): OrderRecord => ({
	key,
	content: `content of ${key}`,
	account: 'account-1',
	generation: 0,
	...changed,
});

describe('a record', () => {
	test('is found again after n8n has saved and loaded the execution', () => {
		const executionContext: IContextObject = {};
		const before = open(executionContext);
		const stored = record('key-1', {
			generation: 2,
			firstUsedAt: 1795262400000,
			unclear: 1795262460000,
		});
		before.store(stored);
		before.store(record('key-2'));

		const after = open(savedAndLoaded(executionContext));

		expect(after.find('key-1')).toEqual(stored);
		expect(after.find('key-2')).toEqual(record('key-2'));
		expect(after.find('key-3')).toBeUndefined();
	});

	test('whose doubt was cleared up has none after saving either', () => {
		const executionContext: IContextObject = {};
		const memory = open(executionContext);
		memory.store(record('key-1', { unclear: 1795262460000 }));
		memory.store(record('key-1', { unclear: undefined }));

		expect(open(savedAndLoaded(executionContext)).find('key-1')).toEqual(record('key-1'));
	});

	test('takes little space beyond its own, and hundreds are distinguished', () => {
		const executionContext: IContextObject = {};
		const memory = open(executionContext);
		const measureSize = (value: unknown) => JSON.stringify(value).length;
		const before = measureSize(executionContext);
		const records = Array.from({ length: 500 }, (_, index) => record(`key-${index}`));
		records.forEach((one, index) => memory.bind(index, one));

		records.forEach((one, index) => expect(memory.boundTo(index)).toEqual(one));
		const own = records.reduce((sum, one) => sum + measureSize(one), 0);
		expect((measureSize(executionContext) - before - own) / 500).toBeLessThan(60);
	});
});

test('leaves alone what else the context contains', () => {
	const executionContext: IContextObject = { other: { kept: true } };
	open(executionContext).store(record('key-1'));

	expect(executionContext.other).toEqual({ kept: true });
});

describe('the identity of the execution', () => {
	test('is stored at once, so that another run of the node finds it', () => {
		const executionContext: IContextObject = {};
		open(executionContext, { identity: 'execution-1' });
		const second = open(savedAndLoaded(executionContext), { runIndex: 1, identity: 'execution-2' });

		expect(second.identity).toBe('execution-1');
	});

	test('is shared by the nodes of the workflow', () => {
		const executionContext: IContextObject = {};
		open(executionContext, { identity: 'execution-1' });
		const other = { id: 'node-2', name: 'Pay Fees' };

		expect(open(executionContext, { node: other, identity: 'other' }).identity).toBe('execution-1');
	});
});

describe('a memory', () => {
	test('is inherited where another execution began it', () => {
		const executionContext: IContextObject = {};
		const first = open(executionContext, { executionId: '101' });
		const again = open(savedAndLoaded(executionContext), { executionId: '101' });
		const retried = open(savedAndLoaded(executionContext), { executionId: '102' });

		expect([first, again, retried].map(({ isInherited }) => isInherited)).toEqual([
			false,
			false,
			true,
		]);
	});

	test('knows the run that it has seen last, and takes no other run for it', () => {
		const executionContext: IContextObject = {};
		const isSame = (runIndex: number) => open(executionContext, { runIndex }).isSameRunAgain;

		expect([2, 2, 3, 3].map(isSame)).toEqual([false, true, false, true]);
	});

	test('knows the run of each node apart', () => {
		const executionContext: IContextObject = {};
		open(executionContext);

		expect(open(executionContext, { node: { id: 'node-2', name: 'Fee' } }).isSameRunAgain).toBe(
			false,
		);
	});
});

describe('a place', () => {
	/** An execution that has bound items 0 and 1 of its first run. */
	const bound = (runIndex = 0) => {
		const executionContext: IContextObject = {};
		const memory = open(executionContext, { runIndex });
		memory.bind(0, record('key-1'));
		memory.bind(1, record('key-2'));
		return savedAndLoaded(executionContext);
	};

	test('stays bound to its order', () => {
		const memory = open(bound());

		expect([0, 1, 2].map((item) => memory.boundTo(item)?.key)).toEqual([
			'key-1',
			'key-2',
			undefined,
		]);
	});

	test('can be bound to another order', () => {
		const memory = open(bound());
		memory.bind(0, record('key-3'));

		expect([0, 1].map((item) => memory.boundTo(item)?.key)).toEqual(['key-3', 'key-2']);
	});

	test('is another one in the next run', () => {
		const memory = open(bound(), { runIndex: 1 });

		expect(memory.boundTo(0)).toBeUndefined();
		expect(memory.getPlace(0)).not.toBe(open(bound()).getPlace(0));
	});

	test('is counted from the first run that is remembered, as after kill -9 in a loop', () => {
		const places = [0, 1].map((first) => open({}, { runIndex: first }).getPlace(7));

		expect(places[0]).toBe(places[1]);
		expect(open(bound(3), { runIndex: 3 }).boundTo(1)?.key).toBe('key-2');
		expect(open(bound(3), { runIndex: 4 }).boundTo(1)).toBeUndefined();
	});

	test.each([
		['was renamed', { id: NODE.id, name: 'Pay Suppliers' }],
		['was replaced by one of the same name', { id: 'node-9', name: NODE.name }],
	])('is found where the node %s', (_, node) => {
		expect(open(bound(), { node }).boundTo(1)?.key).toBe('key-2');
	});

	test('is not that of another node', () => {
		const other = { id: 'node-2', name: 'Pay Fees' };

		expect(open(bound(), { node: other }).boundTo(1)).toBeUndefined();
	});
});

test('orders of an identity are counted over all runs and nodes, each identity apart', () => {
	const executionContext: IContextObject = {};
	const first = open(executionContext);
	const counts = [first.countOne('a'), first.countOne('a'), first.countOne('b')];
	const other = open(savedAndLoaded(executionContext), {
		node: { id: 'node-2', name: 'Fee' },
		runIndex: 1,
	});

	expect([...counts, other.countOne('a'), other.countOne('b')]).toEqual([0, 1, 0, 2, 1]);
});

test('knows the IDs of all that was made', () => {
	const executionContext: IContextObject = {};
	const memory = open(executionContext);
	memory.store(record('key-1', { doneAt: 1, doneId: 'w1' }));
	memory.store(record('key-2', { doneAt: 2, doneId: 'w2' }));
	memory.store(record('key-3', { doneAt: 3 }));
	memory.store(record('key-4', { unclear: 1795262460000 }));

	expect(memory.doneIds).toEqual(new Set(['w1', 'w2']));
});

test('finds an order by each key that it had, in what other nodes share and n8n has saved', () => {
	const executionContext: IContextObject = {};
	const order = record('key-1');
	for (const generation of [0, 1, 2]) {
		order.generation = generation;
		open(executionContext).store(order);
	}

	const memory = open(savedAndLoaded(executionContext));
	for (const generation of [0, 1, 2]) {
		expect(memory.find(keyOfGeneration('key-1', generation))?.key).toBe('key-1');
	}
	expect(memory.find(keyOfGeneration('key-1', 3))).toBeUndefined();
});

describe('what was spent', () => {
	const sum = (spent: ReadonlyMap<string, number>) =>
		[...spent.values()].reduce((total, cents) => total + cents, 0);

	test.each<[string, Partial<OrderRecord>, number]>([
		['took effect', { doneAt: 1 }, 1_500],
		['may have taken effect', { unclear: 1795262460000 }, 1_500],
		['is yet to be sent', {}, 1_000],
		['was sent without effect', { sent: true }, 1_000],
	])('counts a payout that %s: %o', (_, changed, spent) => {
		const memory = open({});
		memory.store(record('key-1', { cents: 1_000, doneAt: 1 }));
		memory.store(record('key-2', { cents: 500, ...changed }));

		expect(sum(memory.spent)).toBe(spent);
	});

	test('does not count what is no payout', () => {
		const memory = open({});
		memory.store(record('key-1', { doneAt: 1 }));
		memory.store(record('key-2', { doneAt: 1 }));

		expect(sum(memory.spent)).toBe(0);
	});
});
