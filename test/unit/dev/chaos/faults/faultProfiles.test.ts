import {
	USUAL_FAULTS,
	FAULT_PROFILES,
	drawFault,
	isUnlucky,
	UNLUCKY_REQUESTS,
	type FaultName,
} from '../../../../../dev/chaos/faults/faultProfiles';
import { planLoad } from '../../../../../dev/chaos/load';

const PAYEES = planLoad(1, 2_000)
	.flatMap(({ payouts }) => payouts)
	.map(({ payee }) => payee);

const drawFaults = (seed: number, payees: readonly string[], requests: number) =>
	payees.map((payee) =>
		Array.from({ length: requests }, (_value, nth) => drawFault(seed, payee, nth)),
	);

it('the same seed gives the same faults, another seed others', () => {
	expect(drawFaults(7, PAYEES.slice(0, 50), 5)).toEqual(drawFaults(7, PAYEES.slice(0, 50), 5));
	expect(drawFaults(8, PAYEES.slice(0, 50), 5)).not.toEqual(drawFaults(7, PAYEES.slice(0, 50), 5));
	const struck = (seed: number) => PAYEES.filter((payee) => drawFault(seed, payee, 0) !== null);
	expect(struck(8)).not.toEqual(struck(7));
});

it('does not depend on what others meet, nor on the order in which is asked', () => {
	const there = drawFaults(7, PAYEES.slice(0, 50), 5);
	const back = drawFaults(7, PAYEES.slice(0, 50).reverse(), 5).reverse();
	expect(back).toEqual(there);
});

it('30 % of the requests that a careful client needs meet a fault', () => {
	for (const seed of [1, 2, 3]) {
		let requests = 0;
		let struck = 0;
		for (const payee of PAYEES) {
			// As many as it takes until one is served.
			for (let nth = 0, fault: FaultName | null = 'lostAnswer'; fault; nth += 1) {
				fault = drawFault(seed, payee, nth);
				requests += 1;
				if (fault) struck += 1;
			}
		}
		expect(struck / requests).toBeGreaterThan(0.28);
		expect(struck / requests).toBeLessThan(0.34);
	}
});

it('every kind of fault occurs about as often as the others', () => {
	const count = new Map<FaultName, number>(USUAL_FAULTS.map((name) => [name, 0]));
	for (const fault of drawFaults(3, PAYEES, 4).flat()) {
		if (fault) count.set(fault, count.get(fault)! + 1);
	}
	const mean = [...count.values()].reduce((sum, each) => sum + each, 0) / USUAL_FAULTS.length;
	for (const each of count.values()) {
		expect(each).toBeGreaterThan(mean * 0.7);
		expect(each).toBeLessThan(mean * 1.3);
	}
});

it('has all kinds that the campaign promises', () => {
	const actions = Object.values(FAULT_PROFILES).map(
		({ action }) => action as Record<string, unknown>,
	);
	const has = (fields: object) => expect(actions).toContainEqual(expect.objectContaining(fields));
	has({ kind: 'dropAfter' });
	has({ kind: 'dropBefore', reset: true });
	has({ kind: 'lateAnswer' });
	has({ kind: 'inFlight' });
	has({ kind: 'truncate' });
	has({ code: 'RATE_LIMIT_EXCEEDED' });
	has({ code: 'INTERNAL_ERROR' });
	has({ kind: 'html', status: 502 });
	has({ code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE' });
	has({ code: 'WITHDRAWAL_TEMPORARILY_UNAVAILABLE' });
	has({ code: 'WITHDRAWAL_PROCESSING_FAILED' });
	has({ status: 409 });
});

it('an unlucky payee meets nothing but faults at first, and few payees are unlucky', () => {
	const unlucky = PAYEES.filter((payee) => isUnlucky(5, payee));
	expect(unlucky.length).toBeGreaterThan(0);
	expect(unlucky.length).toBeLessThan(PAYEES.length / 100);
	for (const faults of drawFaults(5, unlucky, UNLUCKY_REQUESTS)) expect(faults).not.toContain(null);
	expect(drawFaults(5, unlucky, 60).every((faults) => faults.includes(null))).toBe(true);
});
