import type { INodeProperties } from 'n8n-workflow';

/** What a payout consists of; the same for paying and for checking. */
export const payoutFields: INodeProperties[] = [
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		default: '',
		placeholder: 'e.g. 1.234,56',
		description:
			'Amount that the recipient receives, in reais, such as 1234.56 or R$ 1.234,56. The fee is charged on top. Leave empty if PIX Key is a PIX code that contains the amount.',
	},
	{
		displayName: 'PIX Key',
		name: 'pixKey',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. +5511987654321',
		description:
			'PIX key of the recipient: CPF, CNPJ, e-mail, phone number starting with +55, or random key. Or a static PIX code (copia e cola), which begins with 000201.',
	},
	{
		displayName: 'Recipient Document',
		name: 'recipientDocument',
		type: 'string',
		default: '',
		placeholder: 'e.g. 529.982.247-25',
		description: 'CPF or CNPJ of the recipient. Leave empty if the PIX key is a CPF or CNPJ.',
	},
];
