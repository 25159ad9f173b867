import { planDeliveries } from '../../../../../dev/bench/load/plan';

const plan = planDeliveries(6_000);

test('three of ten are copies of an event that was delivered before', () => {
	const seen = new Set<number>();
	const copies = plan.filter((event) => {
		const isCopy = seen.has(event);
		seen.add(event);
		return isCopy;
	});

	expect(copies).toHaveLength(0.3 * plan.length);
	expect(seen.size).toBe(0.7 * plan.length);
});

test('new events are numbered in order', () => {
	expect([...new Set(plan)]).toEqual(Array.from({ length: 4_200 }, (_, number) => number));
});

test('a copy comes 201 deliveries after the first one', () => {
	for (const [index, event] of plan.entries()) {
		const first = plan.indexOf(event);
		if (event > 0 && first !== index) expect(index - first).toBe(201);
	}
});
