import fc from 'fast-check';
import { readPlainly, resolvedToNothing } from '../../../../nodes/BrlPayments/expression';
import { countCases } from '../../support/cases';
import { evaluateInN8n, oddCases } from '../../support/expressions';

const WORDS = ['undefined', 'null', 'NaN', '[object Object]', 'Invalid DateTime', 'Invalid Date'];
const ALONE = '={{ $json.ref }}';

test.each<[string, unknown, unknown]>([
	...[
		'',
		'NF-1042',
		'$jsonx',
		'US$(1)',
		'undefined',
		'{{',
		'}} {{',
		'{ {x} }',
		undefined,
		null,
		7,
		{},
	].map((text): [string, unknown, unknown] => ['plain text', text, text]),
	...['NF-1042', 0, false, 'nullable', 'UNDEFINED', '-', '{{ x }}'].map(
		(value): [string, unknown, unknown] => ['a value', ALONE, value],
	),
	['a value behind text', '=NF-{{ $json.n }}', 'NF-7'],
	['the text around once more', '=NF-{{ $json.n }}', 'NF-NF-'],
	['a value before text', '={{ $json.n }}null', '7 null'],
	['a word in it', '=undefined', 'undefined'],
	['a word in escaped brackets', '=\\{{ undefined }}', '\\{{ undefined }}'],
])('%s is something: %o as %o', (_what, raw, value) => {
	expect(resolvedToNothing(raw, value)).toBe(false);
});

test.each<[string, unknown, unknown]>([
	...[
		'{{ $json.ref }}',
		'NF-{{ $json.n }}',
		'{{}}',
		'{{\n$json.ref\n}}',
		` ${ALONE}`,
		'$json.ref',
		"$('Rows').item.json.ref",
	].map((text): [string, unknown, unknown] => ['what was never evaluated', text, text]),
	...[undefined, null, '', ' \t\n', '\u00a0', Number.NaN, ...WORDS, ' undefined '].map(
		(value): [string, unknown, unknown] => ['no value', ALONE, value],
	),
	...[{}, { id: 1 }, [], ['a'], Object.create(null), new Date(Number.NaN)].map(
		(value): [string, unknown, unknown] => ['no text', ALONE, value],
	),
	...WORDS.map((word): [string, unknown, unknown] => ['a word', '=NF-{{ $json.n }}', `NF-${word}`]),
	['a word in brackets', '=({{ $json.n }})', '(null)'],
	['only the text around', '=NF-{{ $json.n }}', ' NF- '],
	['only the text around two', '={{ $json.a }}-{{ $json.b }}', '-'],
	['only the text around brackets', '=NF-{{ $json["a}b"] }}/26', 'NF-/26'],
	['only the text around escaped brackets', '=NF-{{ "\\}}" + $json.n }}', 'NF-'],
	['only the text before an open end', '=NF-{{ $json.n', 'NF-'],
	['nothing at all', '=', ''],
])('%s is nothing: %o as %o', (_what, raw, value) => {
	expect(resolvedToNothing(raw, value)).toBe(true);
});

describe('a parameter', () => {
	const ITEM = {
		amount: 10.5,
		paid: false,
		text: '={{ 1 + 1 }}',
		'Valor (R$)': 12,
		row: { amount: 1 },
		none: null,
		list: [1],
	};

	test.each<[unknown, unknown]>([
		['={{ $json.amount }}', 10.5],
		['={{$json.paid}}', false],
		['={{ $json["Valor (R$)"] }}', 12],
		// What a value says is not evaluated again.
		['={{ $json.text }}', '={{ 1 + 1 }}'],
		['fixed', 'fixed'],
		[12, 12],
		[{ field: [{ name: 'a', value: 'b' }] }, { field: [{ name: 'a', value: 'b' }] }],
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
		...['={{ $json.missing }}', '={{ $json.row }}', '={{ $json.none }}', '={{ $json.list }}'],
		...['={{ $json.row.amount }}', "={{ $json['amount'] }}", '={{ $json?.amount }}'],
		...['={{ $json }}', '=NF-{{ $json.amount }}', '={{ $json.amount }} '],
		...['={{ $("Rows").item.json.amount }}', '={{ $json["__proto__"].amount }}'],
		{ first: '={{ $json.amount }}', second: '={{ $now }}' },
		...[{ value: null }, null, undefined],
	])('is left to n8n: %j', (raw) => {
		expect(readPlainly(raw, ITEM)).toBeUndefined();
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
		// Six in a hundred cases are read: at half of that, the test would compare next to nothing.
		expect(wasRead).toBeGreaterThan(countCases(2_000) / 40);
	});
});
