import {
	FAULT_NAMES,
	FAULT_PROFILES,
	fateOf,
	isUnlucky,
	UNLUCKY_REQUESTS,
	type FaultName,
} from '../../../../dev/chaos/faultProfiles';
import { planLoad } from '../../../../dev/chaos/load';

const PAYEES = planLoad(1, 2_000)
	.flatMap(({ payouts }) => payouts)
	.map(({ payee }) => payee);

const fatesOf = (seed: number, payees: readonly string[], requests: number) =>
	payees.map((payee) =>
		Array.from({ length: requests }, (_value, nth) => fateOf(seed, payee, nth)),
	);

it('the same seed gives the same fates, another seed others', () => {
	expect(fatesOf(7, PAYEES.slice(0, 50), 5)).toEqual(fatesOf(7, PAYEES.slice(0, 50), 5));
	expect(fatesOf(8, PAYEES.slice(0, 50), 5)).not.toEqual(fatesOf(7, PAYEES.slice(0, 50), 5));
	const struck = (seed: number) => PAYEES.filter((payee) => fateOf(seed, payee, 0) !== null);
	expect(struck(8)).not.toEqual(struck(7));
});

it('does not depend on what others meet, nor on the order in which is asked', () => {
	const there = fatesOf(7, PAYEES.slice(0, 50), 5);
	const back = fatesOf(7, PAYEES.slice(0, 50).reverse(), 5).reverse();
	expect(back).toEqual(there);
});

it('30 % of the requests that a careful client needs meet a fault', () => {
	for (const seed of [1, 2, 3]) {
		let requests = 0;
		let struck = 0;
		for (const payee of PAYEES) {
			// As many as it takes until one is served.
			for (let nth = 0, fate: FaultName | null = 'lostAnswer'; fate; nth += 1) {
				fate = fateOf(seed, payee, nth);
				requests += 1;
				if (fate) struck += 1;
			}
		}
		expect(struck / requests).toBeGreaterThan(0.28);
		expect(struck / requests).toBeLessThan(0.34);
	}
});

it('every kind of fault occurs about as often as the others', () => {
	const count = new Map<FaultName, number>(FAULT_NAMES.map((name) => [name, 0]));
	for (const fate of fatesOf(3, PAYEES, 4).flat()) {
		if (fate) count.set(fate, count.get(fate)! + 1);
	}
	const mean = [...count.values()].reduce((sum, each) => sum + each, 0) / FAULT_NAMES.length;
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
	for (const fates of fatesOf(5, unlucky, UNLUCKY_REQUESTS)) expect(fates).not.toContain(null);
	expect(fatesOf(5, unlucky, 60).every((fates) => fates.includes(null))).toBe(true);
});
