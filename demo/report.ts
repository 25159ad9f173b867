import Table from 'cli-table3';

import type { PayoutResult } from './check';
import type { PayoutRow } from './payoutList';

/** The list with what became of each row, as a table for the terminal. */
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
		// Plain text where nobody looks at a terminal, such as the log of a build machine.
		style: useColour ? { head: ['cyan'] } : { head: [], border: [] },
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
