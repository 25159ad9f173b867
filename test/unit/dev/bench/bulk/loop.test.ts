import { itemsOfLoop } from '../../../../../dev/bench/bulk/loop';

test.each([
	['all where nothing takes time', 1_000, 0, 1_000],
	['all where that takes forty seconds', 800, 50, 800],
	['a part where all would take longer', 1_000, 200, 200],
	['not a fraction of an item', 1_001, 200, 167],
])('the loop gets %s', (_name, items, latencyMs, expected) => {
	expect(itemsOfLoop(items, latencyMs)).toBe(expected);
});
