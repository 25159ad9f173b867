const SECONDS = /^\d{9,10}$/;
const MILLISECONDS = /^\d{12,13}$/;
/** A full moment with zone; a local time would mean something else on every server. */
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads X-Webhook-Timestamp, whose unit is not documented and therefore told by its form.
 * @returns milliseconds since 1970; null when it is no timestamp
 */
export function readTimestamp(text: string): number | null {
	if (SECONDS.test(text)) return Number(text) * 1000;
	if (MILLISECONDS.test(text)) return Number(text);
	if (!ISO_8601.test(text)) return null;
	const moment = Date.parse(text);
	return Number.isNaN(moment) ? null : moment;
}
