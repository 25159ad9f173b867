import {
	openSeenEvents,
	RecentEntries,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import { freshNodeId } from '../support/webhookContext';

const KEEP_MS = 1_000_000;
const warn = vi.fn();
const ALONE = { keepMs: KEEP_MS, isShared: false };

describe('the bound of a row', () => {
	test.each([
		['what was there before this process', 30_000, ALONE, 30_000],
		['no more of it than can be young', 600_000, ALONE, 105_000],
		['what the user wants', 0, { ...ALONE, least: 60_000 }, 60_000],
		['what other processes write at the highest rate', 0, { ...ALONE, isShared: true }, 105_000],
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

describe('a seenEvents', () => {
	let bounds: number[];
	const store = {
		record: async (_: readonly string[], bound: number) => {
			bounds.push(bound);
			return new Set<string>();
		},
		forget: async () => undefined,
		count: async () => 70_000,
	};

	beforeEach(() => {
		bounds = [];
	});

	test('counts webhook and polling of one node together, and each node apart', async () => {
		const [node, other] = [freshNodeId(), freshNodeId()];
		for (const name of [node, node, other]) {
			await openSeenEvents(store, name, 0, ALONE, warn).record(['a', 'b']);
		}
		expect(bounds).toEqual([70_002, 70_004, 70_002]);
	});

	test('asks once how many entries an earlier process has left', async () => {
		const node = freshNodeId();
		const count = vi.fn(async () => 70_000);
		for (const now of [0, 1]) {
			await openSeenEvents({ ...store, count }, node, now, ALONE, warn).record(['a']);
		}
		expect(count).toHaveBeenCalledTimes(1);
	});

	test('tries again where the store did not answer', async () => {
		const node = freshNodeId();
		const count = vi.fn(async () => 70_000).mockRejectedValueOnce(new Error('locked'));
		await openSeenEvents({ ...store, count }, node, 0, ALONE, warn).record(['a']);
		expect(warn).toHaveBeenCalledWith(expect.stringMatching(/locked$/));
		expect(bounds).toEqual([70_001]);
	});
});
