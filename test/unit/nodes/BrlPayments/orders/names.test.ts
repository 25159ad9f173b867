import fc from 'fast-check';
import {
	automaticName,
	findLeftOut,
	findMissing,
	findObstacle,
	isRecent,
	keyOf,
	looksAutomatic,
	relate,
	ROOT_LIFE_MS,
	type Asked,
	type Name,
	type Relation,
	type Root,
} from '../../../../../nodes/BrlPayments/orders/names';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const ROOT: Root = { name: 'root-1', bornAt: NOW, isEvent: false };
const DATA = { payee: 'Maria', day: { month: 11, year: 2026 }, items: [1, 2] };

describe('an automatic name', () => {
	const name = (
		changed: Partial<Root> = {},
		data: Readonly<Record<string, unknown>> = DATA,
		content = 'content-1',
		isAgentTool = false,
	) => automaticName({ ...ROOT, ...changed }, content, data, isAgentTool);

	test('has a form of its own, and shows nothing of the item', () => {
		expect(name()).toMatch(/^auto-[\w-]{16}$/);
		expect(looksAutomatic(name())).toBe(true);
	});

	test.each(['auto-1042', `x${name()}`, `${name()}x`, 'AUTO-aaaaaaaaaaaaaaaa'])(
		'%s is a reference like any other',
		(reference) => {
			expect(looksAutomatic(reference)).toBe(false);
		},
	);

	test.each<[string, string]>([
		['another execution', name({ name: 'root-2' })],
		['another amount or PIX key', name({}, DATA, 'content-2')],
		['another value deep in the row', name({}, { ...DATA, day: { month: 10, year: 2026 } })],
		['another order within a list', name({}, { ...DATA, items: [2, 1] })],
		['one field less', name({}, { payee: 'Maria', day: DATA.day })],
	])('is another one for %s', (_, other) => {
		expect(other).not.toBe(name());
	});

	// A person who edits a node between two attempts moves fields, and n8n adds the error of the first one.
	test('is the same for fields in another order, and for the item that comes back with its error', () => {
		const moved = { items: [1, 2], day: { year: 2026, month: 11 }, payee: 'Maria' };
		expect(name({}, moved)).toBe(name());
		expect(name({}, { ...DATA, error: { code: 'TIMEOUT' } })).toBe(name());
		expect(name({ bornAt: undefined })).toBe(name());
	});

	test.each(['alreadyPaid', 'alreadyCreated'])('of an item with %s is that of its ID', (output) => {
		const put = { id: 'w1', [output]: false, status: 'PENDING' };
		expect(name({}, { ...put, status: 'COMPLETED', [output]: true })).toBe(name({}, put));
		expect(name({}, { ...put, id: 'w2' })).not.toBe(name({}, put));
		expect(name({}, { ...put, id: 1, status: 'PAID' })).not.toBe(name({}, { ...put, id: 1 }));
		const { id, status } = put;
		expect(name({}, { id, status: 'PAID' })).not.toBe(name({}, { id, status }));
	});

	test('leaves out what Check Batch says of the list, and of nothing else', () => {
		const checked = { ...DATA, batchOk: true, batchAvailableBalance: 10 };
		const later = { ...checked, batchOk: false, batchAvailableBalance: 5 };
		expect(name({}, later)).toBe(name({}, checked));
		expect(name({}, { ...checked, payee: 'Ana' })).not.toBe(name({}, checked));
		expect(name({}, { ...DATA, batch: 1 })).not.toBe(name({}, { ...DATA, batch: 2 }));
	});

	test('of an item that n8n stored and read again is the same, with dates in it', () => {
		const data = { at: new Date(NOW), gone: undefined };
		const stored = JSON.parse(JSON.stringify(data)) as typeof data;
		expect(name({}, data)).toBe(name({}, stored));
		expect(name({}, { at: new Date(NOW + 1) })).not.toBe(name({}, data));
	});

	test.each<[string, (data: object, content?: string) => string]>([
		['behind the trigger', (data, content) => name({ isEvent: true }, { ...data }, content)],
		['of an agent', (data, content) => name({}, { ...data }, content, true)],
	])('%s does not depend on the data, which another copy or call has otherwise', (_, nameOf) => {
		expect(nameOf({ deliveryId: 'b' })).toBe(nameOf({ deliveryId: 'a' }));
		expect(nameOf({}, 'content-2')).not.toBe(nameOf({}, 'content-1'));
	});

	test('tells any two rows apart, and only by what n8n stores of them', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
				const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
				expect(name({}, { row: one }) === name({}, { row: other })).toBe(isSame);
			}),
		);
	});
});

function sorted(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(sorted);
	const fields = Object.entries(value)
		.map(([field, inner]) => [field, sorted(inner)])
		.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
	// An empty object is no empty list.
	return { fields };
}

const DAY = 24 * 3_600_000;

test.each<[string, number | undefined, number, boolean]>([
	['is almost too old', NOW - ROOT_LIFE_MS + 1, -Infinity, true],
	['is too old', NOW - ROOT_LIFE_MS, -Infinity, false],
	['is too old, and this run was made lately: the execution has waited', 0, NOW - 17 * DAY, true],
	['and this run are too old', 0, NOW - ROOT_LIFE_MS, false],
	['has an unknown age, and this run was made lately', undefined, NOW, true],
	['has an unknown age', undefined, -Infinity, false],
])('a root that %s gives automatic names, or not', (_, bornAt, madeAt, isGiven) => {
	expect(isRecent({ ...ROOT, bornAt }, madeAt, NOW)).toBe(isGiven);
});

describe('the idempotency key', () => {
	const NAME: Name = { kind: 'payout', isLive: false, value: 'NF-1042', isAutomatic: false };
	const keys = [
		keyOf(NAME, 0),
		keyOf(NAME, 1),
		keyOf({ ...NAME, kind: 'charge' }, 0),
		keyOf({ ...NAME, isLive: true }, 0),
		keyOf({ ...NAME, value: 'NF-1043' }, 0),
	];

	test('is another one for each kind, environment, name and generation', () => {
		expect(new Set(keys).size).toBe(keys.length);
		for (const key of keys) expect(key).toMatch(/^n8n-[\w-]{43}$/);
	});

	// A key that changed with a release would pay again what was in flight during the update.
	test('stays what it was', () => {
		expect(keyOf(NAME, 0)).toBe('n8n-ibcxVvV1xK-jKm52HKG_7FqNtezJp-9F4xH7jbtsTaU');
	});
});

describe('items that ask for one name', () => {
	const item = (value: string, isGiven = false, content = 'content-1'): Asked => ({
		value,
		content,
		isGiven,
	});
	const given = (content?: string) => item('NF-1', true, content);

	test.each<[string, Array<Asked | undefined>, string[], Record<number, Relation>]>([
		[
			'equal rows: each of them, since nobody could tell which one was paid',
			[item('a'), item('b'), item('a'), item('a')],
			[],
			{ 2: { is: 'equal', to: 0 }, 0: { is: 'equal', to: 2 }, 3: { is: 'equal', to: 0 } },
		],
		[
			'a row that another run of the execution has asked for',
			[item('b'), item('a')],
			['a'],
			{ 1: { is: 'equal', to: undefined } },
		],
		[
			'rows that are equal here and elsewhere',
			[item('a'), item('a')],
			['a'],
			{ 0: { is: 'equal', to: undefined }, 1: { is: 'equal', to: undefined } },
		],
		[
			'one reference and one content: paid once, shown by each',
			[given(), item('b'), given(), given()],
			[],
			{ 2: { is: 'shared', with: 0 }, 3: { is: 'shared', with: 0 } },
		],
		['a reference that another run has asked for: paid once', [given(), item('b')], ['NF-1'], {}],
		[
			'one reference and two contents',
			[given(), given('content-2'), given()],
			[],
			{ 1: { is: 'contradicting', with: 0 }, 2: { is: 'shared', with: 0 } },
		],
		['items that are refused already: they count for nothing', [undefined, item('a')], [], {}],
	])('are %s', (_, items, elsewhere, relations) => {
		expect(Object.fromEntries(relate(items, new Set(elsewhere)))).toEqual(relations);
	});
});

describe('rows that changed', () => {
	const PAID = [
		{ value: 'a', content: 'ten-to-maria', paidBy: 'w1', cells: { run: 'first' } },
		{ value: 'b', content: 'ten-to-ana', paidBy: 'w2', cells: { run: 'first' } },
	];

	test.each<[string, string[], string[]]>([
		['none', [], ['a', 'b']],
		['one of them', ['a', 'new'], ['b']],
	])('miss what was paid before of which %s came up again', (_, asked, missing) => {
		expect(findMissing(PAID, new Set(asked)).map(({ value }) => value)).toEqual(missing);
	});

	test.each<[string, string, boolean, typeof PAID, string | undefined]>([
		['any row is missing', 'five-to-joao', false, PAID, 'a'],
		// Lists that leave out what was paid continue with references.
		['it has a reference, and other rows are missing', 'five-to-joao', true, PAID, undefined],
		['it has a reference, and an equal row is missing', 'ten-to-ana', true, PAID, 'b'],
	])('stop what was never sent, or not, where %s', (_, content, isReference, missing, stopper) => {
		expect(findObstacle({ content }, isReference, missing)?.value).toBe(stopper);
	});

	const OPEN = [...PAID, { ...PAID[1]!, value: 'c', paidBy: undefined }];

	test.each<[string, string, string[], typeof OPEN, string | undefined]>([
		['of its content and run one has no answer', 'ten-to-ana', ['first', 'second'], OPEN, 'c'],
		['all of them were paid', 'ten-to-ana', ['first'], PAID, undefined],
		['the open one has other content', 'ten-to-maria', ['first'], OPEN, undefined],
		['another run has sent the open one', 'ten-to-ana', ['second'], OPEN, undefined],
	])('take what was sent for another row, or not, where %s', (_, content, runs, missing, left) => {
		expect(findLeftOut({ content }, new Set(runs), missing)?.value).toBe(left);
	});
});
