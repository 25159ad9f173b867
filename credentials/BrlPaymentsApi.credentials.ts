import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { authenticate } from '../nodes/shared/client/authenticate';

/** The fields that only a custom scheme needs. */
const forCustom = { show: { signatureScheme: ['custom'] } };

export class BrlPaymentsApi implements ICredentialType {
	name = 'brlPaymentsApi';

	displayName = 'BRL Payments API';

	icon = {
		light: 'file:../icons/brlPayments.svg',
		dark: 'file:../icons/brlPayments.dark.svg',
	} as const;

	documentationUrl = 'https://github.com/n8n-nodes-brl-payments/n8n-nodes-brl-payments#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'e.g. prefix_test_…',
			hint: 'Put LIVE or TEST into the name of this credential: nodes show only the name.',
			description:
				'Created in the dashboard under Settings > API Keys, where it is shown only once. A key with "test" in it uses play money, a key with "live" moves real money.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the API, from the documentation of the service, without /v1. The key is sent to this address only.',
		},
		{
			displayName: 'Environment',
			name: 'environment',
			type: 'options',
			default: 'auto',
			description:
				'Which environment this credential may be used for. If the key belongs to the other one, nothing is sent.',
			options: [
				{
					name: 'From API Key',
					value: 'auto',
					description: 'Use the environment of the key',
				},
				{
					name: 'Production',
					value: 'production',
					description: 'Only accept live keys, which move real money',
				},
				{
					name: 'Sandbox',
					value: 'sandbox',
					description: 'Only accept test keys, which move no money',
				},
			],
		},
		{
			displayName:
				'<b>Webhooks (optional)</b>: only for a BRL Payments Trigger that receives by webhook.',
			name: 'webhookNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Signing Secrets',
			name: 'signingSecrets',
			type: 'string',
			// With rows, the editor keeps line breaks; an editor that does not know them shows a single line.
			typeOptions: { password: true, rows: 4 },
			default: '',
			description:
				'The secret that the dashboard shows once when you register the endpoint under Settings > Webhooks. For several endpoints, enter one per line; if the field has only one line, separate them with a space. To add one later, enter all of them again, because n8n does not show saved secrets.',
		},
		{
			displayName: 'Signature Scheme',
			name: 'signatureScheme',
			type: 'options',
			default: 'auto',
			description:
				'How deliveries are signed. Automatic detects it. Every scheme covers the timestamp and the whole body.',
			options: [
				{ name: 'Automatic', value: 'auto' },
				{ name: 'Custom', value: 'custom' },
			],
		},
		{
			displayName: 'Hash',
			name: 'hash',
			type: 'options',
			default: 'sha256',
			displayOptions: forCustom,
			options: [
				{ name: 'SHA-256', value: 'sha256' },
				{ name: 'SHA-512', value: 'sha512' },
			],
		},
		{
			displayName: 'Layout',
			name: 'layout',
			type: 'string',
			default: '{timestamp}.{body}',
			placeholder: 'e.g. {timestamp}.{body}',
			displayOptions: forCustom,
			description:
				'What is signed. Must contain {timestamp} and {body}, in either order. Write a line break as \\n.',
		},
		{
			displayName: 'Secret Encoding',
			name: 'decodeAs',
			type: 'options',
			default: 'text',
			displayOptions: forCustom,
			description:
				'How to decode the secret into the signing key. Automatic decodes only secrets that begin with whsec_.',
			options: [
				{
					name: 'Base64',
					value: 'base64',
					description: 'Decode the secret, without a leading whsec_',
				},
				{ name: 'Hex', value: 'hex', description: 'Decode the secret' },
				{ name: 'Text', value: 'text', description: 'Use the characters as they are' },
			],
		},
		{
			displayName: 'Timestamp Unit',
			name: 'timestampUnit',
			type: 'options',
			default: 'auto',
			displayOptions: forCustom,
			description: 'Unit of a number in X-Webhook-Timestamp',
			options: [
				{ name: 'Automatic', value: 'auto', description: 'Detected from the number of digits' },
				{ name: 'Microseconds', value: 'microseconds' },
				{ name: 'Milliseconds', value: 'milliseconds' },
				{ name: 'Nanoseconds', value: 'nanoseconds' },
				{ name: 'Seconds', value: 'seconds' },
			],
		},
	];

	// A function rather than a template, so that the checks also guard n8n's HTTP Request node.
	authenticate: IAuthenticate = (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => Promise.resolve().then(() => authenticate(credentials, requestOptions));
}
