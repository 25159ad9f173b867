import { isSafeObjectProperty, type IExecuteFunctions } from 'n8n-workflow';

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
