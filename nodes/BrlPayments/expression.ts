import { ExpressionParser, isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';
import { toText } from '../shared/input/text';

/** What JavaScript, Luxon and Date write where a value is missing, as a word of its own. */
const WORD_FOR_NOTHING =
	/(?<![\p{L}\d])(?:undefined|null|NaN|\[object Object\]|Invalid Date(?:Time)?)(?![\p{L}\d])/u;

/**
 * Whether an expression was entered for a text parameter and returned no text: nothing, a text with a word
 * for a missing value in it (`NF-undefined`), or only what is around the expressions (`NF-`).
 *
 * True as well for `{{ … }}` or `$json.ref` in a parameter that is not an expression: it was never evaluated.
 *
 * @param raw as saved with the node: `={{ $json.ref }}`, `=NF-{{ $json.n }}`, or plain text
 * @param value what n8n made of it for one item
 */
export function resolvedToNothing(raw: unknown, value: unknown): boolean {
	if (typeof raw !== 'string') return false;
	if (!raw.startsWith('=')) return /\{\{.*\}\}|^\s*\$(?:json\b|input\b|\()/s.test(raw);
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

/**
 * The code of each `{{ … }}` in a parameter; none if it reads a single field, or is plain text.
 * @param raw as saved with the node
 */
export function codesIn(raw: unknown): string[] {
	if (typeof raw !== 'string' || !raw.startsWith('=') || FIELD.test(raw)) return [];
	const chunks = ExpressionParser.splitExpression(raw.slice(1));
	return chunks.flatMap((chunk) => (chunk.type === 'code' ? chunk.text : []));
}

/** Code that puts a text together. */
const PUT_TOGETHER = /^=\{\{.*(?:[+`]|\.(?:join|concat)\().*\}\}$/s;
/** What such code leaves, where the first or last of its parts is empty: `Padaria-`. */
const DANGLING = /^[-\u2013\u2014_/|:\s]|[-\u2013\u2014_/|:\s]$/;

export function hasDanglingPart(raw: unknown, value: unknown): boolean {
	const isCode = typeof raw === 'string' && PUT_TOGETHER.test(raw);
	return isCode && typeof value === 'string' && DANGLING.test(value);
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
