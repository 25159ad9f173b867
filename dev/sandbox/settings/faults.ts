import { pull } from 'lodash';
import { isErrorCode, type ErrorCode, type Stored } from '../errors';
import { pathOf, type RecordedRequest } from '../http/recorder';

interface FaultMatch {
	method?: string;
	path?: string;
	times?: number;
	/** Lets this many matching requests pass first. */
	skip?: number;
	when?: (request: RecordedRequest) => boolean;
}

export type FaultAction =
	/** `ms` of real time (of the injected clock, if there is one), before anything is processed. */
	| { kind: 'delay'; ms: number }
	/** The connection is cut, and nothing is processed. `reset`: with RST, instead of an orderly end. */
	| { kind: 'dropBefore'; reset?: boolean }
	/** Processed and booked; the response is lost. */
	| { kind: 'dropAfter'; reset?: boolean }
	/** Processed and booked at once; the response comes `ms` later, whether a client still waits or not. */
	| { kind: 'lateAnswer'; ms: number }
	/** The connection is cut at once; the request is received and processed `ms` later. */
	| { kind: 'lateRequest'; ms: number; reset?: boolean }
	/** `process`: processed first, then answered with this instead; default false. */
	| { kind: 'status'; status: number; body?: unknown; headers?: Headers; process?: boolean }
	/** `stored`: the response is kept under the idempotency key and replayed. */
	| {
			kind: 'error';
			code: string;
			message?: string;
			details?: object;
			headers?: Headers;
			stored?: boolean;
	  }
	| { kind: 'html'; status: number; process?: boolean }
	/** Processed; Content-Length is that of the whole body, which is cut after `bytes` (default: half). */
	| { kind: 'truncate'; bytes?: number }
	/** Processing takes `ms`; meanwhile the same key gets IDEMPOTENCY_CONFLICT. */
	| { kind: 'inFlight'; ms: number };
type Headers = Record<string, string>;

export type Fault = FaultMatch & FaultAction;

type Strike = Exclude<FaultAction, { kind: 'delay' } | { kind: 'inFlight' }>;

/**
 * The faults that strike one request. Delays add up; of the other kinds the first in the queue
 * strikes.
 */
export interface FaultPlan {
	delayMs: number;
	inFlightMs: number;
	strike: Strike | null;
	/** Puts back a strike that found nothing to strike: a replay never reaches the processing. */
	giveBack(): void;
}

interface Queued {
	fault: Fault;
	seen: number;
	left: number;
}

const NO_PLAN: FaultPlan = { delayMs: 0, inFlightMs: 0, strike: null, giveBack: () => undefined };

/** Whether the response is kept under the key, as far as the API says so or lets it be concluded. */
export function storedByDefault(
	code: ErrorCode,
	{ method, url, rawBody }: RecordedRequest,
): Stored {
	if (code === 'WITHDRAWAL_PROVIDER_UNAVAILABLE') return 'concluded';
	const isCreation = method === 'POST' && pathOf(url) === '/v1/payments';
	if (code !== 'PROVIDER_TEMPORARILY_UNAVAILABLE' || !isCreation) return 'unknown';
	return rawBody.includes('"BOLETO"') ? 'described' : 'concluded';
}

export class FaultQueue {
	private queue: Queued[] = [];

	/** Queues a fault; the function that is returned removes it. */
	add(fault: Fault): () => void {
		if (fault.kind === 'error' && !isErrorCode(fault.code)) {
			throw new Error(`No error code of the API: ${fault.code}`);
		}
		const queued = { fault, seen: 0, left: fault.times ?? 1 };
		this.queue.push(queued);
		return () => void pull(this.queue, queued);
	}

	clear(): void {
		this.queue = [];
	}

	plan(request: RecordedRequest): FaultPlan {
		if (this.queue.length === 0) return NO_PLAN;
		const plan: FaultPlan = { ...NO_PLAN };
		for (const queued of [...this.queue]) {
			const { fault } = queued;
			if (!this.matches(fault, request)) continue;
			queued.seen++;
			if (queued.seen <= (fault.skip ?? 0)) continue;
			const composes = fault.kind === 'delay' || fault.kind === 'inFlight';
			if (!composes && plan.strike) continue;
			this.consume(queued);
			if (fault.kind === 'delay') plan.delayMs += fault.ms;
			else if (fault.kind === 'inFlight') plan.inFlightMs += fault.ms;
			else {
				plan.strike = fault;
				plan.giveBack = () => this.restore(queued);
			}
		}
		return plan;
	}

	private matches({ method, path, when }: Fault, request: RecordedRequest): boolean {
		if (method !== undefined && method.toUpperCase() !== request.method) return false;
		if (path !== undefined && path !== pathOf(request.url)) return false;
		return when === undefined || when(request);
	}

	private consume(queued: Queued): void {
		queued.left--;
		if (queued.left <= 0) pull(this.queue, queued);
	}

	private restore(queued: Queued): void {
		queued.left++;
		// To the front: it was the first that matched.
		if (!this.queue.includes(queued)) this.queue.unshift(queued);
	}
}
