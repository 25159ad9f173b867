import { DateTime } from 'luxon';
import { InputError } from './inputError';
import { toText } from './text';

/** Also at midnight without a zone: so the calendar of the editor enters a day, and `{{ $today }}` means one. */
const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?)?$/;
/** ISO 8601 also knows "12" (noon today) and "2026-11": too short to name a day, so certainly not meant. */
const WITH_A_DAY = /^\d{4}-\d{2}-\d{2}/;

/**
 * Parses a date and time as n8n's date fields and expressions provide it.
 *
 * @param timezone IANA name of the zone that a value without one is meant in
 * @param edge which end of the day a date without time, or at midnight without a zone, stands for
 * @returns epoch milliseconds
 * @throws InputError for anything but a date; `21/11/2026` is refused, since other countries read it
 * the other way round
 */
export function parseTimestamp(
	value: unknown,
	label: string,
	timezone: string,
	edge: 'start' | 'end' = 'start',
): number {
	const date = readDate(value, timezone);
	if (!date.isValid) {
		throw new InputError(
			`${label} "${toText(value)}" is not a date`,
			'Write it like 2026-11-21 or 2026-11-21T15:30:00, or use an expression such as {{ $today }}.',
		);
	}
	const isWholeDay =
		typeof value === 'string' ? WHOLE_DAY.test(value.trim()) : +date === +date.startOf('day');
	return (isWholeDay && edge === 'end' ? date.endOf('day') : date).toMillis();
}

/**
 * Reads a calendar day. @returns `YYYY-MM-DD`, as statements require it (docs/api.md#get-a-statement)
 * @throws InputError as `parseTimestamp`
 */
export function parseDay(value: unknown, label: string, timezone: string): string {
	const date = parseTimestamp(value, label, timezone);
	return DateTime.fromMillis(date, { zone: timezone }).toFormat('yyyy-MM-dd');
}

function readDate(value: unknown, zone: string): DateTime {
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	// An expression such as {{ $today }} arrives as a DateTime of n8n's own copy of luxon.
	if (typeof value === 'object' && value !== null && 'toMillis' in value) {
		return DateTime.fromMillis((value as DateTime).toMillis(), { zone });
	}
	const text = toText(value).trim();
	return WITH_A_DAY.test(text)
		? DateTime.fromISO(text, { zone })
		: DateTime.invalid('not a date with a day');
}
