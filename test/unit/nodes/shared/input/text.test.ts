import {
	optionalText,
	parseObject,
	requireText,
	toText,
} from '../../../../../nodes/shared/input/text';
import { expectRefusals } from '../../../support/refusal';

test.each<[unknown, string]>([
	['  order 1042 ', 'order 1042'],
	[1042, '1042'],
	[0, '0'],
	[false, 'false'],
])('reads %o', (value, text) => {
	expect(requireText(value, 'External ID')).toBe(text);
	expect(optionalText(value, 'External ID')).toBe(text);
});

test.each([undefined, null, '', '   ', '\n'])('takes %o for nothing', (value) => {
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

test.each<[string, unknown, string]>([
	['nothing', undefined, ''],
	['null', null, ''],
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
