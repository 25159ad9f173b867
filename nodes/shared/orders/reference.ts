import { InputError } from '../validation/inputError';
import { optionalText } from '../validation/text';

/** The longest reference, in characters. */
export const MAX_REFERENCE_LENGTH = 500;

/** What web pages leave behind in a cell that looks empty: zero-width characters. */
const INVISIBLE = /^[\s\u200b-\u200d\u2060\ufeff]+$/;

/** The user's own name for a payout, such as an invoice number. */
export interface Reference {
	/** As entered, for the output. */
	readonly shown: string;
	/** What counts: without blanks at the ends, in Unicode form NFC. */
	readonly value: string;
	/** Whether the two differ. */
	readonly isNormalized: boolean;
}

/**
 * Reads a reference. References that differ only in blanks at the ends or in Unicode form are the
 * same; no others are.
 * @returns undefined where none was entered
 * @throws InputError for what is no text, or too long
 */
export function parseReference(given: unknown): Reference | undefined {
	if (typeof given === 'boolean') {
		throw new InputError(
			`Reference is ${String(given)}, which is no name for a payout`,
			'Check the expression: it may compare where it should read a field.',
		);
	}
	const text = optionalText(given, 'Reference');
	if (text === undefined) return undefined;
	const value = text.normalize('NFC');
	if (INVISIBLE.test(value)) {
		throw new InputError(
			'Reference holds only characters that cannot be seen',
			'Enter a name for the payout, such as the invoice number.',
		);
	}
	if ([...value].length > MAX_REFERENCE_LENGTH) {
		throw new InputError(
			`Reference has ${[...value].length} characters, and at most ${MAX_REFERENCE_LENGTH} are allowed`,
			'Use a shorter reference, such as the invoice number alone.',
		);
	}
	const shown = typeof given === 'string' ? given : text;
	return { shown, value, isNormalized: shown !== value };
}
