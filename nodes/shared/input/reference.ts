import { cleanName, hasLostDigits, refuseLostCharacters } from './cleanText';
import { InputError } from './inputError';
import { optionalText } from './text';

/** The longest reference, in characters. */
export const MAX_REFERENCE_LENGTH = 500;

/** What a spreadsheet shows in place of a value that it could not compute, in English and Portuguese. */
const SPREADSHEET_ERROR =
	/^#(N\/A|N\/D|REF!|VALUE!|VALOR!|NAME\?|NOME\?|DIV\/0!|NULL!|NULO!|NUM!|NÚM!|ERROR!)$/i;

/** What people write who have no number: each later row with it would pass for the first one. */
const NO_NUMBER =
	/^(s[./ ]*n(f|ro|[.º°o])?|n[./ ]*[adi]\.?|(sem|s\/) ?(n[uú]mero|n[º°]|nota|nf|ref|doc)\S*( fiscal)?|n[aã]o (tem|h[aá]|possui|informad[oa]|se aplica)|none|nil|null|false|vazi[oa]|a definir|[\p{P}\s]+)$/iu;
/** The same alone; beside a number, they say of what it is. */
const NO_NAME = /^(nenhuma?|isento|avulso|recibo|nf|boleto|pix|pendente|sem|tbd|[0.,]+|x+)$/iu;

/** How messages name a reference, and what it stands for. */
interface Words {
	readonly label: string;
	readonly what: string;
	readonly done: string;
}

const OF_PAYOUTS: Words = { label: 'Reference', what: 'payout', done: 'paid' };
export const EXTERNAL_ID: Words = { label: 'External ID', what: 'charge', done: 'charged' };

/** The user's own name for a payout, such as an invoice number, or for a charge. */
export interface Reference {
	/** As entered, for messages. */
	readonly shown: string;
	/** What counts, see `cleanName`. */
	readonly value: string;
}

/**
 * Reads a reference. References that look the same are the same, see `cleanName`; no others are.
 * @param item that it may have been read from
 * @returns undefined if none was entered
 * @throws InputError for what is no text, too long, or a number that is no longer the one that was entered
 */
export function parseReference(
	given: unknown,
	item?: object,
	words: Words = OF_PAYOUTS,
): Reference | undefined {
	const { label, what } = words;
	if (typeof given === 'boolean') {
		throw new InputError(
			`${label} is ${String(given)}, which cannot identify a ${what}`,
			'Check the expression: it may compare values instead of reading a field.',
		);
	}
	if (isRounded(given)) throw lostDigits(String(given), words);
	const text = optionalText(typeof given === 'bigint' ? String(given) : given, label);
	if (text === undefined) return undefined;
	const value = cleanName(text);
	if (hasLostDigits(value) || holdsRounded(value, item)) throw lostDigits(value, words);
	refuseLostCharacters(text, label);
	if (value === '') {
		throw new InputError(
			`${label} contains only invisible characters`,
			`Enter a name for the ${what}, such as the invoice number.`,
		);
	}
	if (/\p{Surrogate}/u.test(value)) {
		// n8n's tables keep another character in its place, so the reference would never be found again.
		throw new InputError(
			`${label} contains half of a character`,
			'An expression may have cut an emoji or another special character in two. Correct it, then run this again.',
		);
	}
	if (SPREADSHEET_ERROR.test(value)) {
		throw new InputError(
			`${label} is ${value}, which a spreadsheet shows in place of a result`,
			'Correct the formula in the spreadsheet, then run this again.',
		);
	}
	if (standsForNoNumber(value) || NO_NAME.test(value)) {
		throw new InputError(
			`${label} is "${value}", which stands for no number: a later row with it would not be ${words.done}`,
			`Enter something that only this ${what} has, such as a name and a month.`,
		);
	}
	if ([...value].length > MAX_REFERENCE_LENGTH) {
		throw new InputError(
			`${label} has ${[...value].length} characters, and at most ${MAX_REFERENCE_LENGTH} are allowed`,
			'Use a shorter one, such as the invoice number alone.',
		);
	}
	const shown = typeof given === 'string' ? given : text;
	return { shown, value };
}

/** Whether people write this in place of a number. @param value as `cleanName` leaves it */
export function standsForNoNumber(value: string): boolean {
	return NO_NUMBER.test(value);
}

/** Whether several numbers that people enter become this one: spreadsheets keep 15 digits. */
function isRounded(value: unknown): boolean {
	return typeof value === 'number' && !(Math.abs(value) < 1e15);
}

/** An expression may have put a number of the item into a text. */
function holdsRounded(text: string, item: object = {}): boolean {
	return Object.values(item).some((value) => isRounded(value) && text.includes(String(value)));
}

function lostDigits(text: string, { label, done }: Words): InputError {
	return new InputError(
		`${label} is ${text}, a long number that has lost digits on the way`,
		`Several invoices could become one, and only the first would be ${done}. Format the column as text where the list comes from, so that every digit arrives, and run this again.`,
	);
}
