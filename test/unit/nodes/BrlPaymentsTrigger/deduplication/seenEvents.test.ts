import {
	openSeenEvents,
	RecentEntries,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import { freshNodeId } from '../support/webhookContext';

const KEEP_MS = 1_000_000;
const ALONE = { keepMs: KEEP_MS, isShared: false };
const SHARED = { keepMs: KEEP_MS, isShared: true };

describe('the bound of a row', () => {
	test.each([
		['what was there before this process', 30_000, ALONE, 30_000],
		['no more of it than can be young', 600_000, ALONE, 105_000],
		['what the user wants', 0, { ...ALONE, least: 60_000 }, 60_000],
		['what other processes write at the highest rate', 0, SHARED, 105_000],
	])('has room for %s, and for what is recorded now', (_, inherited, retention, room) => {
		expect(new RecentEntries(inherited, 0).bound(3, 0, retention)).toBe(room + 3);
	});

	test('has room for 4,000 deliveries, however few are young', () => {
		expect(new RecentEntries(0, 0).bound(3, 0, ALONE)).toBe(29_000);
	});

	test('has room for all that was recorded in the time, and little more', () => {
		const recent = new RecentEntries(0, 0);
		const more = (count: number, now: number) => recent.bound(count, now, ALONE);

		expect(more(40_000, 0)).toBe(40_000);
		expect(more(1, KEEP_MS / 5 - 1)).toBe(40_001);
		expect(more(30_000, KEEP_MS / 5)).toBe(70_001);
		// The 40,001 are older than what came after them.
		expect(more(2, KEEP_MS)).toBe(70_003);
		expect(more(4, KEEP_MS * 1.2 - 1)).toBe(70_007);
		expect(more(1, KEEP_MS * 1.2)).toBe(30_007);
		expect(more(1, KEEP_MS * 2)).toBe(29_000);
	});

	test('keeps what was recorded before the clock was put back', () => {
		const recent = new RecentEntries(0, 10 * KEEP_MS);
		recent.bound(40_000, 10 * KEEP_MS, ALONE);
		expect(recent.bound(1, 5 * KEEP_MS, ALONE)).toBe(40_001);
		expect(recent.bound(1, 5 * KEEP_MS + 1, ALONE)).toBe(40_002);
	});

	test('lets go of what was there before this process as it becomes old', () => {
		const recent = new RecentEntries(80_000, 500);
		const room = (now: number) => recent.bound(0, now, ALONE);

		expect(room(500)).toBe(80_000);
		// 105 entries a second for half of the time.
		expect(room(500 + KEEP_MS / 2)).toBe(52_500);
		expect(room(500 + KEEP_MS)).toBe(29_000);
	});
});

describe('the store', () => {
	let node: string;
	let warnings: string[];
	let bounds: number[];
	/** What each call returns or throws, in turn; the last one also from then on. */
	let results: Array<string[] | Error>;
	const next = async () => {
		const result = results.length > 1 ? results.shift()! : results[0]!;
		if (result instanceof Error) throw result;
		return new Set(result);
	};
	const count = vi.fn<() => Promise<number>>();
	const store = {
		record: async (_: readonly string[], bound: number) => {
			bounds.push(bound);
			return await next();
		},
		forget: async () => void (await next()),
		count,
	};
	const open = (retention = ALONE, name = node) =>
		openSeenEvents(store, name, 0, retention, (message) => void warnings.push(message));

	beforeEach(() => {
		node = freshNodeId();
		[warnings, bounds, results] = [[], [], [[]]];
		count.mockReset().mockResolvedValue(70_000);
	});

	test('counts what webhook and polling of one node record together, and each node apart', async () => {
		for (const name of [node, node, freshNodeId()]) await open(ALONE, name).record(['a', 'b', 'a']);
		expect(bounds).toEqual([70_002, 70_004, 70_002]);
		// What an earlier process has left is asked for once.
		expect(count).toHaveBeenCalledTimes(2);
	});

	test.each<[string, typeof ALONE, boolean, string[][], number, string[]]>([
		['that one process writes is read once', ALONE, true, [['a']], 1, ['a']],
		['that nobody checks is read once', SHARED, false, [['a']], 1, ['a']],
		// Another process may have written the same in between: the first result counts.
		['that another one overwrites is written again', SHARED, true, [[], ['a'], ['a', 'b']], 3, []],
		['whose writes are lost again and again is given up', SHARED, true, [['a'], []], 5, ['a']],
	])('%s', async (_, retention, isChecked, given, calls, known) => {
		results = given;
		expect(await open(retention).record(['a', 'b'], isChecked)).toEqual(new Set(known));
		expect(bounds).toHaveLength(calls);
		expect(warnings).toEqual([]);
	});

	test('that fails once, or loses a result, is asked again', async () => {
		results = [new Error('UNIQUE constraint failed'), ['a']];
		expect(await open().record(['a'])).toEqual(new Set(['a']));
		expect(warnings).toEqual([
			'The events that were seen could not be read or written (attempt 1): UNIQUE constraint failed',
		]);
	});

	test('that does not say how much it holds is asked again', async () => {
		count.mockRejectedValueOnce('gone');
		await open().record(['a']);
		expect(warnings).toEqual([expect.stringMatching(/attempt 1\): unknown error$/)]);
		expect(bounds).toEqual([70_001]);
	});

	test('that always fails is called five times, and nothing is thrown', async () => {
		results = [new Error('locked')];
		expect(await open().record(['a'])).toBeUndefined();
		expect(bounds).toHaveLength(5);
		await open().forget(['a']);
		expect(warnings).toHaveLength(10);
		expect(warnings.at(-1)).toBe('Entries could not be removed (attempt 5): locked');
	});
});
