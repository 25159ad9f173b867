import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	jsonOfItems,
	readPlainly,
	resolvedToNothing,
} from '../../../../../nodes/BrlPayments/execution/expression';
import { countCases } from '../../../support/cases';
import { evaluateInN8n, oddCases } from '../../../support/expressions';

const WORDS = ['undefined', 'null', 'NaN', '[object Object]', 'Invalid DateTime', 'Invalid Date'];
const ALONE = '={{ $json.ref }}';

describe('a plain text', () => {
	test.each<unknown>([
		...['', '  ', 'NF-1042', 'undefined', 'null', 'NF-', '{{', '}} {{', '{ {x} }', '{{}', 'x}}'],
		...[undefined, null, 7, true, {}, [ALONE]],
	])('never counts as an expression: %o', (text) => {
		expect(resolvedToNothing(text, text)).toBe(false);
	});

	test.each(['{{ $json.ref }}', 'NF-{{ $json.n }}', '{{}}', '{{\n$json.ref\n}}', ` ${ALONE}`])(
		'with %o in it is an expression that was never evaluated',
		(text) => {
			expect(resolvedToNothing(text, text)).toBe(true);
		},
	);
});

test.each<unknown>([
	...[undefined, null, '', ' \t\n', '\u00a0', ...WORDS, ' undefined '],
	...[Number.NaN, {}, { id: 1 }, [], [null], Object.create(null), new Date(Number.NaN)],
])('an expression alone returned nothing, or no text: %o', (value) => {
	expect(resolvedToNothing(ALONE, value)).toBe(true);
});

test.each<unknown>([
	...['NF-1042', '0', 0, false, 7, 'nullable', 'undefined-7', 'UNDEFINED', '-', ['a'], '{{ x }}'],
])('an expression alone returned something: %o', (value) => {
	expect(resolvedToNothing(ALONE, value)).toBe(false);
});

describe('a text around expressions', () => {
	test.each([
		['=', ''],
		['=NF-{{ $json.n }}', 'NF-'],
		['=NF-{{ $json.n }}', ' NF-null '],
		['=NF-{{ $json.n }}/2026', 'NF-NaN/2026'],
		['={{ $json.a }}-{{ $json.b }}', 'undefined-null'],
		['={{ $json.a }} {{ $json.b }}', 'null undefined'],
		['= NF - {{ $json.n }} ', 'NF -'],
		['=NF{{ $json.n }}', 'NF  '],
		['=null{{ $json.n }}', 'nullnull'],
		// An expression ends at the first pair of brackets, so what is behind it is text.
		['={{ {a: {b: 1}}.x }}', '.x }}'],
		['=NF-{{ $json["a}b"] }}', 'NF-'],
		['=NF-{{ "{{" + $json.n }}', 'NF-'],
		['=NF-{{ "\\}}" }}', 'NF-'],
		['=\\{{NF}}-{{ $json.n }}', '\\{{NF}}-'],
		['=NF\\\\{{ $json.n }}', 'NF\\undefined'],
		['=NF-{{ $json.n', 'NF-'],
		['=a\\\\{{ $json.n }}', 'a'],
		['=NF  {{ $json.n }}  2026', 'NF undefined 2026'],
	])('returned nothing: %s as %o', (raw, value) => {
		expect(resolvedToNothing(raw, value)).toBe(true);
	});

	test.each([
		['=NF-{{ $json.n }}', 'NF-7'],
		['=NF-{{ $json.n }}', 'NF-undefined7'],
		['=NF-{{ $json.n }}', 'NF-NF-'],
		['=NF-{{ $json.n }}', 'other'],
		['={{ $json.a }}-{{ $json.b }}', 'null-7'],
		['={{ $json.a }}-{{ $json.b }}', '--'],
		['=null{{ $json.n }}', 'null7'],
		['=\\{{NF}}', '\\{{NF}}'],
		// Without brackets there is nothing that could have given nothing.
		['=NF-1042', 'NF-1042'],
	])('returned something: %s as %o', (raw, value) => {
		expect(resolvedToNothing(raw, value)).toBe(false);
	});
});

describe('any template', () => {
	const literal = fc.string({ maxLength: 12 }).filter((text) => !/[{}\\]/.test(text));
	const code = fc
		.string({ maxLength: 12 })
		.filter((text) => !text.includes('}') && !text.endsWith('\\'));
	const template = fc.record({
		first: literal,
		slots: fc.array(fc.record({ code, literal }), { minLength: 1, maxLength: 4 }),
	});
	type Template = { first: string; slots: Array<{ code: string; literal: string }> };
	const getRaw = ({ first, slots }: Template) =>
		`=${first}${slots.map((each) => `{{${each.code}}}${each.literal}`).join('')}`;
	const getValue = ({ first, slots }: Template, values: readonly string[]) =>
		first + slots.map((each, index) => `${values[index] ?? ''}${each.literal}`).join('');

	test('returned nothing when nothing, or a word for it, is in place of each expression', () => {
		const nothing = fc.constantFrom('', ' ', ...WORDS);
		fc.assert(
			fc.property(template, fc.array(nothing, { minLength: 4, maxLength: 4 }), (given, values) => {
				expect(resolvedToNothing(getRaw(given), getValue(given, values))).toBe(true);
			}),
		);
	});

	test('returned something when one expression returned a text that is nowhere else', () => {
		fc.assert(
			fc.property(template, fc.nat(3), (given, place) => {
				const values = given.slots.map((_, index) =>
					index === place % given.slots.length ? '\u2460' : '',
				);
				fc.pre(!getRaw(given).includes('\u2460'));
				expect(resolvedToNothing(getRaw(given), getValue(given, values))).toBe(false);
			}),
		);
	});

	test('is judged in one pass, however many ways there are to read it', () => {
		const raw = `=${'{{ $json.n }}'.repeat(200)}`;
		expect(resolvedToNothing(raw, `${'null '.repeat(2000)}x`)).toBe(false);
		expect(resolvedToNothing(raw, 'null '.repeat(200))).toBe(true);
	});
});

describe('a parameter', () => {
	const ITEM = {
		amount: 10.5,
		paid: false,
		text: '={{ 1 + 1 }}',
		'Valor (R$)': 12,
		row: { 'pix key': 'ana@example.com', none: null },
		list: [1],
	};

	test.each<[unknown, unknown]>([
		['={{ $json.amount }}', 10.5],
		['={{$json.paid}}', false],
		['={{ $json["Valor (R$)"] }}', 12],
		['={{ $json[\'row\']["pix key"] }}', 'ana@example.com'],
		// What a value says is not evaluated again.
		['={{ $json.text }}', '={{ 1 + 1 }}'],
		['fixed', 'fixed'],
		[12, 12],
		[['PIX'], ['PIX']],
		[
			{ field: [{ name: 'a', value: '={{ $json.paid }}' }] },
			{ field: [{ name: 'a', value: false }] },
		],
	])('is read without n8n: %j', (raw, value) => {
		expect(readPlainly(raw, ITEM)).toEqual(value);
		expect(evaluateInN8n(raw, ITEM)).toEqual({ value });
	});

	test('is read in a copy: what is done to it changes nothing for the next item', () => {
		const raw = { field: [{ name: 'a' }] };
		const read = readPlainly(raw, ITEM) as typeof raw;
		expect(read).not.toBe(raw);
		expect(read.field[0]).not.toBe(raw.field[0]);
	});

	test.each<unknown>([
		...['={{ $json.missing }}', '={{ $json.row }}', '={{ $json.row.none }}', '={{ $json.list }}'],
		...['={{ $json["list"]["0"] }}', '={{ $json.text.length }}', '={{ $json?.amount }}'],
		...[
			'={{ $json }}',
			'=NF-{{ $json.amount }}',
			'={{ $json.amount }} ',
			'={{ $json.constructor }}',
		],
		...['={{ $("Rows").item.json.amount }}', '={{ $json["__proto__"].amount }}'],
		{ first: '={{ $json.amount }}', second: '={{ $now }}' },
		JSON.parse('{ "__proto__": { "value": 1 } }'),
		...[{ value: null }, null, undefined],
	])('is left to n8n: %j', (raw) => {
		expect(readPlainly(raw, ITEM)).toBeUndefined();
	});

	test.each([undefined, 'text'])('is left to n8n without an object as item: %o', (json) => {
		expect(readPlainly('={{ $json.amount }}', json)).toBeUndefined();
	});

	// The engine that n8n starts with: test/e2e/plainParameter.test.ts.
	test('is read as n8n evaluates it, whatever is entered', () => {
		let wasRead = 0;
		fc.assert(
			fc.property(oddCases, ({ raw, json }) => {
				const read = readPlainly(raw, json);
				if (read === undefined) return;
				wasRead += 1;
				expect(evaluateInN8n(raw, json)).toEqual({ value: read });
			}),
			{ numRuns: countCases(2_000) },
		);
		expect(wasRead).toBeGreaterThan(countCases(2_000) / 20);
	});
});

test('the item of an expression is unknown unless n8n evaluates on what came in', () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const read = ($input: object) =>
		jsonOfItems({
			getInputData: () => items,
			getWorkflowDataProxy: () => ({ $input }),
		} as unknown as IExecuteFunctions);
	const none = {
		get all(): IDataObject {
			throw new Error('No execution data available');
		},
	};

	expect(read({ all: () => items })).toEqual([{ n: 1 }, { n: 2 }]);
	// As for the tool of an agent.
	expect(read({ all: () => [...items] })).toBeUndefined();
	expect(read(none)).toBeUndefined();
	expect(read({})).toBeUndefined();
});
