import type { LedgerEntry } from '../store/types';
import { formatBrl } from '../values/money';
import { brazilianDateTime } from '../values/time';
import { render, type Format } from './render';

/** A statement of Brazilian days, both inclusive; money in centavos. */
export interface Statement {
	startDate: string;
	endDate: string;
	openingCents: number;
	closingCents: number;
	entries: readonly LedgerEntry[];
}

export function statement(
	{ startDate, endDate, openingCents, closingCents, entries }: Statement,
	format: Format,
): string {
	return render(format, 'Extrato', [
		`Período: ${startDate} a ${endDate}`,
		`Saldo inicial: ${formatBrl(openingCents)}`,
		...entries.map(({ at, kind, reference, amountCents }) =>
			[brazilianDateTime(at), kind, reference, formatBrl(amountCents)].join('  '),
		),
		`Saldo final: ${formatBrl(closingCents)}`,
	]);
}
