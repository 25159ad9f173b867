import type { Failure } from '../shared/failures/failure';
import type { Limiter } from '../shared/concurrency/limiter';
import { toFailure } from '../shared/failures/itemError';
import { maskPersonalData } from '../shared/privacy/value';
import type { ItemCall } from './item';
import type { ItemResult } from './orderRequest';

/** The outcome of one item. */
export type ItemOutcome<T> =
	{ state: 'done'; result: T } | { state: 'failed'; failure: Failure } | { state: 'notStarted' };

interface Cancellable {
	readonly isCancelled: boolean;
}

/**
 * Runs items concurrently, as many at a time as the limiter allows, and reports on each in input order.
 *
 * @param keepGoing with Continue On Fail every item is tried. Without it nothing new starts after
 * the first failure, and what is in flight is awaited: a payment in flight must not be left
 * unobserved. A failure that concerns its item alone stops nothing.
 */
export async function runItems<C extends Cancellable, T>(
	calls: readonly C[],
	limiter: Limiter,
	keepGoing: boolean,
	runItem: (call: C) => Promise<T>,
): Promise<Array<ItemOutcome<T>>> {
	let hasFailed = false;

	const runOne = async (call: C): Promise<ItemOutcome<T>> => {
		if ((hasFailed && !keepGoing) || call.isCancelled) return { state: 'notStarted' };
		try {
			return { state: 'done', result: await runItem(call) };
		} catch (error) {
			const failure = toFailure(error);
			hasFailed ||= failure.concernsItemOnly !== true;
			return { state: 'failed', failure };
		}
	};
	return await Promise.all(
		calls.map(async (call) => await limiter.run(async () => await runOne(call))),
	);
}

/**
 * To be read before anything is sent: an expression in it that fails must not make a payment look as if
 * it had failed.
 */
export function wantsMasking(call: ItemCall): boolean {
	return call.option('maskPersonalData');
}

/** Files stay as they are. */
export function maskResult<T extends ItemResult>(result: T, isMasked: boolean): T {
	return isMasked ? { ...result, json: maskPersonalData(result.json) } : result;
}
