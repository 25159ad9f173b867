import { hasDurableStore, withDurableStore } from '../../../../../nodes/shared/n8n/durableStore';
import { FakeDeduplication, StoreFailure } from '../../../support/deduplicationStore';

let store: FakeDeduplication;

beforeEach(() => {
	store = new FakeDeduplication();
});

const record = async (entries: string[], maxEntries = 100, context = store.context()) =>
	await withDurableStore(context, async (access) => [
		...(await access.record(entries, maxEntries)),
	]);
const forget = async (entries: string[]) =>
	await withDurableStore(store.context(), async (access) => await access.forget(entries));

test.each([
	[undefined, true],
	['checkProcessedAndRecord', false],
	['removeProcessed', false],
])('without %s: is there %o', (name, isThere) => {
	const { helpers } = store.context();
	const given = name === undefined ? helpers : { ...helpers, [name]: undefined };
	expect(hasDurableStore({ helpers: given })).toBe(isThere);
});

test('record returns what was there before, and keeps the rest', async () => {
	expect(await record(['a', 'b'])).toEqual([]);
	expect(await record(['b', 'c', 'a'])).toEqual(['b', 'a']);
	expect(await record(['c'])).toEqual(['c']);
});

test('record evicts the oldest beyond the size of the row', async () => {
	await record(['a', 'b'], 3);
	await record(['c', 'd'], 3);
	expect(['a', 'b', 'c', 'd'].filter((entry) => store.holds(entry))).toEqual(['b', 'c', 'd']);
});

test('record passes on what the database says', async () => {
	store.failAt(1);
	await expect(record(['a'])).rejects.toThrow(StoreFailure);
	expect(await record(['a'])).toEqual([]);
});

test('forget removes entries, ignores unknown ones, and leaves the others', async () => {
	await record(['a', 'b', 'c']);
	await forget(['c', 'x', 'a', 'c']);
	expect(await record(['a', 'b', 'c'])).toEqual(['b']);
});

test('nothing is recorded or forgotten without a call', async () => {
	expect(await record([])).toEqual([]);
	await forget([]);
	expect(store.calls).toEqual([]);
});

describe('the mutex', () => {
	const lines = Array.from({ length: 20 }, (_, index) => `entry ${index}`);

	test('keeps twenty at once from losing entries', async () => {
		await record(['first']);
		await Promise.all(lines.map(async (line) => await record([line])));
		expect(store.mostTogether).toBe(1);
		expect(await record(lines)).toEqual(lines);
	});

	test('is held from the first call to the last', async () => {
		const log: string[] = [];
		const twice = async (name: string) =>
			await withDurableStore(store.context(), async (access) => {
				await access.record([`${name} 1`], 100);
				log.push(`${name} 1`);
				await access.record([`${name} 2`], 100);
				log.push(`${name} 2`);
			});
		await Promise.all([twice('a'), twice('b')]);
		expect(log).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
	});

	test.each([
		['node', () => store.context('node-2')],
		['workflow', () => store.context(undefined, 'workflow-2')],
	])('does not make another %s wait', async (_, other) => {
		await withDurableStore(store.context(), async () => {
			expect(await record(['a'], 100, other())).toEqual([]);
		});
		expect(await record(['a'])).toEqual([]);
	});
});
