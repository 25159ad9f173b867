import type { IContextObject } from 'n8n-workflow';
import { keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import type { OrderRecord } from '../../../../../nodes/shared/orders/order';
import { OrderMemory } from '../../../../../nodes/shared/orders/orderMemory';
import { savedAndLoaded } from '../../../support/nodeContext';

const NODE = { id: 'node-1', name: 'Pay' };

interface Opening {
	node?: { id: string; name: string };
	run?: string;
	mode?: 'trigger' | 'retry';
	identity?: string;
}

const open = (
	executionContext: IContextObject,
	{ node = NODE, run = 'run-1', mode = 'trigger', identity = 'execution-1' }: Opening = {},
) => new OrderMemory(executionContext, node, run, { mode }, (stored) => stored ?? identity);

const record = (key: string, changed: Partial<OrderRecord> = {}): OrderRecord => ({
	key,
	content: `content of ${key}`,
	keyId: 'key-id-1',
	state: 'new',
	generation: 0,
	...changed,
});

describe('a record', () => {
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
		const second = open(savedAndLoaded(executionContext), {
			run: 'run-2',
			identity: 'execution-2',
		});

		expect(second.identity).toBe('execution-1');
	});
});

describe('a row', () => {
	/** An execution that has bound items 0 and 1 of its first run. */
	const bound = () => {
		const executionContext: IContextObject = {};
		const memory = open(executionContext);
		memory.bind(0, record('key-1'));
		memory.bind(1, record('key-2'));
		return savedAndLoaded(executionContext);
	};

	test('is another one in the next run', () => {
		const memory = open(bound(), { run: 'run-2' });

		expect(memory.boundTo(0)).toBeUndefined();
		expect(memory.boundItems.size).toBe(0);
		expect([...open(bound()).boundItems.keys()]).toEqual([0, 1]);
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
		run: 'run-2',
	});

	expect([...counts, other.countOne('a'), other.countOne('b')]).toEqual([0, 1, 0, 2, 1]);
});

test('knows the IDs of all that was made', () => {
	const executionContext: IContextObject = {};
	const memory = open(executionContext);
	memory.store(record('key-1', { state: 'done', doneId: 'w1' }));
	memory.store(record('key-2', { state: 'done', doneId: 'w2' }));
	memory.store(record('key-3', { state: 'done' }));
	memory.store(record('key-4', { state: 'unclear' }));

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
	const NONE = new Set<string>();
	/** A payout of 10 reais is done; another one of 5 is in some state. */
	const open5 = (state: OrderRecord['state']) => {
		const memory = open({});
		memory.store(record('key-1', { cents: 1_000, state: 'done' }));
		memory.store(record('key-2', { cents: 500, state }));
		return memory;
	};

	test.each<[OrderRecord['state'], number, number]>([
		['done', 1_500, 2],
		['unclear', 1_500, 2],
		['new', 1_000, 1],
		['sent', 1_000, 1],
	])('counts a payout that is %s: %d', (state, spent, count) => {
		expect(open5(state).spentBesides(NONE)).toBe(spent);
		expect(open5(state).actedCount).toBe(count);
	});

	test('counts what is about to be sent, once', () => {
		const memory = open5('new');
		memory.reserve('key-2', 500);
		memory.reserve('key-1', 1_000);
		expect(memory.spentBesides(NONE)).toBe(1_500);
		expect(memory.spentBesides(new Set(['key-1']))).toBe(500);

		memory.reserve('key-2', undefined);
		expect(memory.spentBesides(NONE)).toBe(1_000);
	});
});
