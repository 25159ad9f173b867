import {
	attemptOfError,
	attemptOfResponse,
	sendRequest,
	type HttpRequest,
} from '../../../../../nodes/shared/transport/sendRequest';
import { answer } from '../../../support/answers';
import { credentialWith, SECRET, TEST_KEY } from '../../../support/credential';
import { fakeNodeContext } from '../../../support/nodeContext';

const LOST = { kind: 'noResponse', reason: 'connectionLost', neverSent: false };
const withCode = (code: string) => Object.assign(new Error(`request ${code}`), { code });

describe('attemptOfError', () => {
	test.each([
		['ECONNABORTED', 'timeout', false],
		['ETIMEDOUT', 'timeout', false],
		['ECONNREFUSED', 'unreachable', true],
		['ENOTFOUND', 'unreachable', true],
		['EAI_AGAIN', 'unreachable', true],
		['EHOSTUNREACH', 'unreachable', true],
		['ENETUNREACH', 'unreachable', true],
		['CERT_HAS_EXPIRED', 'certificate', true],
		['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', true],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', true],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', true],
		['ERR_CANCELED', 'cancelled', false],
		// The connection stood: the request may have arrived.
		['ECONNRESET', 'connectionLost', false],
		['ERR_HTTP2_STREAM_ERROR', 'connectionLost', false],
	])('reads %s as %s', (code, reason, neverSent) => {
		const lost = { kind: 'noResponse', reason, neverSent };
		const wrapped = new Error('outer', { cause: new Error('mid', { cause: withCode(code) }) });
		expect([withCode(code), wrapped].map((error) => attemptOfError(error))).toEqual([lost, lost]);
	});

	test('believes the innermost cause, which is the network itself', () => {
		const cause = withCode('ECONNREFUSED');
		const outer = Object.assign(new Error('outer', { cause }), { code: 'ETIMEDOUT' });

		expect(attemptOfError(outer)).toMatchObject({ reason: 'unreachable' });
	});

	const endless = new Error('round and round');
	endless.cause = endless;

	test.each([
		...[undefined, null, 'text', 42, {}, { code: 'ECONNREFUSED' }, endless],
		...[new Error('nothing known'), ...['constructor', '__proto__', 'toString'].map(withCode)],
		Object.assign(new Error('connection blocked'), { code: 'ECONNRESET' }),
	])('assumes for %o that the request may have arrived', (error) => {
		expect(attemptOfError(error)).toEqual(LOST);
	});

	test('calls everything cancelled that happens after the execution was stopped', () => {
		const cancelled = { ...LOST, reason: 'cancelled' };
		expect(attemptOfError(withCode('ECONNRESET'), AbortSignal.abort())).toEqual(cancelled);
		expect(attemptOfError(withCode('ECONNRESET'), new AbortController().signal)).toEqual(LOST);
	});

	test.each([
		'The request was blocked by SSRF protection',
		'Domain not allowed: this credential is restricted',
	])('says that this n8n refused: %s', (reason) => {
		const error = new Error('outer', { cause: new Error(reason) });
		expect(attemptOfError(error)).toEqual({ kind: 'blocked', reason });
	});
});

describe('attemptOfResponse', () => {
	test('gives names of headers in lower case and the body as bytes', () => {
		const headers = { 'Retry-After': '7', 'X-RateLimit-Reset': 12 };
		expect(attemptOfResponse({ statusCode: 429, headers, body: Buffer.from('{}') })).toEqual({
			...{ kind: 'answer', status: 429, body: Buffer.from('{}') },
			headers: { 'retry-after': '7', 'x-ratelimit-reset': '12' },
		});
	});

	test.each<[string, unknown, string]>([
		['an ArrayBuffer', new Uint8Array([0x7b, 0x7d]).buffer, '{}'],
		['text', '{"a":1}', '{"a":1}'],
		['an object that the helper has parsed', { a: 1 }, '{"a":1}'],
	])('reads %s', (_, body, text) => {
		const attempt = attemptOfResponse({ statusCode: 200, headers: {}, body: body as never });

		expect(attempt.kind === 'answer' && attempt.body.toString()).toBe(text);
	});
});

describe('sendRequest', () => {
	const request: HttpRequest = {
		...{ method: 'POST', url: 'https://api.example.com/v1/withdrawals', qs: { page: 1 } },
		...{ headers: { 'X-Idempotency-Key': 'key-1' }, body: '{"amount":10}', timeout: 30_000 },
	};
	const credential = { ...credentialWith() };

	test('sends through n8n with everything that keeps the answer raw and the key where it belongs', async () => {
		const { signal } = new AbortController();
		const { context, requests, credentialNames } = fakeNodeContext({
			respond: () => answer(201, { withdrawal: {} }),
		});

		const attempt = await sendRequest(context, request, signal, credential);

		expect(attempt).toMatchObject({ kind: 'answer', status: 201 });
		expect(credentialNames).toEqual(['brlPaymentsApi']);
		expect(requests).toEqual([
			{
				...request,
				abortSignal: signal,
				encoding: 'arraybuffer',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				sendCredentialsOnCrossOriginRedirect: false,
			},
		]);
	});

	test('passes on nothing of an error that contains the request', async () => {
		const { context } = fakeNodeContext({
			respond: () => {
				throw Object.assign(new Error(`POST with ${TEST_KEY} failed`), {
					code: 'ECONNRESET',
					config: { headers: { Authorization: `Bearer ${TEST_KEY}` } },
					request: { _header: `Authorization: Bearer ${TEST_KEY}` },
				});
			},
		});

		const attempt = await sendRequest(context, request, undefined, credential);

		expect(attempt).toEqual(LOST);
		expect(JSON.stringify(attempt)).not.toContain(SECRET);
	});
});
