/** What changes from run to run, in whatever form; blanks are taken out before. */
const OF_THE_RUN = [
	/\$execution(?:\?)?(?:\.|\.?\[["'`])(?:id|resumeUrl|resumeFormUrl)\b/,
	/\$(?:executionId|runIndex|resumeWebhookUrl)\b/,
	/\bMath\.random\b/,
	/(?<!["'`])\b(?:random\w*|uuid(?:v?\d)?|nanoid|ulid|cuid2?)\(/i,
	// Cut to a month, too: whoever finishes the list of November in December pays it again.
	/(?<![\w$."'`])(?:\$now|\$today|DateTime\.(?:now|local|utc)\(\)|newDate\(\)|Date\.now\(\))/,
	// n8n's Summarize node: with one more invoice of a supplier, or another order, it is another text.
	/(?:\.|\[["'`])(?:concatenated|appended)_/,
];

/**
 * Whether an expression is only the place of a row in its list, which another row has in the next list. A number
 * beside it may be that of the month.
 *
 * @param raw as saved with the node: `={{ $json.row_number }}`
 */
export function isPlaceInList(raw: unknown): boolean {
	return typeof raw === 'string' && PLACE.test(raw.replaceAll(/\s+/g, ''));
}

/** `row_number` is what n8n's Google Sheets node adds. */
const PLACE =
	/^=[^\d{}]*\{\{(?:(?:\$json|\$\([^()]+\)\.item\.json)(?:\.|\[["'])row_number(?:["']\])?|\$itemIndex)(?:\.toString\(\))?(?:\+\d+)?\}\}[^\d{}]*$/;

/**
 * Whether an expression contains something that is another value in a later run: the ID of the execution,
 * the current time, chance, or what several rows had. By a reference with it, that run does not recognize what was paid.
 *
 * @param raw as saved with the node: `={{ $json.invoice }}-{{ $execution.id }}`
 */
export function changesLater(raw: unknown): boolean {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return false;
	return [...raw.matchAll(/\{\{(.*?)(?:\}\}|$)/gs)].some(([, code = '']) => {
		const text = code.replaceAll(/\s+/g, '');
		return OF_THE_RUN.some((pattern) => pattern.test(text));
	});
}
