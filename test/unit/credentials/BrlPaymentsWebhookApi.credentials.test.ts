import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { BrlPaymentsWebhookApi } from '../../../credentials/BrlPaymentsWebhookApi.credentials';
import {
	NAMED_SCHEMES,
	readSignatureSettings,
} from '../../../nodes/BrlPaymentsTrigger/signature/settings';

const credential = new BrlPaymentsWebhookApi();
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
	expect(credential.name).toBe('brlPaymentsWebhookApi');
	expect(credential.properties.map(({ name }) => name)).toEqual([
		'signingSecrets',
		'signatureScheme',
		'hash',
		'layout',
		'decodeAs',
		'timestampUnit',
	]);
	expect(getValues('signatureScheme')).toEqual(['auto', 'custom', ...Object.keys(NAMED_SCHEMES)]);
});

test('the secrets are shown as dots, in several lines, and required', () => {
	expect(property('signingSecrets')).toMatchObject({
		typeOptions: { password: true, rows: 4 },
		required: true,
		default: '',
	});
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

test('as it comes, it finds the scheme out', () => {
	expect(readSignatureSettings(saved({})).schemes).toEqual(Object.values(NAMED_SCHEMES));
});
