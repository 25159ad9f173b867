import {
	alternateRounds,
	describeSpeed,
	describeTime,
} from '../../../../../dev/bench/realN8n/rates';
import type { Round } from '../../../../../dev/bench/realN8n/rounds';

/** Rounds whose figures count up. */
function counting(start: number, isKnown = true): () => Promise<Round> {
	let round = start;
	return async () => {
		round += 1;
		return await Promise.resolve({
			perSecond: round,
			processorMs: isKnown ? 10 * round : undefined,
		});
	};
}

test('rates leave out what warmed up', async () => {
	const told: string[] = [];
	const rates = await alternateRounds({ one: counting(0), other: counting(100) }, 5, (text) =>
		told.push(text),
	);

	expect(rates).toEqual({
		one: { perSecond: [2, 3, 4, 5, 6], processorMs: [20, 30, 40, 50, 60] },
		other: {
			perSecond: [102, 103, 104, 105, 106],
			processorMs: [1020, 1030, 1040, 1050, 1060],
		},
	});
	expect(told).toContain('other, run 5 of 5');
});

test('processor time is left out where it is unknown', async () => {
	const { one } = await alternateRounds({ one: counting(0, false) }, 5, () => undefined);

	expect(one.processorMs).toEqual([]);
	expect(describeSpeed(one)).toBe('4.0 per second (3.0 to 5.0)');
});

test('a rate is described by what n8n gets done, or by what one takes', () => {
	const rate = { perSecond: [2, 4, 8], processorMs: [100, 200, 300] };

	expect(describeSpeed(rate)).toBe(
		'4.0 per second (3.0 to 6.0), 200 ms (150 to 250) of processor time each',
	);
	expect(describeTime(rate)).toBe(
		'250 ms (188 to 375), 200 ms (150 to 250) of processor time each',
	);
});
