import { TOO_LARGE } from '../../../../../nodes/BrlPaymentsTrigger/receive/answers';
import { look, readRawBody } from '../../../../../nodes/BrlPaymentsTrigger/receive/request';
import { validHeaders } from '../support/delivery';
import type { IWebhookFunctions } from 'n8n-workflow';

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

/** A request whose body n8n has not read; reading it may fail. */
function requestWith(read: () => Buffer = () => BYTES) {
	const request = {
		rawBody: undefined as Buffer | undefined,
		readRawBody: vi.fn(async () => {
			request.rawBody = read();
		}),
	};
	return request;
}

const readBytes = async (request: object, contentType?: string) =>
	await readRawBody(
		{ getRequestObject: () => request } as unknown as IWebhookFunctions,
		contentType === undefined ? {} : { 'content-type': contentType },
	);

test('what n8n has read is not read again', async () => {
	const request = { ...requestWith(), rawBody: BYTES };
	expect(await readBytes(request, 'application/json')).toBe(BYTES);
	expect(request.readRawBody).not.toHaveBeenCalled();
});

test.each([['application/octet-stream'], ['application/cloudevents+json'], ['odd'], [undefined]])(
	'what n8n has left unread is read: %s',
	async (contentType) => {
		expect(await readBytes(requestWith(), contentType)).toBe(BYTES);
	},
);

test.each([['multipart/form-data; boundary=x'], [' Multipart/Mixed; boundary=x']])(
	'a body that n8n has used up is not waited for: %s',
	async (contentType) => {
		const request = requestWith();
		await expect(readBytes(request, contentType)).rejects.toThrow('did not provide');
		expect(request.readRawBody).not.toHaveBeenCalled();
	},
);

test('an n8n that cannot read it later is named', async () => {
	await expect(readBytes({}, 'application/octet-stream')).rejects.toThrow('did not provide');
});

test('a sender that hangs up fails the reading', async () => {
	const request = requestWith(() => {
		throw new Error('aborted');
	});
	await expect(readBytes(request, 'application/octet-stream')).rejects.toThrow('aborted');
});
