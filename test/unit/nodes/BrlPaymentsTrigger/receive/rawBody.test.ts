import type { IWebhookFunctions } from 'n8n-workflow';
import { readRawBody } from '../../../../../nodes/BrlPaymentsTrigger/receive/rawBody';

const BYTES = Buffer.from('{"id":1}');

/** A request whose body n8n has not read; reading it may fail. */
function requestWith(read: () => Buffer = () => BYTES) {
	const request = {
		rawBody: undefined as Buffer | undefined,
		readRawBody: jest.fn(async () => {
			request.rawBody = read();
		}),
	};
	return request;
}

const bytesOf = async (request: object, contentType?: string) =>
	await readRawBody(
		{ getRequestObject: () => request } as unknown as IWebhookFunctions,
		contentType === undefined ? {} : { 'content-type': contentType },
	);

test('what n8n has read is not read again', async () => {
	const request = { ...requestWith(), rawBody: BYTES };
	expect(await bytesOf(request, 'application/json')).toBe(BYTES);
	expect(request.readRawBody).not.toHaveBeenCalled();
});

test.each([['application/octet-stream'], ['application/cloudevents+json'], ['odd'], [undefined]])(
	'what n8n has left unread is read: %s',
	async (contentType) => {
		expect(await bytesOf(requestWith(), contentType)).toBe(BYTES);
	},
);

test.each([['multipart/form-data; boundary=x'], [' Multipart/Mixed; boundary=x']])(
	'a body that n8n has used up is not waited for: %s',
	async (contentType) => {
		const request = requestWith();
		await expect(bytesOf(request, contentType)).rejects.toThrow('did not hand over');
		expect(request.readRawBody).not.toHaveBeenCalled();
	},
);

test('an n8n that cannot read it later is named', async () => {
	await expect(bytesOf({}, 'application/octet-stream')).rejects.toThrow('did not hand over');
});

test('a sender that hangs up fails the reading', async () => {
	const request = requestWith(() => {
		throw new Error('aborted');
	});
	await expect(bytesOf(request, 'application/octet-stream')).rejects.toThrow('aborted');
});
