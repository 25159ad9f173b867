import { sentence } from '../../../../../nodes/shared/text/sentences';

test.each(['What?', 'Done.', 'Stop!', 'And so on…'])('%o ends like a sentence', (text) => {
	expect(sentence(text)).toBe(text);
});

test('anything else gets a full stop', () => {
	expect(sentence('Validation failed')).toBe('Validation failed.');
});

test('what is endless is cut off', () => {
	expect(sentence('x'.repeat(500))).toBe(`${'x'.repeat(500)}.`);
	expect(sentence('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
});
