/** Each gives another value in each run, in whatever form; blanks are taken out before. */
const ALWAYS = [
	/\$execution(?:\?)?(?:\.|\.?\[["'`])(?:id|resumeUrl|resumeFormUrl)\b/,
	/\$(?:executionId|runIndex|resumeWebhookUrl)\b/,
	/\$prevNode\??\.runIndex\b/,
	/\bMath\??(?:\.|\[["'`])random\b/,
	/(?<!["'`])\b(?:random\w*|uuid(?:v?\d)?|nanoid|ulid|cuid2?)\(/i,
	/\b(?:performance\.now|process\.hrtime)\b/,
];

/** The current time, but not within quotes or as the name of a field. `$today` is the same all day. */
const CLOCK =
	/(?<![\w$."'`])(?:\$now\b|(?:luxon\.)?DateTime\.(?:now|local|utc)\(\)|newDate(?:\(\)|(?![\w(]))|Date\.now\(\)|Date\(\))/g;

const ARGUMENTS = String.raw`\((?:[^()]|\([^()]*\))*\)`;
/** The brackets of what it stands in, such as `String($now)`, and steps after which it is still a time. */
const STEPS = new RegExp(
	String.raw`^\)*(?:\??\.(?:plus|minus|set\w*|toUTC|toLocal|toJSDate|toDateTime)${ARGUMENTS}\)*)*`,
);
/** What makes it a day, or something longer. */
const COARSE = [
	/^\??\.(?:toISODate|toISOWeekDate|toSQLDate|toDateString|toLocaleDateString)\(/,
	/^\??\.get(?:UTC)?(?:FullYear|Month|Date|Day)\(/,
	/^\??\.(?:year|quarter|month|weekNumber|weekYear|weekday|day|ordinal|(?:month|weekday)(?:Long|Short))\b/,
	/^\??\.(?:startOf|endOf|beginningOf|extract)\((?!["'`](?:hour|minute|second|milli))/,
	/^\??\.toLocaleString\([^()]*(?:\bDATE_|dateStyle|year|month|day)(?![^()]*(?:hour|minute|timeStyle))/,
	// The first ten characters of `2026-11-27T13:31:00`, or those before the T.
	/^(?:\??\.\w+\([^()]*\)\)*)?\??\.(?:slice|substring|substr)\(\d,(?:\d|10)\)/,
	/^(?:\??\.\w+\([^()]*\)\)*)?\??\.split\(["'`][T ]["'`]\)(?:\[0\]|\.first\(|\.shift\(|\.at\(0\))/,
	/^(?:\??\.\w+\([^()]*\)\)*)?\??\.replace\(\/T/,
];
/** `yyyy-MM` in quotes; nothing for the format of n8n, which is a day, and for one that is computed. */
const FORMAT = /^\??\.(?:format|toFormat)\((?:(["'`])(.*?)\1)?/;
/** Tokens of Luxon for a time of day, outside of quotes. */
const TIME_OF_DAY = /[aAfFhHmsStTuxX]/;

/**
 * Whether an expression contains something that is another value in each run: the ID of the execution,
 * the current time in a form finer than a day, or chance. A reference with it recognizes nothing.
 *
 * @param raw as saved with the node: `={{ $json.invoice }}-{{ $execution.id }}`
 */
export function isNewEachRun(raw: unknown): boolean {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return false;
	return [...raw.matchAll(/\{\{(.*?)(?:\}\}|$)/gs)].some(([, code = '']) => {
		const text = code.replaceAll(/\s+/g, '');
		if (ALWAYS.some((pattern) => pattern.test(text))) return true;
		const clocks = [...text.matchAll(CLOCK)];
		return clocks.some(({ 0: clock, index }) => isFinerThanDay(text.slice(index + clock.length)));
	});
}

/** @param after what follows the current time in the expression */
function isFinerThanDay(after: string): boolean {
	const rest = after.replace(STEPS, '');
	if (COARSE.some((pattern) => pattern.test(rest))) return false;
	const format = FORMAT.exec(rest);
	if (format === null) return true;
	return TIME_OF_DAY.test((format[2] ?? '').replaceAll(/'[^']*'/g, ''));
}
