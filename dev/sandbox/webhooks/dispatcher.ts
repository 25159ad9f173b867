import type { Cancel } from '../values/clock';
import { afterAttempt, HEALTHY, pauseMs, suspendAfter, type Health } from './health';
import { isAccepted, judgeAttempt, OLDEST_MS, retryDelayMs, seededRandom } from './rules';
import { toHeaders } from './signature';
import type { Attempt, DeliveryRow, EndpointRow, Surroundings } from './types';
import { Agent, request } from 'undici';
import { loopbackLookup } from './loopback';

interface Pending {
	readonly delivery: DeliveryRow;
	readonly endpoint: EndpointRow;
	inFlight: boolean;
	tooOld: boolean;
	cancelAge: Cancel;
	cancelRetry: Cancel;
}

interface Lane {
	readonly ready: Pending[];
	/** Held back by a fault. */
	readonly late: Pending[];
	inFlight: number;
	health: Health;
	/** Epoch ms; of meaning while the circuit is open. */
	openUntil: number;
	cancelPause: Cancel;
}

/** How long a delivery is held back if no later one comes. */
const HELD_BACK_MS = 60_000;

const NO_TIMER: Cancel = () => undefined;

/** Attempts deliveries: when, how often, how many at once. It knows nothing of their content. */
export class Dispatcher {
	private agent = createAgent();
	private stop = new AbortController();
	private random = seededRandom(1);
	private inFlight = 0;
	private readonly pending = new Set<Pending>();
	private readonly lanes = new Map<string, Lane>();
	private idleWaiters: Array<() => void> = [];
	private quietWaiters: Array<() => void> = [];

	constructor(private readonly world: Surroundings) {}

	/**
	 * Takes a delivery over. One for an endpoint that is not active fails at once.
	 * @param isLate whether it waits until a later one was attempted
	 */
	enqueue(delivery: DeliveryRow, endpoint: EndpointRow, isLate = false): void {
		if (endpoint.status !== 'ACTIVE') {
			delivery.status = 'FAILED';
			delivery.nextAttemptAt = null;
			return;
		}
		const entry: Pending = {
			delivery,
			endpoint,
			inFlight: false,
			tooOld: false,
			cancelAge: NO_TIMER,
			cancelRetry: NO_TIMER,
		};
		entry.cancelAge = this.world.schedule(() => this.age(entry), OLDEST_MS);
		this.pending.add(entry);
		if (isLate) this.holdBack(entry);
		else this.makeReady(entry);
	}

	/** One request outside the queue: it is not retried and says nothing about the endpoint. */
	async attemptOnce(delivery: DeliveryRow, endpoint: EndpointRow): Promise<Attempt> {
		const { stop } = this;
		this.inFlight++;
		const attempt = await this.attempt(delivery, endpoint);
		if (stop === this.stop) this.inFlight--;
		delivery.status = isAccepted(attempt.status) ? 'DELIVERED' : 'FAILED';
		this.wake();
		return attempt;
	}

	/** The endpoint was suspended or removed: what is queued for it fails. */
	failQueued(endpoint: EndpointRow): void {
		for (const entry of [...this.pending]) {
			if (entry.endpoint === endpoint && !entry.inFlight) this.settle(entry, 'FAILED');
		}
		this.lane(endpoint).ready.length = 0;
		this.wake();
	}

	/** The endpoint is back: its past no longer counts. */
	forgive(endpoint: EndpointRow): void {
		this.setHealth(endpoint, HEALTHY);
	}

	/** Resolves when no delivery is pending and no request is under way. */
	idle(): Promise<void> {
		return new Promise((resolve) => {
			this.idleWaiters.push(resolve);
			this.wake();
		});
	}

	/** Resolves when no request is under way; retries may wait for their time. */
	quiet(): Promise<void> {
		return new Promise((resolve) => {
			this.quietWaiters.push(resolve);
			this.wake();
		});
	}

	/** Forgets everything and cuts what is under way. */
	clear(): void {
		this.stop.abort();
		this.stop = new AbortController();
		this.random = seededRandom(1);
		this.inFlight = 0;
		this.pending.clear();
		this.lanes.clear();
		this.wake();
	}

	async close(): Promise<void> {
		this.clear();
		await this.agent.destroy();
	}

	private lane(endpoint: EndpointRow): Lane {
		let lane = this.lanes.get(endpoint.id);
		if (!lane) {
			lane = {
				ready: [],
				late: [],
				inFlight: 0,
				health: HEALTHY,
				openUntil: 0,
				cancelPause: NO_TIMER,
			};
			this.lanes.set(endpoint.id, lane);
		}
		return lane;
	}

	private holdBack(entry: Pending): void {
		const { late } = this.lane(entry.endpoint);
		late.push(entry);
		entry.cancelRetry = this.world.schedule(() => this.release(late), HELD_BACK_MS);
	}

	private release(late: Pending[]): void {
		for (const entry of late.splice(0)) {
			entry.cancelRetry();
			if (this.pending.has(entry)) this.makeReady(entry);
		}
	}

	private makeReady(entry: Pending): void {
		const lane = this.lane(entry.endpoint);
		lane.ready.push(entry);
		if (lane.health.circuit === 'OPEN') entry.delivery.nextAttemptAt = lane.openUntil;
		this.pump(lane, entry.endpoint);
	}

	private pump(lane: Lane, endpoint: EndpointRow): void {
		const { circuit } = lane.health;
		if (circuit === 'OPEN') return;
		const most = circuit === 'TRIAL' ? 1 : this.world.account.webhookConcurrency;
		while (lane.inFlight < most) {
			const entry = lane.ready.shift();
			if (!entry) return;
			void this.run(entry, lane, endpoint);
		}
	}

	private async run(entry: Pending, lane: Lane, endpoint: EndpointRow): Promise<void> {
		const { stop } = this;
		entry.inFlight = true;
		lane.inFlight++;
		this.inFlight++;
		const attempt = await this.attempt(entry.delivery, endpoint);
		// A reset came in between: nothing of this is known any more.
		if (stop !== this.stop) return;
		entry.inFlight = false;
		lane.inFlight--;
		this.inFlight--;
		this.note(endpoint, lane, attempt);
		this.conclude(entry, attempt);
		this.release(lane.late);
		this.pump(lane, endpoint);
		this.wake();
	}

	private async attempt(delivery: DeliveryRow, endpoint: EndpointRow): Promise<Attempt> {
		const { account } = this.world;
		// Real time with any clock: the receiver compares it with its own.
		const headers = toHeaders(delivery, endpoint.secret, this.world.dialect, Date.now());
		const at = this.world.now();
		delivery.nextAttemptAt = null;
		const status = await post(
			this.agent,
			{ url: endpoint.url, headers, body: delivery.body },
			account.webhookTimeoutMs,
			this.stop.signal,
		);
		const attempt: Attempt = { at, status, headers };
		delivery.attempts.push(attempt);
		return attempt;
	}

	private note(endpoint: EndpointRow, lane: Lane, attempt: Attempt): void {
		const { account } = this.world;
		const before = lane.health.circuit;
		const { health, suspend } = afterAttempt(
			lane.health,
			isAccepted(attempt.status),
			this.world.now(),
			account,
			suspendAfter(endpoint.suspendAfter, this.world.dialect),
		);
		this.setHealth(endpoint, health);
		if (suspend && endpoint.status === 'ACTIVE') {
			endpoint.status = 'SUSPENDED';
			this.failQueued(endpoint);
		} else if (health.circuit === 'OPEN' && before !== 'OPEN') {
			this.openCircuit(endpoint, lane);
		}
	}

	/** Holds the endpoint's deliveries back for a while; none of their attempts is consumed. */
	private openCircuit(endpoint: EndpointRow, lane: Lane): void {
		const pause = pauseMs(lane.health.openings, this.world.account.webhookBreakPauseMs);
		lane.openUntil = this.world.dueAt(pause);
		for (const entry of lane.ready) entry.delivery.nextAttemptAt = lane.openUntil;
		lane.cancelPause = this.world.schedule(() => {
			this.setHealth(endpoint, { ...lane.health, circuit: 'TRIAL' });
			this.pump(lane, endpoint);
		}, pause);
	}

	private setHealth(endpoint: EndpointRow, health: Health): void {
		const lane = this.lane(endpoint);
		lane.health = health;
		// A late success may have closed it before its time: the next pause is a new one.
		if (health.circuit !== 'OPEN') lane.cancelPause();
		endpoint.consecutiveFailures = health.consecutiveFailures;
		endpoint.circuit = health.circuit;
	}

	private conclude(entry: Pending, attempt: Attempt): void {
		const { delivery, endpoint } = entry;
		const verdict = judgeAttempt({
			status: attempt.status,
			attempts: delivery.attempts.length,
			maxAttempts: endpoint.maxAttempts,
			tooOld: entry.tooOld,
			endpointActive: endpoint.status === 'ACTIVE',
		});
		if (verdict !== 'RETRY') return this.settle(entry, verdict);
		const delay = retryDelayMs(delivery.attempts.length, this.random());
		delivery.nextAttemptAt = this.world.dueAt(delay);
		entry.cancelRetry = this.world.schedule(() => this.makeReady(entry), delay);
	}

	private age(entry: Pending): void {
		entry.tooOld = true;
		if (entry.inFlight) return;
		const { ready } = this.lane(entry.endpoint);
		const place = ready.indexOf(entry);
		if (place >= 0) ready.splice(place, 1);
		this.settle(entry, 'FAILED');
		this.wake();
	}

	private settle(entry: Pending, status: 'DELIVERED' | 'FAILED'): void {
		entry.cancelAge();
		entry.cancelRetry();
		entry.delivery.status = status;
		entry.delivery.nextAttemptAt = null;
		this.pending.delete(entry);
	}

	private wake(): void {
		if (this.inFlight > 0) return;
		for (const resolve of this.quietWaiters.splice(0)) resolve();
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
	timeoutMs: number,
	stop: AbortSignal,
): Promise<number | null> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), timeoutMs);
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
