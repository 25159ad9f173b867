import {
	openLedger,
	RecentEntries,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/ledger';
import { freshNodeId } from '../support/webhookContext';

/** In which 40 entries a second are 40,000. */
const KEEP_MS = 1_000_000;

describe('the bound of a row', () => {
	test.each([
		['5,000 deliveries', 10_000, undefined, 25_000],
		['what comes in at the highest rate', KEEP_MS, undefined, 40_000],
		['what the user wants', KEEP_MS, 60_000, 60_000],
	])('has room for %s, and for what is recorded now', (_, keepMs, least, room) => {
		expect(new RecentEntries().bound(3, 0, keepMs, least)).toBe(room + 3);
	});

	test('has room for what was recorded in this span of time and in the one before', () => {
		const recent = new RecentEntries();
		const more = (count: number, now: number) => recent.bound(count, now, KEEP_MS) - 40_000;

		expect(more(10, 0)).toBe(10);
		expect(more(5, KEEP_MS - 1)).toBe(15);
		expect(more(1, KEEP_MS)).toBe(16);
		expect(more(2, 2 * KEEP_MS)).toBe(3);
		expect(more(4, 4 * KEEP_MS - 1)).toBe(6);
		// Nothing came for two spans.
		expect(more(1, 6 * KEEP_MS - 1)).toBe(1);
	});
});

test('webhook and polling of one node count together, and each node apart', async () => {
	const bounds: number[] = [];
	const store = {
		record: async (_: readonly string[], bound: number) => {
			bounds.push(bound);
			return new Set<string>();
		},
		forget: async () => undefined,
	};
	const [node, other] = [freshNodeId(), freshNodeId()];
	for (const name of [node, node, other]) {
		await openLedger(store, name, 0, KEEP_MS).record(['a', 'b']);
	}
	expect(bounds).toEqual([40_002, 40_004, 40_002]);
});
