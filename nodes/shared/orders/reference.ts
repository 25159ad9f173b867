import { InputError } from '../validation/inputError';
import { optionalText } from '../validation/text';

/** The longest reference, in characters. */
export const MAX_REFERENCE_LENGTH = 500;

/** What web pages leave behind in a cell that looks empty: zero-width characters. */
const INVISIBLE = /^[\s\u200b-\u200d\u2060\ufeff]+$/;

/** What a spreadsheet shows in place of a value that it could not compute, in English and Portuguese. */
const SPREADSHEET_ERROR =
	/^#(N\/A|N\/D|REF!|VALUE!|VALOR!|NAME\?|NOME\?|DIV\/0!|NULL!|NULO!|NUM!|NÚM!|ERROR!)$/i;

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
			`Reference is ${String(given)}, which cannot identify a payout`,
			'Check the expression: it may compare values instead of reading a field.',
		);
	}
	const text = optionalText(given, 'Reference');
	if (text === undefined) return undefined;
	const value = text.normalize('NFC');
	if (INVISIBLE.test(value)) {
		throw new InputError(
			'Reference contains only invisible characters',
			'Enter a name for the payout, such as the invoice number.',
		);
	}
	if (SPREADSHEET_ERROR.test(value)) {
		throw new InputError(
			`Reference is ${value}, the error of a formula in the spreadsheet`,
			'Correct the formula in the spreadsheet, then run this again.',
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
