import { maskText } from '../../shared/privacy/text';
import {
	countItems,
	type ItemGroup,
	type ItemState,
	type RunFacts,
	type RunSummary,
} from './runSummary';

/** In the order in which a summary names them, after what is done. */
const WORDS: ReadonlyArray<readonly [ItemState, string]> = [
	['paidBefore', 'had been paid before'],
	['recorded', 'were made before and could not be read now'],
	['duplicates', 'were not paid, as there are equal payouts'],
	['doneEarlier', 'took effect earlier'],
	['unknown', 'with unknown outcome'],
	['failed', 'failed without effect'],
	['notStarted', 'not started'],
	['notStartedAgain', 'not started; an earlier attempt may have done them'],
];

/** States after which nothing is left to pay. */
const SETTLED: readonly ItemState[] = ['done', 'paidBefore', 'doneEarlier'];

/** States of rows that are to be removed from a list before it is paid again. */
const MADE: readonly ItemState[] = [...SETTLED, 'recorded'];

/** States of which a new execution may know nothing: it would do them again. */
const MAY_HAVE_ACTED: readonly ItemState[] = ['done', 'unknown'];

/** The words of a summary, each part for separate lines; empty if there is nothing to say. */
interface SummaryWords {
	/** Which items took effect. */
	readonly account: string;
	/** How to continue; empty for a single item, whose own error says it. */
	readonly howToContinue: string;
	/** IDs of what was paid. */
	readonly withdrawals: string;
}

/** Says which items took effect, and how to continue, for the error that ends a run. */
export function wordSummary(summary: RunSummary, run: RunFacts): SummaryWords {
	const { itemCount } = summary;
	if (itemCount < 2)
		return { account: wordSingle(summary, run), howToContinue: '', withdrawals: '' };
	const words = WORDS.map(([state, text]): [ItemState, string] => [
		state,
		wordOf(state, run) ?? text,
	]);
	const parts = [done(summary, run), ...words.flatMap((one) => part(summary, ...one))];
	const isSettled = run.kind === 'payout' && countItems(summary, SETTLED) === itemCount;
	const isCompared = countItems(summary, [...SETTLED, 'duplicates']) === itemCount;
	return {
		account: `${parts.join(', ')}. Row 1 is the first item.`,
		howToContinue: isSettled
			? 'Every row is paid.'
			: isCompared && summary.duplicates
				? howToCompare(run)
				: howToGoOn(run, summary),
		withdrawals: [
			...listIds('Paid now', summary.done),
			...listIds('Paid before', summary.paidBefore),
			...listIds('Equal payouts', summary.duplicates),
		].join(' '),
	};
}

/** What differs from `WORDS`. */
function wordOf(state: ItemState, { isRefusedWhole, kind }: RunFacts): string | undefined {
	if (state === 'notStarted' && isRefusedWhole) return 'valid, not sent';
	return state === 'paidBefore' && kind === 'order' ? 'existed before' : undefined;
}

function wordSingle({ failed }: RunSummary, { kind, hasActed }: RunFacts): string {
	if (!failed) return '';
	// As in a loop that has paid earlier rows.
	if (kind === 'payout' && hasActed) return 'This row was not paid.';
	return kind === 'payout' ? 'Nothing was paid.' : kind === 'order' ? 'Nothing took effect.' : '';
}

function howToCompare({ hasReferences }: RunFacts): string {
	const compare = 'Compare the equal payouts with your list.';
	return hasReferences
		? `${compare} The error of each row says how to record what one of them has paid, and how to pay the others.`
		: `${compare} Rows that one of them has paid are done: do not add references to them now. The error of each other row says how to pay it.`;
}

function done({ itemCount, done: group }: RunSummary, { kind }: RunFacts): string {
	const became = kind === 'payout' ? 'were paid now' : kind === 'read' ? 'finished' : 'took effect';
	return `${group?.count ?? 0} of ${itemCount} rows ${became}${group ? list(group) : ''}`;
}

function part(summary: RunSummary, state: ItemState, words: string): string[] {
	const group = summary[state];
	if (!group) return [];
	return [`${group.count} ${words}${list(group)}`];
}

function howToGoOn(run: RunFacts, summary: RunSummary): string {
	const { kind, hasActed, hasReferences, isCancelled, isGuarded } = run;
	if (kind !== 'order' && kind !== 'payout') return '';
	const acted = hasActed === true || countItems(summary, MAY_HAVE_ACTED) > 0;
	const fix = summary.failed ? 'fix the problem and ' : '';
	if (hasReferences) {
		const once = kind === 'payout' ? 'each reference is paid' : 'each External ID is charged';
		if (run.needsPerson || summary.duplicates) {
			return `To continue, do what the error of each row says, and run the workflow again: ${once} once.`;
		}
		return `To continue, ${fix}run the workflow again: ${once} once.`;
	}
	if (isCancelled) {
		return 'n8n keeps no data of a stopped execution and offers no Retry for it. Check what took effect, and send only the rest in a new execution.';
	}
	if (!acted) return howToStartOver(run, summary);
	const isStopped = kind === 'payout' && isGuarded === true;
	// Not with items in doubt: their errors say that the key must not change.
	if (isStopped && !summary.unknown) {
		return `To continue, ${fix}press Execute again: Duplicate Guard stops each row that equals a payout of the last 24 hours, and the others are paid.`;
	}
	const again = kind === 'payout' ? 'pay them again' : 'repeat them';
	const warning = isStopped ? '' : ` Pressing Execute again starts over and would ${again}.`;
	if (run.needsPerson) {
		return `To continue, do what the error of each row with unknown outcome says. Retry in the list Executions repeats nothing that took effect.${warning}`;
	}
	// The ledger knows each payout; of everything else, the service recognizes the key.
	const within = kind === 'payout' ? '' : ', within 24 hours';
	const correction = howToCorrect(run, summary);
	return `To continue, choose Retry in the list Executions${within}: nothing that took effect is repeated.${correction || warning}`;
}

/** Nothing has taken effect in this execution, nor in one that it retries. */
function howToStartOver(
	{ kind, isRefusedWhole, isRepetition, isDelivered, isManual }: RunFacts,
	{ failed, itemCount }: RunSummary,
): string {
	const start = isManual ? 'press Execute again' : 'start the workflow again';
	// Another retry of the same execution may have paid.
	const isSafe = isRepetition ? '' : '; this is safe';
	if (!isRefusedWhole) {
		const fix = failed ? 'fix the problem and ' : '';
		if (isManual) return `To continue, ${fix}${start}.`;
		const correct =
			failed && !isDelivered
				? ` Retry repeats the saved rows: to correct a row, correct it in your list and ${start} instead${isSafe}.`
				: '';
		return `To continue, ${fix}choose Retry in the list Executions.${correct}`;
	}
	const nothing = kind === 'payout' ? 'Nothing was paid.' : 'Nothing took effect.';
	if (isDelivered) return `${nothing} Correct this node, and choose Retry in the list Executions.`;
	const rows = failed?.count === 1 ? 'row' : 'rows';
	// Such as an expression with a misspelt column.
	const node = failed?.count === itemCount ? ' or this node' : '';
	const retry = isManual ? '' : ' Do not use Retry: it repeats the saved rows.';
	return `${nothing} Correct the ${rows} in your list${node} and ${start}${isSafe}.${retry}`;
}

/** If some rows were paid and none is in doubt; empty elsewhere. */
function howToCorrect({ kind, isManual, paidCount = 0 }: RunFacts, summary: RunSummary): string {
	const { failed, unknown, notStartedAgain } = summary;
	if (kind !== 'payout' || isManual || !failed || unknown || notStartedAgain) return '';
	const groups = MADE.flatMap((state) => summary[state] ?? []);
	const count = countItems(summary, MADE);
	const items = groups.flatMap((group) => group.items).sort(([one], [other]) => one - other);
	const here = count === 0 ? [] : [list({ count, items }).trim().slice(1, -1)];
	const earlier = paidCount > count ? ['those paid earlier in this execution'] : [];
	return ` Retry repeats the saved rows, so it cannot use a correction. To correct a row, remove the rows that were paid (${[...here, ...earlier].join(', and ')}) from the list, correct the rest, and start the workflow again. Fill in Reference to make this unnecessary.`;
}

/**
 * What a run of payouts that n8n shows as a success has paid; empty for a single new payout, which
 * shows it itself.
 * @param nameOf what a person recognizes an item by; empty for none
 */
export function wordPayouts(
	summary: RunSummary,
	{ hasSent }: RunFacts,
	nameOf: (item: number) => string,
): string {
	const { itemCount, unknown } = summary;
	const now = summary.done?.count ?? 0;
	const before = countItems(summary, ['paidBefore', 'doneEarlier']);
	if (before === itemCount) {
		const rows = itemCount === 1 ? 'this row' : `all ${itemCount} rows`;
		const were = itemCount === 1 ? 'was' : 'were';
		if (hasSent !== true) return `Nothing was paid now: ${rows} ${were} paid before.`;
		// If an earlier attempt got no answer, it may be this run that has paid.
		return itemCount === 1
			? 'This row is paid. It may have been paid before.'
			: `All ${itemCount} rows are paid. Some or all may have been paid before.`;
	}
	if (itemCount < 2) return '';
	const unpaid = toIndexes(summary, ['failed', 'duplicates']);
	const paid = `${now} paid now, ${before} already paid`;
	const recorded = toIndexes(summary, ['recorded']);
	const parts = [
		`${paid}, ${unpaid.length} not paid${nameRows(unpaid, nameOf)}`,
		...(recorded.length > 0
			? [`${recorded.length} made before, status unknown${nameRows(recorded, nameOf)}`]
			: []),
		...(unknown
			? [`${unknown.count} unknown${nameRows(toIndexes(summary, ['unknown']), nameOf)}`]
			: []),
	];
	return `${parts.join('; ')}.`;
}

function toIndexes(summary: RunSummary, states: readonly ItemState[]): number[] {
	const ranges = states.flatMap((state) => summary[state]?.items ?? []);
	const indexes = ranges.flatMap(([first, last]) =>
		Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
	);
	return indexes.sort((one, other) => one - other);
}

/**
 * `: rows 2 (NF-2), 3 (NF-3) and 6`; at most ten.
 * @param nameOf what a person recognizes an item by; empty for none
 */
export function nameRows(indexes: readonly number[], nameOf: (item: number) => string): string {
	if (indexes.length === 0) return '';
	const names = indexes.slice(0, MAX_ROWS).map((index) => withName(index, nameOf(index)));
	const left = indexes.length - MAX_ROWS;
	const last = left > 0 ? `${left} more` : names.pop();
	const list = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
	return `: ${indexes.length === 1 ? 'row' : 'rows'} ${list}`;
}

/** An error stays readable, however many rows are wrong. */
export const MAX_ROWS = 10;

/**
 * `Row 2 (NF-2)`, as people count.
 * @param name what the row is recognized by; empty for none
 */
export function nameRow(index: number, name: string): string {
	return `Row ${withName(index, name)}`;
}

/** `2 (NF-2)` */
function withName(index: number, name: string): string {
	return `${index + 1}${name === '' ? '' : ` (${maskText(name)})`}`;
}

/**
 * Each row that failed besides the first, whose error this is, with its own reason.
 * @param rows the first ones, at most `MAX_ROWS`
 * @param count of all that failed
 */
export function listOtherRows(
	[, ...others]: ReadonlyArray<{ row: string; message: string }>,
	count: number,
): string[] {
	const shown = others.map(({ row, message }) => `${row}: ${message}`);
	return count > MAX_ROWS ? [...shown, `and ${count - MAX_ROWS} more`] : shown;
}

/** `Paid now: ID, ID.` */
function listIds(label: string, ...groups: Array<ItemGroup | undefined>): string[] {
	const ids = groups.flatMap((group) => group?.withdrawalIds ?? []);
	if (ids.length === 0) return [];
	const unnamed = groups.reduce((sum, group) => sum + (group?.moreWithdrawals ?? 0), 0);
	return [`${label}: ${ids.join(', ')}${unnamed === 0 ? '' : ` and ${unnamed} more`}.`];
}

/** ` (rows 1-5, 8)`: people count rows from 1. */
function list({ count, items }: ItemGroup): string {
	const texts = items.map(([first, last]) =>
		first === last ? `${first + 1}` : `${first + 1}-${last + 1}`,
	);
	return ` (${count === 1 ? 'row' : 'rows'} ${texts.join(', ')})`;
}
