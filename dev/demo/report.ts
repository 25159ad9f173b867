import Table from 'cli-table3';

import type { PayoutResult } from './payouts/checkPayouts';
import type { PayoutRow } from './payouts/payoutList';
import { describeError } from '../cli/command';
import { tableStyle } from '../cli/tableStyle';

/** One thing that was tried with an example. */
export interface Step {
	step: string;
	/** What was seen, or why it is not what has to be. */
	result: string;
}

export interface ExampleRun {
	steps: Step[];
	/** What went wrong, one sentence each. */
	faults: string[];
}

/** @param work adds what it sees; if it fails, the run has that as a fault */
export async function tryExample(work: (run: ExampleRun) => Promise<void>): Promise<ExampleRun> {
	const run: ExampleRun = { steps: [], faults: [] };
	await work(run).catch((error: unknown) => run.faults.push(describeError(error)));
	return run;
}

/** The list with the outcome of each row, as a table for the terminal. */
export function formatPayouts(
	rows: readonly PayoutRow[],
	results: readonly PayoutResult[],
	useColour: boolean,
): string {
	const table = new Table({
		head: ['Row', 'Invoice', 'Name', 'Amount', 'PIX key', 'Result', 'Reason'],
		colAligns: ['right', 'left', 'left', 'right', 'left', 'left', 'left'],
		colWidths: [5, 9, 28, 13, 9, 9, 48],
		wordWrap: true,
		style: tableStyle(useColour),
	});
	for (const [index, row] of rows.entries()) {
		const said = results.find(({ invoice }) => invoice === row.invoice);
		table.push([
			index + 1,
			row.invoice,
			row.name,
			row.amount,
			said?.pixKeyType ?? '',
			said?.result ?? 'no result',
			said?.reason ?? '',
		]);
	}
	return table.toString();
}

/** What was tried and seen, as a table for the terminal. */
export function formatSteps(steps: readonly Step[], useColour: boolean): string {
	const table = new Table({
		head: ['', 'What has to happen', 'What was seen'],
		colWidths: [5, 60, 48],
		wordWrap: true,
		style: tableStyle(useColour),
	});
	for (const [index, { step, result }] of steps.entries()) table.push([index + 1, step, result]);
	return table.toString();
}
