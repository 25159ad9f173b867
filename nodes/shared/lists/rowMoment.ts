import { toText } from '../validation/text';
import type { ApiRecord } from '../transport/schemas';

/** When a row was created, in epoch ms; NaN if it shows no timestamp, or one without a time zone. */
export function getCreatedAt({ createdAt }: ApiRecord): number {
	return parseTimestamp(createdAt);
}

/** The latest timestamp in a row, in epoch ms; NaN if it has none. */
export function getLatestAt({ createdAt, paidAt, processedAt }: ApiRecord): number {
	const timestamps = [createdAt, paidAt, processedAt].map(parseTimestamp);
	const known = timestamps.filter((timestamp) => !Number.isNaN(timestamp));
	return known.length === 0 ? Number.NaN : Math.max(...known);
}

/** Epoch ms; NaN for what is not a timestamp, or has no time zone. */
export function parseTimestamp(value: unknown): number {
	const text = toText(value);
	return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
}

/** A row without a timestamp may be from any time. */
export function isSince(row: ApiRecord, from: number): boolean {
	const createdAt = getCreatedAt(row);
	return Number.isNaN(createdAt) || createdAt >= from;
}
