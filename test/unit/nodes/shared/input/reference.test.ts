import { EXTERNAL_ID, parseReference } from '../../../../../nodes/shared/input/reference';
import { expectRefusals } from '../../../support/refusal';

const read = (given: unknown) => parseReference(given)?.value;

test.each([undefined, '   '])('%o is no reference', (given) => {
	expect(parseReference(given)).toBeUndefined();
});

// What else nobody sees: cleanText.test.ts.
test.each([
	['blanks at its ends', ' NF-1042\t', 'NF-1042'],
	['its Unicode form', 'fatura-marc\u0327o', 'fatura-março'],
	['a zero-width space inside', 'NF\u200b-1042', 'NF-1042'],
	['a protected blank', 'NF\u00a01042', 'NF 1042'],
])('references that differ in %s are the same', (_, given, value) => {
	expect(parseReference(given)).toEqual({ shown: given, value });
});

test.each([
	['case', 'NF-1042', 'nf-1042'],
	['leading zeros', '1042', '01042'],
])('references that differ in %s are not the same', (_, one, other) => {
	expect([read(one), read(other)]).toEqual([one, other]);
});

test.each([
	['the largest number that a spreadsheet keeps', 999_999_999_999_999, '999999999999999'],
	['an integer of any length', 10n ** 43n, '1' + '0'.repeat(43)],
])('%s counts as its text', (_, given, value) => {
	expect(parseReference(given)).toEqual({ shown: value, value });
});

test.each([
	['what looks like the error of a formula', ['#1042', '#NF', 'N/A 2', '#REF! 2']],
	['what begins like a stand-in', ['Sem Parar 12', 'S/N 12', 'NF-1', 'Não Perca 3', '0-1', 'x1']],
	['many digits as text', ['3'.repeat(44)]],
	['a letter or a sum between digits', ['12E45', 'A+12']],
	['500 characters', ['😀'.repeat(500)]],
])('%s is a reference like any other', (_, texts) => {
	expect(texts.map(read)).toEqual(texts);
});

const INVISIBLE = ['\u200b', '\u200b\u200d \u2060', '\u200b\ufeff\u200b'];
const NF_E = 35240612345678000195550010000012341000012345;
const TOO_LONG = 'has 501 characters, and at most 500 are allowed';
const STAND_INS = [
	...['s/n', 'S/N.', 'S.N.', 'sn', 's/nf', 'n/a', 'NA', 'sem número', 'SEM NF', 'sem referência'],
	...['não tem', 'nenhum', '0', '00', '-', '—', '--', '?', 'x', 'boleto', 'sem'],
	...[
		'S/ Nota Fiscal',
		's/número',
		'não se aplica',
		'a definir',
		'nenhuma',
		'***',
		'…',
		'"',
		'0,00',
	],
];
const OF_A_FORMULA = ['#N/A', '#REF!', '#VALOR!', '#NOME?', ' #n/d '];
/** As JavaScript and a CSV file of Excel write them. */
const EXPONENTS = ['3.5240612345678e+43', 'NF-3.5240612345678e+43', '3,52406E+43', '4E+15'];

test.each<[string, string, unknown[]]>([
	['is true, which cannot identify a payout', 'Check the expression', [true]],
	['is false, which cannot identify a payout', 'Check the expression', [false]],
	['contains only invisible characters', 'such as the invoice number', INVISIBLE],
	['a spreadsheet shows in place of a result', 'Correct the formula', OF_A_FORMULA],
	[TOO_LONG, 'Use a shorter one, such as the invoice number alone', ['😀'.repeat(501)]],
	// A table cannot keep it.
	['contains half of a character', 'An expression may have cut an emoji', ['NF-\ud83d']],
	['has lost a character', 'Save the list as CSV UTF-8', ['N\ufffd 1042', '\ufffd', 'NF \u00961']],
	['stands for no number', 'only this payout has', STAND_INS],
	['has lost digits on the way', 'Format the column as text', [1e15, -1e15, 1e21, NF_E]],
	['has lost digits on the way', 'Format the column as text', [Number.NaN, ...EXPONENTS]],
])('is refused: Reference %s', (fault, advice, values) => {
	expectRefusals(
		values,
		(value) => parseReference(value),
		new RegExp(`^Reference .*${fault}`),
		advice,
	);
});

describe('a text into which an expression has put a number of the item', () => {
	const ROUNDED = '9007199254740992';

	test.each([ROUNDED, `NF-${ROUNDED}`])('is refused if it has lost digits: %s', (given) => {
		const item = { amount: 10.01, invoice: 9007199254740992 };

		expectRefusals([given], (one) => parseReference(one, item), /has lost digits/);
	});

	test.each([
		['text', { invoice: ROUNDED }],
		['another field', { invoice: 1042, other: 2 ** 60 }],
		['nothing', undefined],
	])('is not suspected if the item has %s', (_, item) => {
		expect(parseReference(ROUNDED, item)?.value).toBe(ROUNDED);
	});
});

test('of a charge it is called External ID', () => {
	const parse = (given: unknown) => parseReference(given, {}, EXTERNAL_ID);
	expectRefusals([true], parse, 'External ID is true, which cannot identify a charge');
	expectRefusals([2 ** 53], parse, /^External ID /, 'only the first would be charged');
	expectRefusals([2 ** 53], (given) => parseReference(given), /^Reference /, 'would be paid');
});
