import { textField } from './fields';
import type { INodeProperties } from 'n8n-workflow';
import { readField } from '../../shared/input/field';

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 3600;
const DEFAULT_CONCURRENCY = 10;
const MAX_CONCURRENCY = 100;

export const additionalQueryParameters: INodeProperties = {
	displayName: 'Additional Query Parameters',
	name: 'additionalQueryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add parameter',
	description:
		'Sent with every request for the item. They override parameters of the same name that this node sends; an empty value removes the parameter.',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				textField('Name', 'name', { placeholder: 'e.g. currency' }),
				textField('Value', 'value', { placeholder: 'e.g. BRL' }),
			],
		},
	],
};

/** For writes with a JSON body. */
export const additionalBodyFields: INodeProperties = {
	displayName: 'Additional Body Fields',
	name: 'additionalBodyFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add field',
	description:
		'Request fields that this node does not offer, such as customer.phone. They are not used to recognize a repetition, so keep them the same when you retry.',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				textField('Name', 'name', {
					placeholder: 'e.g. customer.phone',
					description: 'Use a dot for a field inside an object',
				}),
				textField('Value', 'value', {
					placeholder: 'e.g. +5511987654321',
					description:
						'Text or JSON: 7, true and {"zip": "01310-100"} are sent as JSON, "7" in double quotes as text. Leave empty to omit the field.',
				}),
			],
		},
	],
};

export const allowRetryAfter24Hours: INodeProperties = {
	displayName: 'Allow Retry After 24 Hours',
	name: 'allowRetryAfter24Hours',
	type: 'boolean',
	default: false,
	description:
		'Whether to send a retry even though the server no longer recognizes it as a repetition. This applies to all items, also to those that took effect. Turn this on only after checking what took effect, or it may be done twice. Items with a name in the table BRL Payouts are not affected.',
};

export const idempotencyKey: INodeProperties = textField('Idempotency Key', 'idempotencyKey', {
	placeholder: 'e.g. {{ $json.invoiceNumber }}',
	description:
		"Leave empty to have this node generate a key that stays the same when the item is retried, so that nothing is done twice. Enter your own only if several executions may request the same thing. It must be different for each item and have at most 100 characters. It appears in messages and executions, so do not put a CPF in it, or end the expression with .hash('sha256').",
});

export const maskPersonalData: INodeProperties = {
	displayName: 'Mask Personal Data',
	name: 'maskPersonalData',
	type: 'boolean',
	default: false,
	description:
		'Whether to mask documents (CPF, CNPJ), e-mail addresses and phone numbers in the output, like ***.456.789-**. Later nodes receive the masked values too, so they cannot send an e-mail to a masked address, for example. Files such as a boleto are not masked.',
};

export const maxConcurrency: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
	default: DEFAULT_CONCURRENCY,
	description:
		'How many items to process at the same time. The output keeps the order of the items.',
};

export const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: MAX_TIMEOUT_SECONDS },
	default: DEFAULT_TIMEOUT_SECONDS,
	description: 'How long to wait for the response to one request',
};

/** Seconds as in the editor become milliseconds. */
export function parseTimeout(seconds: unknown): number {
	const value = readField(timeout, seconds) as number | undefined;
	return Math.round((value ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
}

export function parseConcurrency(value: unknown): number {
	return (readField(maxConcurrency, value) as number | undefined) ?? DEFAULT_CONCURRENCY;
}
