import fc from 'fast-check';
import type { Outcome } from '../../../../../nodes/shared/transport/outcome';
import {
	backoffMs,
	hintedWaitMs,
	withResetDate,
	type ResetUnit,
} from '../../../../../nodes/shared/retry/backoff';
import { refused } from '../../../support/failedRequest';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('backoffMs', () => {
	test.each([
		[0, 250, 500],
		[1, 500, 1_000],
		[2, 1_000, 2_000],
		[5, 8_000, 16_000],
		[6, 10_000, 20_000],
		[7, 10_000, 20_000],
	])('before retry %i is between %i and %i ms', (retry, least, most) => {
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

const answer = (status: number, headers: Record<string, string>): Outcome =>
	refused('ANY', { status, headers });

describe('hintedWaitMs', () => {
	test.each([
		['seconds', { 'retry-after': '7' }, 7_000],
		['an HTTP date', { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }, 30_000],
		['no wait at all', { 'retry-after': '0' }, 0],
		['a date that has passed', { 'retry-after': 'Sat, 21 Nov 2026 11:59:00 GMT' }, 0],
	])('reads Retry-After with %s', (_, headers, ms) => {
		expect(hintedWaitMs(answer(503, headers), NOW)).toBe(ms);
	});

	test.each([
		['seconds', '12', 12_000],
		['fractions of a second', '0.5', 500],
		['epoch seconds', String(NOW / 1000 + 15), 15_000],
		['epoch milliseconds', String(NOW + 15_500), 15_500],
		['an ISO date', '2026-11-21T12:00:45Z', 45_000],
		['an HTTP date', 'Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
		['epoch seconds that have passed', String(NOW / 1000 - 5), 0],
		['epoch milliseconds that have passed', String(NOW - 5_000), 0],
		['blanks around it', ' 12 ', 12_000],
		['the largest number of seconds from now', '99999999', 99_999_999_000],
		['the smallest number of epoch seconds', '100000000', 0],
		['the smallest number of epoch milliseconds', '100000000000', 0],
		['the last timestamp that a date can be', '8640000000000000', 8.64e15 - NOW],
		['a timestamp that no date can be', '8640000000000001', null],
		['a number that no date can be', '1e300', null],
	])('recognizes the unit of X-RateLimit-Reset: %s', (_, value, ms) => {
		expect(hintedWaitMs(answer(429, { 'x-ratelimit-reset': value }), NOW)).toBe(ms);
	});

	test.each(['', '  ', 'soon', '-5', 'Infinity', '-Infinity', 'NaN', '1;w=60', '5 minutes'])(
		'takes %o for no hint',
		(value) => {
			expect(hintedWaitMs(answer(429, { 'retry-after': value }), NOW)).toBeNull();
			expect(hintedWaitMs(answer(429, { 'x-ratelimit-reset': value }), NOW)).toBeNull();
		},
	);

	test('prefers Retry-After, and uses the other one where it says nothing', () => {
		const reset = { 'x-ratelimit-reset': '12' };
		expect(hintedWaitMs(answer(429, { 'retry-after': '7', ...reset }), NOW)).toBe(7_000);
		expect(hintedWaitMs(answer(429, { 'retry-after': 'soon', ...reset }), NOW)).toBe(12_000);
		expect(hintedWaitMs(answer(429, {}), NOW)).toBeNull();
	});

	test.each([200, 400, 408, 500, 503])(
		'takes X-RateLimit-Reset in a %i response for no hint: it only says when the count starts over',
		(status) => {
			const headers = { 'x-ratelimit-reset': '3600' };
			expect(hintedWaitMs(answer(status, headers), NOW)).toBeNull();
			expect(hintedWaitMs(answer(status, { ...headers, 'retry-after': '7' }), NOW)).toBe(7_000);
		},
	);

	test('is read from the page of a gateway as well, and from nothing that is no response', () => {
		const page: Outcome = { kind: 'unclear', cause: 'gateway', status: 503, neverSent: false };
		expect(hintedWaitMs({ ...page, headers: { 'retry-after': '7' } }, NOW)).toBe(7_000);
		expect(hintedWaitMs(page, NOW)).toBeNull();
		expect(hintedWaitMs({ kind: 'blocked', reason: 'not allowed' }, NOW)).toBeNull();
	});
});

describe('withResetDate', () => {
	const waitIn = (unit: ResetUnit, value: string) =>
		hintedWaitMs(withResetDate(answer(429, { 'x-ratelimit-reset': value }), unit, NOW), NOW);

	test.each<[ResetUnit, string, number]>([
		['auto', '40', 40_000],
		['secondsFromNow', '40', 40_000],
		['secondsFromNow', ' 200000000 ', 200_000_000_000],
		['millisecondsFromNow', '40000', 40_000],
		['unixSeconds', String(NOW / 1000 + 15), 15_000],
		['unixMilliseconds', String(NOW + 15_500), 15_500],
		['unixSeconds', '40', 0],
		['unixMilliseconds', '40', 0],
	])('%s: %s is %i ms from now', (unit, value, ms) => {
		expect(waitIn(unit, value)).toBe(ms);
	});

	test.each(['', ' ', 'soon', 'Infinity', 'Sat, 21 Nov 2026 12:00:30 GMT'])(
		'%o is read as without a unit',
		(value) => {
			expect(waitIn('millisecondsFromNow', value)).toBe(waitIn('auto', value));
		},
	);

	test('a timestamp before 1970 is no hint', () => {
		const outcome = answer(429, { 'x-ratelimit-reset': '-5' });
		expect(withResetDate(outcome, 'unixSeconds', NOW)).toBe(outcome);
	});

	test.each<Outcome>([
		{ kind: 'blocked', reason: 'ssrf' },
		{ kind: 'unclear', cause: 'timeout', status: null, neverSent: false },
		answer(429, { 'retry-after': '7' }),
	])('leaves an outcome without the header as it is', (outcome) => {
		expect(withResetDate(outcome, 'secondsFromNow', NOW)).toBe(outcome);
	});
});
