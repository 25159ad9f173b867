import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { authenticate } from '../nodes/shared/client/authenticate';

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
	];

	// A function rather than a template, so that the checks also guard n8n's HTTP Request node.
	authenticate: IAuthenticate = (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => Promise.resolve().then(() => authenticate(credentials, requestOptions));
}
