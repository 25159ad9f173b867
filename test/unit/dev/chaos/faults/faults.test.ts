import {
	drawFault,
	FAULTS,
	isUnlucky,
	UNLUCKY_REQUESTS,
	USUAL_FAULTS,
	type FaultName,
} from '../../../../../dev/chaos/faults/faults';

const PAYEES = Array.from({ length: 2_000 }, (_value, index) => `example-${index}`);
const draw = (seed: number, payee: string, nth: number) =>
	drawFault(seed, payee, nth, USUAL_FAULTS);

it('30 % of the requests that a careful client needs meet a fault', () => {
	for (const seed of [1, 2, 3]) {
		let requests = 0;
		let struck = 0;
		for (const payee of PAYEES) {
			// As many as it takes until one is served.
			for (let nth = 0, fault: FaultName | null = 'lostAnswer'; fault; nth += 1) {
				fault = draw(seed, payee, nth);
				requests += 1;
				if (fault) struck += 1;
			}
		}
		expect(struck / requests).toBeGreaterThan(0.28);
		expect(struck / requests).toBeLessThan(0.34);
	}
});

it('every kind of fault occurs', () => {
	const drawn = PAYEES.map((payee) => drawFault(3, payee, 0, Object.keys(FAULTS) as FaultName[]));
	expect(new Set(drawn)).toEqual(new Set([null, ...Object.keys(FAULTS)]));
});

it('an unlucky payee meets nothing but faults at first, and few payees are unlucky', () => {
	const unlucky = PAYEES.filter((payee) => isUnlucky(5, payee));
	expect(unlucky.length).toBeGreaterThan(0);
	expect(unlucky.length).toBeLessThan(PAYEES.length / 100);
	for (const payee of unlucky) {
		const first = Array.from({ length: UNLUCKY_REQUESTS }, (_value, nth) => draw(5, payee, nth));
		expect(first).not.toContain(null);
	}
});
