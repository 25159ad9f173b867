import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { NAMED_SCHEMES } from '../nodes/BrlPaymentsTrigger/signature/settings';

/** The fields that only a custom scheme needs. */
const forCustom = { show: { signatureScheme: ['custom'] } };

export class BrlPaymentsWebhookApi implements ICredentialType {
	name = 'brlPaymentsWebhookApi';

	displayName = 'BRL Payments Webhook API';

	icon = {
		light: 'file:../icons/brlPayments.svg',
		dark: 'file:../icons/brlPayments.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-brl-payments/n8n-nodes-brl-payments#receive-events';

	properties: INodeProperties[] = [
		{
			displayName: 'Signing Secrets',
			name: 'signingSecrets',
			type: 'string',
			// With rows, the editor keeps line breaks; an editor that does not know them shows a single line.
			typeOptions: { password: true, rows: 4 },
			required: true,
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
				'How deliveries are signed. Automatic detects the scheme. Every scheme covers the timestamp and the whole body.',
			options: [
				{ name: 'Automatic', value: 'auto' },
				{ name: 'Custom', value: 'custom' },
				...Object.entries(NAMED_SCHEMES).map(
					([
						name,
						{
							hash,
							layout: { before, between },
						},
					]) => ({
						name: `HMAC-${hash.toUpperCase()} of ${before}{timestamp}${between === '\n' ? '⏎' : between}{body}`,
						value: name,
					}),
				),
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
}
