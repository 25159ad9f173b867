import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';
import type { ApiCredential } from '../../../../../nodes/shared/client/connection';
import { testBrlPaymentsApi } from '../../../../../nodes/shared/client/credentialTest';
import { answer, htmlPage, networkError } from '../../../support/answers';
import { credentialWith, LIVE_KEY, SECRET, TEST_KEY } from '../../../support/credential';

const run = async (respond: () => unknown, changed: Partial<ApiCredential> & IDataObject = {}) => {
	const request = vi.fn(async (_options: unknown) => respond());
	const data = { ...credentialWith(changed) } as never;
	const result = await testBrlPaymentsApi.call(
		{ helpers: { request } } as unknown as ICredentialTestFunctions,
		{ id: 'c1', name: 'BRL', type: 'brlPaymentsApi', data },
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
	expect(request.mock.calls.flat()).toEqual([
		{
			...{ method: 'GET', uri: 'https://api.example.com/v1/auth/self', timeout: 10_000 },
			headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
			...{ encoding: null, simple: false, resolveWithFullResponse: true, followRedirect: false },
		},
	]);
});

describe('the signing secrets', () => {
	const first = 'example-signing-secret-0001';
	const second = `whsec_${Buffer.from(first.repeat(2)).toString('base64')}`;
	const SUCCESS = 'Connection successful. This is a sandbox key.';

	// It counts the secrets that were entered, not the ways to read them.
	test.each<[string, IDataObject, string]>([
		['none', {}, ''],
		['one', { signingSecrets: first }, ' The signing secret can be used. '],
		['two', { signingSecrets: `${first}\n${second}` }, ' Each of the 2 signing secrets can be'],
	])('%s: says what can be used, after the connection', async (_, data, added) => {
		const { status, message } = await run(self, data);
		expect(status).toBe('OK');
		expect(message).toContain(`${SUCCESS}${added}`);
		expect(message === SUCCESS || /Send test/.test(message)).toBe(true);
		expect(message).not.toContain(first);
	});

	// What else is wrong with them: signing.test.ts.
	test('that are wrong: says so without them, and sends nothing', async () => {
		const { status, message, request } = await run(self, { signingSecrets: `${first} abc` });
		expect(status).toBe('Error');
		expect(message).toMatch(/too short.*Settings > Webhooks/);
		expect(message).not.toContain(first);
		expect(request).not.toHaveBeenCalled();
	});
});

const KEY_IN_TRANSIT = { options: { headers: { Authorization: `Bearer ${TEST_KEY}` } } };
const fails = (code: string) => () => {
	throw Object.assign(networkError(code, `Bearer ${TEST_KEY}`), KEY_IN_TRANSIT);
};
const refusal = { error: { code: 'INVALID_API_KEY', message: 'No such key' } };
const echo = { error: { code: 'VALIDATION_ERROR', message: `Bearer ${TEST_KEY}` } };

// What else may happen to a request: explainFailure.test.ts.
test.each<[string, () => unknown, string, string]>([
	['another service', () => answer(200, { hello: 'world' }), 'be read', 'UNEXPECTED_ANSWER'],
	['no such page', () => htmlPage(404), 'this address is not the payment service.', 'HTTP 404'],
	['a server that repeats the key', () => answer(400, echo), 'refused', '[API key]'],
	['an unknown key', () => answer(401, refusal), 'unknown, revoked', 'HTTP 401'],
	['nobody there', fails('ECONNREFUSED'), 'cannot be reached.', 'https://api.example.com'],
])('explains %s', async (_, respond, words, detail) => {
	const { status, message } = await run(respond);

	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(message).toContain(detail);
	// There is no execution to retry.
	expect(message).not.toMatch(/retry this execution/i);
});
