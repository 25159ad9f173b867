import { mapInTurns } from '../../../../../nodes/shared/concurrency/runtime';

test.each([
	['gives the event loop back every 20 ms, and keeps the order', 70, [20, 40, 60]],
	['maps a few rows at once', 2, []],
])('%s', async (_, count, expected) => {
	let now = 0;
	const turns: number[] = [];
	// Each row takes a millisecond.
	const double = (row: number) => {
		now += 1;
		return row * 2;
	};
	const nextTurn = async () => void (await Promise.resolve(turns.push(now)));
	const rows = Array.from({ length: count }, (_row, index) => index);

	const mapped = await mapInTurns(rows, double, { now: () => now, nextTurn });

	expect(mapped).toEqual(rows.map((row) => row * 2));
	expect(turns).toEqual(expected);
});
