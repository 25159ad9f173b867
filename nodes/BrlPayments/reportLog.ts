/** The report of a run for the operator of n8n, in its log. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { ItemResult } from './orderRequest';
import type { ItemOutcome } from './items';
import { ROW_STATES, type RunReport } from './report';

type Outcomes = ReadonlyArray<ItemOutcome<ItemResult[]>>;

/**
 * One line for the run, and one for each row that a person has to look at. No line holds what a row says: not
 * even a reference, which may be a CPF.
 * @param operation `resource.operation`
 */
export function logRun(
	context: IExecuteFunctions,
	operation: string,
	outcomes: Outcomes,
	report: RunReport,
	isPayout: boolean,
): void {
	const run = {
		operation,
		workflowId: context.getWorkflow().id ?? '',
		executionId: context.getExecutionId(),
		node: context.getNode().name,
	};
	// Complete without metadata: unless its log is JSON, n8n prints nothing but the message.
	const log = (level: 'info' | 'warn', what: string, metadata: IDataObject) =>
		context.logger[level](
			`BRL Payments ${operation}: ${what}, in execution ${run.executionId} of workflow ${run.workflowId}`,
			{ ...run, ...metadata },
		);
	const counts = Object.fromEntries(ROW_STATES.map((state) => [state, report[state]?.count ?? 0]));
	const total = sumPaid(outcomes);
	const done = isPayout ? 'paid' : 'done';
	const said = [
		`${counts.done} ${done}${isPayout ? ` (${total.toFixed(2)} BRL)` : ''}`,
		`${counts.before} ${done} before`,
		`${counts.inDoubt} in doubt`,
		`${counts.refused} refused`,
		`${counts.notStarted} not started`,
	];
	log('info', said.join(', '), { ...counts, ...(isPayout && { total }) });
	for (const [index, outcome] of outcomes.entries()) {
		if (outcome.state !== 'failed') continue;
		const { code, effect, httpStatus, withdrawalIds = [] } = outcome.failure;
		const row = index + 1;
		log('warn', `row ${row} is ${effect === 'none' ? 'refused' : 'in doubt'} (${code})`, {
			...{ row, code, effect, httpStatus },
			withdrawalIds: [...withdrawalIds],
		});
	}
}

/** Reais that the run itself has paid, without fees. */
function sumPaid(outcomes: Outcomes): number {
	const cents = outcomes.flatMap((outcome) => {
		const { alreadyPaid, netAmount } = (outcome.state === 'done' && outcome.result[0]?.json) || {};
		return alreadyPaid !== true && typeof netAmount === 'number' ? Math.round(netAmount * 100) : 0;
	});
	return cents.reduce((sum, one) => sum + one, 0) / 100;
}
