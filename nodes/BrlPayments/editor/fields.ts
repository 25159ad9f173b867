import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { AUTOMATIC, PIX_KEY_TYPES } from '../../shared/input/pixKeyType';

/** A field for text. */
export function textField(
	displayName: string,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more };
}

/** Shown above the fields of what cannot be undone. */
export const moneyNotice: INodeProperties = {
	displayName: 'With a live key, this moves real money and cannot be undone.',
	name: 'moneyNotice',
	type: 'notice',
	default: '',
};

/** What a payout consists of; the same for paying and for checking. */
export const payoutFields: INodeProperties[] = [
	textField('Amount', 'amount', {
		placeholder: 'e.g. 1.234,56',
		description:
			'Amount that the recipient receives, in reais, such as 1234.56 or R$ 1.234,56. The fee is charged on top. Leave empty if PIX Key is a PIX code that contains the amount.',
	}),
	textField('PIX Key', 'pixKey', {
		required: true,
		placeholder: 'e.g. +5511987654321',
		description:
			'PIX key of the recipient: CPF, CNPJ, e-mail, phone number such as +5511987654321 or (11) 98765-4321, or random key. Or a static PIX code (copia e cola), which begins with 000201.',
	}),
	{
		displayName: 'PIX Key Type',
		name: 'pixKeyType',
		type: 'options',
		default: AUTOMATIC,
		options: [
			{
				name: 'Automatic',
				value: AUTOMATIC,
				description: 'Read from the key. Digits that could be a CPF or a phone number are refused.',
			},
			{ name: PIX_KEY_TYPES.CNPJ, value: 'CNPJ' },
			{ name: PIX_KEY_TYPES.CPF, value: 'CPF' },
			{ name: PIX_KEY_TYPES.EMAIL, value: 'EMAIL' },
			{
				name: PIX_KEY_TYPES.PHONE,
				value: 'PHONE',
				description: 'Adds +55 to a number that has only its area code',
			},
			{ name: PIX_KEY_TYPES.RANDOM, value: 'RANDOM' },
		],
		description:
			'What kind of PIX key it is. An expression can read it from a column, which may say it in Portuguese, such as telefone, celular, aleatória or EVP. A row whose key is of another type is refused.',
	},
	textField('Recipient Document', 'recipientDocument', {
		placeholder: 'e.g. 529.982.247-25',
		description:
			'CPF or CNPJ of the recipient, which the bank compares with the holder of the PIX key. Leave empty if the PIX key is a CPF or CNPJ: it is then taken from the key. For any other key, the service uses the document of your own company if this is empty.',
	}),
];

/** The reference of a payout that was made before, or may have been. */
export const referenceField: INodeProperties = textField('Reference', 'reference', {
	required: true,
	placeholder: 'e.g. NF-1042',
	description:
		'The reference that the payout was sent with, or the name (auto-…) that its message or the table BRL Payouts shows',
});

/** How long Wait for Status waits; the statuses are the operation's own. */
export const waitTimeoutField: INodeProperties = {
	displayName: 'Wait at Most (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.1 },
	default: 300,
	description:
		'How long to wait for one of the statuses before the item fails. The message names the last status.',
};

export type DocumentFormat = 'html' | 'text';

export const formatField: INodeProperties = {
	displayName: 'Format',
	name: 'format',
	type: 'options',
	default: 'text',
	description: 'Format of the document',
	options: [
		{
			name: 'HTML',
			value: 'html',
			description: 'A web page that you can e-mail or convert to PDF',
		},
		{ name: 'Text', value: 'text', description: 'Plain text' },
	],
};

/** Return All and Limit, as every Get Many of n8n has them. */
export const listFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** The filters of a list, in alphabetical order of the names that the editor shows. */
export const filtersField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options,
});

/** The date filters of a list. @param rows what the list contains, for example "payments" */
export const dateFilters = (rows: string): { start: INodeProperties; end: INodeProperties } => ({
	start: {
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		description: `Only ${rows} created on or after this date`,
	},
	end: {
		displayName: 'End Date',
		name: 'endDate',
		type: 'dateTime',
		default: '',
		description: `Only ${rows} created on or before this date. At midnight, as the calendar enters it, the whole day counts.`,
	},
});

/** Statuses of a payment (docs/api.md#payment-states), in alphabetical order as the editor lists them. */
export const PAYMENT_STATUSES: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'CANCELLED' },
	{ name: 'Chargeback', value: 'CHARGEBACK' },
	{ name: 'Confirmed', value: 'CONFIRMED' },
	{ name: 'Expired', value: 'EXPIRED' },
	{ name: 'MED Frozen', value: 'MED_FROZEN' },
	{ name: 'New', value: 'NEW' },
	{ name: 'Paid', value: 'PAID' },
	{ name: 'Partial Refund', value: 'PARTIAL_REFUND' },
	{ name: 'Pending Method Selection', value: 'PENDING_METHOD_SELECTION' },
	{ name: 'Processing', value: 'PROCESSING' },
	{ name: 'Refunded', value: 'REFUNDED' },
];

/** Statuses of a withdrawal (docs/api.md#withdrawal-states). */
export const WITHDRAWAL_STATUSES: INodePropertyOptions[] = [
	{ name: 'Cancelled', value: 'CANCELLED' },
	{ name: 'Completed', value: 'COMPLETED' },
	{ name: 'Failed', value: 'FAILED' },
	{ name: 'Pending', value: 'PENDING' },
	{ name: 'Processing', value: 'PROCESSING' },
];

export const PAYMENT_METHODS: INodePropertyOptions[] = [
	{ name: 'Boleto', value: 'BOLETO' },
	{ name: 'Card', value: 'CARD' },
	{ name: 'PIX', value: 'PIX' },
];
