import { mapInTurns } from '../../../../../nodes/shared/concurrency/runtime';

/** Each row takes a millisecond. */
function clock() {
	let now = 0;
	const turns: number[] = [];
	return {
		turns,
		work: (row: number) => {
			now += 1;
			return row * 2;
		},
		runtime: {
			now: () => now,
			nextTurn: async () => {
				turns.push(now);
				await Promise.resolve();
			},
		},
	};
}

test('gives the event loop back every 20 ms, and keeps the order', async () => {
	const { work, runtime, turns } = clock();
	const rows = Array.from({ length: 70 }, (_, index) => index);

	expect(await mapInTurns(rows, work, runtime)).toEqual(rows.map((row) => row * 2));
	expect(turns).toEqual([20, 40, 60]);
});

test('maps a few rows at once', async () => {
	const { work, runtime, turns } = clock();

	expect(await mapInTurns([1, 2], work, runtime)).toEqual([2, 4]);
	expect(turns).toEqual([]);
});
