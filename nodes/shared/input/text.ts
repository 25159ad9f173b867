import { cleanName, refuseLostCharacters } from './cleanText';
import { InputError } from './inputError';
import type { IDataObject } from 'n8n-workflow';

/** Any value as text for messages and checks; nothing becomes empty text, an object its JSON. */
export function toText(value: unknown): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value;
	try {
		// Undefined for a function and the like.
		return JSON.stringify(value) ?? '';
	} catch {
		// A value that is nested too deeply, or contains itself.
		return '[…]';
	}
}

/** Text that must be there. Numbers become text, because expressions often deliver ids as numbers. */
export function requireText(value: unknown, label: string, maxLength?: number): string {
	const text = optionalText(value, label, maxLength);
	if (text === undefined) {
		throw new InputError(`${label} is empty`, `Fill in ${label}.`);
	}
	return text;
}

/** Text that may be missing: empty text, null and undefined all mean "not given". */
export function optionalText(
	value: unknown,
	label: string,
	maxLength?: number,
): string | undefined {
	if (value === null || value === undefined) return undefined;
	if (typeof value === 'object') throw notText(label);
	const text = toText(value).trim();
	if (text === '') return undefined;
	if (maxLength !== undefined && text.length > maxLength) {
		throw new InputError(
			`${label} has ${text.length} characters, and at most ${maxLength} are allowed`,
			`Shorten ${label}.`,
		);
	}
	return text;
}

/**
 * A name that may be missing, in the form in which it counts (`cleanName`).
 * @throws InputError for a name that nobody can see, or that has lost a character
 */
export function optionalName(
	value: unknown,
	label: string,
	maxLength?: number,
): string | undefined {
	const text = optionalText(value, label);
	if (text === undefined) return undefined;
	refuseLostCharacters(text, label);
	const name = cleanName(text);
	if (name !== '') return optionalText(name, label, maxLength);
	throw new InputError(
		`${label} contains only invisible characters`,
		`Enter ${label} again, or leave it empty.`,
	);
}

/** An expression returned several values where one text is asked for. */
export function notText(label: string): InputError {
	return new InputError(
		`${label} is an object, not text`,
		`Choose a single field for ${label}, for example {{ $json.invoice }}.`,
	);
}

export function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
}

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
