import type { IExecuteFunctions, IWorkflowSettings } from 'n8n-workflow';
import { countItems, type RunFacts, type RunSummary } from './runSummary';

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
