import type { IExecuteFunctions } from 'n8n-workflow';
import type { RunFacts, RunReport } from './report';
import { wordPayouts } from './reportWords';

/**
 * What the builder of a workflow should know after a run that moves money, shown beside its output.
 * @param nameOf what a person recognizes an item by
 */
export function findHints(
	context: IExecuteFunctions,
	report: RunReport,
	facts: RunFacts,
	nameOf: (item: number) => string,
): string[] {
	const isPayout = facts.kind === 'payout';
	const payouts = isPayout ? wordPayouts(report, facts, nameOf) : '';
	const isPaidOnce = facts.hasReferences === true || facts.isEvent === true;
	return [
		...(facts.isTest === true && !isPayout ? ['With a test key no money moves.'] : []),
		...(payouts === '' ? [] : [payouts]),
		...(isPayout && !isPaidOnce ? adviseOnReferences(report, facts) : []),
		...(report.inDoubt && context.continueOnFail() ? [ENDS_GREEN] : []),
	];
}

const ENDS_GREEN =
	"Rows are in doubt, but On Error is set to Continue, so n8n lists this execution as successful. To have it fail in that case, end the workflow with an If node on {{ $json.error?.effect === 'unknown' }} and a Stop and Error node.";

/** What a run without references means for the next one. By hand, it may be the first one that moves money. */
function adviseOnReferences(
	{ done }: RunReport,
	{ isManual, isGuarded, isTest }: RunFacts,
): string[] {
	if (isTest === true || isManual !== true || done === undefined) return [];
	return [isGuarded === true ? `${NEXT_PAYS_AGAIN} ${GUARDED_FOR_NOW}` : NEXT_PAYS_AGAIN];
}

const NEXT_PAYS_AGAIN =
	'The next execution pays everyone again, as these payouts have no references. Remove the rows that are paid from the list, and fill in Reference before the next list is paid. Do not add references to rows that are paid.';
const GUARDED_FOR_NOW =
	"For 24 hours, 'Duplicate Guard' stops what was paid when you press Execute.";
