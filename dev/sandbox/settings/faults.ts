import { z } from 'zod';
import { isErrorCode, type ErrorCode, type Stored } from '../errors';
import type { RecordedRequest } from '../http/recorder';

interface FaultMatch {
	method?: string;
	/** A raw path (`{name}` stands for one segment, `*` for anything) or an expression on the raw path. */
	path?: string | RegExp;
	/** How many requests it strikes; default 1, `Infinity` allowed. */
	times?: number;
	/** Lets this many matching requests pass first. */
	skip?: number;
	/** 0 to 1, drawn from a seeded generator. */
	probability?: number;
	when?: (request: RecordedRequest) => boolean;
}

const ms = z.number().min(0).max(3_600_000);
const httpStatus = z.number().int().min(200).max(599);
/** With RST, instead of an orderly end. */
const reset = z.boolean().optional();
/** Processed first, then answered with this instead; default false. */
const process = z.boolean().optional();
const headers = z.record(z.string()).optional();

export const faultAction = z.discriminatedUnion('kind', [
	/** `ms` of real time (of the injected clock, if there is one), before anything is processed. */
	z.object({ kind: z.literal('delay'), ms }),
	/** The connection is cut, and nothing is processed. */
	z.object({ kind: z.literal('dropBefore'), reset }),
	/** Processed and booked; the response is lost. */
	z.object({ kind: z.literal('dropAfter'), reset }),
	/** Processed and booked at once; the response comes `ms` later, whether a client still waits or not. */
	z.object({ kind: z.literal('lateAnswer'), ms }),
	/** The connection is cut at once; the request is received and processed `ms` later. */
	z.object({ kind: z.literal('lateRequest'), ms, reset }),
	z.object({
		...{ kind: z.literal('status'), status: httpStatus, body: z.unknown().optional() },
		...{ headers, process },
	}),
	z.object({
		kind: z.literal('error'),
		code: z.string().refine(isErrorCode, 'No code of the API'),
		/** The response is kept under the idempotency key and replayed. */
		stored: z.boolean().optional(),
		message: z.string().optional(),
		details: z.record(z.unknown()).optional(),
		headers,
	}),
	z.object({ kind: z.literal('html'), status: httpStatus, process }),
	/** Processed; Content-Length is that of the whole body, which is cut after `bytes` (default: half). */
	z.object({ kind: z.literal('truncate'), bytes: z.number().int().min(0).optional() }),
	/** Processing takes `ms`; meanwhile the same key gets IDEMPOTENCY_CONFLICT. */
	z.object({ kind: z.literal('inFlight'), ms }),
]);
export type FaultAction = z.input<typeof faultAction>;

export type Fault = FaultMatch & FaultAction;

export interface FaultSwitches {
	/** Queues a fault; the function that is returned removes it. */
	add(fault: Fault): () => void;
	clear(): void;
}

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
	id: number;
	fault: Fault;
	pattern: RegExp | null;
	seen: number;
	left: number;
}

const NO_PLAN: FaultPlan = { delayMs: 0, inFlightMs: 0, strike: null, giveBack: () => undefined };

/** A small seeded generator (mulberry32): the same run draws the same faults. */
export function seededRandom(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	};
}

function compile(path: string | RegExp | undefined): RegExp | null {
	if (path === undefined) return null;
	// A global or sticky expression remembers its last position and would match every other time.
	if (path instanceof RegExp) return new RegExp(path.source, path.flags.replace(/[gy]/g, ''));
	const source = path
		.split(/(\{[^}]*\}|\*)/)
		.map((part) => {
			if (part === '*') return '.*';
			if (/^\{.*\}$/.test(part)) return '[^/]+';
			return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
		})
		.join('');
	return new RegExp(`^${source}$`);
}

/** Whether the response is kept under the key, as far as the API says so or lets it be concluded. */
export function storedByDefault(
	code: ErrorCode,
	{ method, url, rawBody }: RecordedRequest,
): Stored {
	if (code === 'WITHDRAWAL_PROVIDER_UNAVAILABLE') return 'concluded';
	const isCreation = method === 'POST' && url.split('?', 1)[0] === '/v1/payments';
	if (code !== 'PROVIDER_TEMPORARILY_UNAVAILABLE' || !isCreation) return 'no';
	return rawBody.includes('"BOLETO"') ? 'described' : 'concluded';
}

export class FaultQueue implements FaultSwitches {
	private queue: Queued[] = [];
	private nextId = 1;
	private random = seededRandom(1);

	add(fault: Fault): () => void {
		const id = this.queueFault(fault);
		return () => this.remove(id);
	}

	queueFault(fault: Fault): number {
		if (fault.kind === 'error' && !isErrorCode(fault.code)) {
			throw new Error(`No error code of the API: ${fault.code}`);
		}
		const id = this.nextId++;
		this.queue.push({ id, fault, pattern: compile(fault.path), seen: 0, left: fault.times ?? 1 });
		return id;
	}

	remove(id: number): boolean {
		const before = this.queue.length;
		this.queue = this.queue.filter((queued) => queued.id !== id);
		return this.queue.length < before;
	}

	list(): Array<{ id: number; left: number; seen: number; fault: Fault }> {
		return this.queue.map(({ id, left, seen, fault }) => ({ id, left, seen, fault }));
	}

	clear(): void {
		this.queue = [];
		this.random = seededRandom(1);
	}

	/** Decides and consumes what happens to this request. */
	plan(request: RecordedRequest): FaultPlan {
		if (this.queue.length === 0) return NO_PLAN;
		const plan: FaultPlan = { ...NO_PLAN };
		const path = request.url.split('?', 1)[0] ?? '';
		for (const queued of [...this.queue]) {
			const { fault } = queued;
			if (!this.matches(queued, request, path)) continue;
			queued.seen++;
			if (queued.seen <= (fault.skip ?? 0)) continue;
			const composes = fault.kind === 'delay' || fault.kind === 'inFlight';
			if (!composes && plan.strike) continue;
			if (fault.probability !== undefined && this.random() >= fault.probability) continue;
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

	private matches(queued: Queued, request: RecordedRequest, path: string): boolean {
		const { method, when } = queued.fault;
		if (method !== undefined && method.toUpperCase() !== request.method) return false;
		if (queued.pattern && !queued.pattern.test(path)) return false;
		return when === undefined || when(request);
	}

	private consume(queued: Queued): void {
		queued.left--;
		if (queued.left <= 0) this.queue = this.queue.filter((other) => other !== queued);
	}

	private restore(queued: Queued): void {
		queued.left++;
		if (this.queue.includes(queued)) return;
		// Ids grow with the queue, so they show the place that it had.
		const at = this.queue.findIndex((other) => other.id > queued.id);
		this.queue.splice(at === -1 ? this.queue.length : at, 0, queued);
	}
}
