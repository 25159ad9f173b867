import { optionalText, requireText, toText } from '../../../../../nodes/shared/validation/text';
import { getRefusal } from '../../../support/refusal';

test.each<[unknown, string]>([
	['order-1042', 'order-1042'],
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
	const { message, remedy } = getRefusal(() => requireText(value, 'External ID'));
	expect(message).toBe('External ID is empty');
	expect(remedy).toBe('Fill in External ID.');
});

test.each([{}, [], ['order-1042'], { id: 'order-1042' }])('refuses %o', (value) => {
	expect(getRefusal(() => optionalText(value, 'External ID')).message).toContain('is an object');
	const { message, remedy } = getRefusal(() => requireText(value, 'External ID'));
	expect(message).toContain('is an object');
	expect(remedy).toContain('Choose a single field for External ID');
});

test.each([undefined, null, '', () => 'text'])('%o as text is empty', (value) => {
	expect(toText(value)).toBe('');
});

test('counts characters without the blanks around them', () => {
	expect(optionalText(` ${'x'.repeat(100)} `, 'External ID', 100)).toHaveLength(100);
	const { message, remedy } = getRefusal(() => requireText('x'.repeat(101), 'External ID', 100));
	expect(message).toBe('External ID has 101 characters, and at most 100 are allowed');
	expect(remedy).toBe('Shorten External ID.');
});

test('a value that is nested too deep to be written is left out', () => {
	const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);

	expect(toText(deep)).toBe('[…]');
});
