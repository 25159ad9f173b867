import Table from 'cli-table3';

import type { PayoutResult } from './payouts/checkPayouts';
import type { PayoutRow } from './payouts/payoutList';
import type { Step } from './exampleCheck';
import { tableStyle } from '../cli/tableStyle';

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
