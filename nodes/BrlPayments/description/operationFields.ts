import type { INodeProperties } from 'n8n-workflow';
import { isOrder, type Operation } from '../execution/operation';
import {
	additionalBodyFields,
	additionalQueryParameters,
	allowRetryAfter24Hours,
	idempotencyKey,
	maskPersonalData,
	maxConcurrency,
	timeout,
} from './options';

/** All that the user can set for one operation. */
export function buildFields(operation: Operation): INodeProperties[] {
	return [...operation.fields, buildOptions(operation)];
}

/** The Options collection of one operation, in alphabetical order of the names in the editor. */
export function buildOptions(operation: Operation): INodeProperties {
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
