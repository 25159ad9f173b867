import type { IContextObject } from 'n8n-workflow';
import { keyOfGeneration } from '../../../../../nodes/shared/orders/key';
import type { OrderRecord } from '../../../../../nodes/shared/orders/order';
import { OrderMemory } from '../../../../../nodes/shared/orders/orderMemory';
import { savedAndLoaded } from '../../../support/nodeContext';

const NODE = { id: 'node-1', name: 'Pay' };
const OTHER_NODE = { id: 'node-2', name: 'Pay Fees' };

const open = (executionContext: IContextObject = {}, node = NODE, run = 'run-1') =>
	new OrderMemory(executionContext, node, run, { mode: 'trigger' }, (stored) => stored ?? run);

const record = (key: string, changed: Partial<OrderRecord> = {}): OrderRecord => ({
	key,
	content: `content of ${key}`,
	keyId: 'key-id-1',
	state: 'new',
	generation: 0,
	...changed,
});

test('records take little space beyond their own, and hundreds are distinguished', () => {
	const executionContext: IContextObject = { other: { kept: true } };
	const memory = open(executionContext);
	const measureSize = (value: unknown) => JSON.stringify(value).length;
	const before = measureSize(executionContext);
	const records = Array.from({ length: 500 }, (_, index) => record(`key-${index}`));
	records.forEach((one, index) => memory.bind(index, one));

	records.forEach((one, index) => expect(memory.boundTo(index)).toEqual(one));
	const own = records.reduce((sum, one) => sum + measureSize(one), 0);
	expect((measureSize(executionContext) - before - own) / 500).toBeLessThan(60);
	expect(executionContext.other).toEqual({ kept: true });
});

test('the identity of the execution is stored at once, so that another run finds it', () => {
	const executionContext: IContextObject = {};
	open(executionContext);

	expect(open(savedAndLoaded(executionContext), NODE, 'run-2').identity).toBe('run-1');
});

test.each<[string, number[], typeof NODE, string]>([
	['the same run', [0, 1], NODE, 'run-1'],
	['the next run', [], NODE, 'run-2'],
	['a node that was renamed', [0, 1], { ...NODE, name: 'Pay Suppliers' }, 'run-1'],
	['a node that replaced it under its name', [0, 1], { ...NODE, id: 'node-9' }, 'run-1'],
	['another node', [], OTHER_NODE, 'run-1'],
])('%s finds of two rows: %o', (_, items, node, run) => {
	const executionContext: IContextObject = {};
	const memory = open(executionContext);
	memory.bind(0, record('key-0'));
	memory.bind(1, record('key-1'));

	const found = open(savedAndLoaded(executionContext), node, run);
	expect([...found.boundItems.keys()]).toEqual(items);
	expect([0, 1].flatMap((item) => found.boundTo(item)?.key ?? [])).toEqual(
		items.map((item) => `key-${item}`),
	);
});

test('orders of an identity are counted over all runs and nodes, each identity apart', () => {
	const executionContext: IContextObject = {};
	const first = open(executionContext);
	const counts = [first.countOne('a'), first.countOne('a'), first.countOne('b')];
	const other = open(savedAndLoaded(executionContext), OTHER_NODE, 'run-2');

	expect([...counts, other.countOne('a'), other.countOne('b')]).toEqual([0, 1, 0, 2, 1]);
});

test('knows the IDs of all that was made', () => {
	const memory = open();
	memory.store(record('key-1', { state: 'done', doneId: 'w1' }));
	memory.store(record('key-2', { state: 'done', doneId: 'w2' }));
	memory.store(record('key-3', { state: 'done' }));

	expect(memory.doneIds).toEqual(new Set(['w1', 'w2']));
});

test('finds an order by each key that it had, in what other nodes share and n8n has saved', () => {
	const executionContext: IContextObject = {};
	for (const generation of [0, 1, 2]) {
		open(executionContext).store(record('key-1', { generation }));
	}

	const memory = open(savedAndLoaded(executionContext));
	const found = [0, 1, 2, 3].map((used) => memory.find(keyOfGeneration('key-1', used))?.key);
	expect(found).toEqual(['key-1', 'key-1', 'key-1', undefined]);
});

describe('what was spent', () => {
	const NONE = new Set<string>();
	/** A payout of 10 reais is done; another one of 5 is in some state. */
	const open5 = (state: OrderRecord['state']) => {
		const memory = open();
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
