import { InputError } from '../../../../../nodes/shared/input/inputError';
import { parseConcurrency, parseTimeout } from '../../../../../nodes/BrlPayments/editor/options';

describe('parseTimeout', () => {
	test.each<[unknown, number]>([
		[undefined, 30_000],
		[null, 30_000],
		[1, 1_000],
		[2.5, 2_500],
		['10', 10_000],
		[3600, 3_600_000],
	])('%o seconds are %i ms', (seconds, ms) => {
		expect(parseTimeout(seconds)).toBe(ms);
	});

	test.each([0, -1, '', 'soon', 3601, Number.NaN, Number.POSITIVE_INFINITY, {}])(
		'refuses %o',
		(seconds) => {
			expect(() => parseTimeout(seconds)).toThrow(InputError);
		},
	);
});

// What is refused: test/engine/items/order.test.ts.
test.each([
	[undefined, 10],
	['7', 7],
	[100, 100],
])('%o requests at once are %i', (value, count) => {
	expect(parseConcurrency(value)).toBe(count);
});
