/** What a number in X-Webhook-Timestamp may count since the epoch, and its milliseconds. */
const UNITS = { seconds: 1_000, milliseconds: 1, microseconds: 1e-3, nanoseconds: 1e-6 } as const;

export type TimestampUnit = keyof typeof UNITS;
export const TIMESTAMP_UNITS = Object.keys(UNITS) as TimestampUnit[];

/** Recognized by their number of digits, which differs from 1973 to 2286. */
const FORMS: ReadonlyArray<[RegExp, TimestampUnit]> = [
	[/^\d{9,10}(?:\.\d{1,9})?$/, 'seconds'],
	[/^\d{12,13}(?:\.\d{1,9})?$/, 'milliseconds'],
	[/^\d{15,16}$/, 'microseconds'],
	[/^\d{18,19}$/, 'nanoseconds'],
];
const NUMBER = /^\d{1,20}(?:\.\d{1,9})?$/;

/** @returns the unit of a number, as far as its format shows it */
export function detectUnit(text: string): TimestampUnit | undefined {
	return FORMS.find(([form]) => form.test(text))?.[1];
}

/** A full date and time with zone; a local time would differ from server to server. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;
/** As in the header Date. */
export const HTTP_DATE_FORM = '[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT';
const HTTP_DATE = new RegExp(`^${HTTP_DATE_FORM}$`);
/** The largest valid Date. */
const LAST = 8.64e15;

/**
 * Reads X-Webhook-Timestamp, whose unit is not documented and therefore inferred from its format.
 *
 * @param unit what a number counts, if the user has said so
 * @returns epoch ms; null when it is no timestamp
 */
export function readTimestamp(text: string, unit?: TimestampUnit): number | null {
	const known = unit ?? detectUnit(text);
	if (known !== undefined && NUMBER.test(text)) {
		const timestamp = Math.floor(Number(text) * UNITS[known]);
		return timestamp <= LAST ? timestamp : null;
	}
	if (!ISO_8601.test(text) && !HTTP_DATE.test(text)) return null;
	const timestamp = Date.parse(text);
	return Number.isNaN(timestamp) ? null : timestamp;
}
