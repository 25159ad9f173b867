import type { ItemGroup, ItemState, RunFacts, RunSummary } from './runSummary';

/** In the order in which a summary names them, after what is done. */
const WORDS: ReadonlyArray<readonly [ItemState, string]> = [
	['paidBefore', 'had been paid before'],
	['duplicates', 'were not paid, as there are equal payouts'],
	['doneEarlier', 'took effect earlier'],
	['unknown', 'with unknown outcome'],
	['failed', 'failed without effect'],
	['notStarted', 'not started'],
	['notStartedAgain', 'not started again, but possibly done by an earlier attempt'],
];

/** States after which nothing is left to pay. */
const SETTLED: readonly ItemState[] = ['done', 'paidBefore', 'doneEarlier'];

/** States of which a new execution may know nothing: it would do them again. */
const MAY_HAVE_ACTED: readonly ItemState[] = ['done', 'unknown'];

/** The words of a summary, each part for separate lines; empty where there is nothing to say. */
interface SummaryWords {
	/** Which items took effect. */
	readonly account: string;
	/** How to continue; empty for a single item, whose own error says it. */
	readonly wayOn: string;
	/** IDs of what was paid. */
	readonly withdrawals: string;
}

/** Says which items took effect, and how to continue, for the error that ends a run. */
export function wordSummary(summary: RunSummary, run: RunFacts): SummaryWords {
	const { itemCount } = summary;
	if (itemCount < 2) return { account: wordSingle(summary, run), wayOn: '', withdrawals: '' };
	const parts = [done(summary, run), ...WORDS.flatMap((words) => part(summary, ...words))];
	const isSettled = run.kind === 'payout' && countItems(summary, SETTLED) === itemCount;
	const isCompared = countItems(summary, [...SETTLED, 'duplicates']) === itemCount;
	return {
		account: `${parts.join(', ')}. The first item is item 0.`,
		wayOn: isSettled
			? 'Every item is paid: nothing is left to do.'
			: isCompared && summary.duplicates
				? COMPARE
				: howToGoOn(run, summary),
		withdrawals: [
			...listIds(run.hasOwnKeys ? 'Paid' : 'Paid now', summary.done),
			...listIds('Paid before', summary.paidBefore),
			...listIds('Equal payouts', summary.duplicates),
		].join(' '),
	};
}

function wordSingle({ failed }: RunSummary, { kind }: RunFacts): string {
	if (!failed) return '';
	return kind === 'payout' ? 'Nothing was paid.' : kind === 'order' ? 'Nothing took effect.' : '';
}

function countItems(summary: RunSummary, states: readonly ItemState[]): number {
	return states.reduce((sum, state) => sum + (summary[state]?.count ?? 0), 0);
}

const COMPARE =
	'Compare the equal payouts with your list: a row that one of them has paid needs nothing more. The error of each other row says how to pay it.';

function done({ itemCount, done: group }: RunSummary, { kind, hasOwnKeys }: RunFacts): string {
	const paid = hasOwnKeys ? 'are paid' : 'were paid now';
	const became = kind === 'payout' ? paid : kind === 'read' ? 'finished' : 'took effect';
	return `${group?.count ?? 0} of ${itemCount} items ${became}${group ? list(group) : ''}`;
}

function part(summary: RunSummary, state: ItemState, words: string): string[] {
	const group = summary[state];
	if (!group) return [];
	return [`${group.count} ${words}${list(group)}`];
}

function howToGoOn(
	{ kind, isRepetition, hasReferences, isCancelled, isManual, isGuarded }: RunFacts,
	summary: RunSummary,
): string {
	if (kind !== 'order' && kind !== 'payout') return '';
	const hasActed = countItems(summary, MAY_HAVE_ACTED) > 0;
	const fix = summary.failed ? 'fix the problem and ' : '';
	if (kind === 'payout' && hasReferences) {
		return `To continue, ${fix}run the workflow again: each reference is paid once.`;
	}
	if (isCancelled) {
		return 'n8n keeps no data of a stopped execution and offers no Retry for it. Check what took effect, and send only the rest in a new execution.';
	}
	if (!hasActed && isRepetition !== true) {
		return isManual
			? `To continue, ${fix}press Execute again.`
			: `To continue, ${fix}choose Retry in the list Executions.`;
	}
	const isStopped = kind === 'payout' && isGuarded === true;
	// Not with items in doubt: their errors say that the key must not change.
	if (isStopped && !summary.unknown) {
		return `To continue, ${fix}press Execute again: Duplicate Guard stops each item that equals a payout of the last 24 hours, and the others are paid.`;
	}
	const again = kind === 'payout' ? 'pay them again' : 'repeat them';
	const warning = isStopped ? '' : ` Pressing Execute again starts over and would ${again}.`;
	return `To continue, choose Retry in the list Executions, within 24 hours: nothing that took effect is repeated.${warning}`;
}

/** `Paid now: ID, ID.` */
function listIds(label: string, ...groups: Array<ItemGroup | undefined>): string[] {
	const ids = groups.flatMap((group) => group?.withdrawalIds ?? []);
	if (ids.length === 0) return [];
	const unnamed = groups.reduce((sum, group) => sum + (group?.moreWithdrawals ?? 0), 0);
	return [`${label}: ${ids.join(', ')}${unnamed === 0 ? '' : ` and ${unnamed} more`}.`];
}

/** ` (items 0-4, 7)` */
function list({ count, items }: ItemGroup): string {
	const texts = items.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`));
	return ` (${count === 1 ? 'item' : 'items'} ${texts.join(', ')})`;
}
