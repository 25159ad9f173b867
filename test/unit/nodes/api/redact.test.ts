import { redactor } from '../../../../nodes/api/redact';
import { SECRET, TEST_KEY } from '../../support/credential';

const redact = redactor(TEST_KEY);

test('removes the whole key, wherever and however often it is', () => {
	expect(redact(`Bearer ${TEST_KEY} and again ${TEST_KEY}`)).toBe(
		'Bearer [API key] and again [API key]',
	);
});

test('removes the secret alone', () => {
	expect(redact(`secret=${SECRET}&more`)).toBe('secret=[secret]&more');
});

test('keeps the public prefix and everything else', () => {
	const text = 'The key brlpay_test_exampletst may not do this';
	expect(redact(text)).toBe(text);
});

test('does nothing without a key', () => {
	expect(redactor('')('some text')).toBe('some text');
});
