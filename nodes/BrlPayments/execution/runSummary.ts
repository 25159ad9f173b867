import type { Failure } from '../../shared/failures/failure';
import type { ItemOutcome } from './itemLoop';
import type { ItemResult } from './operation';

/** What a run was about, as far as it decides how to go on after it failed. */
export interface RunFacts {
	/**
	 * - `read`: items of it only "finished"
	 * - `repeatable`: a write that has the same effect when it is done twice
	 * - `order`: a write under an idempotency key; `payout` where it pays somebody
	 */
	readonly kind: 'read' | 'repeatable' | 'order' | 'payout';
	/** The execution was stopped, after which n8n offers no retry. */
	readonly isCancelled: boolean;
	/** An earlier attempt may have sent some: what this one did not start may have taken effect then. */
	readonly isRepetition?: boolean;
	/** Each payout has a reference, by which every execution recognizes it. */
	readonly hasReferences?: boolean;
	/** Somebody pressed Execute in the editor. */
	readonly isManual?: boolean;
	/** Duplicate Guard stops what was paid when somebody presses Execute again. */
	readonly isGuarded?: boolean;
}

/** More IDs than this are not named one by one. */
const MAX_IDS = 100;

/**
 * Says which items took effect, and how to go on, for the error that ends a run.
 * @returns an empty text for a single item, about which the error itself says all
 */
export function summarizeRun(
	outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>,
	run: RunFacts,
): string {
	if (outcomes.length < 2) return '';
	const indexes = (wanted: (outcome: ItemOutcome<ItemResult[]>) => boolean) =>
		outcomes.flatMap((outcome, index) => (wanted(outcome) ? [index] : []));
	const failedWith = (effect: Failure['effect'], isWanted: (failure: Failure) => boolean) =>
		indexes(
			(outcome) =>
				outcome.state === 'failed' &&
				outcome.failure.effect === effect &&
				isWanted(outcome.failure),
		);
	const isDuplicate = ({ code }: Failure) => code === 'POSSIBLE_DUPLICATE';

	const done = indexes(({ state }) => state === 'done');
	const before = done.filter((index) => isPaidBefore(outcomes[index]));
	const now = done.filter((index) => !isPaidBefore(outcomes[index]));
	const duplicates = failedWith('none', isDuplicate);
	const earlier = failedWith('done', () => true);
	const unknown = failedWith('unknown', () => true);
	const failed = failedWith('none', (failure) => !isDuplicate(failure));
	const notStarted = indexes(({ state }) => state === 'notStarted');

	const isWrite = run.kind !== 'read';
	const isPayout = run.kind === 'payout';
	const ids = (items: readonly number[]) =>
		isPayout ? idsOf(items.map((index) => outcomes[index])) : '';
	const idle =
		isWrite && run.isRepetition === true
			? 'not started again, but perhaps done by an earlier attempt'
			: 'not started';
	const parts = [
		`${now.length} of ${outcomes.length} items ${isPayout ? 'were paid now' : isWrite ? 'took effect' : 'finished'}${list(now)}${ids(now)}`,
		part(before, `${before.length} had been paid before`, ids(before)),
		part(
			duplicates,
			`${duplicates.length} had been paid before and were not paid again`,
			ids(duplicates),
		),
		part(earlier, `${earlier.length} took effect earlier`),
		part(unknown, `${unknown.length} with unknown outcome`),
		part(failed, `${failed.length} failed without effect`),
		part(notStarted, `${notStarted.length} ${idle}`),
	].filter(Boolean);
	const isSettled = done.length + duplicates.length + earlier.length === outcomes.length;
	if (isPayout && isSettled)
		return `${parts.join(', ')}. Every item is paid: nothing is left to do.`;
	return `${parts.join(', ')}.${howToGoOn(run, now.length + unknown.length > 0)}`;
}

function part(indexes: readonly number[], text: string, ids = ''): string {
	return indexes.length === 0 ? '' : `${text}${list(indexes)}${ids}`;
}

function isPaidBefore(outcome: ItemOutcome<ItemResult[]> | undefined): boolean {
	return outcome?.state === 'done' && outcome.result[0]?.json.alreadyPaid === true;
}

function howToGoOn(
	{ kind, isRepetition, hasReferences, isCancelled, isManual, isGuarded }: RunFacts,
	hasActed: boolean,
): string {
	if (kind !== 'order' && kind !== 'payout') return '';
	if (kind === 'payout' && hasReferences) {
		return ' To go on, correct what is wrong and run the workflow again: each reference is paid once.';
	}
	if (isCancelled) {
		return ' n8n keeps nothing of an execution that was stopped, and offers no Retry for it. Check what took effect, and send only the rest in a new execution.';
	}
	if (!hasActed && isRepetition !== true) {
		return isManual
			? ' To go on, correct what is wrong and press Execute again.'
			: ' To go on, correct what is wrong, open Executions and choose Retry there.';
	}
	if (kind === 'payout' && isGuarded) {
		return ' To go on, correct what is wrong and press Execute again: Duplicate Guard stops what was paid in the last 24 hours, and the others are paid.';
	}
	const again = kind === 'payout' ? 'pay them again' : 'repeat them';
	return ` To go on, open Executions and choose Retry there, within 24 hours: nothing that took effect is repeated. Pressing Execute again is a new order and would ${again}.`;
}

/** IDs of what the items are about, behind a list of their indexes. */
function idsOf(outcomes: ReadonlyArray<ItemOutcome<ItemResult[]> | undefined>): string {
	const ids = outcomes.flatMap((outcome) => {
		if (outcome?.state === 'failed') return outcome.failure.withdrawalIds ?? [];
		const id = outcome?.state === 'done' ? outcome.result[0]?.json.id : undefined;
		return typeof id === 'string' ? [id] : [];
	});
	if (ids.length === 0) return '';
	const more = ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more` : '';
	return ` [${ids.slice(0, MAX_IDS).join(', ')}${more}]`;
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
