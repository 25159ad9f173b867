import {
	EXTERNAL_ID,
	MAX_REFERENCE_LENGTH,
	parseReference,
} from '../../../../../nodes/shared/orders/reference';
import { getRefusal } from '../../../support/refusal';

test.each([undefined, null, '', '   '])('%o is no reference', (given) => {
	expect(parseReference(given)).toBeUndefined();
});

test('a number counts as its text', () => {
	expect(parseReference(1042)).toMatchObject({ value: '1042', isNormalized: false });
});

test.each([
	['blanks at its ends', ' NF-1042\t', 'NF-1042'],
	['its Unicode form', 'fatura-marc\u0327o', 'fatura-março'],
])('references that differ in %s are the same', (_, given, value) => {
	expect(parseReference(given)).toEqual({ shown: given, value, isNormalized: true });
});

test.each([
	['case', 'NF-1042', 'nf-1042'],
	['blanks within', 'NF 1042', 'NF  1042'],
	['leading zeros', '1042', '01042'],
	['compatible characters', 'NF-1', 'ＮＦ-1'],
])('references that differ in %s are not the same', (_, one, other) => {
	expect(parseReference(one)?.value).not.toBe(parseReference(other)?.value);
});

test('its length is bounded, counted in characters', () => {
	const longest = '😀'.repeat(MAX_REFERENCE_LENGTH);

	expect(parseReference(longest)?.value).toBe(longest);
	const { message, remedy } = getRefusal(() => parseReference(`${longest}x`));
	expect(message).toBe('Reference has 501 characters, and at most 500 are allowed');
	expect(remedy).toContain('Use a shorter one');
});

test.each([true, false])('%o is refused: an expression has compared', (given) => {
	const { message, remedy } = getRefusal(() => parseReference(given));

	expect(message).toBe(`Reference is ${given}, which cannot identify a payout`);
	expect(remedy).toContain('Check the expression');
});

test.each(['\u200b', '\u200b\u200d \u2060', '\u200b\ufeff\u200b'])(
	'%j is refused: it is invisible',
	(given) => {
		const { message, remedy } = getRefusal(() => parseReference(given));

		expect(message).toBe('Reference contains only invisible characters');
		expect(remedy).toContain('Enter a name');
	},
);

test.each(['\u200bNF-1', 'NF-1\u200b', 'NF\u200b-1'])('%j has a part that can be seen', (given) => {
	expect(parseReference(given)?.value).toBe(given);
});

test.each(['#N/A', '#REF!', '#VALOR!', '#NOME?', ' #n/d '])(
	'the error of a formula is refused: %j',
	(given) => {
		expect(getRefusal(() => parseReference(given)).message).toContain('the error of a formula');
	},
);

test.each(['#1042', '#NF', 'N/A', '#REF! 2'])('%j is a reference like any other', (given) => {
	expect(parseReference(given)?.value).toBe(given);
});

describe('digits that were lost before the node reads them', () => {
	test.each([
		['an integer that numbers cannot express', 2 ** 53],
		['the same, negative', -(2 ** 53)],
		['a number with an exponent', 1e21],
		['an access key of an NF-e', 35240612345678000195550010000012341000012345],
		['no number at all', Number.NaN],
		['the text of such a number', '3.5240612345678e+43'],
		['the same in a longer text', 'NF-3.5240612345678e+43'],
		['what Excel writes into a CSV file', '3,52406E+43'],
		['the same without decimals', '4E+15'],
	])('are refused: %s', (_, given) => {
		const { message, remedy } = getRefusal(() => parseReference(given));

		expect(message).toContain('has lost digits');
		expect(remedy).toContain('Format the column as text');
	});

	test.each([
		['the largest number that is sure', Number.MAX_SAFE_INTEGER, '9007199254740991'],
		['a number with decimals', 1042.5, '1042.5'],
		['44 digits as text', '3'.repeat(44), '3'.repeat(44)],
		['an integer of any length', 10n ** 43n, '1' + '0'.repeat(43)],
		['a letter between digits', '12E45', '12E45'],
		['a sum', 'A+12', 'A+12'],
	])('are not suspected in %s', (_, given, value) => {
		expect(parseReference(given)?.value).toBe(value);
	});

	test.each([
		['alone', '9007199254740992'],
		['in a longer text', 'NF-9007199254740992'],
	])('are found where an expression has made text of a number of the item: %s', (_, given) => {
		const item = { amount: 10.01, invoice: 9007199254740992 };

		expect(getRefusal(() => parseReference(given, item)).message).toContain('has lost digits');
	});

	test.each([
		['text', { invoice: '9007199254740992' }],
		['another field', { invoice: 1042, other: 2 ** 60 }],
		['nothing', undefined],
	])('are not suspected where the item has %s', (_, item) => {
		expect(parseReference('9007199254740992', item)?.value).toBe('9007199254740992');
	});
});

test.each([
	['half of a character', 'NF-\ud83d', /^An expression may have cut an emoji/],
	['a null character', 'NF-1\0', /^The list may come from a damaged file/],
])('what contains %s is refused: a table cannot keep it', (what, given, remedy) => {
	const refusal = getRefusal(() => parseReference(given));

	expect(refusal.message).toBe(`Reference contains ${what}`);
	expect(refusal.remedy).toMatch(remedy);
});

test('of a charge it is called External ID', () => {
	expect(parseReference('order-1', {}, EXTERNAL_ID)).toMatchObject({ isExternalId: true });
	expect(parseReference('order-1')).not.toHaveProperty('isExternalId');
	const refused = (given: unknown) => getRefusal(() => parseReference(given, {}, EXTERNAL_ID));
	expect(refused(true).message).toBe('External ID is true, which cannot identify a charge');
	expect(refused(2 ** 53).remedy).toContain('only the first would be charged');
	expect(getRefusal(() => parseReference(2 ** 53)).remedy).toContain(
		'only the first would be paid',
	);
});
