import type { RecordedRequest, Sandbox } from '../../sandbox';
import type { FaultProxy } from './faultProxy';
import { CLOSED_MS, drawFault, FAULT_NAMES, FAULTS, type FaultName } from './faults';

export interface FaultCounts {
	requests: number;
	/** Requests that met their own fault, or a 409 because another attempt was in flight. */
	struck: number;
}

interface FaultInjector {
	counts(): FaultCounts;
	/** When one of these payouts was last requested, epoch ms on the sandbox's clock; 0 for never. */
	lastRequestAt(payees: readonly string[]): number;
}

/**
 * Injects the drawn fault into every withdrawal from now on.
 *
 * @param getName what names the payout of a request; one without a name meets no fault
 * @param getFaults what its requests may meet
 */
export function injectFaults(
	seed: number,
	sandbox: Sandbox,
	proxy: FaultProxy,
	getName: (request: RecordedRequest) => string | undefined,
	getFaults: (name: string) => readonly FaultName[],
): FaultInjector {
	const lastRequestByPayee = new Map<string, number>();
	const requestsByPayee = new Map<string, number>();
	const faults = new WeakMap<RecordedRequest, FaultName | null>();

	const meet = (request: RecordedRequest): FaultName | null => {
		const known = faults.get(request);
		if (known !== undefined) return known;
		const payee = getName(request);
		let fault: FaultName | null = null;
		if (payee !== undefined) {
			const nth = requestsByPayee.get(payee) ?? 0;
			requestsByPayee.set(payee, nth + 1);
			lastRequestByPayee.set(payee, request.receivedAt);
			fault = drawFault(seed, payee, nth, getFaults(payee));
		}
		faults.set(request, fault);
		if (fault === 'refused') proxy.closeFor(CLOSED_MS);
		return fault;
	};
	for (const name of FAULT_NAMES) {
		sandbox.faults.add({
			...FAULTS[name],
			method: 'POST',
			path: '/v1/withdrawals',
			times: Infinity,
			when: (request) => meet(request) === name,
		});
	}

	const isStruck = (request: RecordedRequest): boolean =>
		(request.fault !== undefined && Boolean(faults.get(request))) || request.status === 409;
	return {
		counts: () => ({
			requests: sandbox.requests.length,
			struck: sandbox.requests.filter(isStruck).length,
		}),
		lastRequestAt: (payees) =>
			Math.max(0, ...payees.map((payee) => lastRequestByPayee.get(payee) ?? 0)),
	};
}
