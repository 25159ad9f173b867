import type { RecordedRequest, Sandbox } from '../sandbox';
import type { FaultProxy } from './faultProxy';
import { FAULT_PROFILES, FAULT_NAMES, fateOf, SHUT_MS, type FaultName } from './faultProfiles';

/** What requests really met. */
export interface FaultCounts {
	requests: number;
	/** Requests that met a fault of their own, or a 409 because another attempt was in flight. */
	struck: number;
	byFate: ReadonlyMap<FaultName, number>;
	/** Answers 409 that followed from an attempt which was still being processed. */
	conflicts: number;
	/** How often the door was shut; who is refused there shows nowhere. */
	shuttings: number;
}

/** The PIX key that a withdrawal goes to; undefined for what cannot be read. */
export function payeeOf(request: RecordedRequest): string | undefined {
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

/** What can be asked about the requests so far. */
export interface WeatherStation {
	weather(): FaultCounts;
	/** When the service was last asked to pay one of these, epoch milliseconds; 0 for never. */
	lastRequestAt(payees: readonly string[]): number;
}

/** Lets every withdrawal meet its fate from now on. */
export function injectFaults(seed: number, sandbox: Sandbox, door: FaultProxy): WeatherStation {
	const lastRequestOf = new Map<string, number>();
	const requestsOf = new Map<string, number>();
	const fates = new WeakMap<RecordedRequest, FaultName | null>();

	const meet = (request: RecordedRequest): FaultName | null => {
		const known = fates.get(request);
		if (known !== undefined) return known;
		const payee = payeeOf(request);
		let fate: FaultName | null = null;
		if (payee !== undefined) {
			const nth = requestsOf.get(payee) ?? 0;
			requestsOf.set(payee, nth + 1);
			lastRequestOf.set(payee, Date.now());
			fate = fateOf(seed, payee, nth);
		}
		fates.set(request, fate);
		if (fate === 'refused') door.shut(SHUT_MS);
		return fate;
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

	const weather = (): FaultCounts => {
		const byFate = new Map<FaultName, number>();
		let conflicts = 0;
		for (const request of sandbox.requests) {
			const fate = request.fault === undefined ? null : fates.get(request);
			if (fate) byFate.set(fate, (byFate.get(fate) ?? 0) + 1);
			else if (request.status === 409) conflicts += 1;
		}
		const struck = [...byFate.values()].reduce((sum, count) => sum + count, 0);
		return {
			requests: sandbox.requests.length,
			struck: struck + conflicts,
			byFate,
			conflicts,
			shuttings: door.shuttings,
		};
	};
	return {
		weather,
		lastRequestAt: (payees) => Math.max(0, ...payees.map((payee) => lastRequestOf.get(payee) ?? 0)),
	};
}
