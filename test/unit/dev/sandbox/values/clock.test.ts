import { createManualClock } from '../../../../../dev/sandbox';

test('timers run in order of their due time, at their due time', () => {
	const clock = createManualClock(1_000);
	const seen: Array<[string, number]> = [];
	clock.setTimeout(() => seen.push(['late', clock.now()]), 20);
	clock.setTimeout(() => {
		seen.push(['early', clock.now()]);
		clock.setTimeout(() => seen.push(['nested', clock.now()]), 5);
	}, 10);
	clock.advance(9);
	expect(seen).toEqual([]);
	clock.advance(41);
	expect(seen).toEqual([
		['early', 1_010],
		['nested', 1_015],
		['late', 1_020],
	]);
	expect(clock.now()).toBe(1_050);
});

test('a cancelled timer never runs', () => {
	const clock = createManualClock(0);
	const fn = vi.fn();
	const cancel = clock.setTimeout(fn, 1);
	cancel();
	cancel();
	clock.advance(10);
	expect(fn).not.toHaveBeenCalled();
});
