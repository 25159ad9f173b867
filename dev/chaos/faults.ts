import type { FaultAction, RecordedRequest, Sandbox } from '../sandbox';
import { draw } from './random';

/** Seconds that every strategy waits for one response (Options > Timeout). */
export const TIMEOUT_SECONDS = 3;

/** Later than that, by so much that a busy machine does not make it early. */
const TOO_LATE_MS = 4_500;

/** A proxy on the way kept the request for so long. */
const LATE_REQUEST_MS = 10_000;

/** How long after the last request the books may still change. */
export const LAST_EFFECT_MS = LATE_REQUEST_MS + 2_000;

const IN_FLIGHT_ELSEWHERE = {
	statusCode: 409,
	error: 'Conflict',
	message: 'A request with this idempotency key is still being processed',
	code: 'IDEMPOTENCY_CONFLICT',
};

const INTERNAL_ERROR = { error: { code: 'INTERNAL_ERROR', message: 'Unexpected error' } };

/** What may happen to a request, as the sandbox does it. *After*: although it was processed. */
const FAULTS = {
	lostAnswer: { kind: 'dropAfter' },
	resetAfter: { kind: 'dropAfter', reset: true },
	resetBefore: { kind: 'dropBefore', reset: true },
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

type FaultName = keyof typeof FAULTS;
const NAMES = Object.keys(FAULTS) as FaultName[];

/** Of all requests, about 30 % meet a fault. */
const FAULT_SHARE = 0.3;

/**
 * The fault of the request that is the `nth` (from 0) for this payout; undefined: none, it is served.
 * Depends on nothing else, so that it is the same in any order of the requests.
 */
function drawFault(seed: number, payout: string, nth: number): FaultName | undefined {
	if (draw(seed, 'strikes', payout, nth) >= FAULT_SHARE) return undefined;
	return NAMES[Math.floor(draw(seed, 'fate', payout, nth) * NAMES.length)];
}

interface FaultInjector {
	/** Requests that met a fault, or a 409 because another attempt was in flight. */
	struck(): number;
	/** When one of these payouts was last requested, epoch ms on the sandbox's clock; 0 for never. */
	lastRequestAt(payouts: readonly string[]): number;
}

/**
 * Injects the drawn fault into every withdrawal from now on.
 * @param getPayout ID of what a request pays; one without meets no fault
 */
export function injectFaults(
	seed: number,
	sandbox: Sandbox,
	getPayout: (request: RecordedRequest) => string | undefined,
): FaultInjector {
	const lastRequest = new Map<string, number>();
	const counts = new Map<string, number>();
	const faults = new Map<RecordedRequest, FaultName | undefined>();

	const meet = (request: RecordedRequest): FaultName | undefined => {
		if (faults.has(request)) return faults.get(request);
		const payout = getPayout(request);
		const nth = counts.get(payout ?? '') ?? 0;
		const fault = payout === undefined ? undefined : drawFault(seed, payout, nth);
		counts.set(payout ?? '', nth + 1);
		lastRequest.set(payout ?? '', request.receivedAt);
		faults.set(request, fault);
		return fault;
	};
	for (const name of NAMES) {
		sandbox.faults.add({
			...{ ...FAULTS[name], method: 'POST', path: '/v1/withdrawals', times: Infinity },
			when: (request) => meet(request) === name,
		});
	}
	return {
		struck: () =>
			sandbox.requests.filter(
				(request) =>
					(request.fault !== undefined && faults.get(request) !== undefined) ||
					request.status === 409,
			).length,
		lastRequestAt: (payouts) => Math.max(0, ...payouts.map((id) => lastRequest.get(id) ?? 0)),
	};
}
