import { BATCH_SIZE, planKills, planLoad, SHAPES } from '../../../../dev/chaos/load';

it('the same seed gives the same load, another seed other amounts', () => {
	expect(planLoad(7, 90)).toEqual(planLoad(7, 90));
	expect(planLoad(8, 90)).not.toEqual(planLoad(7, 90));
});

it('makes as many payouts as asked for, each to a separate payee', () => {
	const payouts = planLoad(7, 205).flatMap((batch) => batch.payouts);
	expect(payouts).toHaveLength(205);
	expect(new Set(payouts.map(({ payee }) => payee)).size).toBe(205);
});

it('amounts differ, are whole centavos and such that the service takes them', () => {
	const amounts = planLoad(7, 200)
		.flatMap((batch) => batch.payouts)
		.map(({ amountCents }) => amountCents);
	expect(new Set(amounts).size).toBeGreaterThan(190);
	for (const amount of amounts) {
		expect(Number.isInteger(amount)).toBe(true);
		expect(amount).toBeGreaterThanOrEqual(1_000);
		expect(amount).toBeLessThanOrEqual(150_000);
	}
});

it('fills batches in turn with every shape; only the last may be short', () => {
	const batches = planLoad(7, 3 * BATCH_SIZE + 5);
	expect(batches.map(({ payouts }) => payouts.length)).toEqual([
		BATCH_SIZE,
		BATCH_SIZE,
		BATCH_SIZE,
		5,
	]);
	expect(batches.slice(0, 3).map(({ shape }) => shape)).toEqual(SHAPES);
});

it('kills in order, at points of progress that can be reached, and at the same for the same seed', () => {
	const points = planKills(7, 6, 2_000);
	expect(planKills(7, 6, 2_000)).toEqual(points);
	expect(planKills(8, 6, 2_000)).not.toEqual(points);
	expect(points).toHaveLength(6);
	expect([...points].sort((one, other) => one - other)).toEqual(points);
	for (const point of points) {
		expect(point).toBeGreaterThan(0);
		expect(point).toBeLessThanOrEqual(1_700);
	}
});

it('kills never where that is asked for, and at once where there is one payout', () => {
	expect(planKills(7, 0, 2_000)).toEqual([]);
	expect(planKills(7, 2, 1)).toEqual([1, 1]);
});
