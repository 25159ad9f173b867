import fc from 'fast-check';
import { Workflow, type IDataObject, type INodeExecutionData, type INodeTypes } from 'n8n-workflow';

/** What an evaluation returned; absent where it failed. */
export interface Evaluated {
	readonly value?: unknown;
}

export interface Case {
	readonly raw: string;
	readonly json: IDataObject;
}

/** Evaluates as n8n does, in whichever of its engines runs in this process. */
export function evaluateInN8n(raw: unknown, json: IDataObject): Evaluated {
	const items: INodeExecutionData[] = [{ json: { other: 'item' } }, { json }];
	const place = [null, 0, 1, 'Pay', items, 'manual', {}] as const;
	try {
		return { value: workflow.expression.getParameterValue(raw as string, ...place) };
	} catch {
		return {};
	}
}

const workflow = new Workflow({
	id: 'example',
	active: false,
	connections: {},
	nodes: [{ id: '1', name: 'Pay', type: 'pay', typeVersion: 1, position: [0, 0], parameters: {} }],
	nodeTypes: {
		getByNameAndVersion: () => ({ description: { properties: [] } }),
	} as unknown as INodeTypes,
});

const ODD_NAMES = [
	...['a"b', "a'b", 'a\\b', 'a}}b', '{{', 'a\nb', 'a.b', 'Valor (R$)', 'ação', '😀', '\ud83d'],
	...['0', '', '$', '$json', '_id', 'class', 'length', 'toString', 'valueOf', 'toJSON', 'then'],
	...['constructor', '.constructor', '__proto__', 'prototype', 'hasOwnProperty'],
	...['__sanitize', '___n8n_data', '__isObject', '__isError', 'arguments', 'binding', 'isProxy'],
];
const name = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('amount', 'pixKey', 'row', 'B2') },
	{ weight: 3, arbitrary: fc.constantFrom(...ODD_NAMES) },
	{ weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const plainValue = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.constantFrom('', '={{ 1 + 1 }}', '{{ $json.amount }}', '\ud800', '\u0000'),
	fc.double(),
	fc.constantFrom(true, false, null),
);

/** What no JSON contains, but a node may put into an item. */
const oddValue = fc
	.constantFrom<() => unknown>(
		() => undefined,
		() => 10n,
		() => new Map([['amount', 1]]),
		() => Object.assign(new Date(0), { amount: 5 }),
		() => Object.create({ amount: 'inherited' }) as unknown,
		() => Object.assign(Object.create(null) as object, { amount: 'without prototype' }),
		() => Object.defineProperty({}, 'amount', { get: () => Math.random() }),
		() => Object.defineProperty({}, 'amount', { value: 'hidden' }),
		() => new Proxy({ amount: 1 }, { get: () => 'by a proxy' }),
		() => Object.assign([1, 2], { amount: 'on an array' }),
	)
	.map((make) => make());

const buildJson = (leaf: fc.Arbitrary<unknown>): fc.Arbitrary<IDataObject> => {
	const tree = fc.dictionary(name, leaf, { maxKeys: 3 });
	const value = fc.oneof(leaf, leaf, tree, fc.array(leaf, { maxLength: 2 }));
	return fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 }) as fc.Arbitrary<IDataObject>;
};

const part = (key: string): fc.Arbitrary<string> =>
	fc.constantFrom(
		...[`.${key}`, `.${key}`, `["${key}"]`, `["${key}"]`, `['${key}']`],
		...[`[${JSON.stringify(key)}]`, `[${key}]`, `[\`${key}\`]`, `?.${key}`, ` .${key}`],
		...[`[ "${key}" ]`, `.${key}()`],
	);

const AROUND: ReadonlyArray<(path: string) => string> = [
	(path) => `={{ ${path} }} `,
	(path) => `={{\n${path}\t}}`,
	(path) => `={{ ${path}; }}`,
	(path) => `={{ (${path}) }}`,
	(path) => `={{ ${path} }}{{ ${path} }}`,
	(path) => `=\\{{ ${path} }}`,
	(path) => `={{ ${path} \\}}`,
	(path) => `={{ ${path}`,
];

/** Names that lead somewhere, now and then with one that does not. */
function nameIn(value: unknown): fc.Arbitrary<string> {
	const keys = typeof value === 'object' && value !== null ? Object.getOwnPropertyNames(value) : [];
	if (keys.length === 0) return name;
	return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...keys) }, name);
}

function buildExpression(json: IDataObject): fc.Arbitrary<string> {
	const path = nameIn(json).chain((key) => {
		const value: unknown = Object.getOwnPropertyDescriptor(json, key)?.value;
		const isTree = typeof value === 'object' && value !== null;
		const more = nameIn(value).chain(part);
		const rest = fc.oneof({ weight: 6, arbitrary: isTree ? more : fc.constant('') }, more);
		return fc.tuple(part(key), rest).map((parts) => `$json${parts.join('')}`);
	});
	return path.chain((found) =>
		fc.oneof(
			{ weight: 6, arbitrary: fc.constantFrom(`={{ ${found} }}`, `={{${found}}}`) },
			{ weight: 1, arbitrary: fc.constantFrom(...AROUND).map((around) => around(found)) },
		),
	);
}

const buildCases = (leaf: fc.Arbitrary<unknown>): fc.Arbitrary<Case> =>
	buildJson(leaf).chain((json) => buildExpression(json).map((raw) => ({ raw, json })));

/** Expressions over what an item of n8n contains. */
export const savedCases = buildCases(plainValue);
/** The same, and what only the memory of a process can contain. */
export const oddCases = buildCases(
	fc.oneof({ weight: 2, arbitrary: plainValue }, { weight: 1, arbitrary: oddValue }),
);
