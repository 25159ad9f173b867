import { parseBrCode, type BrCode } from '../brazil/brCode';
import { omitUndefined } from '../text/omitUndefined';
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

/** Invisible characters come along when a code is copied. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
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
	const text = value.replace(INVISIBLE, '').replace(/\s/g, ' ').trim();
	const [start] = /^0 *0 *0 *2 *0 *1 */.exec(text) ?? [];
	if (start === undefined) {
		throw new InputError(
			'PIX Key contains other text before a PIX code (copia e cola)',
			'Enter the code alone: it begins with 000201.',
		);
	}
	const code = readBroken(text.slice(start.length));
	if (code === undefined) {
		throw new InputError(
			'PIX Key contains a PIX code (copia e cola) that is damaged: its checksum does not match',
			'Copy the whole code again, from 000201 to its last four characters, and nothing after it.',
		);
	}
	const { pixKey, url, amount, recipientName, recipientCity, txId } = code;
	// What is really due may be at the address, also if there is a key beside it.
	if (url !== undefined) {
		throw new InputError(
			"PIX Key contains a dynamic PIX code, which can only be paid in a bank's app",
			'Ask the recipient for a PIX key or a static PIX code. Or pay this code in the app of a bank.',
		);
	}
	if (pixKey === undefined) {
		throw new InputError(
			'PIX Key contains a PIX code that names no PIX key',
			'Ask the recipient for another code, or for the PIX key.',
		);
	}
	if (code.accounts > 1) {
		throw new InputError(
			'PIX Key contains a PIX code that names several recipients',
			'Ask the recipient for another code, or for the PIX key.',
		);
	}
	if (code.currency !== REAIS || code.country !== BRAZIL) {
		throw new InputError(
			'PIX Key contains a code that does not ask for reais in Brazil',
			'Ask the recipient for a PIX code of a Brazilian bank, or for the PIX key.',
		);
	}
	const cents = amount === undefined ? 0 : toCents(amount);
	return {
		pixKey: readDirectoryKey(pixKey),
		recipientName,
		recipientCity,
		...omitUndefined({ amount: cents === 0 ? undefined : cents, txId }),
	};
}

const START = '000201';

/** A random key may begin with the same digits, so that alone does not make a code. */
function isPixCode(text: string): boolean {
	const bare = text.replace(INVISIBLE, '').replace(/\s/g, '').toLowerCase();
	return bare.slice(bare.indexOf(START)).includes('br.gov.bcb.pix') && bare.includes(START);
}

/** What a person has broken into lines has far fewer. */
const MOST_FORMS = 2_000;

/**
 * A code in which a messenger or a document has put blanks, and line breaks, which are blanks here. Others
 * belong to a name, and only the checksum tells which.
 * @param rest what follows the first field
 */
function readBroken(rest: string): BrCode | undefined {
	let count = 0;
	for (const fields of divide(rest, 0, new Set())) {
		for (const form of withoutBlanks(fields)) {
			const code = parseBrCode(START + form);
			count += 1;
			if (code !== undefined || count > MOST_FORMS) return code;
		}
	}
	return undefined;
}

/** The field that closes a code. */
const CHECKSUM = '6304';

/** One field of a code: two digits of ID and two of length, and the text of its value with blanks. */
interface Field {
	readonly header: string;
	readonly value: string;
}

/**
 * All ways to divide a text into fields whose values have their length once some blanks are left out.
 * @param dead where no field begins that leads to the end
 */
function* divide(text: string, start: number, dead: Set<number>): Generator<readonly Field[]> {
	if (start === text.length) yield [];
	const [read = '', ...digits] = /^(\d) *(\d) *(\d) *(\d)/.exec(text.slice(start)) ?? [];
	if (read === '' || dead.has(start)) return;
	const header = digits.join('');
	const length = Number(header.slice(2));
	let isDead = true;
	const first = start + read.length;
	// Most blanks belong to no name.
	for (let end = text.length; end >= first + length; end -= 1) {
		const value = text.slice(first, end);
		if ((end === text.length) !== (header === CHECKSUM)) continue;
		if (value.replace(/ /g, '').length > length) continue;
		for (const rest of divide(text, end, dead)) {
			isDead = false;
			yield [{ header, value }, ...rest];
		}
	}
	if (isDead) dead.add(start);
}

function* withoutBlanks([first, ...others]: readonly Field[]): Generator<string> {
	if (first === undefined) yield '';
	else {
		const { header, value } = first;
		for (const shortened of shorten(value, Number(header.slice(2)))) {
			for (const rest of withoutBlanks(others)) yield header + shortened + rest;
		}
	}
}

/** A text without so many of its blanks that it has a length, in all ways. */
function* shorten(text: string, length: number): Generator<string> {
	const surplus = text.length - length;
	if (surplus === 0) yield text;
	const at = text.indexOf(' ');
	if (surplus <= 0 || text.split(' ').length <= surplus) return;
	const [before, after] = [text.slice(0, at), text.slice(at + 1)];
	for (const rest of shorten(after, length - at)) yield before + rest;
	for (const rest of shorten(after, length - at - 1)) yield `${before} ${rest}`;
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
		'Ask the recipient for another code, or for the PIX key.',
	);
}
