import {
	toBucket,
	bucketsOfLife,
	toDay,
	daysOfLife,
	KEY_GONE_MS,
} from '../../../../../../nodes/shared/orders/journal/keyLife';

const HOUR = 60 * 60 * 1000;
const MOMENTS = ['2026-11-21T00:00:00Z', '2026-11-21T12:07:00Z', '2026-11-21T23:50:00Z'].map(
	(text) => Date.parse(text),
);

it.each(MOMENTS)(
	'no bucket outlives a key that is first used at %d, and none is missing',
	(now) => {
		const buckets = bucketsOfLife(now);

		expect(buckets[0]).toBe(toBucket(now));
		expect(buckets).toEqual(buckets.map((_, index) => buckets[0]! + index));
		expect(buckets).toContain(toBucket(now + 12 * HOUR));
		expect(buckets).not.toContain(toBucket(now + 24 * HOUR - 15 * 60 * 1000));
	},
);

it.each(MOMENTS)('every day counts on which a key first used at %d may be known', (now) => {
	const days = daysOfLife(now);

	for (let later = 0; later <= KEY_GONE_MS; later += HOUR / 4) {
		expect(days).toContain(toDay(now + later));
	}
});
