import type { FaultAction } from '../../sandbox';
import { draw } from '../random';

/** Seconds that every strategy waits for one response (Options > Timeout). */
export const TIMEOUT_SECONDS = 3;

/** Later than that, by so much that a busy machine does not make it early. */
const TOO_LATE_MS = 4_500;

/** A proxy on the way kept the request for so long. */
const LATE_REQUEST_MS = 10_000;

/** How long after the last request the books may still change. */
export const LAST_EFFECT_MS = LATE_REQUEST_MS + 2_000;

/** How long the proxy stays closed, where a connection is to be refused. */
export const CLOSED_MS = 300;

const IN_FLIGHT_ELSEWHERE = {
	statusCode: 409,
	error: 'Conflict',
	message: 'A request with this idempotency key is still being processed',
	code: 'IDEMPOTENCY_CONFLICT',
};

const INTERNAL_ERROR = { error: { code: 'INTERNAL_ERROR', message: 'Unexpected error' } };

/** What may happen to a request, as the sandbox does it. *After*: although it was processed. */
export const FAULTS = {
	lostAnswer: { kind: 'dropAfter' },
	resetAfter: { kind: 'dropAfter', reset: true },
	resetBefore: { kind: 'dropBefore', reset: true },
	// Connections are refused while the proxy is closed; the request that closes it is reset.
	refused: { kind: 'dropBefore', reset: true },
	lateAnswer: { kind: 'lateAnswer', ms: TOO_LATE_MS },
	// The same key meets a true 409 IDEMPOTENCY_CONFLICT meanwhile.
	slowProcessing: { kind: 'inFlight', ms: TOO_LATE_MS },
	// A proxy sent it twice: the first copy is processed, the response is that of the second.
	conflict: { kind: 'status', status: 409, body: IN_FLIGHT_ELSEWHERE, process: true },
	rateLimit: { kind: 'error', code: 'RATE_LIMIT_EXCEEDED', headers: { 'Retry-After': '1' } },
	internalError: { kind: 'error', code: 'INTERNAL_ERROR' },
	internalErrorAfter: { kind: 'status', status: 500, body: INTERNAL_ERROR, process: true },
	badGateway: { kind: 'html', status: 502 },
	badGatewayAfter: { kind: 'html', status: 502, process: true },
	providerUnavailable: { kind: 'error', code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE' },
	temporarilyUnavailable: { kind: 'error', code: 'WITHDRAWAL_TEMPORARILY_UNAVAILABLE' },
	processingFailed: { kind: 'error', code: 'WITHDRAWAL_PROCESSING_FAILED' },
	truncated: { kind: 'truncate' },
	lateRequest: { kind: 'lateRequest', ms: LATE_REQUEST_MS, reset: true },
	// Of no weight where an earlier request under the key has no answer: it may have taken effect.
	refusedBeforeKey: { kind: 'error', code: 'INSUFFICIENT_BALANCE', stored: false },
} as const satisfies Record<string, FaultAction>;

export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** Those of the campaign without people: one more would change every run that is published. */
export const USUAL_FAULTS = FAULT_NAMES.filter(
	(name) => name !== 'lateRequest' && name !== 'refusedBeforeKey',
);

/** Of all requests, the unlucky payees' included, about 30 % meet a fault. */
const FAULT_SHARE = 0.29;

/** One payee in this many is unlucky: see below. */
const UNLUCKY_ONE_IN = 250;

/**
 * The first requests of an unlucky payee all meet faults: more than one try of the node gets over,
 * and more than Retry On Fail does, so that a person has to retry the execution.
 */
const UNLUCKY_REQUESTS = 18;

function isUnlucky(seed: number, payee: string): boolean {
	return draw(seed, 'unlucky', payee) < 1 / UNLUCKY_ONE_IN;
}

/**
 * The fault of the request that is the `nth` (from 0) for this payee; null: none, it is served.
 * Depends on nothing else, so that it is the same in any order of the requests.
 *
 * @param names of the faults to draw from
 */
export function drawFault(
	seed: number,
	payee: string,
	nth: number,
	names: readonly FaultName[],
): FaultName | null {
	const share = nth < UNLUCKY_REQUESTS && isUnlucky(seed, payee) ? 1 : FAULT_SHARE;
	if (draw(seed, 'strikes', payee, nth) >= share) return null;
	// The label 'fate' is part of the seed: another one would change every published run.
	return names[Math.floor(draw(seed, 'fate', payee, nth) * names.length)]!;
}
