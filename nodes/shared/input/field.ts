import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { InputError } from './inputError';
import { toText } from './text';

/**
 * Reads the value of a field as its definition in the editor says. The editor provides the right
 * type; expressions, agents and spreadsheets provide text as well, which must neither be dropped nor
 * guessed.
 *
 * @returns undefined if a number or a choice was left empty; the value of a text field as it came
 * @throws InputError for a value that the field cannot have; in a collection, for each field that is
 * present
 */
export function readField(field: INodeProperties, value: unknown): unknown {
	switch (field.type) {
		case 'boolean':
			return readBoolean(field, value);
		case 'number':
			return readNumber(field, value);
		case 'options':
			return readChoice(field, value);
		case 'multiOptions':
			return toList(value).map((one) => readChoice(field, one));
		case 'collection':
			return readCollection(field, value);
		default:
			return value;
	}
}

const BOOLEANS = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

/** Nothing is not `false`: the field may decide who pays a fee, or whether personal data is masked. */
function readBoolean({ displayName }: INodeProperties, value: unknown): boolean {
	const known = BOOLEANS.get(toText(value).trim().toLowerCase());
	if (known !== undefined) return known;
	throw new InputError(
		`${displayName} is ${quoted(value)}, which is neither true nor false`,
		`Set ${displayName} to true or false.`,
	);
}

function readNumber(
	{ displayName, typeOptions = {} }: INodeProperties,
	value: unknown,
): number | undefined {
	if (value === undefined || value === null) return undefined;
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions;
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText || typeof value === 'number' ? Number(value) : Number.NaN;
	const isFitting = numberPrecision !== 0 || Number.isInteger(number);
	if (Number.isFinite(number) && isFitting && number >= minValue && number <= maxValue) {
		return number;
	}
	const kind = numberPrecision === 0 ? 'whole number' : 'number';
	throw new InputError(
		`${displayName} cannot be ${quoted(value)}`,
		maxValue === Infinity
			? `Enter a ${kind} of at least ${minValue}.`
			: `Enter a ${kind} from ${minValue} to ${maxValue}.`,
	);
}

function readChoice({ displayName, options = [] }: INodeProperties, value: unknown): unknown {
	const text = toText(value).trim();
	if (text === '') return undefined;
	const values = (options as INodePropertyOptions[]).map((option) => option.value);
	const chosen =
		values.find((one) => String(one) === text) ??
		values.find((one) => String(one).toLowerCase() === text.toLowerCase());
	if (chosen !== undefined) return chosen;
	throw new InputError(
		`${displayName} is ${quoted(value)}, which is not one of its values`,
		`Use one of these: ${values.join(', ')}.`,
	);
}

/** An expression may return a list, or text such as `PIX, BOLETO`. */
function toList(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return toText(value)
		.split(',')
		.filter((text) => text.trim() !== '');
}

function readCollection({ displayName, options = [] }: INodeProperties, value: unknown): unknown {
	if (value === undefined || value === null) return {};
	if (typeof value !== 'object' || Array.isArray(value)) {
		throw new InputError(
			`${displayName} is not a collection of fields`,
			`Remove ${displayName} from this node and add the fields again.`,
		);
	}
	const fields = new Map((options as INodeProperties[]).map((field) => [field.name, field]));
	return Object.fromEntries(
		Object.entries(value as IDataObject).map(([name, entry]) => {
			const field = fields.get(name);
			return [name, field ? readField(field, entry) : entry];
		}),
	);
}

function quoted(value: unknown): string {
	const text = toText(value).slice(0, 50);
	if (text.trim() === '') return 'empty';
	return typeof value === 'string' ? `"${text}"` : text;
}
