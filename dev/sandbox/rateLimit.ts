import { ServiceError } from './errors';

const WINDOW_MS = 60_000;

/** A window of one minute per key, opened by its first request. */
export class RateLimiter {
	private readonly windows = new Map<string, { resetAt: number; count: number }>();

	/**
	 * Counts one request of `keyId`; throws RATE_LIMIT_EXCEEDED when over `limit`. The unit of its
	 * `X-RateLimit-Reset` is not documented: here, seconds from now.
	 */
	hit(keyId: string, limit: number, now: number): void {
		let window = this.windows.get(keyId);
		if (!window || window.resetAt <= now) {
			window = { resetAt: now + WINDOW_MS, count: 0 };
			this.windows.set(keyId, window);
		}
		window.count++;
		if (window.count <= limit) return;
		const seconds = String(Math.ceil((window.resetAt - now) / 1_000));
		throw new ServiceError('RATE_LIMIT_EXCEEDED', {
			headers: { 'Retry-After': seconds, 'X-RateLimit-Reset': seconds },
		});
	}
}
