import { redactor } from '../../../../../nodes/shared/privacy/redact';
import { SECRET, TEST_KEY } from '../../../support/credential';

const REST = '+/=aB';
const SPECIAL = `${SECRET.slice(REST.length)}${REST}`;

test.each([
	[TEST_KEY, `Bearer ${TEST_KEY} and ${TEST_KEY}`, 'Bearer [API key] and [API key]'],
	[TEST_KEY, `x${SECRET}x`, 'x[secret]x'],
	// The public prefix stays.
	[TEST_KEY, 'brlpay_test_exampletst may not', 'brlpay_test_exampletst may not'],
	[`p_test_examplekid_${SPECIAL}`, `?k=${encodeURIComponent(SPECIAL)}&x`, '?k=[secret]&x'],
	[`p_test_examplekid_${SPECIAL}`, `"${SPECIAL.replace('/', '\\/')}"`, '"[secret]"'],
	['', 'no key', 'no key'],
])('of the key %s, %s shows %s, in texts and in bytes', (key, text, shown) => {
	expect(redactor(key).text(text)).toBe(shown);
	expect(redactor(key).bytes(Buffer.from(text)).toString()).toBe(shown);
});

test('every other byte stays', () => {
	const [before, after] = [Buffer.from([0, 0xff, 0xc3]), Buffer.from('é\u{1f600}')];
	const found = redactor(TEST_KEY).bytes(Buffer.concat([before, Buffer.from(SECRET), after]));

	expect(found).toEqual(Buffer.concat([before, Buffer.from('[secret]'), after]));
	expect(redactor(TEST_KEY).bytes(before)).toBe(before);
});
