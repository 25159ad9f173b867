import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';
import { testBrlPaymentsWebhookApi } from '../../../../../nodes/BrlPaymentsTrigger/signature/credentialTest';
import { NAMED_SCHEMES } from '../../../../../nodes/BrlPaymentsTrigger/signature/schemes';
import { OTHER_SECRET, SECRET } from '../support/delivery';

const testWith = async (data: IDataObject | undefined) =>
	await testBrlPaymentsWebhookApi.call({} as ICredentialTestFunctions, {
		id: '1',
		name: 'Webhook',
		type: 'brlPaymentsWebhookApi',
		data: data as never,
	});

const custom = {
	signingSecrets: SECRET,
	signatureScheme: 'custom',
	hash: 'sha512',
	layout: 'v0:{timestamp}:{body}',
	encoding: 'base64',
	prefix: 'sig=',
};

test('a sample is verified by each scheme, and the message counts the secrets', async () => {
	for (const signatureScheme of ['auto', ...NAMED_SCHEMES.map(({ name }) => name)]) {
		expect(await testWith({ signingSecrets: SECRET, signatureScheme })).toEqual({
			status: 'OK',
			message: expect.stringMatching(/^A sample signed with the secret was verified\..*Send test/),
		});
	}
	const { status, message } = await testWith({ signingSecrets: `${SECRET}\n${OTHER_SECRET}` });
	expect(status).toBe('OK');
	expect(message).toContain('each of the 2 secrets');
});

test.each([
	['hex', ''],
	['base64', 'sig='],
	['base64url', 'v1,'],
])('custom, in %s after "%s"', async (encoding, prefix) => {
	expect(await testWith({ ...custom, encoding, prefix })).toMatchObject({ status: 'OK' });
});

test.each<[string, IDataObject | undefined, RegExp]>([
	['nothing', undefined, /no signing secret.*Settings > Webhooks/],
	['no timestamp', { ...custom, layout: '{body}' }, /must contain \{timestamp\}/],
	[
		'a prefix that no header can contain',
		{ ...custom, prefix: 'x'.repeat(2_048) },
		/prefix and encoding/,
	],
])('%s: says what is wrong, and no secret', async (_, data, message) => {
	const result = await testWith(data);
	expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	expect(result.message).not.toContain(SECRET);
});
