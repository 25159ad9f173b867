import type { ICredentialType, INodeProperties } from 'n8n-workflow';
import { NAMED_SCHEMES } from '../nodes/BrlPaymentsTrigger/signature/schemes';

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
			// With rows, the editor keeps line breaks; one that does not know them shows a single line.
			typeOptions: { password: true, rows: 4 },
			required: true,
			default: '',
			description:
				'The secret that the dashboard shows once when you register the endpoint under Settings > Webhooks. For several endpoints, one per line; where there is only one line, separate them with a blank. To add one later, enter all of them again: n8n does not show saved secrets again.',
		},
		{
			displayName: 'Signature Scheme',
			name: 'signatureScheme',
			type: 'options',
			default: 'auto',
			description:
				'How deliveries are signed. Automatic finds it out; every scheme covers the timestamp and the whole body.',
			options: [
				{ name: 'Automatic', value: 'auto' },
				{ name: 'Custom', value: 'custom' },
				...NAMED_SCHEMES.map(({ name, hash, layout: { before, between } }) => ({
					name: `HMAC-${hash.toUpperCase()} of ${before}{timestamp}${between === '\n' ? '⏎' : between}{body}`,
					value: name,
				})),
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
				'What is signed. Must hold {timestamp} and {body}, in either order; \\n stands for a line break.',
		},
		{
			displayName: 'Encoding',
			name: 'encoding',
			type: 'options',
			default: 'hex',
			displayOptions: forCustom,
			options: [
				{ name: 'Base64', value: 'base64' },
				{ name: 'Base64url', value: 'base64url' },
				{ name: 'Hex', value: 'hex' },
			],
		},
		{
			displayName: 'Prefix',
			name: 'prefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. v1=',
			displayOptions: forCustom,
			description:
				'What stands before the signature in the header. Leave it empty for a bare value and for the usual forms, such as v1=… and t=…,v1=….',
		},
		{
			displayName: 'Secret Encoding',
			name: 'decodeAs',
			type: 'options',
			default: 'text',
			displayOptions: forCustom,
			description: 'What the secret stands for when it signs',
			options: [
				{
					name: 'Base64',
					value: 'base64',
					description: 'Its bytes. A leading whsec_ is left out.',
				},
				{ name: 'Hex', value: 'hex', description: 'Its bytes' },
				{ name: 'Text', value: 'text', description: 'The characters as they are' },
			],
		},
		{
			displayName: 'Timestamp Unit',
			name: 'timestampUnit',
			type: 'options',
			default: 'auto',
			displayOptions: forCustom,
			description: 'What a number in X-Webhook-Timestamp counts',
			options: [
				{ name: 'From Its Form', value: 'auto', description: 'Told by the number of digits' },
				{ name: 'Microseconds', value: 'microseconds' },
				{ name: 'Milliseconds', value: 'milliseconds' },
				{ name: 'Nanoseconds', value: 'nanoseconds' },
				{ name: 'Seconds', value: 'seconds' },
			],
		},
	];
}
