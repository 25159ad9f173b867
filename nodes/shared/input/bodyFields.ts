import type { IDataObject } from 'n8n-workflow';
import { InputError } from './inputError';
import { toText } from './text';

export interface BodyField {
	readonly name?: unknown;
	readonly value?: unknown;
}

/**
 * The body with what the user adds: dotted names nest, a value that is JSON is sent as such, and an
 * empty value leaves the field out.
 *
 * @param guarded dotted names that identify what is bought or paid, or that limits are compared
 * with: a field that replaced one of these would bypass all checks
 * @throws InputError for such a field, and for one that has no place in the body
 */
export function addBodyFields(
	body: IDataObject,
	fields: readonly BodyField[],
	guarded: readonly string[],
): IDataObject {
	return fields.reduce<IDataObject>((whole, { name, value }) => {
		const dotted = toText(name).trim();
		const given = parseJson(value);
		if (dotted === '' && given === undefined) return whole;
		const path = dotted.split('.');
		if (path.includes('')) {
			throw new InputError(
				`Additional Body Fields has the invalid name "${dotted}"`,
				'Enter a name, such as taxId, or names with dots between them, such as customer.phone.',
			);
		}
		const own = guarded.find((one) => isWithin(one, dotted) || isWithin(dotted, one));
		if (own !== undefined) {
			throw new InputError(
				`Additional Body Fields cannot set "${dotted}"`,
				`This node checks ${own} before it sends it. Use the node's own field instead.`,
			);
		}
		return place(whole, path, given, dotted);
	}, body);
}

function isWithin(inner: string, outer: string): boolean {
	return inner === outer || inner.startsWith(`${outer}.`);
}

function parseJson(value: unknown): unknown {
	if (value === undefined || value === null || value === '') return undefined;
	if (typeof value !== 'string') return value;
	try {
		const json = JSON.parse(value) as unknown;
		// A number with more digits than JavaScript can count would become another one.
		return typeof json === 'number' && String(json) !== value.trim() && /^-?\d+$/.test(value.trim())
			? value
			: json;
	} catch {
		return value;
	}
}

function place(
	object: IDataObject,
	[name = '', ...rest]: string[],
	value: unknown,
	dotted: string,
): IDataObject {
	const before = Object.hasOwn(object, name) ? object[name] : undefined;
	if (rest.length > 0) {
		if (before !== undefined && (typeof before !== 'object' || Array.isArray(before))) {
			throw new InputError(
				`Additional Body Fields cannot set "${dotted}"`,
				`The request has ${name}, which is not an object. Choose another name.`,
			);
		}
		if (value === undefined && before === undefined) return object;
		return {
			...object,
			[name]: place((before ?? {}) as IDataObject, rest, value, dotted),
		};
	}
	if (value !== undefined) return { ...object, [name]: value };
	return Object.fromEntries(Object.entries(object).filter(([field]) => field !== name));
}
