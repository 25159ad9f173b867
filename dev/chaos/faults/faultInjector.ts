import type { RecordedRequest, Sandbox } from '../../sandbox';
import type { FaultProxy } from './faultProxy';
import { CLOSED_MS, drawFault, FAULT_NAMES, FAULT_PROFILES, type FaultName } from './faultProfiles';

/** The faults that requests really met. */
export interface FaultCounts {
	requests: number;
	/** Requests that met their own fault, or a 409 because another attempt was in flight. */
	struck: number;
	byFault: ReadonlyMap<FaultName, number>;
	/** 409 responses caused by an attempt that was still being processed. */
	conflicts: number;
	/** How often the proxy was closed; connections refused there are not counted. */
	closures: number;
}

/** The PIX key that a withdrawal goes to; undefined for what cannot be read. */
export function getPayee(request: RecordedRequest): string | undefined {
	try {
		const body = JSON.parse(request.rawBody.toString('utf8')) as {
			destination?: { pixKey?: unknown };
		};
		const pixKey = body.destination?.pixKey;
		return typeof pixKey === 'string' ? pixKey : undefined;
	} catch {
		return undefined;
	}
}

/** What is known about the requests so far. */
export interface FaultInjector {
	counts(): FaultCounts;
	/** When a payout to one of these was last requested, epoch ms on the sandbox's clock; 0 for never. */
	lastRequestAt(payees: readonly string[]): number;
}

/**
 * Injects the drawn fault into every withdrawal from now on.
 *
 * @param getName what names the payout of a request; one without a name meets no fault
 * @param getFaults what its requests may meet; by default, what `drawFault` draws from
 */
export function injectFaults(
	seed: number,
	sandbox: Sandbox,
	proxy: FaultProxy,
	getName: (request: RecordedRequest) => string | undefined = getPayee,
	getFaults: (name: string) => readonly FaultName[] | undefined = () => undefined,
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
			...FAULT_PROFILES[name].action,
			method: 'POST',
			path: '/v1/withdrawals',
			times: Infinity,
			when: (request) => meet(request) === name,
		});
	}

	const counts = (): FaultCounts => {
		const byFault = new Map<FaultName, number>();
		let conflicts = 0;
		for (const request of sandbox.requests) {
			const fault = request.fault === undefined ? null : faults.get(request);
			if (fault) byFault.set(fault, (byFault.get(fault) ?? 0) + 1);
			else if (request.status === 409) conflicts += 1;
		}
		const struck = [...byFault.values()].reduce((sum, count) => sum + count, 0);
		return {
			requests: sandbox.requests.length,
			struck: struck + conflicts,
			byFault,
			conflicts,
			closures: proxy.closures,
		};
	};
	return {
		counts,
		lastRequestAt: (payees) =>
			Math.max(0, ...payees.map((payee) => lastRequestByPayee.get(payee) ?? 0)),
	};
}
