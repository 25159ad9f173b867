import { itemsOfLoop } from '../../../../bench/bulk/loop';

test.each([
	['all where that takes a minute', 1_000, 50, 1_000],
	['all where nothing takes time', 1_000, 0, 1_000],
	['half of them where all would take more than two minutes', 1_000, 200, 500],
	['not a fraction of an item', 1_001, 200, 501],
])('the loop gets %s', (_name, items, latencyMs, expected) => {
	expect(itemsOfLoop(items, latencyMs)).toBe(expected);
});
