import { parseBrCode } from '../brazil/brCode';
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

/** Messengers break lines, and invisible characters come along. */
const BREAKS = /[\r\n\t\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/g;
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
	const code = formsOf(value)
		.map(parseBrCode)
		.find((form) => form !== undefined);
	if (code === undefined) {
		throw new InputError(
			'PIX Key contains a PIX code (copia e cola) that is damaged: its checksum does not match',
			'Copy the whole code again, from 000201 to its last four characters.',
		);
	}
	const { pixKey, url, amount, recipientName, recipientCity, txId } = code;
	// What is really due may be at the address, also if there is a key beside it.
	if (pixKey === undefined || url !== undefined) {
		throw new InputError(
			"PIX Key contains a dynamic PIX code, which can only be paid in a bank's app",
			'Ask the recipient for a PIX key or a static PIX code. Or pay this code in the app of a bank.',
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

/** A random key may begin with the same digits, so that alone does not make a code. */
function isPixCode(text: string): boolean {
	const bare = text.replace(/\s/g, '').replace(BREAKS, '').toLowerCase();
	return bare.startsWith('000201') && bare.includes('br.gov.bcb.pix');
}

/** What the text may have been before a messenger broke it: the checksum tells which one it was. */
function formsOf(text: string): string[] {
	const plain = text.replace(/\u00a0/g, ' ');
	const forms = [plain.replace(BREAKS, ''), plain.replace(BREAKS, ' '), plain.replace(/\s/g, '')];
	return forms.map((form) => form.trim());
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
