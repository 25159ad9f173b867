import type { INodeProperties } from 'n8n-workflow';
import { readField } from '../../../../../nodes/shared/validation/field';
import { getRefusal } from '../../../support/refusal';

const field = (type: INodeProperties['type'], more: Partial<INodeProperties> = {}) => ({
	displayName: 'Example',
	name: 'example',
	type,
	default: '',
	...more,
});
const refusal = (given: INodeProperties, value: unknown) =>
	getRefusal(() => readField(given, value));

describe('a boolean', () => {
	const BOOLEAN = field('boolean');

	test.each([
		[true, [true, 'true', ' TRUE ', 1, '1']],
		[false, [false, 'false', ' FALSE ', 0, '0']],
	])('is %o', (read, values) => {
		for (const value of values) expect(readField(BOOLEAN, value)).toBe(read);
	});

	test.each([undefined, null, '', 'yes', 'sim', 2, -1, Number.NaN, {}, [], [true]])(
		'%o is refused',
		(value) => {
			const { message, remedy } = refusal(BOOLEAN, value);
			expect(message).toMatch(/^Example is .+, which is neither true nor false$/);
			expect(remedy).toBe('Set Example to true or false.');
		},
	);
});

describe('a number', () => {
	const NUMBER = field('number', { typeOptions: { minValue: 1, maxValue: 10 } });
	const WHOLE = field('number', { typeOptions: { minValue: 1, numberPrecision: 0 } });

	test.each<[unknown, number | undefined]>([
		[1, 1],
		[' 2.5 ', 2.5],
		[10, 10],
		[undefined, undefined],
		[null, undefined],
	])('%o is %o', (value, number) => {
		expect(readField(NUMBER, value)).toBe(number);
	});

	test.each<[unknown, string]>([
		[0.99, '0.99'],
		[10.01, '10.01'],
		['', 'empty'],
		[' ', 'empty'],
		['1,5', '"1,5"'],
		['x'.repeat(99), `"${'x'.repeat(50)}"`],
		[Number.NaN, 'null'],
		[Infinity, 'null'],
		[true, 'true'],
		[{}, '{}'],
		[[5], '[5]'],
	])('%o is refused and shown as %s', (value, shown) => {
		const { message, remedy } = refusal(NUMBER, value);
		expect(message).toBe(`Example cannot be ${shown}`);
		expect(remedy).toBe('Enter a number from 1 to 10.');
	});

	test('without bounds may be any number, but not blank', () => {
		const ANY = field('number');
		expect(readField(ANY, -1e9)).toBe(-1e9);
		for (const value of ['', ' ']) expect(() => readField(ANY, value)).toThrow();
	});

	test('without an upper bound may be any size, but whole where its definition says so', () => {
		expect(readField(WHOLE, '1000000')).toBe(1_000_000);
		expect(refusal(WHOLE, 1.5).remedy).toBe('Enter a whole number of at least 1.');
	});
});

describe('a choice', () => {
	const options = [
		{ name: 'Paid', value: 'PAID' },
		{ name: 'Lower', value: 'new' },
		{ name: 'Upper', value: 'NEW' },
		{ name: 'Later', value: 503 },
	];
	const CHOICE = field('options', { options });
	const SEVERAL = field('multiOptions', { options });

	test.each<[unknown, unknown]>([
		[' paid ', 'PAID'],
		// As it is written, if another one differs in case only.
		['NEW', 'NEW'],
		[503, 503],
		['503', 503],
		[undefined, undefined],
		[null, undefined],
		[' ', undefined],
	])('%o is %o', (value, chosen) => {
		expect(readField(CHOICE, value)).toBe(chosen);
	});

	test.each(['PAY', 'PAID,NEW', 504, true, {}])('%o is refused', (value) => {
		expect(refusal(CHOICE, value).remedy).toBe('Use one of these: PAID, new, NEW, 503.');
		expect(() => readField(field('options'), value)).toThrow();
	});

	test.each<[unknown, unknown[]]>([
		['PAID, ,', ['PAID']],
		['PAID, NEW', ['PAID', 'NEW']],
		[
			['PAID', 'paid'],
			['PAID', 'PAID'],
		],
		[[], []],
		[undefined, []],
	])('of several: %j is %j', (value, chosen) => {
		// Strictly: toEqual does not see undefined at the end of a list.
		expect(readField(SEVERAL, value)).toStrictEqual(chosen);
	});

	test('of several is refused where one of them is unknown', () => {
		expect(refusal(SEVERAL, ['PAID', 'PAY']).message).toBe(
			'Example is "PAY", which is not one of its values',
		);
	});
});

describe('a collection', () => {
	const COLLECTION = field('collection', {
		options: [
			field('boolean', { name: 'isActive', displayName: 'Is Active' }),
			field('string', { name: 'search' }),
		],
	});

	test('has each field read as its own definition says, and others as they came', () => {
		const read = { isActive: false, search: 'plan', other: 7 };
		expect(readField(COLLECTION, { ...read, isActive: 'false' })).toEqual(read);
		expect(readField(field('collection'), read)).toEqual(read);
	});

	test.each([undefined, null, {}])('may be empty: %o', (value) => {
		expect(readField(COLLECTION, value)).toEqual({});
	});

	test('names the field that is refused', () => {
		expect(refusal(COLLECTION, { isActive: undefined }).message).toBe(
			'Is Active is empty, which is neither true nor false',
		);
	});

	test.each(['text', 7, true, [{}]])('is refused as %j', (value) => {
		const { message, remedy } = refusal(COLLECTION, value);
		expect(message).toBe('Example is not a collection of fields');
		expect(remedy).toContain('Remove Example');
	});
});

test.each(['string', 'json', 'dateTime', 'fixedCollection', 'resourceLocator'] as const)(
	'the value of a %s stays as it came',
	(type) => {
		const value = { a: [1] };

		expect(readField(field(type), value)).toBe(value);
	},
);
