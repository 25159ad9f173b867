import {
	authenticate,
	type RequestOfAnyNode,
} from '../../../../../nodes/shared/client/authenticate';
import { InputError } from '../../../../../nodes/shared/input/inputError';
import { credentialWith, SECRET, TEST_KEY } from '../../../support/credential';
import { getRefusal } from '../../../support/refusal';

type Request = Partial<RequestOfAnyNode>;

const run = (request: Request, changed: Parameters<typeof credentialWith>[0] = {}) =>
	authenticate({ ...credentialWith(changed) }, request as RequestOfAnyNode);

const WITHOUT_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

test.each<[string, Request]>([
	['url', { url: 'https://api.example.com/v1/balance' }],
	['url with a port that is the default', { url: 'https://api.example.com:443/v1/balance' }],
	['uri', { uri: 'https://api.example.com/v1/balance' }],
	['baseURL and url', { baseURL: 'https://api.example.com', url: '/v1/balance' }],
	['a path alone', { url: '/v1/balance' }],
])('adds the key to a request given by %s', (_, request) => {
	expect(run(request)).toEqual({
		...request,
		...WITHOUT_REDIRECTS,
		headers: { Authorization: `Bearer ${TEST_KEY}` },
	});
});

test('keeps everything else but redirects, with which n8n could send the key along', () => {
	const request = {
		url: 'https://api.example.com/v1/payments',
		method: 'POST' as const,
		headers: { Accept: 'application/json' },
		body: { amount: 10 },
		followRedirect: true,
		followAllRedirects: true,
		disableFollowRedirect: false,
	};

	expect(run(request)).toEqual({
		...request,
		...WITHOUT_REDIRECTS,
		headers: { Accept: 'application/json', Authorization: `Bearer ${TEST_KEY}` },
	});
	expect(request.headers).toEqual({ Accept: 'application/json' });
});

test('keeps to the address of a server on this machine', () => {
	const local = { baseUrl: 'http://localhost:4010' };
	const { headers } = run({ url: 'http://localhost:4010/v1/balance' }, local);
	expect(headers).toHaveProperty('Authorization');
	expect(() => run({ url: 'http://localhost:4011/v1/balance' }, local)).toThrow(InputError);
});

test.each<[string, Request]>([
	['another host', { url: 'https://evil.example/v1/balance' }],
	['a subdomain', { url: 'https://www.api.example.com/v1/balance' }],
	['a host that begins alike', { url: 'https://api.example.com.evil.example/v1/balance' }],
	['the address as user name', { url: 'https://api.example.com@evil.example/v1/balance' }],
	['an address without protocol', { url: '//evil.example/v1/balance' }],
	[
		'an absolute url next to a right baseURL',
		{ baseURL: 'https://api.example.com', url: 'https://evil.example/v1/balance' },
	],
	['another port', { url: 'https://api.example.com:8443/v1/balance' }],
	['plain http', { url: 'http://api.example.com/v1/balance' }],
])('sends no key to %s', (_, request) => {
	const { message, remedy } = getRefusal(() => run(request));

	expect(message).toContain('this API key belongs to https://api.example.com');
	expect(`${message} ${remedy}`).not.toContain(SECRET);
});

test.each<[string, Request]>([
	['one slash', { url: 'https:/evil.example/v1/balance' }],
	['no slash, in capitals', { url: 'HTTPS:evil.example/v1/balance' }],
	['one slash in baseURL', { baseURL: 'https:/evil.example', url: '/v1/balance' }],
	['backslashes', { url: 'https:\\\\evil.example/v1/balance' }],
	['a backslash', { url: '/\\evil.example/v1/balance' }],
	['a backslash behind the host', { url: 'https://api.example.com\\@evil.example/' }],
	['a blank before it', { url: ' https:/evil.example/v1/balance' }],
	['a tab in it', { url: 'ht\ttps:/evil.example/v1/balance' }],
	['a line break in it', { url: '/\n/evil.example/v1/balance' }],
	['two slashes in baseURL', { baseURL: '//evil.example', url: '/v1/balance' }],
])('sends no key to an address that another library reads otherwise: %s', (_, request) => {
	expect(getRefusal(() => run(request)).message).toMatch(
		/^The request goes to an ambiguous address, but this API key belongs to/,
	);
});

test.each<[string, Request]>([
	['Proxy', { proxy: { host: 'proxy.example', port: 8080 } }],
	['Proxy', { proxy: 'http://proxy.example:8080' as never }],
	['Ignore SSL Issues', { skipSslCertificateValidation: true }],
	['Ignore SSL Issues', { rejectUnauthorized: false }],
	['Ignore SSL Issues', { agentOptions: { rejectUnauthorized: false } }],
])('sends no key to the intermediary that the option %s lets in', (option, request) => {
	const { message, remedy } = getRefusal(() => run({ url: '/v1/balance', ...request }));
	expect(message).toBe(`With the option ${option}, others could read the API key in transit`);
	expect(remedy).toContain(`Remove the option ${option}`);
});

test('is content with what n8n sets where none of these is chosen', () => {
	const request: Request = {
		url: '/v1/balance',
		proxy: undefined,
		rejectUnauthorized: true,
		skipSslCertificateValidation: false,
	};
	expect(run(request).headers).toHaveProperty('Authorization');
});
