import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import type { World } from '../world';
import { signedRequest } from './signature';
import type { Delivery, Endpoint } from './types';

/** Deliveries that are in progress at once. */
const MOST_AT_ONCE = 20;
/** Real time at any speed: an endpoint responds as fast as it can. */
const TIMEOUT_MS = 10_000;

/** Attempts deliveries: when, how often, how many at once. It knows nothing of their content. */
export class Dispatcher {
	/** One connection per request, so that no attempt fails because of an old connection. */
	private readonly agent = new Agent({
		pipelining: 0,
		// A local receiver has no certificate from a trusted authority.
		connect: { rejectUnauthorized: false },
	});
	private stop = new AbortController();
	private readonly limit = pLimit(MOST_AT_ONCE);

	constructor(private readonly world: Pick<World, 'dialect' | 'schedule'>) {}

	/** Attempts it until it is delivered, refused for good, or its endpoint is removed. */
	enqueue(delivery: Delivery, endpoint: Endpoint): void {
		const { stop } = this;
		void this.limit(async () => {
			if (endpoint.isActive && !stop.signal.aborted) await this.attempt(delivery, endpoint);
			// A reset came in between: nothing of this is known any more.
			if (stop.signal.aborted) return;
			const { attempts } = delivery;
			delivery.status = endpoint.isActive
				? judge(attempts.at(-1)!.status, attempts.length)
				: 'FAILED';
			if (delivery.status === 'PENDING') {
				this.world.schedule(() => this.enqueue(delivery, endpoint), retryDelayMs(attempts.length));
			}
		});
	}

	/** One attempt outside the queue, which is not retried. */
	async attemptOnce(delivery: Delivery, endpoint: Endpoint): Promise<void> {
		await this.attempt(delivery, endpoint);
		delivery.status = judge(delivery.attempts.at(-1)!.status, MOST_ATTEMPTS);
	}

	/** Forgets everything and cuts what is under way. */
	clear(): void {
		this.stop.abort();
		this.stop = new AbortController();
	}

	async close(): Promise<void> {
		this.clear();
		await this.agent.destroy();
	}

	private async attempt(delivery: Delivery, { url, secret }: Endpoint): Promise<void> {
		// Real time with any clock: the receiver compares it with its own.
		const headers = signedRequest(delivery, secret, this.world.dialect, Date.now());
		const status = await this.post(url, headers, delivery.body);
		delivery.attempts.push({ status, headers });
	}

	/**
	 * Never throws, and follows no redirect.
	 * @returns the status, whatever becomes of the body of the response; null when none came in time
	 */
	private async post(
		url: string,
		headers: Record<string, string>,
		body: string,
	): Promise<number | null> {
		const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.stop.signal]);
		try {
			const response = await request(url, {
				...{ method: 'POST', headers, body, signal, dispatcher: this.agent },
				...{ headersTimeout: 0, bodyTimeout: 0 },
			});
			await response.body.dump().catch(() => undefined);
			return response.statusCode;
		} catch {
			return null;
		}
	}
}

// "Delivery semantics" of webhooks (docs/api.md#delivery-attempts), as decisions without effects.

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 6 * 60 * 60 * 1_000;
const MOST_ATTEMPTS = 24;

/** The pause after this many failed attempts: 5 s, doubling, never more than 6 h. */
function retryDelayMs(failedAttempts: number): number {
	return Math.min(FIRST_DELAY_MS * 2 ** (failedAttempts - 1), LONGEST_DELAY_MS);
}

/**
 * A 4xx other than 408 and 429 says that trying again is of no use.
 * @param status null when no response came; a redirect is a response like any other: not 2xx
 * @param attempts made, this one included
 */
function judge(status: number | null, attempts: number): Delivery['status'] {
	if (status !== null && status >= 200 && status < 300) return 'DELIVERED';
	const isRefused = status !== null && status >= 400 && status < 500;
	const isFinal = isRefused && status !== 408 && status !== 429;
	return isFinal || attempts >= MOST_ATTEMPTS ? 'FAILED' : 'PENDING';
}
