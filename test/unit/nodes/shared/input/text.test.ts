import {
	optionalName,
	optionalText,
	parseObject,
	requireText,
	toText,
} from '../../../../../nodes/shared/input/text';
import { expectRefusals } from '../../../support/refusal';

test.each<[unknown, string]>([
	['  order 1042 ', 'order 1042'],
	[1042, '1042'],
	[false, 'false'],
])('reads %o', (value, text) => {
	expect(requireText(value, 'External ID')).toBe(text);
	expect(optionalText(value, 'External ID')).toBe(text);
});

test.each([null, '\n'])('takes %o for nothing', (value) => {
	expect(optionalText(value, 'External ID')).toBeUndefined();
	const read = (given: unknown) => requireText(given, 'External ID');
	expectRefusals([value], read, 'External ID is empty', 'Fill in External ID.');
});

test.each([optionalText, requireText])('an object is no text: %o', (read) => {
	expectRefusals(
		[{}, [], ['order-1042'], { id: 'order-1042' }],
		(value) => read(value, 'External ID'),
		'External ID is an object, not text',
		'Choose a single field for External ID',
	);
});

test('counts characters without the blanks around them', () => {
	expect(optionalText(` ${'x'.repeat(100)} `, 'External ID', 100)).toHaveLength(100);
	expectRefusals(
		['x'.repeat(101)],
		(value) => requireText(value, 'External ID', 100),
		'External ID has 101 characters, and at most 100 are allowed',
		'Shorten External ID.',
	);
});

describe('a name', () => {
	const read = (value: unknown) => optionalName(value, 'External ID', 5);

	test.each<[unknown, string | undefined]>([
		[' PED-1\u200b ', 'PED-1'],
		['', undefined],
		[undefined, undefined],
	])('is read from %j', (value, name) => {
		expect(read(value)).toBe(name);
	});

	test.each<[string, string, string, string]>([
		['nobody can see', '\u200b', 'contains only invisible characters', 'Enter External ID again'],
		['is too long', 'PED-10', 'has 6 characters, and at most 5 are allowed', 'Shorten'],
		[
			'has lost a character',
			'PE\ufffd',
			'has lost a character: the list was read with the wrong encoding',
			'UTF-8',
		],
	])('is refused if it %s', (_, name, fault, remedy) => {
		expectRefusals([name], read, `External ID ${fault}`, remedy);
	});
});

test.each<[string, unknown, string]>([
	['nothing', undefined, ''],
	['a function', () => 'text', ''],
	['what is nested too deep to be written', JSON.parse('['.repeat(1e5) + ']'.repeat(1e5)), '[…]'],
])('%s has a text', (_, value, text) => {
	expect(toText(value)).toBe(text);
});

describe('a JSON object', () => {
	test.each<[unknown, unknown]>([
		[{ order: 1042 }, { order: 1042 }],
		[' {"nested": {"list": [1, 2]}} ', { nested: { list: [1, 2] } }],
	])('is read from %o', (value, object) => {
		expect(parseObject(value, 'Metadata')).toEqual(object);
	});

	test.each([undefined, null, '', '{}', {}])('is missing in %o', (value) => {
		expect(parseObject(value, 'Metadata')).toBeUndefined();
	});

	test('is not read from anything else', () => {
		const others = ["{'order': 1042}", '[1, 2]', [1, 2], '1042', 1042, 'null', '"text"', '{'];
		const read = (value: unknown) => parseObject(value, 'Metadata');
		expectRefusals(others, read, 'Metadata is not a JSON object', 'double quotes');
	});
});
