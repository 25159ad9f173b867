import { redactor } from '../../../../../nodes/shared/privacy/redact';
import { SECRET, TEST_KEY } from '../../../support/credential';

const { text: redact, json } = redactor(TEST_KEY);

test.each([
	[`Bearer ${TEST_KEY} and again ${TEST_KEY}`, 'Bearer [API key] and again [API key]'],
	// The public prefix stays.
	['The key brlpay_test_exampletst may not', 'The key brlpay_test_exampletst may not'],
])('removes the whole key, wherever and however often it is, and nothing else', (text, shown) => {
	expect(redact(text)).toBe(shown);
	expect(redactor('').text(text)).toBe(text);
});

const escaped = (form: (code: string) => string) =>
	Array.from(SECRET, (character) => form(character.charCodeAt(0).toString(16))).join('');

test.each([
	['as it is', SECRET],
	['in capitals', SECRET.toUpperCase()],
	['in an address', escaped((code) => `%${code.toUpperCase()}`)],
	['in JSON', escaped((code) => `\\u00${code}`)],
	['in HTML', escaped((code) => `&#x${code};`)],
	['in part in an address', SECRET.replace('e', '%65')],
	['in hexadecimal', Buffer.from(SECRET).toString('hex')],
])('removes the secret %s from a text and from a value, however deep', (_how, form) => {
	expect(redact(`x ${form} x`)).toBe('x [secret] x');
	expect(json([{ a: { b: [`x ${form} x`] } }])).toEqual([{ a: { b: ['x [secret] x'] } }]);
});

test.each(['', 'x', 'xy', 'Bearer '])('removes the secret in base64 behind %o', (before) => {
	const own = Buffer.from(SECRET).toString('base64').slice(4, 36);
	const text = Buffer.from(`${before}${SECRET} `).toString('base64');

	expect(redact(text)).toContain('[secret]');
	expect(redact(text)).not.toContain(own);
	expect(json([text])).toEqual([redact(text)]);
});

test('removes a secret of characters that mean something elsewhere', () => {
	const secret = '.*+?^${}()|[]/-%"\\&<example>00001';
	const found = redactor(`brlpay_test_exampletst_${secret.slice(-32)}`);
	const { text } = found;
	const own = secret.slice(-32);

	for (const form of [own, encodeURIComponent(own), JSON.stringify(own).slice(1, -1)]) {
		expect(text(`x${form}x`)).toBe('x[secret]x');
		expect(found.json({ a: `x${form}x` })).toEqual({ a: 'x[secret]x' });
	}
});

test('removes it from all texts and names of a value', () => {
	expect(json({ [`a${SECRET}`]: ['x', { b: TEST_KEY }, 1, null] })).toEqual({
		'a[secret]': ['x', { b: '[API key]' }, 1, null],
	});
});

test('finds it in a value that is nested too deeply to be written', () => {
	let value: unknown = SECRET;
	for (let depth = 0; depth < 100_000; depth += 1) value = [value];
	let found = json(value);
	while (Array.isArray(found)) found = (found as unknown[])[0];

	expect(found).toBe('[secret]');
});

test('passes on what contains no key as it is, bytes included', () => {
	const rows = [{ id: '1' }, { id: '2' }];
	const bytes = Buffer.from(SECRET);

	expect(json(rows)).toBe(rows);
	expect(json(bytes)).toBe(bytes);
});
