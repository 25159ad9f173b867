import { centsOfAnswer, type Cents } from '../input/money';
import { toText } from '../input/text';
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
	const { status, method, currency, isActive, search } = filters;
	const { startDate, endDate, minAmount, maxAmount } = filters;
	return (
		isSame(row.status, status) &&
		isSame(row.paymentMethod, method) &&
		isSame(row.currency, currency) &&
		isSame(row.isActive, isActive) &&
		(search === undefined || foldedText(toText(row.name)).includes(foldedText(search))) &&
		isBetween(parseDate(row), startDate, endDate) &&
		isBetween(centsOfAnswer(row.amount), minAmount, maxAmount)
	);
}

function isSame(value: unknown, wanted: unknown): boolean {
	return wanted === undefined || value === wanted;
}

function isBetween(value: number | null, least?: number, most?: number): boolean {
	if (least === undefined && most === undefined) return true;
	return value !== null && value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}

function parseDate(row: ApiRecord): number | null {
	const timestamp = Date.parse(toText(row[FILTERED_DATE]));
	return Number.isNaN(timestamp) ? null : timestamp;
}

/** Without case and accents, as people search. */
export function foldedText(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
