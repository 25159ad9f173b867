import type {
	ItemGroup,
	ItemState,
	RunSummary,
} from '../../../nodes/BrlPayments/execution/runSummary';
import { getRuns, type Execution, type Item, type NodeRun } from '../../n8n/rest/executionData';
import type { Statement } from './reconcile';
import { PAY } from '../workflows';

/** What an error of a node says, as n8n stores it. */
interface ReportedError {
	message?: string;
	description?: string | null;
	/** Fields of the package's own errors; others have neither. */
	effect?: string;
	summary?: RunSummary;
	itemIndex?: number;
	/** Where n8n's own nodes say it. */
	context?: { itemIndex?: number };
}

/**
 * What n8n says of each payee, once there are no more retries: read from what a user sees in the
 * last execution, which is the output and the error of the paying node.
 *
 * @param payees of the batch, in order
 * @param execution the last of the batch; undefined where n8n has none
 */
export function getStatements(
	payees: readonly string[],
	execution: Execution | undefined,
): Map<string, Statement> {
	const hasStopped = execution?.status === 'error' || execution?.status === 'canceled';
	const rest: Statement = hasStopped ? 'notReached' : 'nothing';
	const statements = new Map<string, Statement>(payees.map((payee) => [payee, rest]));
	if (!execution) return statements;
	for (const run of getRuns(execution, PAY)) {
		const input = getInput(execution, run);
		const reported = run.error ? tellError(run.error, input.length) : tellOutput(run, input.length);
		for (const [index, payee] of input.entries()) {
			if (payee !== undefined) statements.set(payee, reported[index]!);
		}
	}
	return statements;
}

/** The payees of the items that a run of the paying node was given. */
function getInput(execution: Execution, run: NodeRun): Array<string | undefined> {
	const source = run.source?.[0];
	if (!source) return [];
	const { previousNode, previousNodeRun = 0, previousNodeOutput = 0 } = source;
	const items = getRuns(execution, previousNode)[previousNodeRun]?.data?.main?.[previousNodeOutput];
	return (items ?? []).map(({ json }) =>
		typeof json.pixKey === 'string' ? json.pixKey : undefined,
	);
}

function tellOutput(run: NodeRun, count: number): Statement[] {
	const reported = Array.from({ length: count }, (): Statement => 'nothing');
	for (const item of run.data?.main?.[0] ?? []) {
		const index = pairedIndex(item);
		if (index !== undefined) reported[index] = tellItem(item);
	}
	return reported;
}

/** The index of the input item that an output item comes from. */
export function pairedIndex({ pairedItem }: Item): number | undefined {
	const paired = Array.isArray(pairedItem) ? pairedItem[0] : pairedItem;
	return typeof paired === 'number' ? paired : paired?.item;
}

function tellItem({ json, error }: Item): Statement {
	const reported = json.error ?? error;
	if (typeof reported === 'string') return tellFailure({ message: reported });
	if (reported) return tellFailure(reported as ReportedError);
	// The package's node returns the withdrawal itself, the HTTP Request node the whole body.
	const withdrawal = (json.withdrawal ?? json) as { id?: unknown };
	return typeof withdrawal.id === 'string' ? 'paid' : 'nothing';
}

const STATEMENT_OF_EFFECT: Readonly<Record<string, Statement>> = {
	none: 'notPaid',
	unknown: 'unknown',
	done: 'paid',
};

/** What the error of one item says of that item. It has to say what to do as well. */
export function tellFailure({ message = '', description, effect }: ReportedError): Statement {
	if (!description) return 'failed';
	if (effect !== undefined) return STATEMENT_OF_EFFECT[effect] ?? 'failed';
	// The HTTP Request node repeats what the service said.
	return /no money moved/i.test(`${message}. ${description}`) ? 'notPaid' : 'failed';
}

const STATEMENT_OF_STATE: Readonly<Record<ItemState, Statement>> = {
	done: 'paid',
	paidBefore: 'paid',
	recorded: 'paid',
	duplicates: 'paid',
	doneEarlier: 'paid',
	unknown: 'unknown',
	failed: 'notPaid',
	notStarted: 'notStarted',
	notStartedAgain: 'unknown',
};

/** What the error of a whole run says of each of its items. */
export function tellError(error: ReportedError, count: number): Statement[] {
	const reported = Array.from({ length: count }, (): Statement => 'nothing');
	const named = error.itemIndex ?? error.context?.itemIndex;
	if (named !== undefined && named < count) reported[named] = tellFailure(error);
	if (!error.summary || !error.description) return reported;
	for (const [state, statement] of Object.entries(STATEMENT_OF_STATE)) {
		for (const index of getIndexes(error.summary[state as ItemState])) {
			if (index < count) reported[index] = statement;
		}
	}
	return reported;
}

/** Every index that a group of a summary names. */
export function getIndexes(group: ItemGroup | undefined): number[] {
	return (group?.items ?? []).flatMap(([first, last]) =>
		Array.from({ length: last - first + 1 }, (_value, offset) => first + offset),
	);
}
