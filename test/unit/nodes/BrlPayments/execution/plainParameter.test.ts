import fc from 'fast-check';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { jsonOfItems, readPlainly } from '../../../../../nodes/BrlPayments/execution/expression';
import { countCases } from '../../../support/cases';
import { evaluateInN8n, oddCases } from '../../../support/expressions';

const ITEM = {
	amount: 10.5,
	paid: false,
	text: '={{ 1 + 1 }}',
	'Valor (R$)': 12,
	row: { 'pix key': 'ana@example.com', none: null },
	list: [1],
};

describe('is read without n8n', () => {
	test.each<[unknown, unknown]>([
		['={{ $json.amount }}', 10.5],
		['={{$json.amount}}', 10.5],
		['={{ $json.paid }}', false],
		['={{ $json["Valor (R$)"] }}', 12],
		['={{ $json[\'row\']["pix key"] }}', 'ana@example.com'],
		['={{ $json.row["pix key"] }}', 'ana@example.com'],
		// What a value says is not evaluated again.
		['={{ $json.text }}', '={{ 1 + 1 }}'],
		['fixed', 'fixed'],
		['', ''],
		[12, 12],
		[false, false],
		[
			['PIX', 'BOLETO'],
			['PIX', 'BOLETO'],
		],
		[
			{ mode: 'id', value: '={{ $json.amount }}' },
			{ mode: 'id', value: 10.5 },
		],
		[
			{ field: [{ name: 'a', value: '={{ $json.paid }}' }] },
			{ field: [{ name: 'a', value: false }] },
		],
	])('%j', (raw, value) => {
		expect(readPlainly(raw, ITEM)).toEqual(value);
		expect(evaluateInN8n(raw, ITEM)).toEqual({ value });
	});

	test('in a copy: what is done to it changes nothing for the next item', () => {
		const raw = { field: [{ name: 'a' }] };
		const read = readPlainly(raw, ITEM) as typeof raw;
		expect(read).toEqual(raw);
		expect(read).not.toBe(raw);
		expect(read.field[0]).not.toBe(raw.field[0]);
	});
});

describe('is left to n8n', () => {
	test.each<[unknown]>([
		['={{ $json.missing }}'],
		['={{ $json.row }}'],
		['={{ $json.row.none }}'],
		['={{ $json.list }}'],
		['={{ $json.list[0] }}'],
		['={{ $json["list"]["0"] }}'],
		['={{ $json.text.length }}'],
		['={{ $json?.amount }}'],
		['={{ $json.amount.toFixed(2) }}'],
		['={{ $json }}'],
		['=NF-{{ $json.amount }}'],
		['={{ $json.amount }} '],
		['={{ $("Rows").item.json.amount }}'],
		['={{ $fromAI("amount") }}'],
		['={{ $json.constructor }}'],
		['={{ $json["__proto__"].amount }}'],
		[{ first: '={{ $json.amount }}', second: '={{ $now }}' }],
		[JSON.parse('{ "__proto__": { "value": 1 } }')],
		[{ value: null }],
		[null],
		[undefined],
	])('%j', (raw) => {
		expect(readPlainly(raw, ITEM)).toBeUndefined();
	});

	test.each([
		['without an item', undefined],
		['with no object', 'text'],
	])('%s', (_, json) => {
		expect(readPlainly('={{ $json.amount }}', json)).toBeUndefined();
	});
});

// The engine that n8n starts with: test/e2e/plainParameter.test.ts.
test('whatever is entered, it is read as n8n evaluates it', () => {
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

describe('the item of an expression', () => {
	const items = [{ json: { n: 1 } }, { json: { n: 2 } }];
	const contextWith = ($input: object): IExecuteFunctions =>
		({
			getInputData: () => items,
			getWorkflowDataProxy: () => ({ $input }),
		}) as unknown as IExecuteFunctions;

	test('is the one that came in', () => {
		expect(jsonOfItems(contextWith({ all: () => items }))).toEqual([{ n: 1 }, { n: 2 }]);
	});

	test('is unknown where n8n evaluates on other items, as for the tool of an agent', () => {
		expect(jsonOfItems(contextWith({ all: () => [...items] }))).toBeUndefined();
	});

	test('is unknown where n8n says nothing', () => {
		const none = {
			get all(): IDataObject {
				throw new Error('No execution data available');
			},
		};
		expect(jsonOfItems(contextWith(none))).toBeUndefined();
		expect(jsonOfItems(contextWith({}))).toBeUndefined();
	});
});
