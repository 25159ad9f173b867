import type { IDataObject } from 'n8n-workflow';
import { InputError } from './inputError';

/**
 * Reads a JSON field: text with a JSON object, or an object from an expression.
 * @returns undefined when nothing, or an object without fields, is given
 */
export function parseObject(value: unknown, label: string): IDataObject | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	let parsed: unknown = value;
	if (typeof value === 'string') {
		try {
			parsed = JSON.parse(value) as unknown;
		} catch {
			parsed = undefined;
		}
	}
	if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
		throw new InputError(
			`${label} is not a JSON object`,
			'Write it like {"order": 1042}, with double quotes around keys and strings.',
		);
	}
	return Object.keys(parsed).length === 0 ? undefined : (parsed as IDataObject);
}
