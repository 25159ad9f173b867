import { parseBrCode, START, type BrCode, type CodeFault } from '../brazil/brCode';
import { omitUndefined } from '../text/omitUndefined';
import { dropInvisible } from './cleanText';
import { InputError } from './inputError';
import type { Cents } from './money';
import { parsePixKey, type PixKey } from './pixKey';
import { readTaxDocument } from './taxDocument';

/** What a static PIX code ("copia e cola") asks for. */
export interface PixCode {
	readonly pixKey: PixKey;
	/** Undefined if the payer decides. */
	readonly amount?: Cents;
	readonly recipientName: string;
	readonly recipientCity: string;
	/** By which the recipient recognizes the payment. The service has no field for it. */
	readonly txId?: string;
}

const LINE_BREAK = /[\r\n\t\v\f\u2028\u2029]+/;
/** Reais, and Brazil, as codes name them. */
const REAIS = '986';
const BRAZIL = 'BR';
const AMOUNT = /^(\d{1,10})(?:\.(\d{1,2}))?$/;

/**
 * Reads a PIX code that was entered in place of a PIX key.
 *
 * @returns undefined for what is no PIX code
 * @throws InputError for one that is damaged, dynamic or ambiguous, or has a key or an amount that cannot be read
 */
export function readPixCode(value: unknown): PixCode | undefined {
	if (typeof value !== 'string' || !isPixCode(value)) return undefined;
	const text = dropInvisible(value).trim();
	if (text.indexOf(START) > 0) {
		refuse(
			'other text before a PIX code (copia e cola)',
			'Enter the code alone: it begins with 000201.',
		);
	}
	const readings = readingsOf(text).map(parseBrCode);
	const [code, ...others] = readings.filter((one) => typeof one === 'object');
	if (code === undefined || others.length > 0) refuseDamaged(readings);
	const { pixKey, url, amount, recipientName, recipientCity, txId } = code;
	// What is really due may be at the address, also if there is a key beside it.
	if (url !== undefined) {
		refuse(
			"a dynamic PIX code, which can only be paid in a bank's app",
			'Ask the recipient for a PIX key or a static PIX code. Or pay this code in the app of a bank.',
		);
	}
	if (pixKey === undefined) refuse('a PIX code that names no PIX key');
	if (code.accounts > 1) refuse('a PIX code that names several recipients');
	if (code.currency !== REAIS || code.country !== BRAZIL) {
		refuse(
			'a code that does not ask for reais in Brazil',
			'Ask the recipient for a PIX code of a Brazilian bank, or for the PIX key.',
		);
	}
	if (code.hasSurcharge) refuse('a PIX code that asks for a tip or a fee');
	const cents = amount === undefined ? 0 : toCents(amount);
	return {
		pixKey: readDirectoryKey(pixKey),
		recipientName,
		recipientCity,
		...omitUndefined({ amount: cents === 0 ? undefined : cents, txId }),
	};
}

const ASK_AGAIN = 'Ask the recipient for another code, or for the PIX key.';

function refuse(content: string, remedy = ASK_AGAIN): never {
	throw new InputError(`PIX Key contains ${content}`, remedy);
}

/** What stands in each PIX code and in no key: the name of PIX, and what comes between key and amount. */
const PIECE = /\.bcb\.pix|5204\d{4}5303986/i;

/** Or a piece of one: with the e-mail address in it, it would pass for an e-mail address. */
function isPixCode(text: string): boolean {
	return PIECE.test(dropInvisible(text).replace(/\s/g, ''));
}

/**
 * A code as it may have been before a messenger broke it into lines, within words or between them. More
 * readings are not tried: among hundreds, one fits the checksum of a code with a wrong digit, and another
 * amount would be paid.
 */
function readingsOf(text: string): string[] {
	const lines = text.replace(/\u00a0/g, ' ').split(LINE_BREAK);
	const trimmed = lines.map((line) => line.trim());
	return [...new Set([trimmed.join(''), trimmed.join(' ')])];
}

/** Says what does not fit, of the reading in which the most does: none is intact, or several are. */
function refuseDamaged(readings: ReadonlyArray<BrCode | CodeFault>): never {
	if (readings.includes('scheme')) {
		refuse(
			'a code of another payment scheme, which is not a PIX code',
			'Ask the recipient for a PIX code (copia e cola), or for the PIX key.',
		);
	}
	const fault = readings.includes('checksum')
		? 'its checksum does not match'
		: 'the lengths of its parts do not fit';
	refuse(
		`a PIX code (copia e cola) that is damaged: ${fault}`,
		'Copy the whole code again, from 000201 to its last four characters, with nothing before or after it and no blanks put in.',
	);
}

/** In a code, digits without a + are a document: a phone number always has its country code. */
function readDirectoryKey(key: string): PixKey {
	return readTaxDocument(key) ?? parsePixKey(key);
}

function toCents(amount: string): Cents {
	const [, whole, fraction = ''] = AMOUNT.exec(amount.trim()) ?? [];
	if (whole !== undefined) return Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
	throw new InputError(
		`The PIX code in PIX Key has the amount "${amount}", which cannot be read`,
		ASK_AGAIN,
	);
}
