import type { CredentialDefinition, N8nClient } from './rest';

/** The name that n8n itself gives to a first credential of this type; the examples use it. */
export const API_CREDENTIAL_NAME = 'BRL Payments account';

/** The name that n8n itself gives to a first SMTP account. */
export const MAIL_CREDENTIAL_NAME = 'SMTP account';

/** @param signingSecrets one per line; none where nothing is received by webhook */
export function apiCredential(
	baseUrl: string,
	apiKey: string,
	name = API_CREDENTIAL_NAME,
	signingSecrets = '',
): CredentialDefinition {
	const data = { apiKey, baseUrl, environment: 'auto', signingSecrets, signatureScheme: 'auto' };
	return { name, type: 'brlPaymentsApi', data };
}

export function mailCredential(port: number): CredentialDefinition {
	return {
		name: MAIL_CREDENTIAL_NAME,
		type: 'smtp',
		data: { host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' },
	};
}

export async function saveCredential(
	client: N8nClient,
	credential: CredentialDefinition,
): Promise<void> {
	const present = (await client.listCredentials()).find(
		({ name, type }) => name === credential.name && type === credential.type,
	);
	if (present) await client.updateCredential(present.id, credential);
	else await client.createCredential(credential);
}
