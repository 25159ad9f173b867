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

test.each<[string, IDataObject]>([
	['auto', {}],
	...NAMED_SCHEMES.map(({ name }): [string, IDataObject] => [name, { signatureScheme: name }]),
	['custom, in hex', { ...custom, encoding: 'hex', prefix: '' }],
	['custom, in base64', custom],
	['custom, in base64url', { ...custom, encoding: 'base64url', prefix: 'v1,' }],
])('a sample is verified by the scheme %s', async (_, data) => {
	expect(await testWith({ signingSecrets: SECRET, ...data })).toEqual({
		status: 'OK',
		message: expect.stringMatching(/^A sample signed with the secret was verified\..*Send test/),
	});
});

test('the message counts the secrets that were entered, not the ways to read them', async () => {
	const encoded = `whsec_${Buffer.from(OTHER_SECRET.repeat(2)).toString('base64')}`;
	const { message } = await testWith({ signingSecrets: `${SECRET}\n${encoded}` });
	expect(message).toContain('each of the 2 secrets');
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
