import { NodeHelpers, type ICredentialDataDecryptedObject } from 'n8n-workflow';
import { BrlPaymentsApi } from '../../../credentials/BrlPaymentsApi.credentials';
import { readSignatureSettings } from '../../../nodes/shared/client/signing';

const credential = new BrlPaymentsApi();
const property = (name: string) => credential.properties.find((one) => one.name === name);
const getValues = (name: string) =>
	(property(name)?.options ?? []).map((option) => ('value' in option ? option.value : undefined));

/** What n8n saves when the user fills in nothing but this. */
const saved = (changed: Record<string, unknown>) =>
	({
		...Object.fromEntries(credential.properties.map((one) => [one.name, one.default])),
		signingSecrets: 'example-signing-secret-0001',
		...changed,
	}) as ICredentialDataDecryptedObject;

test('the names that saved credentials contain', () => {
	expect(credential.name).toBe('brlPaymentsApi');
	expect(credential.properties.map(({ name }) => name)).toEqual([
		...['apiKey', 'baseUrl', 'environment', 'webhookNotice'],
		...['signingSecrets', 'signatureScheme', 'hash', 'layout', 'decodeAs', 'timestampUnit'],
	]);
	expect(getValues('environment')).toEqual(['auto', 'production', 'sandbox']);
	expect(getValues('signatureScheme')).toEqual(['auto', 'custom']);
});

test('what is secret is shown as dots, the secrets of several endpoints in several lines', () => {
	expect(property('apiKey')?.typeOptions).toEqual({ password: true });
	expect(property('signingSecrets')?.typeOptions).toEqual({ password: true, rows: 4 });
});

test('every choice of the editor is understood', () => {
	for (const signatureScheme of getValues('signatureScheme')) {
		expect(readSignatureSettings(saved({ signatureScheme })).schemes.length).toBeGreaterThan(0);
	}
	for (const hash of getValues('hash')) {
		const settings = readSignatureSettings(saved({ signatureScheme: 'custom', hash }));
		expect(settings.schemes).toEqual([expect.objectContaining({ hash })]);
	}
});

test.each([
	['auto', []],
	['custom', ['hash', 'layout', 'decodeAs', 'timestampUnit']],
])('the scheme %s shows the fields %j of a custom scheme', (signatureScheme, shown) => {
	const isShown = (name: string) =>
		NodeHelpers.displayParameter({ signatureScheme }, property(name)!, null, null);
	expect(['hash', 'layout', 'decodeAs', 'timestampUnit'].filter(isShown)).toEqual(shown);
});
