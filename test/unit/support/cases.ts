/**
 * How many random cases tests try. A push tries enough to find a fault that somebody has just made, in
 * other cases each time; a release tries many times as many (`CASES_FACTOR=25`).
 */
const FACTOR = Number(process.env.CASES_FACTOR ?? 1);

/** The number of cases of a property, from the number that a push tries. */
export function countCases(perPush: number): number {
	return Math.ceil(perPush * FACTOR);
}
