import { DateTime } from 'luxon';

/** Milliseconds. */
export const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** @param epochMs undefined if nobody knows */
export function toIso(epochMs: number): string;
export function toIso(epochMs: number | undefined): string | undefined;
export function toIso(epochMs: number | undefined): string | undefined {
	return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}

/**
 * A moment as a sentence names it: `2026-11-21 09:30 (Brasília time)`. Whoever pays by PIX knows this time zone,
 * whatever that of the workflow; a time in UTC would be read as one three hours later.
 *
 * @param rounding up for the moment from which something may be done, down for the one until which it may
 */
export function toBrasiliaTime(epochMs: number, rounding: 'up' | 'down'): string {
	const minutes = epochMs / MINUTE_MS;
	const rounded = (rounding === 'up' ? Math.ceil(minutes) : Math.floor(minutes)) * MINUTE_MS;
	const time = DateTime.fromMillis(rounded, { zone: 'America/Sao_Paulo', locale: 'en' });
	return `${time.toFormat('yyyy-MM-dd HH:mm')} (Brasília time)`;
}

/**
 * A moment of the last days as people name it: `today at 13:31 (Brasília time)`, `yesterday at …`, `on 25/11/2026
 * at …`.
 * @param now epoch ms
 */
export function toDayAndTime(epochMs: number, now: number): string {
	const [then, today] = [epochMs, now].map((ms) =>
		DateTime.fromMillis(ms, { zone: 'America/Sao_Paulo', locale: 'en' }),
	) as [DateTime, DateTime];
	const time = `${then.toFormat('HH:mm')} (Brasília time)`;
	if (then.hasSame(today, 'day')) return `today at ${time}`;
	if (then.hasSame(today.minus({ days: 1 }), 'day')) return `yesterday at ${time}`;
	return `on ${toDay(epochMs)} at ${time}`;
}

/** A day in Brasília: `27/11/2026`. */
export function toDay(epochMs: number): string {
	return DateTime.fromMillis(epochMs, { zone: 'America/Sao_Paulo' }).toFormat('dd/MM/yyyy');
}
