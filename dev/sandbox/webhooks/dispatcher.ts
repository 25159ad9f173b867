import { Agent, request } from 'undici';
import type { Cancel } from '../values/clock';
import { loopbackLookup } from './loopback';
import { isAccepted, judgeAttempt, retryDelayMs } from './rules';
import { toHeaders } from './signature';
import type { DeliveryRow, EndpointRow, Surroundings } from './types';

interface Pending {
	readonly delivery: DeliveryRow;
	readonly endpoint: EndpointRow;
	/** Of a retry, or of being held back. */
	cancel: Cancel;
}

/** The deliveries of one endpoint. */
interface Lane {
	readonly ready: Pending[];
	/** Held back by a fault. */
	readonly late: Pending[];
	inFlight: number;
}

/** Deliveries of one endpoint that are in progress at once. */
const MOST_AT_ONCE = 20;

/** Real time at any speed: an endpoint responds as fast as it can. */
const PATIENCE_MS = 10_000;

/** How long a delivery is held back if no later one comes. */
const HELD_BACK_MS = 60_000;

/** Attempts deliveries: when, how often, how many at once. It knows nothing of their content. */
export class Dispatcher {
	private readonly agent = createAgent();
	private stop = new AbortController();
	private readonly pending = new Set<Pending>();
	private readonly lanes = new Map<string, Lane>();
	private idleWaiters: Array<() => void> = [];

	constructor(private readonly world: Surroundings) {}

	/** @param isLate whether it waits until a later one was attempted */
	enqueue(delivery: DeliveryRow, endpoint: EndpointRow, isLate = false): void {
		const entry: Pending = { delivery, endpoint, cancel: () => undefined };
		this.pending.add(entry);
		if (!isLate) return this.makeReady(entry);
		const { late } = this.lane(endpoint);
		late.push(entry);
		entry.cancel = this.world.schedule(() => this.release(late), HELD_BACK_MS);
	}

	/** One request outside the queue, which is not retried. @returns whether it was accepted */
	async attemptOnce(delivery: DeliveryRow, endpoint: EndpointRow): Promise<boolean> {
		const status = await this.attempt(delivery, endpoint);
		delivery.status = isAccepted(status) ? 'DELIVERED' : 'FAILED';
		return isAccepted(status);
	}

	/** Resolves when no delivery is pending. */
	idle(): Promise<void> {
		return new Promise((resolve) => {
			this.idleWaiters.push(resolve);
			this.wake();
		});
	}

	/** Forgets everything and cuts what is under way. */
	clear(): void {
		this.stop.abort();
		this.stop = new AbortController();
		this.pending.clear();
		this.lanes.clear();
		this.wake();
	}

	async close(): Promise<void> {
		this.clear();
		await this.agent.destroy();
	}

	private lane({ id }: EndpointRow): Lane {
		const lane = this.lanes.get(id) ?? { ready: [], late: [], inFlight: 0 };
		this.lanes.set(id, lane);
		return lane;
	}

	private release(late: Pending[]): void {
		for (const entry of late.splice(0)) {
			entry.cancel();
			if (this.pending.has(entry)) this.makeReady(entry);
		}
	}

	private makeReady(entry: Pending): void {
		const lane = this.lane(entry.endpoint);
		lane.ready.push(entry);
		this.pump(lane);
	}

	private pump(lane: Lane): void {
		while (lane.inFlight < MOST_AT_ONCE) {
			const entry = lane.ready.shift();
			if (!entry) return this.wake();
			if (entry.endpoint.status === 'ACTIVE') void this.run(entry, lane);
			else this.settle(entry, 'FAILED');
		}
	}

	private async run(entry: Pending, lane: Lane): Promise<void> {
		const { stop } = this;
		const { delivery, endpoint } = entry;
		lane.inFlight++;
		const status = await this.attempt(delivery, endpoint);
		// A reset came in between: nothing of this is known any more.
		if (stop !== this.stop) return;
		lane.inFlight--;
		endpoint.failuresInARow = isAccepted(status) ? 0 : endpoint.failuresInARow + 1;
		if (endpoint.failuresInARow >= endpoint.suspendAfter) endpoint.status = 'SUSPENDED';
		const { length: attempts } = delivery.attempts;
		const verdict = judgeAttempt(status, attempts);
		if (verdict !== 'RETRY') this.settle(entry, verdict);
		else {
			entry.cancel = this.world.schedule(() => this.makeReady(entry), retryDelayMs(attempts));
		}
		this.release(lane.late);
		this.pump(lane);
	}

	private async attempt(
		delivery: DeliveryRow,
		{ url, secret }: EndpointRow,
	): Promise<number | null> {
		// Real time with any clock: the receiver compares it with its own.
		const headers = toHeaders(delivery, secret, this.world.dialect, Date.now());
		const target = { url, headers, body: delivery.body };
		const status = await post(this.agent, target, this.stop.signal);
		delivery.attempts.push({ status, headers });
		return status;
	}

	private settle(entry: Pending, status: 'DELIVERED' | 'FAILED'): void {
		entry.delivery.status = status;
		this.pending.delete(entry);
	}

	private wake(): void {
		if (this.pending.size > 0) return;
		for (const resolve of this.idleWaiters.splice(0)) resolve();
	}
}

/** One connection per request, so that no attempt fails because of an old connection. */
function createAgent(): Agent {
	return new Agent({
		pipelining: 0,
		// A local receiver has no certificate from a trusted authority.
		connect: { lookup: loopbackLookup, rejectUnauthorized: false },
	});
}

/**
 * Sends one request and never throws. No redirect is followed.
 * @returns the status, whatever becomes of the body of the response; null when none came in time
 */
async function post(
	agent: Agent,
	target: { url: string; headers: Record<string, string>; body: string },
	stop: AbortSignal,
): Promise<number | null> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), PATIENCE_MS);
	try {
		const response = await request(target.url, {
			method: 'POST',
			headers: target.headers,
			body: target.body,
			dispatcher: agent,
			signal: AbortSignal.any([timeout.signal, stop]),
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		await response.body.dump().catch(() => undefined);
		return response.statusCode;
	} catch {
		return null;
	} finally {
		clearTimeout(timer);
	}
}
