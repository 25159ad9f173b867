import type { Dialect } from './settings/dialects';
import { ServiceError } from './errors';

const WINDOW_MS = 60_000;

type Reset = Dialect['rateLimitReset'];

/** The value of `X-RateLimit-Reset`, whose unit the API leaves open. `resetAt` in epoch ms. */
function resetHeader(unit: Reset['unit'], resetAt: number, now: number): string {
	switch (unit) {
		case 'seconds':
			return String(Math.ceil((resetAt - now) / 1_000));
		case 'milliseconds':
			return String(resetAt - now);
		case 'epochSeconds':
			return String(Math.ceil(resetAt / 1_000));
		case 'epochMilliseconds':
			return String(resetAt);
		case 'httpDate':
			return new Date(Math.ceil(resetAt / 1_000) * 1_000).toUTCString();
	}
}

/** A window of one minute per key, opened by its first request. */
export class RateLimiter {
	private readonly windows = new Map<string, { resetAt: number; count: number }>();

	/** Counts one request of `keyId`; throws RATE_LIMIT_EXCEEDED with its headers when over `limit`. */
	hit(keyId: string, limit: number, reset: Reset, now: number): void {
		let window = this.windows.get(keyId);
		if (!window || window.resetAt <= now) {
			window = { resetAt: now + WINDOW_MS, count: 0 };
			this.windows.set(keyId, window);
		}
		window.count++;
		if (window.count <= limit) return;
		throw new ServiceError('RATE_LIMIT_EXCEEDED', {
			headers: {
				...(reset.retryAfter === 'retryAfter' && {
					'Retry-After': String(Math.ceil((window.resetAt - now) / 1_000)),
				}),
				'X-RateLimit-Reset': resetHeader(reset.unit, window.resetAt, now),
			},
		});
	}

	clear(): void {
		this.windows.clear();
	}
}
