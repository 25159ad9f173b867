import type { ICredentialTestFunctions } from 'n8n-workflow';
import type { ApiCredential } from '../../../../../nodes/shared/client/connection';
import { testBrlPaymentsApi } from '../../../../../nodes/shared/client/credentialTest';
import { answer, htmlPage, networkError, refusal } from '../../../support/answers';
import { credentialWith, LIVE_KEY, SECRET, TEST_KEY } from '../../../support/credential';

const run = async (respond: () => unknown, changed: Partial<ApiCredential> = {}) => {
	const request = vi.fn(async (_options: unknown) => respond());
	const result = await testBrlPaymentsApi.call(
		{ helpers: { request } } as unknown as ICredentialTestFunctions,
		{ id: 'c1', name: 'BRL', type: 'brlPaymentsApi', data: { ...credentialWith(changed) } },
	);
	expect(JSON.stringify(result)).not.toContain(SECRET);
	return { ...result, request };
};

const self = () => answer(200, { apiKey: { id: 'k1', name: 'n8n' } });

test.each([
	[TEST_KEY, 'sandbox'],
	[LIVE_KEY, 'production'],
])('says that the connection works and which environment it is', async (apiKey, environment) => {
	const { status, message, request } = await run(self, { apiKey });

	expect(status).toBe('OK');
	expect(message).toBe(`Connection successful. This is a ${environment} key.`);
	expect(request.mock.calls).toEqual([
		[
			{
				method: 'GET',
				uri: 'https://api.example.com/v1/auth/self',
				headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
				timeout: 10_000,
				encoding: null,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
			},
		],
	]);
});

test.each<[string, () => unknown, string, string]>([
	[
		'a rejected key',
		() => refusal(401, 'INVALID_API_KEY'),
		'The API key is unknown, revoked, expired or belongs to the other environment. Create a new key',
		'HTTP 401',
	],
	[
		'an IP address that is not allowed',
		() => refusal(403, 'IP_NOT_ALLOWED'),
		'The API key may not be used from the IP address of this n8n. Add the public IP address',
		'HTTP 403',
	],
	[
		'a web page',
		() => htmlPage(200),
		'The server reported success, but its response cannot be read. Check the Base URL',
		'UNEXPECTED_ANSWER',
	],
	[
		'another service',
		() => answer(200, { hello: 'world' }),
		'The server reported success, but its response cannot be read.',
		'UNEXPECTED_ANSWER',
	],
	[
		'a gateway',
		() => htmlPage(502),
		'Something in front of the service responded with an error.',
		'HTTP 502',
	],
	[
		'an address that has no such page',
		() => htmlPage(404),
		'Check the Base URL: this address is not the payment service.',
		'HTTP 404',
	],
	[
		'a redirect',
		() => ({ statusCode: 301, headers: { location: 'https://www.example.com' }, body: '' }),
		'The server responded with a redirect, which is not followed.',
		'REDIRECTED',
	],
	[
		'a server that repeats the key',
		() => answer(400, { error: { code: 'VALIDATION_ERROR', message: `Bearer ${TEST_KEY}` } }),
		'The server refused one or more fields.',
		'[API key]',
	],
])('explains %s', async (_, respond, begin, detail) => {
	const { status, message } = await run(respond);

	expect(status).toBe('Error');
	expect(message.startsWith(begin)).toBe(true);
	expect(message).toContain(detail);
});

test.each([
	['ECONNREFUSED', 'The server cannot be reached.'],
	['ENOTFOUND', 'The server cannot be reached.'],
	['ETIMEDOUT', 'The server did not respond in time.'],
	['CERT_HAS_EXPIRED', "The server's certificate is not valid."],
])('explains %s without the words of the network', async (code, begin) => {
	const { status, message } = await run(() => {
		throw Object.assign(networkError(code, `Bearer ${TEST_KEY}`), {
			options: { headers: { Authorization: `Bearer ${TEST_KEY}` } },
		});
	});

	expect(status).toBe('Error');
	expect(message.startsWith(begin)).toBe(true);
	expect(message).toContain('https://api.example.com');
});

// What else is wrong with a credential: connection.test.ts.
test('sends nothing with a credential that is wrong', async () => {
	const { status, message, request } = await run(self, { environment: 'production' });

	expect(status).toBe('Error');
	expect(message).toContain('fixed to production');
	expect(request).not.toHaveBeenCalled();
});
