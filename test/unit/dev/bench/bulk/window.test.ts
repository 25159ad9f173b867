import { dictatedTime } from '../../../../../dev/bench/bulk/window';
import { ServiceError } from '../../../../../dev/sandbox/errors';
import { RateLimiter } from '../../../../../dev/sandbox/rateLimit';

test.each([
	['all in the first window', 60, 60, 0],
	['one more than fits', 61, 60, 60_000],
	['three full windows', 180, 60, 120_000],
	['a window that is not full', 1_250, 600, 120_000],
	['nothing', 0, 60, 0],
])('the time that a limit dictates: %s', (_name, requests, perMinute, expected) => {
	expect(dictatedTime(requests, perMinute)).toBe(expected);
});

test('is what the sandbox takes from a client that tries again exactly when it says', () => {
	const limiter = new RateLimiter();
	let now = 1_000;
	for (let request = 0; request < 25; request += 1) {
		try {
			limiter.hit('key', 10, { unit: 'epochMilliseconds', retryAfter: 'retryAfter' }, now);
		} catch (error) {
			expect(error).toBeInstanceOf(ServiceError);
			now = Number((error as ServiceError).headers['X-RateLimit-Reset']);
			request -= 1;
		}
	}
	expect(now - 1_000).toBe(dictatedTime(25, 10));
});
