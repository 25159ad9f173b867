/**
 * How many random cases tests try. A push tries enough to find a fault that somebody has just made, in
 * other cases each time; a release tries many times as many (`CASES_FACTOR=25`).
 */
const FACTOR = Number(process.env.CASES_FACTOR ?? 1);

/** The number of cases of a property, from the number that a push tries. */
export function countCases(perPush: number): number {
	return Math.ceil(perPush * FACTOR);
}

/**
 * Of all combinations, those that a push tries: one in `stride`, which should have no divisor in common
 * with the number of combinations, so that each value of each part is among them. A release tries all.
 */
export function pickCases<T>(combinations: readonly T[], stride: number): readonly T[] {
	return FACTOR > 1 ? combinations : combinations.filter((_, index) => index % stride === 0);
}
