/** Of ten deliveries, these are copies. */
const COPIES = new Set([2, 5, 8]);

/** How many deliveries later a copy comes: services wait before they send again. What is copied is no copy. */
const LAG = 201;

/**
 * Which event each of a series of deliveries brings: 30 % are copies of an earlier one.
 * @returns numbers of events, in the order of the deliveries
 */
export function planDeliveries(count: number): number[] {
	const plan: number[] = [];
	let next = 0;
	for (let index = 0; index < count; index += 1) {
		const isCopy = COPIES.has(index % 10);
		plan.push(isCopy ? plan[Math.max(0, index - LAG)]! : next);
		if (!isCopy) next += 1;
	}
	return plan;
}
