import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemOutcome } from './itemLoop';
import type { ItemResult } from './draft';
import { countItems, type ItemState, type RunFacts, type RunSummary } from './runSummary';

/** What an operator counts, by the states of a run. */
const COUNTS: ReadonlyArray<readonly [name: string, states: readonly ItemState[]]> = [
	['done', ['done']],
	['doneBefore', ['paidBefore', 'recorded', 'doneEarlier']],
	['inDoubt', ['unknown']],
	['refused', ['failed', 'duplicates']],
	['notStarted', ['notStarted', 'notStartedAgain']],
];

/** A line of the log of n8n. */
export interface LogLine {
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
export function describeRun(
	outcomes: ReadonlyArray<ItemOutcome<ItemResult[]>>,
	summary: RunSummary,
	{ kind }: RunFacts,
	place: RunPlace,
): LogLine[] {
	const counts: Record<string, number> = Object.fromEntries(
		COUNTS.map(([name, states]) => [name, countItems(summary, states)]),
	);
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
