import type { IWebhookFunctions } from 'n8n-workflow';
import { TOO_LARGE } from '../../../../../nodes/BrlPaymentsTrigger/receive/answers';
import { look, readRawBody } from '../../../../../nodes/BrlPaymentsTrigger/receive/request';
import { validHeaders } from '../support/delivery';

const MEGABYTE = 1024 * 1024;

test.each([
	['packed', { 'content-encoding': 'gzip' }, MEGABYTE, null],
	['packed', { 'content-encoding': 'gzip' }, MEGABYTE + 1, TOO_LARGE],
	['as it is', {}, 16 * MEGABYTE, null],
])('a body that came %s: %o, %i bytes', (_, headers, bytes, answer) => {
	expect(look(validHeaders(headers), bytes)).toBe(answer);
});

test.each([
	['signature', '', 401, 'The header X-Webhook-Signature is missing'],
	['timestamp', undefined, 401, 'The header X-Webhook-Timestamp is missing'],
	['signature', `v1=${'a'.repeat(42)}`, 503, 'The header X-Webhook-Signature is malformed.'],
	['event', 'A'.repeat(65), 503, 'The header X-Webhook-Event is missing or malformed.'],
])('is refused by a look at the %s %o: %i', (name, value, status, reason) => {
	expect(look(validHeaders({ [`x-webhook-${name}`]: value }), 1)).toEqual({
		status,
		reason: expect.stringContaining(reason),
	});
});

const BYTES = Buffer.from('{"id":1}');
const OCTETS = 'application/octet-stream';

interface FakeRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
}

/** A request whose body n8n has not read; reading it may fail. */
function unread(read: () => Buffer = () => BYTES): FakeRequest {
	const request: FakeRequest = {
		readRawBody: async () => {
			request.rawBody = read();
		},
	};
	return request;
}

const readBytes = async (request: FakeRequest, contentType?: string) =>
	await readRawBody(
		{ getRequestObject: () => request } as unknown as IWebhookFunctions,
		contentType === undefined ? {} : { 'content-type': contentType },
	);

test('what n8n has read is not read again', async () => {
	const request = { ...unread(() => Buffer.from('other')), rawBody: BYTES };
	expect(await readBytes(request, 'application/json')).toBe(BYTES);
});

test.each([[OCTETS], ['application/cloudevents+json'], ['odd'], [undefined]])(
	'what n8n has left unread is read: %s',
	async (contentType) => {
		expect(await readBytes(unread(), contentType)).toBe(BYTES);
	},
);

const abort = () => {
	throw new Error('aborted');
};
test.each<[string, FakeRequest, string, string]>([
	['that n8n has used up', unread(), 'multipart/form-data; boundary=x', 'did not provide'],
	['that n8n has used up', unread(), ' Multipart/Mixed; boundary=x', 'did not provide'],
	['that this n8n cannot read later', {}, OCTETS, 'did not provide'],
	['of a sender that hangs up', unread(abort), OCTETS, 'aborted'],
])('a body %s cannot be read', async (_, request, contentType, message) => {
	await expect(readBytes(request, contentType)).rejects.toThrow(message);
});
