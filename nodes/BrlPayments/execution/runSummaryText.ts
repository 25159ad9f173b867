import type { ItemGroup, ItemState, RunFacts, RunSummary } from './runSummary';

/** In the order in which a summary names them, behind what is done. */
const WORDS: ReadonlyArray<readonly [ItemState, string]> = [
	['paidBefore', 'had been paid before'],
	['duplicates', 'had been paid before and were not paid again'],
	['doneEarlier', 'took effect earlier'],
	['unknown', 'with unknown outcome'],
	['failed', 'failed without effect'],
	['notStarted', 'not started'],
	['notStartedAgain', 'not started again, but perhaps done by an earlier attempt'],
];

/** States after which nothing is left to pay. */
const SETTLED: readonly ItemState[] = ['done', 'paidBefore', 'duplicates', 'doneEarlier'];

/** States of which a new execution may know nothing: it would do them again. */
const MAY_HAVE_ACTED: readonly ItemState[] = ['done', 'unknown'];

/** States whose withdrawals are named. */
const WITH_IDS: ReadonlySet<ItemState> = new Set(['done', 'paidBefore', 'duplicates']);

/**
 * Says which items took effect, and how to go on, for the error that ends a run.
 * @returns an empty text for a single item, about which the error itself says all
 */
export function wordSummary(summary: RunSummary, run: RunFacts): string {
	const { itemCount } = summary;
	if (itemCount < 2) return '';
	const parts = [done(summary, run.kind), ...WORDS.flatMap((words) => part(summary, ...words))];
	const account = `${parts.join(', ')}.`;
	if (run.kind === 'payout' && countOf(summary, SETTLED) === itemCount) {
		return `${account} Every item is paid: nothing is left to do.`;
	}
	return `${account}${howToGoOn(run, countOf(summary, MAY_HAVE_ACTED) > 0)}`;
}

function countOf(summary: RunSummary, states: readonly ItemState[]): number {
	return states.reduce((sum, state) => sum + (summary[state]?.count ?? 0), 0);
}

function done({ itemCount, done: group }: RunSummary, kind: RunFacts['kind']): string {
	const became = kind === 'payout' ? 'were paid now' : kind === 'read' ? 'finished' : 'took effect';
	const which = group ? `${list(group)}${ids(group)}` : '';
	return `${group?.count ?? 0} of ${itemCount} items ${became}${which}`;
}

function part(summary: RunSummary, state: ItemState, words: string): string[] {
	const group = summary[state];
	if (!group) return [];
	return [`${group.count} ${words}${list(group)}${WITH_IDS.has(state) ? ids(group) : ''}`];
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

/** IDs of what was paid, behind a list of indexes. */
function ids({ withdrawalIds, moreWithdrawals }: ItemGroup): string {
	if (!withdrawalIds) return '';
	const more = moreWithdrawals === undefined ? '' : ` and ${moreWithdrawals} more`;
	return ` [${withdrawalIds.join(', ')}${more}]`;
}

/** ` (items 0-4, 7)` */
function list({ count, items }: ItemGroup): string {
	const texts = items.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
	return ` (${count === 1 ? 'item' : 'items'} ${texts.join(', ')})`;
}
