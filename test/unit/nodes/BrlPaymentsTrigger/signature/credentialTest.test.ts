import type { ICredentialTestFunctions, IDataObject } from 'n8n-workflow';
import { testBrlPaymentsWebhookApi } from '../../../../../nodes/BrlPaymentsTrigger/signature/credentialTest';
import { OTHER_SECRET, SECRET } from '../support/delivery';

const testWith = async (data: IDataObject | undefined) =>
	await testBrlPaymentsWebhookApi.call({} as ICredentialTestFunctions, {
		...{ id: '1', name: 'Webhook', type: 'brlPaymentsWebhookApi' },
		data: data as never,
	});

const encoded = `whsec_${Buffer.from(OTHER_SECRET.repeat(2)).toString('base64')}`;

// It counts the secrets that were entered, not the ways to read them.
test.each([
	[SECRET, /^The secret can be used\..*Send test/],
	[`${SECRET}\n${encoded}`, /^Each of the 2 secrets can be used\./],
])('what can be used: %o', async (signingSecrets, message) => {
	const result = await testWith({ signingSecrets });
	expect(result).toEqual({ status: 'OK', message: expect.stringMatching(message) });
	expect(result.message).not.toContain(SECRET);
});

test.each<[string, IDataObject | undefined, RegExp]>([
	['nothing', undefined, /no signing secret.*Settings > Webhooks/],
	[
		'no timestamp',
		{ signingSecrets: SECRET, signatureScheme: 'custom', layout: '{body}' },
		/must contain \{timestamp\}/,
	],
])('%s: says what is wrong, and no secret', async (_, data, message) => {
	const result = await testWith(data);
	expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
	expect(result.message).not.toContain(SECRET);
});
