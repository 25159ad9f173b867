import { textOf } from '../validation/text';
import type { ApiRecord } from '../transport/schemas';

/** When a row was created, in epoch ms; NaN where it shows no moment, or one without a time zone. */
export function momentOf({ createdAt }: ApiRecord): number {
	return parseMoment(createdAt);
}

/** The last moment that a row shows of its own history, in epoch ms; NaN where it shows none. */
export function lastMomentOf({ createdAt, paidAt, processedAt }: ApiRecord): number {
	const moments = [createdAt, paidAt, processedAt].map(parseMoment);
	const known = moments.filter((moment) => !Number.isNaN(moment));
	return known.length === 0 ? Number.NaN : Math.max(...known);
}

/** Epoch ms; NaN for what is no moment, or does not say in which time zone. */
export function parseMoment(value: unknown): number {
	const text = textOf(value);
	return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
}

/** A row without a moment may be of any. */
export function isSince(row: ApiRecord, from: number): boolean {
	const createdAt = momentOf(row);
	return Number.isNaN(createdAt) || createdAt >= from;
}
