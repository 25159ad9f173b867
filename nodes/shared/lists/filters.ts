import { centsOfAnswer, type Cents } from '../validation/money';
import { toText } from '../validation/text';
import { FILTERED_DATE } from '../transport/apiAssumptions';
import type { ApiRecord } from '../transport/schemas';

/** What the user asked for. Amounts in centavos, dates in epoch milliseconds, both ends included. */
export interface Filters {
	readonly status?: string;
	readonly method?: string;
	readonly currency?: string;
	readonly startDate?: number;
	readonly endDate?: number;
	readonly minAmount?: Cents;
	readonly maxAmount?: Cents;
	readonly search?: string;
	readonly isActive?: boolean;
}

/**
 * Whether a row is one that the user asked for.
 *
 * The names of the filters in the API are not shown, so a server may ignore what was sent. A
 * row that lacks the field in question is left out: nothing shows that it was asked for.
 */
export function matches(row: ApiRecord, filters: Filters): boolean {
	return (Object.keys(filters) as Array<keyof Filters>).every((name) => {
		if (filters[name] === undefined) return true;
		switch (name) {
			case 'status':
				return row.status === filters.status;
			case 'method':
				return row.paymentMethod === filters.method;
			case 'currency':
				return row.currency === filters.currency;
			case 'isActive':
				return row.isActive === filters.isActive;
			case 'search':
				return foldedText(toText(row.name)).includes(foldedText(filters.search ?? ''));
			case 'startDate':
				return isBetween(parseDate(row), filters.startDate, undefined);
			case 'endDate':
				return isBetween(parseDate(row), undefined, filters.endDate);
			case 'minAmount':
				return isBetween(centsOfAnswer(row.amount), filters.minAmount, undefined);
			case 'maxAmount':
				return isBetween(centsOfAnswer(row.amount), undefined, filters.maxAmount);
		}
	});
}

function isBetween(value: number | null, least = -Infinity, most = Infinity): boolean {
	return value !== null && value >= least && value <= most;
}

function parseDate(row: ApiRecord): number | null {
	const timestamp = Date.parse(toText(row[FILTERED_DATE]));
	return Number.isNaN(timestamp) ? null : timestamp;
}

/** Without case and accents, as people search. */
export function foldedText(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
