/** Each gives another value in each run, in whatever form; blanks are taken out before. */
const ALWAYS = [
	/\$execution(?:\?)?(?:\.|\.?\[["'`])(?:id|resumeUrl|resumeFormUrl)\b/,
	/\$(?:executionId|runIndex|resumeWebhookUrl)\b/,
	/\bMath\.random\b/,
	/(?<!["'`])\b(?:random\w*|uuid(?:v?\d)?|nanoid|ulid|cuid2?)\(/i,
];

/**
 * The current time as it is, but not within quotes or as the name of a field. Of one that is formatted or cut,
 * nothing is said: it may be a day or a month.
 */
const NOW =
	/(?<![\w$."'`])(?:\$now|DateTime\.(?:now|local|utc)\(\)|newDate\(\)|Date\.now\(\))(?:\??\.(?:toISO|toISOString|toMillis|toSeconds|toString|getTime|valueOf)\(\)|\??\.(?:ts|hour|minute|second)\b)?(?!\)*(?:\??\.|\[)|[\w(])/;

/**
 * Whether an expression is only the place of a row in its list, which another row has in the next list.
 *
 * @param raw as saved with the node: `={{ $json.row_number }}`
 */
export function isPlaceInList(raw: unknown): boolean {
	return typeof raw === 'string' && PLACE.test(raw.replaceAll(/\s+/g, ''));
}

/** `row_number` is what n8n's Google Sheets node adds. */
const PLACE = /^=\{\{(?:\$json(?:\.|\[["'])row_number(?:["']\])?|\$itemIndex)(?:\+\d+)?\}\}$/;

/**
 * Whether an expression contains something that is another value in each run: the ID of the execution,
 * the current time, or chance. A reference with it recognizes nothing.
 *
 * @param raw as saved with the node: `={{ $json.invoice }}-{{ $execution.id }}`
 */
export function isNewEachRun(raw: unknown): boolean {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return false;
	return [...raw.matchAll(/\{\{(.*?)(?:\}\}|$)/gs)].some(([, code = '']) => {
		const text = code.replaceAll(/\s+/g, '');
		return [...ALWAYS, NOW].some((pattern) => pattern.test(text));
	});
}
