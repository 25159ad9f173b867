import { checkConnection, keyExpiryNotice } from '../../../../../nodes/shared/client/connection';
import { credentialWith, LIVE_KEY, SECRET, TEST_KEY } from '../../../support/credential';
import { expectRefusals, getRefusal } from '../../../support/refusal';

const PREFIX = 'brlpay_test_exampletst';

test.each([
	[TEST_KEY, 'sandbox', PREFIX],
	[LIVE_KEY, 'production', 'brlpay_live_examplelve'],
] as const)(
	'a test key opens the sandbox, and a live key production',
	(apiKey, name, keyPrefix) => {
		expect(checkConnection(credentialWith({ apiKey }))).toEqual({
			baseUrl: 'https://api.example.com',
			environment: name,
			keyPrefix,
		});
	},
);

test.each([
	['cut off at the end', TEST_KEY.slice(0, -1)],
	['cut off at the beginning', TEST_KEY.slice(6)],
	['without key id', `brlpay_test_${SECRET}`],
	['of another environment', TEST_KEY.replace('_test_', '_prod_')],
	['with a line break behind', `${TEST_KEY}\n`],
	['with "Bearer" in front', `Bearer ${TEST_KEY}`],
	['only blanks', '   '],
])('an API key is refused: %s', (_, apiKey) => {
	expectRefusals([apiKey], (key) => checkConnection(credentialWith({ apiKey: key })), /API key/);
});

test.each([
	['sandbox', TEST_KEY, LIVE_KEY, /its API key is a live key/],
	['production', LIVE_KEY, TEST_KEY, /its API key is a test key/],
] as const)('the environment %s accepts its own keys, and none of the other one', (...given) => {
	const [environment, own, other, message] = given;
	const check = (apiKey: string) => checkConnection(credentialWith({ apiKey, environment }));
	expect(check(own).environment).toBe(environment);
	expectRefusals([other], check, message, 'Nothing was sent');
});

describe('base URL', () => {
	test.each([
		['https://api.example.com///', 'https://api.example.com'],
		['https://api.example.com/v1/', 'https://api.example.com'],
		[' https://api.example.com\n', 'https://api.example.com'],
		['https://API.Example.com', 'https://api.example.com'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['https://example.com/payments/v1', 'https://example.com/payments'],
		['https://example.com/apiv1', 'https://example.com/apiv1'],
		['http://localhost:4010', 'http://localhost:4010'],
		['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010'],
		['http://[::1]:4010', 'http://[::1]:4010'],
	])('%o becomes %s', (baseUrl, normal) => {
		expect(checkConnection(credentialWith({ baseUrl })).baseUrl).toBe(normal);
	});

	const check = (baseUrl: string) => checkConnection(credentialWith({ baseUrl }));

	test.each([
		...['http://api.example.com', 'http://192.168.0.10:4010', 'http://localhost.example.com'],
		...['http://127.0.0.1.example.com', 'http://0.0.0.0'],
	])('%s would send the key unencrypted', (baseUrl) => {
		expectRefusals([baseUrl], check, /unencrypted/);
	});

	test.each([
		...['api.example.com', 'ftp://api.example.com', 'https://', 'not an address'],
		...['https://user:password@api.example.com', 'https://api.example.com?key=value'],
		...['https://api.example.com/#top', 'https:/api.example.com', 'https:api.example.com'],
		...['https:///api.example.com', 'https:\\\\api.example.com', 'https://api.example.com\\v1'],
		'https://api.exa\tmple.com',
	])('%o is no usable address', (baseUrl) => {
		expectRefusals([baseUrl], check, 'The base URL is not a web address');
	});
});

test.each([
	['apiKey', '', 'The credential has no API key'],
	['baseUrl', null, 'The credential has no base URL'],
	['baseUrl', '  ', 'The credential has no base URL'],
])('%s is said to be missing when it is %o', (name, value, message) => {
	const credential = { ...credentialWith(), [name]: value } as never;
	expect(getRefusal(() => checkConnection(credential)).message).toBe(message);
});

test('no message contains the key or a part of its secret', () => {
	const broken = [
		credentialWith({ apiKey: `${TEST_KEY}0` }),
		credentialWith({ apiKey: TEST_KEY.slice(6) }),
		credentialWith({ environment: 'production' }),
		credentialWith({ baseUrl: 'http://api.example.com' }),
		credentialWith({ baseUrl: `https://api.example.com?key=${TEST_KEY}` }),
		credentialWith({ baseUrl: TEST_KEY }),
	];
	for (const credential of broken) {
		const { message, remedy } = getRefusal(() => checkConnection(credential));
		expect(`${message} ${remedy}`).not.toContain(SECRET.slice(4, 20));
	}
});

describe('a key that expires', () => {
	const NOW = Date.parse('2026-11-21T12:00:00Z');

	test.each([
		['2026-11-21T12:00:01Z', '2026-11-21 09:00'],
		['2026-12-05T12:00:00Z', '2026-12-05 09:00'],
	])('on %s gets a notice', (expiresAt, time) => {
		expect(keyExpiryNotice(expiresAt, NOW)).toContain(
			`expires on ${time} (Brasília time). Before that, create a new one`,
		);
	});

	test.each([null, undefined, '', 'soon', '2026-12-05T12:00:01Z'])('on %o gets none', (at) => {
		expect(keyExpiryNotice(at, NOW)).toBeUndefined();
	});
});
