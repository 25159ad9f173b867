import type { INodeProperties } from 'n8n-workflow';

/** What a payout consists of; the same for paying and for checking. */
export const payoutFields: INodeProperties[] = [
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 1.234,56',
		description:
			'What the recipient receives, in reais. 1234.56 and R$ 1.234,56 are both understood. The fee is added on top.',
	},
	{
		displayName: 'PIX Key',
		name: 'pixKey',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +5511987654321',
		description:
			'Where the money goes: CPF, CNPJ, e-mail, phone number with +55 before it, or random key',
	},
	{
		displayName: 'Recipient Document',
		name: 'recipientDocument',
		type: 'string',
		default: '',
		placeholder: 'e.g. 529.982.247-25',
		description:
			'CPF or CNPJ of the recipient. Leave it empty when the PIX key is itself a CPF or CNPJ.',
	},
];
