import type { IDataObject, IExecuteFunctions, IWorkflowSettings } from 'n8n-workflow';
import { countItems, type RunFacts, type RunSummary } from './runSummary';
import { wordPayouts } from './runSummaryText';

/**
 * What the builder of a workflow should know after a run that moves money, shown beside its output.
 * @param isTest with a test key
 * @param nameOf what a person recognizes an item by
 */
export function findHints(
	context: IExecuteFunctions,
	summary: RunSummary,
	facts: RunFacts,
	isTest: boolean,
	nameOf: (item: number) => string,
): string[] {
	const { kind, hasReferences, isDelivered } = facts;
	const isPayout = kind === 'payout';
	const isPaidOnce = hasReferences || isDelivered;
	const payouts = isPayout ? wordPayouts(summary, facts, nameOf) : '';
	return [
		...(isTest ? [hintAtTestKey(facts, context)] : []),
		...(payouts === '' ? [] : [payouts]),
		...(isPayout && !isPaidOnce ? adviseOnReferences(context, summary, facts, isTest) : []),
		...adviseOnSettings(summary, facts, readRunSettings(context)),
	];
}

/** What n8n itself does with a run, as far as a node can see it. */
export interface RunSettings {
	readonly node: string;
	/** The Loop Over Items node around it: the node itself shows only the last round. */
	readonly loop?: string | undefined;
	/** What On Error is set to; absent: Stop Workflow. */
	readonly onError?: string;
	/** A Stop and Error node follows: somebody has thought of how the run ends. */
	readonly canFail: boolean;
	readonly savesSuccess: boolean;
	readonly savesFailure: boolean;
}

/**
 * What the builder of a workflow that moves money should change in its settings. n8n lets a node
 * either pass on items or fail: without this, 60 payouts in doubt end in a green execution, silently.
 */
export function adviseOnSettings(
	summary: RunSummary,
	{ isManual, hasReferences }: Pick<RunFacts, 'isManual' | 'hasReferences'>,
	settings: RunSettings,
): string[] {
	const { onError = 'stopWorkflow', canFail, savesSuccess, savesFailure } = settings;
	const open = summary.itemCount - countItems(summary, ['done', 'paidBefore', 'doneEarlier']);
	// Somebody reads it while the workflow is built, and later only if rows are open.
	if (isManual !== true && open === 0) return [];
	const endsGreen = onError !== 'stopWorkflow' && !canFail;
	return [
		...(endsGreen ? [endingGreen(settings)] : []),
		...(endsGreen && !savesSuccess ? [FORGETS_SUCCESS] : []),
		...(!savesFailure && hasReferences !== true ? [FORGETS_FAILURE] : []),
	];
}

function endingGreen({ node, loop, onError }: RunSettings): string {
	const output = onError === 'continueErrorOutput' && loop === undefined ? 1 : '';
	const paid = `$(${JSON.stringify(loop ?? node)})`;
	const end = loop === undefined ? 'the workflow' : `the output done of ${loop}`;
	// The end of a workflow may be reached without a payment, and then `all` would throw.
	const isInDoubt = `${paid}.isExecuted && ${paid}.all(${output}).some(({ json }) => json.error?.effect === 'unknown')`;
	return `On Error is set to Continue, so n8n lists this execution as successful even if items are in doubt, and does not call the Error Workflow. To have it fail in that case, end ${end} with an If node on {{ ${isInDoubt} }} and a Stop and Error node.`;
}

const FORGETS_SUCCESS =
	'This workflow does not save successful executions. With On Error set to Continue, these include executions with items in doubt, whose errors are then lost. In the workflow settings, set Save Successful Production Executions to Save.';
const FORGETS_FAILURE =
	'This workflow does not save failed executions, so n8n cannot retry them, and a new execution does everything again. In the workflow settings, set Save Failed Production Executions to Save. For payouts, you can fill in Reference instead.';

const STOP_AND_ERROR = 'n8n-nodes-base.stopAndError';
const LOOP = 'n8n-nodes-base.splitInBatches';

/** Reads what {@link adviseOnSettings} needs. Older versions of n8n show less of it. */
export function readRunSettings(context: IExecuteFunctions): RunSettings {
	const { name, onError = 'stopWorkflow' } = context.getNode();
	const { getChildNodes, getParentNodes, getWorkflowSettings } =
		context as Partial<IExecuteFunctions>;
	const following = getChildNodes?.call(context, name) ?? [];
	const before = getParentNodes?.call(context, name) ?? [];
	const loop = following.find(
		({ type, name: one }) => type === LOOP && before.some((parent) => parent.name === one),
	);
	const saved: IWorkflowSettings = getWorkflowSettings?.call(context) ?? {};
	return {
		node: name,
		loop: loop?.name,
		onError,
		canFail: following.some(({ type, disabled }) => type === STOP_AND_ERROR && !disabled),
		savesSuccess: saved.saveDataSuccessExecution !== 'none',
		savesFailure: saved.saveDataErrorExecution !== 'none',
	};
}

/** n8n's own triggers that start a workflow at certain times. */
const SCHEDULES: ReadonlySet<string> = new Set(
	['scheduleTrigger', 'cron', 'interval'].map((name) => `n8n-nodes-base.${name}`),
);

/**
 * Whether nobody decides about each run. By hand too if a schedule leads here: the person who builds the
 * workflow reads the hint, and nobody opens the executions of a schedule that succeed.
 */
function startsAutomatically(context: IExecuteFunctions): boolean {
	if (context.getMode() === 'trigger') return true;
	if (context.getMode() !== 'manual') return false;
	const before = context.getParentNodes(context.getNode().name);
	return before.some(({ type, disabled }) => !disabled && SCHEDULES.has(type));
}

/** What a run without references means for the next one. By hand, it may be the first one that moves money. */
function adviseOnReferences(
	context: IExecuteFunctions,
	{ done }: RunSummary,
	{ isManual, isGuarded }: RunFacts,
	isTest: boolean,
): string[] {
	if (startsAutomatically(context)) return [PAYS_AGAIN];
	if (isTest || isManual !== true || done === undefined) return [];
	return [isGuarded === true ? `${NEXT_PAYS_AGAIN} ${GUARDED_FOR_NOW}` : NEXT_PAYS_AGAIN];
}

const PAYS_AGAIN =
	'This workflow starts automatically and pays without references: each run pays everyone again. To pay each row once, fill in Reference.';
const NEXT_PAYS_AGAIN =
	'The next execution pays everyone again, as these payouts have no references. Remove the rows that are paid from the list, and fill in Reference before the next list is paid. Do not add references to rows that are paid.';
const GUARDED_FOR_NOW = 'For 24 hours, Duplicate Guard stops what was paid when you press Execute.';

/** Builders press Execute again and again; with real money, that is different. */
function hintAtTestKey(
	{ kind, isManual, hasReferences }: RunFacts,
	context: IExecuteFunctions,
): string {
	const options = (context.getNode().parameters.options ?? {}) as IDataObject;
	const noMoney = 'With a test key no money moves.';
	const isNever = options.duplicateGuard === 'never';
	if (kind !== 'payout' || isManual !== true || hasReferences === true || isNever) return noMoney;
	return `${noMoney} With a live key, Duplicate Guard would stop payouts that were made in the last 24 hours when you press Execute again. To have each payout made once, fill in Reference.`;
}
