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

describe('a boolean', () => {
	const BOOLEAN = field('boolean');

	test.each([true, 'true', 'True', ' TRUE ', 1, '1'])('%o is true', (value) => {
		expect(readField(BOOLEAN, value)).toBe(true);
	});

	test.each([false, 'false', 'False', ' FALSE ', 0, '0'])('%o is false', (value) => {
		expect(readField(BOOLEAN, value)).toBe(false);
	});

	test.each([undefined, null, '', 'yes', 'sim', 'on', 2, -1, Number.NaN, {}, [], [true]])(
		'%o is refused',
		(value) => {
			expect(getRefusal(() => readField(BOOLEAN, value))).toMatchObject({
				message: expect.stringMatching(
					/^Example is .+, which is neither true nor false$/,
				) as string,
				remedy: 'Set Example to true or false.',
			});
		},
	);

	test('that is refused is shown, but no more of it than helps', () => {
		const { message } = getRefusal(() => readField(BOOLEAN, 'x'.repeat(100)));

		expect(message).toBe(`Example is "${'x'.repeat(50)}", which is neither true nor false`);
	});
});

describe('a number', () => {
	const NUMBER = field('number', { typeOptions: { minValue: 1, maxValue: 10 } });
	const WHOLE = field('number', { typeOptions: { minValue: 1, numberPrecision: 0 } });

	test.each<[unknown, number]>([
		[1, 1],
		['1', 1],
		[' 2.5 ', 2.5],
		[10, 10],
	])('%o is %o', (value, number) => {
		expect(readField(NUMBER, value)).toBe(number);
	});

	test.each([undefined, null])('%o is none', (value) => {
		expect(readField(NUMBER, value)).toBeUndefined();
	});

	test.each([0.99, 10.01, '', ' ', 'many', '1,5', Number.NaN, Infinity, true, {}, [5]])(
		'%o is refused',
		(value) => {
			const { message, remedy } = getRefusal(() => readField(NUMBER, value));
			expect(message).toMatch(/^Example (cannot be|is) /);
			expect(remedy).toBe('Enter a number from 1 to 10.');
		},
	);

	test.each<[unknown, string]>([
		['', 'empty'],
		[' ', 'empty'],
		['many', '"many"'],
		[99, '99'],
	])('%o that is refused is shown as %s', (value, shown) => {
		expect(getRefusal(() => readField(NUMBER, value)).message).toBe(`Example cannot be ${shown}`);
	});

	test('without bounds may be any number, but not blank', () => {
		const ANY = field('number');
		expect(readField(ANY, -1e9)).toBe(-1e9);
		for (const value of ['', ' ']) expect(() => readField(ANY, value)).toThrow();
	});

	test('without an upper bound may be any size, but whole where its definition says so', () => {
		expect(readField(WHOLE, '1000000')).toBe(1_000_000);
		expect(getRefusal(() => readField(WHOLE, 1.5)).remedy).toBe(
			'Enter a whole number of at least 1.',
		);
	});
});

describe('a choice', () => {
	const OPTIONS = [
		{ name: 'Paid', value: 'PAID' },
		{ name: 'New', value: 'NEW' },
		{ name: 'Later', value: 503 },
	];
	const CHOICE = field('options', { options: OPTIONS });

	test.each<[unknown, unknown]>([
		['PAID', 'PAID'],
		[' paid ', 'PAID'],
		[503, 503],
		['503', 503],
	])('%o is %o', (value, chosen) => {
		expect(readField(CHOICE, value)).toBe(chosen);
	});

	test.each([undefined, null, '', ' '])('%o is none', (value) => {
		expect(readField(CHOICE, value)).toBeUndefined();
	});

	test.each(['PAY', 'PAID,NEW', 504, true, {}])('%o is refused', (value) => {
		expect(getRefusal(() => readField(CHOICE, value)).remedy).toBe(
			'Use one of these: PAID, NEW, 503.',
		);
	});

	test('is the value that is written like it, where another differs in case only', () => {
		const options = [
			{ name: 'Lower', value: 'a' },
			{ name: 'Upper', value: 'A' },
		];
		expect(readField(field('options', { options }), 'A')).toBe('A');
	});

	test('of a field without choices is refused', () => {
		expect(() => readField(field('options'), 'PAID')).toThrow();
	});

	test.each<[unknown, unknown[]]>([
		['PAID, ,', ['PAID']],
		[
			['PAID', 'new'],
			['PAID', 'NEW'],
		],
		['PAID', ['PAID']],
		['PAID, new', ['PAID', 'NEW']],
		[[], []],
		['', []],
		[undefined, []],
	])('of several: %j is %j', (value, chosen) => {
		// Strictly: toEqual does not see undefined at the end of a list.
		expect(readField(field('multiOptions', { options: OPTIONS }), value)).toStrictEqual(chosen);
	});

	test('of several is refused where one of them is unknown', () => {
		const several = field('multiOptions', { options: OPTIONS });

		expect(getRefusal(() => readField(several, ['PAID', 'PAY'])).message).toBe(
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
		expect(readField(COLLECTION, { isActive: 'false', search: 'plan', other: 7 })).toEqual({
			isActive: false,
			search: 'plan',
			other: 7,
		});
	});

	test.each([undefined, null, {}])('may be empty: %o', (value) => {
		expect(readField(COLLECTION, value)).toEqual({});
	});

	test('without its own fields leaves all as they came', () => {
		expect(readField(field('collection'), { other: 7 })).toEqual({ other: 7 });
	});

	test('names the field that is refused', () => {
		expect(getRefusal(() => readField(COLLECTION, { isActive: undefined })).message).toBe(
			'Is Active is empty, which is neither true nor false',
		);
	});

	test.each(['text', 7, true, [{}]])('is refused as %j', (value) => {
		const { message, remedy } = getRefusal(() => readField(COLLECTION, value));
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
