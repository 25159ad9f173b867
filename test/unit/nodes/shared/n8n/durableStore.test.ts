import { hasDurableStore, withDurableStore } from '../../../../../nodes/shared/n8n/durableStore';
import { FakeDeduplication } from '../../../support/deduplicationStore';

// A database that fails, and many executions at once: test/engine/trigger/requests.test.ts.

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

test('record returns what was there before, keeps the rest, and evicts the oldest', async () => {
	expect(await record(['a', 'b'], 3)).toEqual([]);
	expect(await record(['b', 'c', 'a'], 3)).toEqual(['b', 'a']);
	await record(['d'], 3);
	expect(['a', 'b', 'c', 'd'].filter((entry) => store.holds(entry))).toEqual(['b', 'c', 'd']);
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
	test('is held from the first call to the last', async () => {
		const log: string[] = [];
		const twice = async (name: string) =>
			await withDurableStore(store.context(), async (access) => {
				for (const entry of [`${name} 1`, `${name} 2`]) {
					await access.record([entry], 100);
					log.push(entry);
				}
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
