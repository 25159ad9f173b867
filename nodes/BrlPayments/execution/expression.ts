import { isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';

/** What JavaScript writes where a value is missing, and what Luxon and Date write for no date. */
const WORDS_FOR_NOTHING = [
	'undefined',
	'null',
	'NaN',
	'[object Object]',
	'Invalid DateTime',
	'Invalid Date',
];

/** One `{{ … }}`, or a piece of the text around them without blanks in it. */
type Part =
	{ readonly isExpression: true } | { readonly isExpression: false; readonly text: string };

/**
 * Whether an expression was entered for a text parameter and returned nothing: no text, a word that
 * stands for a missing value, or only the text around the expressions (`NF-`, `NF-undefined`). Of
 * several parts, one that returned something is enough.
 *
 * True as well for `{{ … }}` in a parameter that is not an expression: n8n strips the `=` from
 * fields that take no expressions, and the rest was never evaluated.
 *
 * @param raw as saved with the node: `={{ $json.ref }}`, `=NF-{{ $json.n }}`, or plain text
 * @param value what n8n made of it for one item
 */
export function resolvedToNothing(raw: unknown, value: unknown): boolean {
	if (typeof raw !== 'string') return false;
	if (!raw.startsWith('=')) return holdsExpression(raw);
	const text = asText(value);
	if (isNothing(text)) return true;
	const parts = split(raw.slice(1));
	return parts.some(({ isExpression }) => isExpression) && canBeBuiltFrom(parts, text);
}

function holdsExpression(text: string): boolean {
	const opening = text.indexOf('{{');
	return opening !== -1 && text.includes('}}', opening + 2);
}

/** As n8n joins the parts of a template: null is empty text, an object a word for nothing. */
function asText(value: unknown): string {
	try {
		return [value].join('').trim();
	} catch {
		// An object without a prototype, or whose own conversion fails.
		return '';
	}
}

function isNothing(text: string): boolean {
	return text === '' || WORDS_FOR_NOTHING.includes(text);
}

/**
 * As n8n splits a template: an expression ends at the first `}}`, even within a string, or at the
 * end of the text. Brackets behind a backslash do not count.
 */
function split(template: string): Part[] {
	const parts: Part[] = [];
	let literal = '';
	let isInside = false;
	for (let index = 0; index < template.length; index += 1) {
		const isPair = template.startsWith(isInside ? '}}' : '{{', index);
		if (isPair && !isEscaped(template, index)) {
			if (!isInside) parts.push(...literalParts(literal), { isExpression: true });
			literal = '';
			isInside = !isInside;
		} else if (!isInside) {
			literal += template.slice(index, index + (isPair ? 2 : 1));
		}
		if (isPair) index += 1;
	}
	return [...parts, ...literalParts(literal)];
}

function isEscaped(text: string, index: number): boolean {
	let start = index;
	while (text[start - 1] === '\\') start -= 1;
	return (index - start) % 2 === 1;
}

function literalParts(literal: string): Part[] {
	return withoutBackslashes(literal)
		.split(BLANKS)
		.filter((text) => text !== '')
		.map((text) => ({ isExpression: false, text }));
}

/** The engines of n8n differ in which backslashes they keep. */
function withoutBackslashes(text: string): string {
	return text.replaceAll('\\', '');
}

const BLANKS = /\s+/;

/**
 * Whether the text is the literal parts in their order, with nothing or a word for nothing in place
 * of each expression, and any blanks between. Follows all ways to read it together, so the cost does
 * not grow with their number.
 */
function canBeBuiltFrom(parts: readonly Part[], value: string): boolean {
	const text = withoutBackslashes(value);
	const reached = parts.reduce(
		(starts, part) => {
			const ends = [...starts].flatMap((start) => findEnds(part, text, start));
			return withBlanks(new Set(ends), text);
		},
		withBlanks(new Set([0]), text),
	);
	return reached.has(text.length);
}

function findEnds(part: Part, text: string, start: number): number[] {
	const candidates = part.isExpression ? ['', ...WORDS_FOR_NOTHING] : [part.text];
	return candidates
		.filter((candidate) => text.startsWith(candidate, start))
		.map((candidate) => start + candidate.length);
}

/** Adds the places that blanks lead to; a set also visits what is added on the way. */
function withBlanks(places: Set<number>, text: string): Set<number> {
	for (const place of places) {
		if (BLANKS.test(text.charAt(place))) places.add(place + 1);
	}
	return places;
}

/**
 * `={{ $json.a["b"] }}` and nothing else: dots before plain names, quotes around what n8n's parser
 * would take as it stands.
 */
const PATH =
	/^=\{\{ *\$json(?:\.[A-Za-z_]\w*|\["[^"\\{}\p{C}\p{Zl}\p{Zp}]*"\]|\['[^'\\{}\p{C}\p{Zl}\p{Zp}]*'\])+ *\}\}$/u;
const PART = /\.(\w+)|\["([^"]*)"\]|\['([^']*)'\]/g;
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
	if (typeof raw === 'string') return raw.startsWith('=') ? readPath(raw, json) : raw;
	if (typeof raw !== 'object') return raw;
	if (raw === null) return undefined;
	const entries = Object.entries(raw).map(([name, value]) => [name, readPlainly(value, json)]);
	if (entries.some(([name, value]) => String(name) in {} || value === undefined)) return undefined;
	return Array.isArray(raw) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

function readPath(expression: string, json: unknown): unknown {
	// n8n refuses this word anywhere after a dot.
	if (!PATH.test(expression) || expression.includes('constructor')) return undefined;
	const names = [...expression.matchAll(PART)].map(([, dotted, double, single]) =>
		String(dotted ?? double ?? single),
	);
	const value = names.reduce(ownValue, json);
	if (typeof value === 'string') return LONE_SURROGATE.test(value) ? undefined : value;
	return typeof value === 'boolean' || Number.isFinite(value) ? value : undefined;
}

/** Of plain objects only: what a getter, a date, a prototype or a proxy returns is left to n8n. */
function ownValue(value: unknown, name: string): unknown {
	if (!isPlainObject(value) || !isOrdinary(name)) return undefined;
	const own: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
	return own === value[name] ? own : undefined;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype !== null && Object.getPrototypeOf(prototype) === null;
}

function isOrdinary(name: string): boolean {
	return !name.startsWith('__') && !(name in {}) && isSafeObjectProperty(name);
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
