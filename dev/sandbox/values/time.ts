import { DateTime } from 'luxon';

const BRAZIL = 'America/Sao_Paulo';

export function iso(ms: number): string {
	return new Date(ms).toISOString();
}

export function isoOrNull(ms: number | null): string | null {
	return ms === null ? null : iso(ms);
}

export function brazilianHour(ms: number): number {
	return DateTime.fromMillis(ms, { zone: BRAZIL }).hour;
}

/** Epoch ms -> Brazilian calendar day, `YYYY-MM-DD`. */
export function brazilianDay(ms: number): string {
	return DateTime.fromMillis(ms, { zone: BRAZIL }).toFormat('yyyy-MM-dd');
}

export function brazilianDateTime(ms: number): string {
	return DateTime.fromMillis(ms, { zone: BRAZIL }).toFormat('dd/MM/yyyy HH:mm:ss');
}

/** First and last epoch ms of a Brazilian day, or null when there is no such day. */
export function brazilianDayBounds(day: string): { start: number; end: number } | null {
	const start = DateTime.fromISO(day, { zone: BRAZIL }).startOf('day');
	if (!start.isValid) return null;
	return { start: start.toMillis(), end: start.endOf('day').toMillis() };
}

/** Whole days from one `YYYY-MM-DD` to another. */
export function daysBetween(start: string, end: string): number {
	const zone = 'utc';
	return DateTime.fromISO(end, { zone }).diff(DateTime.fromISO(start, { zone }), 'days').days;
}

/** ISO 8601 date or date-time -> epoch ms (without an offset: Brazilian time), or null. */
export function parseIso(text: string): number | null {
	const parsed = DateTime.fromISO(text, { zone: BRAZIL });
	return parsed.isValid ? parsed.toMillis() : null;
}
