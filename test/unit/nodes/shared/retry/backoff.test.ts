import type { Outcome } from '../../../../../nodes/shared/transport/outcome';
import { backoffMs, hintedWaitMs } from '../../../../../nodes/shared/retry/backoff';
import { refused, silent } from '../../../support/failedRequest';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test.each([
	[0, 250, 333, 500],
	[1, 500, 667, 1_000],
	[5, 8_000, 10_667, 16_000],
	[6, 10_000, 13_333, 20_000],
	[2_000, 10_000, 13_333, 20_000],
])('the wait before retry %i is from %i over %i to %i ms', (retry, least, third, most) => {
	const chances = [0, 1 / 3, 0.999999999];
	expect(chances.map((chance) => backoffMs(retry, () => chance))).toEqual([least, third, most]);
});

const answer = (status: number, headers: Record<string, string>): Outcome =>
	refused('ANY', { status, headers });

describe('hintedWaitMs', () => {
	test.each([
		['seconds', '12', 12_000],
		['no wait at all', '0', 0],
		['fractions of a second', '0.5', 500],
		['epoch seconds', String(NOW / 1000 + 15), 15_000],
		['epoch milliseconds', String(NOW + 15_500), 15_500],
		['an ISO date', '2026-11-21T12:00:45Z', 45_000],
		['an HTTP date', 'Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
		['epoch seconds that have passed', String(NOW / 1000 - 5), 0],
		['the smallest number of epoch seconds', '100000000', 0],
		['the smallest number of epoch milliseconds', '100000000000', 0],
		['five minutes', '300', 300_000],
		['a date in an hour', 'Sat, 21 Nov 2026 13:00:00 GMT', 3_600_000],
		['a timestamp that no date can be', '8640000000000001', null],
		['a number that no date can be', '1e300', null],
	])('recognizes the unit of both headers: %s', (_, value, ms) => {
		expect(hintedWaitMs(answer(429, { 'retry-after': value }), NOW)).toBe(ms);
		expect(hintedWaitMs(answer(429, { 'x-ratelimit-reset': value }), NOW)).toBe(ms);
	});

	test.each([
		['301', 301_000],
		[String(NOW / 1000 + 301), 301_000],
		['8640000000000000', 8.64e15 - NOW],
	])('believes %s in Retry-After, and not in the header whose unit is unknown', (value, ms) => {
		expect(hintedWaitMs(answer(429, { 'retry-after': value }), NOW)).toBe(ms);
		expect(hintedWaitMs(answer(429, { 'x-ratelimit-reset': value }), NOW)).toBeNull();
	});

	test.each(['', '  ', 'soon', '-5', 'Infinity', '-Infinity', 'NaN', '1;w=60', '5 minutes'])(
		'takes %o for no hint, and uses the other header',
		(value) => {
			const both = { 'retry-after': value, 'x-ratelimit-reset': '12' };
			expect(hintedWaitMs(answer(429, { 'x-ratelimit-reset': value }), NOW)).toBeNull();
			expect(hintedWaitMs(answer(429, both), NOW)).toBe(12_000);
		},
	);

	test.each([
		[429, { 'retry-after': '7', 'x-ratelimit-reset': '12' }, 7_000],
		[429, {}, null],
		// In other responses, the second header only says when the count starts over.
		[503, { 'x-ratelimit-reset': '3600' }, null],
		[503, { 'retry-after': '7', 'x-ratelimit-reset': '3600' }, 7_000],
	])('prefers Retry-After: status %i with %o', (status, headers, ms) => {
		expect(hintedWaitMs(answer(status, headers), NOW)).toBe(ms);
	});

	test('is read from the page of a gateway as well, and from nothing that is no response', () => {
		const page = silent('gateway', 503);
		expect(hintedWaitMs({ ...page, headers: { 'retry-after': '7' } }, NOW)).toBe(7_000);
		expect(hintedWaitMs(page, NOW)).toBeNull();
		expect(hintedWaitMs({ kind: 'blocked', reason: 'not allowed' }, NOW)).toBeNull();
	});
});
