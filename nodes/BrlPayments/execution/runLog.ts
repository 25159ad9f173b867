import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome, ItemProgress } from './itemLoop';
import type { ItemResult } from './draft';
import { toState, type ItemState, type RunFacts, type RunSummary } from './runSummary';

/** How an item ended, as an operator counts it, in one letter: n8n stores one for each item with the execution. */
type Letter = 'd' | 'b' | 'u' | 'r' | 'n';

const LETTERS: Readonly<Record<ItemState, Letter>> = {
	done: 'd',
	paidBefore: 'b',
	recorded: 'b',
	doneEarlier: 'b',
	unknown: 'u',
	failed: 'r',
	duplicates: 'r',
	notStarted: 'n',
	notStartedAgain: 'n',
};
const STATES = Object.keys(LETTERS) as ItemState[];

/**
 * The names of the counts in the log, and in the custom data by which n8n filters executions: it takes ten for
 * each execution, and allows no dots in them.
 */
const NAMES: ReadonlyArray<readonly [Letter, inLog: string, inN8n: string]> = [
	['d', 'done', 'brlpay_paid'],
	['b', 'doneBefore', 'brlpay_paid_before'],
	['u', 'inDoubt', 'brlpay_in_doubt'],
	['r', 'refused', 'brlpay_not_paid'],
	['n', 'notStarted', 'brlpay_not_started'],
];

/** A line of the log of n8n. */
interface LogLine {
	readonly level: 'info' | 'warn';
	readonly message: string;
	readonly metadata: IDataObject;
}

/** Where a run took place. */
interface RunPlace {
	/** `resource.operation`. */
	readonly operation: string;
	readonly workflowId: string;
	readonly executionId: string;
	readonly node: string;
}

/**
 * What an operator reads of a run that wrote something: one line for the run, and one for each item that
 * a person has to look at. No line holds what a row says: not even a reference, which may be a CPF.
 */
function describeRun(
	outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>,
	summary: RunSummary,
	{ kind }: RunFacts,
	place: RunPlace,
): LogLine[] {
	const counts = countByName(summary);
	const isPayout = kind === 'payout';
	const total = sumPaid(outcomes);
	const done = isPayout ? 'paid' : 'done';
	const said = [
		`${counts.done} ${done}${isPayout ? ` (${total.toFixed(2)} BRL)` : ''}`,
		`${counts.doneBefore} ${done} before`,
		`${counts.inDoubt} in doubt`,
		`${counts.refused} refused`,
		`${counts.notStarted} not started`,
	];
	const run: LogLine = {
		level: 'info',
		message: toMessage(said.join(', '), place),
		metadata: { ...place, ...counts, ...(isPayout && { total }) },
	};
	return [run, ...outcomes.flatMap((outcome, item) => warnOf(outcome, item, place))];
}

function countByName(summary: RunSummary): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const [letter, name] of NAMES) {
		const groups = STATES.filter((state) => LETTERS[state] === letter).map(
			(state) => summary[state],
		);
		counts[name] = groups.reduce((sum, group) => sum + (group?.count ?? 0), 0);
	}
	return counts;
}

/** Complete without metadata: unless its log is JSON, n8n prints nothing but the message. */
function toMessage(what: string, { operation, executionId, workflowId }: RunPlace): string {
	return `BRL Payments ${operation}: ${what}, in execution ${executionId} of workflow ${workflowId}`;
}

function warnOf(outcome: ItemOutcome<ItemResult[]>, item: number, place: RunPlace): LogLine[] {
	if (outcome.state !== 'failed' || outcome.failure.effect === 'done') return [];
	const { code, effect, httpStatus, withdrawalIds = [] } = outcome.failure;
	const what = effect === 'unknown' ? 'in doubt' : 'refused';
	return [
		{
			level: 'warn',
			message: toMessage(`row ${item + 1} is ${what} (${code})`, place),
			metadata: {
				...place,
				row: item + 1,
				code,
				effect,
				httpStatus,
				withdrawalIds: [...withdrawalIds],
			},
		},
	];
}

/** Reais that the run itself has paid, without fees. */
function sumPaid(outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>): number {
	const cents = outcomes.flatMap((outcome) => {
		if (outcome.state !== 'done') return [];
		const { alreadyPaid, netAmount } = outcome.result[0]?.json ?? {};
		return alreadyPaid !== true && typeof netAmount === 'number'
			? [Math.round(netAmount * 100)]
			: [];
	});
	return cents.reduce((sum, one) => sum + one, 0) / 100;
}

/** Tells the operator of n8n what a run did, in its log. */
export function logRun(
	context: IExecuteFunctions,
	operation: string,
	outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>,
	summary: RunSummary,
	facts: RunFacts,
): void {
	const place: RunPlace = {
		operation,
		workflowId: context.getWorkflow().id ?? '',
		executionId: context.getExecutionId(),
		node: context.getNode().name,
	};
	for (const { level, message, metadata } of describeRun(outcomes, summary, facts, place)) {
		context.logger[level](message, metadata);
	}
}

/** What all runs of an execution add up to, in one word: n8n cannot filter by *more than zero*. */
const RESULT = 'brlpay_result';
/** The ID of the execution that the counts are about. */
const COUNTED_FOR = 'brlpay_execution';
/** Where n8n's memory of the execution holds the {@link Tally}. */
const FIELD = 'brlPaymentsCounts';

type Counts = Partial<Record<Letter, number>>;

/** What the payouts of an execution add up to. */
interface Tally {
	/** Of all runs but the last. */
	readonly before: Counts;
	/** Node and run index of the last run. */
	readonly run: string;
	/** A letter for each of its items. */
	readonly items: string;
}

/**
 * The rounds of a loop, and all nodes that pay, add up. The tries of Retry On Fail are one run: what an
 * earlier try has paid stays paid, and what a later one did not start is as the earlier one left it.
 */
export function addRun(known: Tally | undefined, run: string, states: readonly ItemState[]): Tally {
	const letters = states.map((state) => LETTERS[state]);
	if (known?.run !== run) {
		return { before: known === undefined ? {} : sumUp(known), run, items: letters.join('') };
	}
	const items = letters.map((now, index) => {
		const earlier = known.items[index];
		return now === 'n' || (now === 'b' && earlier === 'd') ? (earlier ?? now) : now;
	});
	return { ...known, items: items.join('') };
}

function sumUp({ before, items }: Tally): Counts {
	const sums: Counts = { ...before };
	for (const letter of items as Iterable<Letter>) sums[letter] = (sums[letter] ?? 0) + 1;
	return sums;
}

interface CustomData {
	get(name: string): string | undefined;
	set(name: string, value: string): void;
}

/**
 * Tells the operator of n8n what the payouts of an execution add up to, in its custom data. It never throws:
 * what was paid has to reach the output, whatever becomes of the counts.
 */
export function countPayouts(context: IExecuteFunctions, states: readonly ItemState[]): void {
	try {
		const { $execution } = context.getWorkflowDataProxy(0) as {
			$execution?: { customData?: CustomData };
		};
		const customData = $execution?.customData;
		if (customData === undefined) return;
		const executionId = context.getExecutionId();
		const memory = context.getContext('flow');
		// A retry begins with all that was saved of the execution that it retries, and counts for itself.
		const isOwn = customData.get(COUNTED_FOR) === executionId;
		const known = isOwn ? (memory[FIELD] as Tally | undefined) : undefined;
		const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0) ?? 0);
		const tally = addRun(known, `${context.getNode().id} ${runIndex}`, states);
		memory[FIELD] = tally;
		const sums = sumUp(tally);
		for (const [letter, , name] of NAMES) {
			const sum = sums[letter] ?? 0;
			if (sum > 0 || customData.get(name) !== undefined) customData.set(name, String(sum));
		}
		customData.set(COUNTED_FOR, executionId);
		customData.set(RESULT, sums.u ? 'in doubt' : sums.r || sums.n ? 'not all paid' : 'paid');
	} catch {
		// Nothing is lost but the counts.
	}
}

/**
 * n8n saves the custom data of an execution at the moment at which a person stops it, before the node ends.
 * So what has no outcome by then counts as in doubt.
 */
export async function countedIfStopped<T>(
	context: IExecuteFunctions,
	kind: RunFacts['kind'],
	itemCount: number,
	pay: (progress: Array<ItemProgress<ItemResult[]>>) => Promise<T>,
): Promise<T> {
	const progress = Array.from({ length: itemCount }, (): ItemProgress<ItemResult[]> => {
		return { state: 'notStarted' };
	});
	let isRunning = kind === 'payout';
	const toStateNow = (one: ItemProgress<ItemResult[]>): ItemState =>
		one.state === 'inFlight' ? 'unknown' : toState(one, { kind, isCancelled: true });
	// Absent in some versions of n8n: a stopped execution has no counts then.
	const { onExecutionCancellation } = context as Partial<
		Pick<IExecuteFunctions, 'onExecutionCancellation'>
	>;
	onExecutionCancellation?.call(context, () => {
		if (isRunning) countPayouts(context, progress.map(toStateNow));
	});
	try {
		return await pay(progress);
	} finally {
		isRunning = false;
	}
}
