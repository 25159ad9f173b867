import type { Failure } from '../api/failure';
import type { Pace } from '../api/pace';
import { failureOf } from '../api/itemError';

/** What became of one item. */
export type ItemOutcome<T> =
	{ state: 'done'; result: T } | { state: 'failed'; failure: Failure } | { state: 'notStarted' };

interface Cancellable {
	readonly isCancelled: boolean;
}

/**
 * Runs items side by side, as many at a time as the pace allows, and reports on each in input order.
 *
 * @param keepGoing with Continue On Fail every item is tried. Without it nothing new starts after the
 * first failure, and what is in flight is awaited: a payment under way must not be left unobserved.
 */
export async function runItems<C extends Cancellable, T>(
	calls: readonly C[],
	pace: Pace,
	keepGoing: boolean,
	runItem: (call: C) => Promise<T>,
): Promise<Array<ItemOutcome<T>>> {
	let hasFailed = false;

	const runOne = async (call: C): Promise<ItemOutcome<T>> => {
		if ((hasFailed && !keepGoing) || call.isCancelled) return { state: 'notStarted' };
		try {
			return { state: 'done', result: await runItem(call) };
		} catch (error) {
			hasFailed = true;
			return { state: 'failed', failure: failureOf(error) };
		}
	};
	return await Promise.all(
		calls.map(async (call) => await pace.run(async () => await runOne(call))),
	);
}

/** What a run was about, as far as it decides how to go on after it failed. */
export interface RunFacts {
	/**
	 * - `read`: items of it only "finished"
	 * - `repeatable`: a write that has the same effect when it is done twice
	 * - `once`: a write under an idempotency key; `payout` where it pays somebody
	 */
	readonly kind: 'read' | 'repeatable' | 'once' | 'payout';
	/** An earlier attempt may have sent some: what this one did not start may have taken effect then. */
	readonly isRepetition: boolean;
	/** The user chose the key of each item, by which a new execution recognises what was done. */
	readonly hasOwnKeys: boolean;
	/** The execution was stopped, after which n8n offers no retry. */
	readonly isCancelled: boolean;
}

/**
 * Says which items took effect, and how to go on, for the error that ends a run.
 * @returns an empty text for a single item, about which the error itself says all
 */
export function describeAftermath(
	outcomes: ReadonlyArray<ItemOutcome<unknown>>,
	run: RunFacts,
): string {
	if (outcomes.length < 2) return '';
	const isWrite = run.kind !== 'read';
	const indexes = (wanted: (outcome: ItemOutcome<unknown>) => boolean) =>
		outcomes.flatMap((outcome, index) => (wanted(outcome) ? [index] : []));
	const done = indexes(({ state }) => state === 'done');
	const failedWith = (effect: Failure['effect']) =>
		indexes((outcome) => outcome.state === 'failed' && outcome.failure.effect === effect);
	const unknown = failedWith('unknown');
	const earlier = failedWith('done');
	const failed = failedWith('none');
	const notStarted = indexes(({ state }) => state === 'notStarted');
	const idle =
		isWrite && run.isRepetition
			? 'not started again, but perhaps done by an earlier attempt'
			: 'not started';
	const parts = [
		`${done.length} of ${outcomes.length} items ${isWrite ? 'took effect' : 'finished'}${list(done)}`,
		...(earlier.length > 0 ? [`${earlier.length} took effect earlier${list(earlier)}`] : []),
		...(unknown.length > 0 ? [`${unknown.length} with unknown outcome${list(unknown)}`] : []),
		...(failed.length > 0 ? [`${failed.length} failed without effect${list(failed)}`] : []),
		...(notStarted.length > 0 ? [`${notStarted.length} ${idle}${list(notStarted)}`] : []),
	];
	// Of what took effect too long ago, its own error says how to go on.
	const advice = earlier.length > 0 ? '' : howToGoOn(run, done.length + unknown.length > 0);
	return `${parts.join(', ')}.${advice}`;
}

function howToGoOn(
	{ kind, isRepetition, hasOwnKeys, isCancelled }: RunFacts,
	hasActed: boolean,
): string {
	if (kind !== 'once' && kind !== 'payout') return '';
	if (isCancelled) {
		return ' n8n cannot retry an execution that was stopped: send only items that did not take effect, in a new one.';
	}
	const retry =
		' To go on, open Executions and choose Retry there, within 24 hours: none of those that took effect is repeated.';
	if (hasOwnKeys || !(hasActed || isRepetition)) return retry;
	return `${retry} Pressing Execute again is a new order and would ${kind === 'payout' ? 'pay them again' : 'repeat them'}.`;
}

/** ` (items 0-4, 7)`: indexes as n8n counts items, runs of them joined. */
function list(indexes: readonly number[]): string {
	if (indexes.length === 0) return '';
	const runs: Array<[number, number]> = [];
	for (const index of indexes) {
		const last = runs.at(-1);
		if (last?.[1] === index - 1) last[1] = index;
		else runs.push([index, index]);
	}
	const texts = runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
	return ` (${indexes.length === 1 ? 'item' : 'items'} ${texts.join(', ')})`;
}
