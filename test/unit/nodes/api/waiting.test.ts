import fc from 'fast-check';
import { backoffMs, hintedWaitMs } from '../../../../nodes/api/waiting';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('backoffMs', () => {
	test.each([
		[0, 250, 500],
		[1, 500, 1_000],
		[2, 1_000, 2_000],
		[5, 8_000, 16_000],
		[6, 10_000, 20_000],
		[7, 10_000, 20_000],
	])('before retry %i lies between %i and %i ms', (retry, least, most) => {
		expect(backoffMs(retry, () => 0)).toBe(least);
		expect(backoffMs(retry, () => 0.999999999)).toBe(most);
	});

	test('is always a whole number of milliseconds from 250 to 20000, whatever chance says', () => {
		fc.assert(
			fc.property(
				fc.nat({ max: 2_000 }),
				fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
				(retry, chance) => {
					const wait = backoffMs(retry, () => chance);
					expect(Number.isInteger(wait)).toBe(true);
					expect(wait).toBeGreaterThanOrEqual(250);
					expect(wait).toBeLessThanOrEqual(20_000);
					expect(backoffMs(retry + 1, () => chance)).toBeGreaterThanOrEqual(wait);
				},
			),
		);
	});
});

describe('hintedWaitMs', () => {
	test.each([
		['seconds', { 'retry-after': '7' }, 7_000],
		['an HTTP date', { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
		['no wait at all', { 'retry-after': '0' }, 0],
		['a date that has passed', { 'retry-after': 'Sat, 21 Nov 2026 11:59:00 GMT' }, 0],
	])('reads Retry-After with %s', (_, headers, ms) => {
		expect(hintedWaitMs(headers, NOW)).toBe(ms);
	});

	test.each([
		['seconds', '12', 12_000],
		['fractions of a second', '0.5', 500],
		['seconds since 1970', String(NOW / 1000 + 15), 15_000],
		['milliseconds since 1970', String(NOW + 15_500), 15_500],
		['an ISO date', '2026-11-21T12:00:45Z', 45_000],
		['an HTTP date', 'Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
		['seconds since 1970 that have passed', String(NOW / 1000 - 5), 0],
		['milliseconds since 1970 that have passed', String(NOW - 5_000), 0],
		['blanks around it', ' 12 ', 12_000],
	])('tells the unit of X-RateLimit-Reset: %s', (_, value, ms) => {
		expect(hintedWaitMs({ 'x-ratelimit-reset': value }, NOW)).toBe(ms);
	});

	test.each(['', '  ', 'soon', '-5', 'Infinity', '-Infinity', 'NaN', '1;w=60', '5 minutes'])(
		'takes %p for no hint',
		(value) => {
			expect(hintedWaitMs({ 'retry-after': value }, NOW)).toBeNull();
			expect(hintedWaitMs({ 'x-ratelimit-reset': value }, NOW)).toBeNull();
		},
	);

	test('prefers Retry-After, and uses the other one where it says nothing', () => {
		const reset = { 'x-ratelimit-reset': '12' };
		expect(hintedWaitMs({ 'retry-after': '7', ...reset }, NOW)).toBe(7_000);
		expect(hintedWaitMs({ 'retry-after': 'soon', ...reset }, NOW)).toBe(12_000);
	});

	test('needs a header', () => {
		expect(hintedWaitMs({}, NOW)).toBeNull();
		expect(hintedWaitMs({ 'x-ratelimit-limit': '60' }, NOW)).toBeNull();
	});

	test('never gives a negative or unusable wait, whatever the server sends', () => {
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)),
				(value) => {
					const wait = hintedWaitMs({ 'retry-after': value }, NOW);
					expect(wait === null || (Number.isFinite(wait) && wait >= 0)).toBe(true);
				},
			),
		);
	});
});

test.each(['1e300', '8640000000000001'])(
	'a moment that no date can be, %s, is no hint',
	(value) => {
		expect(hintedWaitMs({ 'x-ratelimit-reset': value }, 0)).toBeNull();
	},
);
