import type { INodeProperties } from 'n8n-workflow';
import { readField } from '../../shared/validation/field';
import { isOrder, type Operation } from '../execution/operation';

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 3600;
const DEFAULT_CONCURRENCY = 20;
const MAX_CONCURRENCY = 100;

const additionalQueryParameters: INodeProperties = {
	displayName: 'Additional Query Parameters',
	name: 'additionalQueryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	default: {},
	placeholder: 'Add parameter',
	description:
		'Sent along with every request of the item. They replace parameters of the same name that this node sends; an empty value leaves the parameter out.',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. currency',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. BRL',
				},
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
		'Fields of the request that this node does not offer, such as customer.phone. They take no part in recognizing a repetition, so keep them the same when you retry.',
	options: [
		{
			displayName: 'Field',
			name: 'field',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. customer.phone',
					description: 'A dot puts the field into an object',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. +5511987654321',
					description:
						'Text, or JSON: 7, true and {"zip": "01310-100"} are sent as such, and "7" in double quotes as text. Leave it empty to leave the field out.',
				},
			],
		},
	],
};

const allowRetryAfter24Hours: INodeProperties = {
	displayName: 'Allow Retry After 24 Hours',
	name: 'allowRetryAfter24Hours',
	type: 'boolean',
	default: false,
	description:
		'Whether to send a retry although the server no longer recognises it as a repetition. This applies to all items: those with a recorded success are not sent again, but when n8n is killed it keeps no record. Only switch this on after you have checked what took effect, or it may be done twice.',
};

const idempotencyKey: INodeProperties = {
	displayName: 'Idempotency Key',
	name: 'idempotencyKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.invoiceNumber }}',
	description:
		"Leave empty: this node then makes a key that stays the same when the item is retried, so that nothing is done twice. Enter your own only if the same thing may come from several executions. It must differ per item and have at most 100 characters. It is shown in errors and executions: put no CPF into it, or end the expression with .hash('sha256').",
};

const maskPersonalData: INodeProperties = {
	displayName: 'Mask Personal Data',
	name: 'maskPersonalData',
	type: 'boolean',
	default: false,
	description:
		'Whether to show documents (CPF, CNPJ), e-mail addresses and phone numbers in the output only in part, like ***.456.789-**. Later nodes get the masked value too and cannot send an e-mail to it, for example. Files such as a boleto stay as they are.',
};

const maxConcurrency: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_CONCURRENCY, numberPrecision: 0 },
	default: DEFAULT_CONCURRENCY,
	description:
		'How many items are processed at the same time at most. The node begins with few, adds more while the service answers well, and takes some away when answers fail or get slow. The output keeps the order.',
};

const timeout: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 0.1, maxValue: MAX_TIMEOUT_SECONDS },
	default: DEFAULT_TIMEOUT_SECONDS,
	description: 'How long the answer to one request may take before it counts as lost',
};

/** All that the user can set for one operation. */
export function fieldsOf(operation: Operation): INodeProperties[] {
	return [...operation.fields, optionsOf(operation)];
}

/** The Options collection of one operation, in alphabetical order of the names in the editor. */
export function optionsOf(operation: Operation): INodeProperties {
	const entries = [
		additionalQueryParameters,
		maskPersonalData,
		timeout,
		...('executeAll' in operation ? [] : [maxConcurrency]),
		...(isOrder(operation) ? [additionalBodyFields, allowRetryAfter24Hours, idempotencyKey] : []),
		...(operation.options ?? []),
	];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: entries.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	};
}

/** Seconds as in the editor become milliseconds. */
export function parseTimeout(seconds: unknown): number {
	const value = readField(timeout, seconds) as number | undefined;
	return Math.round((value ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
}

export function parseConcurrency(value: unknown): number {
	return (readField(maxConcurrency, value) as number | undefined) ?? DEFAULT_CONCURRENCY;
}
