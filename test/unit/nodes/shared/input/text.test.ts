import {
	optionalText,
	parseObject,
	requireText,
	toText,
} from '../../../../../nodes/shared/input/text';
import { getRefusal } from '../../../support/refusal';

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
	expect(getRefusal(() => requireText(value, 'External ID'))).toMatchObject({
		message: 'External ID is empty',
		remedy: 'Fill in External ID.',
	});
});

test.each([{}, [], ['order-1042'], { id: 'order-1042' }])('refuses %o', (value) => {
	for (const read of [optionalText, requireText]) {
		const { message, remedy } = getRefusal(() => read(value, 'External ID'));
		expect(message).toBe('External ID is an object, not text');
		expect(remedy).toContain('Choose a single field for External ID');
	}
});

test('counts characters without the blanks around them', () => {
	expect(optionalText(` ${'x'.repeat(100)} `, 'External ID', 100)).toHaveLength(100);
	expect(getRefusal(() => requireText('x'.repeat(101), 'External ID', 100))).toMatchObject({
		message: 'External ID has 101 characters, and at most 100 are allowed',
		remedy: 'Shorten External ID.',
	});
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

	test.each(["{'order': 1042}", '[1, 2]', [1, 2], '1042', 1042, 'null', '"text"', '{'])(
		'is not read from %o',
		(value) => {
			const { message, remedy } = getRefusal(() => parseObject(value, 'Metadata'));
			expect(message).toBe('Metadata is not a JSON object');
			expect(remedy).toContain('double quotes');
		},
	);
});
