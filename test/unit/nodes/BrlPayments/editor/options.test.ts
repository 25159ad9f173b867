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

describe('parseConcurrency', () => {
	test.each<[unknown, number]>([
		[undefined, 10],
		[1, 1],
		['7', 7],
		[100, 100],
	])('%o is %i', (value, count) => {
		expect(parseConcurrency(value)).toBe(count);
	});

	test.each([0, -1, 1.5, 101, '', 'many', Number.NaN, {}])('refuses %o', (value) => {
		expect(() => parseConcurrency(value)).toThrow(InputError);
	});
});
