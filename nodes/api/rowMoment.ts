import { textOf } from './input/text';
import type { ApiRecord } from './schemas';

/** Epoch ms; NaN where the row shows none, or does not say in which time zone. */
export function momentOf({ createdAt }: ApiRecord): number {
	const text = textOf(createdAt);
	return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
}

/** A row without a moment may be of any. */
export function isSince(row: ApiRecord, from: number): boolean {
	const createdAt = momentOf(row);
	return Number.isNaN(createdAt) || createdAt >= from;
}
