import { ExpressionParser, isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';
import { cleanName } from '../shared/input/cleanText';
import { standsForNoNumber } from '../shared/input/reference';
import { toText } from '../shared/input/text';

/** What JavaScript, Luxon and Date write where a value is missing, as a word of its own. */
const WORD_FOR_NOTHING =
	/(?<![\p{L}\d])(?:undefined|null|NaN|\[object Object\]|Invalid Date(?:Time)?)(?![\p{L}\d])/u;

/**
 * Whether an expression was entered for a text parameter and returned no text: nothing, a text with a word
 * for a missing value in it (`NF-undefined`), or only what is around the expressions (`NF-`).
 *
 * True as well for `{{ … }}` in a parameter that is not an expression: n8n strips the `=` from
 * fields that take no expressions, and the rest was never evaluated.
 *
 * @param raw as saved with the node: `={{ $json.ref }}`, `=NF-{{ $json.n }}`, or plain text
 * @param value what n8n made of it for one item
 */
export function resolvedToNothing(raw: unknown, value: unknown): boolean {
	if (typeof raw !== 'string') return false;
	if (!raw.startsWith('=')) return /\{\{.*\}\}/s.test(raw);
	if (typeof value === 'object') return true;
	const text = toText(value).trim();
	const chunks = ExpressionParser.splitExpression(raw.slice(1));
	const texts = chunks.filter(({ type }) => type === 'text').map((chunk) => chunk.text);
	const around = texts.join('').trim();
	const hasExpression = texts.length < chunks.length;
	if (text === '' || !hasExpression) return text === '';
	return text === around || (WORD_FOR_NOTHING.test(text) && !WORD_FOR_NOTHING.test(around));
}

/** `={{ $json.amount }}` or `={{ $json["PIX key"] }}`, and nothing else. */
const FIELD = /^=\{\{ *\$json(?:\.([A-Za-z]\w*)|\["([^"\\{}\p{C}\p{Zl}\p{Zp}]+)"\]) *\}\}$/u;
/** Half of a character: not every engine of n8n passes it on. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Reads a parameter without n8n's expression engine, which takes milliseconds of processor time for
 * each expression, if the result is beyond doubt: values without expressions, and expressions
 * that only name a text, a number or a boolean of the current item.
 *
 * @param raw as saved with the node
 * @param json what `$json` stands for
 * @returns undefined if n8n has to evaluate it
 */
export function readPlainly(raw: unknown, json: unknown): unknown {
	if (typeof raw === 'object') {
		const text = JSON.stringify(raw);
		// A copy: what is done to it must change nothing for the next item.
		return /"=|null|"__proto__"/.test(text) ? undefined : JSON.parse(text);
	}
	if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
	const [, dotted, quoted] = FIELD.exec(raw) ?? [];
	const name = dotted ?? quoted;
	const value = name === undefined ? undefined : ownValue(json, name);
	if (typeof value === 'string') return LONE_SURROGATE.test(value) ? undefined : value;
	return typeof value === 'boolean' || Number.isFinite(value) ? value : undefined;
}

/** What is left where one of several parts was empty: `Padaria-`, `/2026`. */
const DANGLING = /^[-\u2013\u2014_/|:]|[-\u2013\u2014_/|:]$/;

/**
 * Of a text that is put together of several parts, the first one that says nothing, in words: with
 * `{{ $json.supplier }} {{ $json.invoice }}`, all rows of a supplier without a number would have one name.
 *
 * @param raw as saved with the node
 * @param value what n8n made of it
 */
export function findEmptyPart(raw: unknown, value: unknown, json: unknown): string | undefined {
	if (typeof raw !== 'string' || !raw.startsWith('=') || FIELD.test(raw)) return undefined;
	const chunks = ExpressionParser.splitExpression(raw.slice(1));
	const codes = chunks.flatMap((chunk) => (chunk.type === 'code' ? chunk.text : []));
	const fields = codes.flatMap((code) => {
		const [, dotted, quoted] = FIELD.exec(`={{${code}}}`) ?? [];
		return dotted ?? quoted ?? [];
	});
	const saysNothing = (name: string): boolean => {
		const part = (json as Record<string, unknown>)[name] ?? '';
		if (typeof part === 'object') return false;
		const text = cleanName(toText(part));
		return text === '' || standsForNoNumber(text);
	};
	const isReadable = typeof json === 'object' && json !== null;
	const empty = isReadable ? fields.find(saysNothing) : undefined;
	if (empty !== undefined && codes.length > 1) return `the field ${empty}`;
	return DANGLING.test(toText(value).trim()) ? 'a part of it' : undefined;
}

/** Of plain objects only: what a getter, a date, a prototype or a proxy returns is left to n8n. */
function ownValue(json: unknown, name: string): unknown {
	if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
	// n8n refuses `constructor` anywhere after a dot, and keeps names with `__` for itself.
	if (name in {} || /^__|constructor/.test(name) || !isSafeObjectProperty(name)) return undefined;
	const own: unknown = Object.getOwnPropertyDescriptor(json, name)?.value;
	return own === (json as Record<string, unknown>)[name] ? own : undefined;
}

/**
 * What `$json` stands for in each item of a run. n8n may evaluate expressions on other items than those
 * that come in: for a tool on those of its agent.
 *
 * @returns undefined if that is so
 */
export function jsonOfItems(context: IExecuteFunctions): readonly unknown[] | undefined {
	const items = context.getInputData();
	try {
		const { all } = context.getWorkflowDataProxy(0).$input as { all: () => unknown };
		return all() === items ? items.map(({ json }) => json) : undefined;
	} catch {
		return undefined;
	}
}
