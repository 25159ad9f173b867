import { formatBrl } from '../values/money';
import { html, plainPage } from '../pages/html';
import type { LedgerEntry } from '../store/types';
import { brazilianDateTime } from '../values/time';

/** A statement of Brazilian days, both inclusive; money in centavos. */
export interface Statement {
	startDate: string;
	endDate: string;
	openingCents: number;
	closingCents: number;
	entries: readonly LedgerEntry[];
}

const TITLE = 'Account statement (emulator, no real money)';

export function statementText(statement: Statement): string {
	return [
		TITLE,
		`Period: ${statement.startDate} to ${statement.endDate}`,
		`Opening balance: ${formatBrl(statement.openingCents)}`,
		...statement.entries.map(
			(entry) =>
				`${brazilianDateTime(entry.at)}  ${entry.kind}  ${entry.reference}  ${formatBrl(entry.amountCents)}`,
		),
		`Closing balance: ${formatBrl(statement.closingCents)}`,
		'',
	].join('\n');
}

export function statementHtml(statement: Statement): string {
	const rows = statement.entries.map(
		(entry) =>
			html`<tr>
				<td>${brazilianDateTime(entry.at)}</td>
				<td>${entry.kind}</td>
				<td>${entry.reference}</td>
				<td align="right">${formatBrl(entry.amountCents)}</td>
			</tr>`,
	);
	return plainPage(
		'en',
		TITLE,
		html`<p>Period: ${statement.startDate} to ${statement.endDate}</p>
			<p>Opening balance: ${formatBrl(statement.openingCents)}</p>
			<table>
				${rows}
			</table>
			<p>Closing balance: ${formatBrl(statement.closingCents)}</p>`,
	);
}
