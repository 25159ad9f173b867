import type { INodeProperties } from 'n8n-workflow';
import { readField } from '../../../../../nodes/shared/input/field';
import { expectRefusals } from '../../../support/refusal';

const field = (type: INodeProperties['type'], more: Partial<INodeProperties> = {}) => ({
	displayName: 'Example',
	name: 'example',
	type,
	default: '',
	...more,
});
const options = [
	{ name: 'Paid', value: 'PAID' },
	{ name: 'Lower', value: 'new' },
	{ name: 'Upper', value: 'NEW' },
	{ name: 'Later', value: 503 },
];
const BOOLEAN = field('boolean');
const ANY_NUMBER = field('number');
const TO_TEN = field('number', { typeOptions: { minValue: 1, maxValue: 10 } });
const WHOLE = field('number', { typeOptions: { minValue: 1, numberPrecision: 0 } });
const CHOICE = field('options', { options });
const CHOICES = field('multiOptions', { options });
const COLLECTION = field('collection', {
	options: [
		field('boolean', { name: 'isActive', displayName: 'Is Active' }),
		field('string', { name: 'search' }),
	],
});

test.each<[string, INodeProperties, unknown, unknown[]]>([
	['true', BOOLEAN, true, [true, 'true', ' TRUE ', 1, '1']],
	['false', BOOLEAN, false, [false, 'false', ' FALSE ', 0, '0']],
	['the least', TO_TEN, 1, [1, '1']],
	['the most', TO_TEN, 10, [10, ' 10.0 ']],
	['no number', TO_TEN, undefined, [undefined, null]],
	['a number without bounds', ANY_NUMBER, -1e9, [-1e9, '-1e9']],
	['a number without an upper bound', WHOLE, 1_000_000, ['1000000']],
	['a choice', CHOICE, 'PAID', ['PAID', ' paid ']],
	['a choice that differs from another one in case only', CHOICE, 'NEW', ['NEW']],
	['a choice that is a number', CHOICE, 503, [503, '503']],
	['no choice', CHOICE, undefined, [undefined, null, '', ' ']],
	['one of several choices', CHOICES, ['PAID'], ['PAID', 'paid, ,', ['PAID']]],
	['several choices', CHOICES, ['PAID', 'NEW'], ['PAID, NEW', ['paid', 'NEW']]],
	['none of several choices', CHOICES, [], [undefined, '', []]],
	['an empty collection', COLLECTION, {}, [undefined, null, {}]],
	[
		'a collection, each field as its own definition says',
		COLLECTION,
		{ isActive: false, search: 'plan', other: 7 },
		[{ isActive: 'false', search: 'plan', other: 7 }],
	],
	['a collection of unknown fields', field('collection'), { other: 7 }, [{ other: 7 }]],
])('%s is read', (_, given, read, values) => {
	// Strictly: toEqual does not see undefined at the end of a list.
	for (const value of values) expect(readField(given, value)).toStrictEqual(read);
});

test.each(['string', 'json'] as const)('the value of a %s stays as it came', (type) => {
	const value = { a: [1] };

	expect(readField(field(type), value)).toBe(value);
});

test.each<[string, INodeProperties, unknown[]]>([
	['is empty, which is neither true nor false', BOOLEAN, [undefined, null, '']],
	['is "sim", which is neither true nor false', BOOLEAN, ['sim']],
	['is [true], which is neither true nor false', BOOLEAN, [[true]]],
	['cannot be 0.99', TO_TEN, [0.99]],
	['cannot be 10.01', TO_TEN, [10.01]],
	['cannot be empty', TO_TEN, ['', ' ']],
	['cannot be "1,5"', TO_TEN, ['1,5']],
	[`cannot be "${'x'.repeat(50)}"`, TO_TEN, ['x'.repeat(99)]],
	['cannot be empty', ANY_NUMBER, ['', ' ']],
	['cannot be null', ANY_NUMBER, [Number.NaN, Infinity]],
	['cannot be 1.5', WHOLE, [1.5]],
	['is "PAY", which is not one of its values', CHOICE, ['PAY']],
	['is "PAY", which is not one of its values', CHOICES, [['PAID', 'PAY'], 'PAY,PAID']],
	['is "PAID", which is not one of its values', field('options'), ['PAID']],
	['is not a collection of fields', COLLECTION, ['text', 7, [{}]]],
])('refuses a value: Example %s', (fault, given, values) => {
	expectRefusals(values, (value) => readField(given, value), `Example ${fault}`);
});

test('a collection names its field that is refused', () => {
	const message = 'Is Active is empty, which is neither true nor false';
	expectRefusals([{ isActive: '' }], (value) => readField(COLLECTION, value), message);
});

test.each<[string, INodeProperties]>([
	['Set Example to true or false.', BOOLEAN],
	['Enter a number from 1 to 10.', TO_TEN],
	['Enter a whole number of at least 1.', WHOLE],
	['Use one of these: PAID, new, NEW, 503.', CHOICE],
	['Remove Example from this node and add the fields again.', COLLECTION],
])('says what to do: %s', (remedy, given) => {
	expectRefusals(['no'], (value) => readField(given, value), /^Example /, remedy);
});
