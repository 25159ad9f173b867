import { InputError } from './inputError';
import {
	documentText,
	kindOfWrongDocument,
	readTaxDocument,
	type TaxDocument,
} from './taxDocument';
import { isUuid } from './uuid';

export type PixKeyType = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'RANDOM';

export interface PixKey {
	/** As the PIX directory keeps it: documents and phones without punctuation, the rest in lower case. */
	readonly value: string;
	readonly type: PixKeyType;
}

/** No name of a country or the like ends with digits: those are the rest of a PIX code. */
const EMAIL = /^[^\s@]+@[^\s@]+\.(?:\p{L}{2,}|xn--[a-z\d-]+)$/iu;
const EMAIL_MAX_LENGTH = 77;
const PHONE = /^\+[1-9]\d{9,14}$/;
const PHONE_PUNCTUATION = /[\s()-]/g;

/** Area codes (DDD) that are in use, by their first digit. */
const AREA_CODE = '(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])';
/**
 * Bare digits that a phone number without its + consists of. A mobile number has nine digits, the
 * first a 9; a landline number has eight, the first from 2 to 5. The country code alone is enough:
 * few documents begin with 55 after their leading zeros, and a mistyped phone number is no document.
 */
const PHONE_DIGITS = new RegExp(`^(?:${AREA_CODE}(?:9\\d{8}|[2-5]\\d{7})|55\\d{10,11})$`);

/**
 * Reads a PIX key and brings it into the form of the PIX directory.
 *
 * Digits that can be both a document and a phone number are refused, because the payout would reach
 * a stranger if the guess were wrong. Punctuation, or the +55 of a phone, says which one is meant.
 *
 * @param value text, or a number from a spreadsheet that dropped the leading zeros of a document
 * @throws InputError for an ambiguous key, and for what the server would refuse with INVALID_PIX_KEY.
 * Neither quotes the key: n8n stores and logs errors, and what is masked helps nobody to find the row.
 */
export function parsePixKey(value: unknown): PixKey {
	const text = documentText(value);
	if (text === '') {
		throw new InputError(
			'The PIX key is empty',
			`If it is an expression, check the name of its field. ${REMEDY}`,
		);
	}
	if (text.includes('@')) {
		if (!EMAIL.test(text) || text.length > EMAIL_MAX_LENGTH) {
			throw new InputError('The PIX key is not a valid e-mail address', REMEDY);
		}
		return { value: text.toLowerCase(), type: 'EMAIL' };
	}
	if (text.startsWith('+')) {
		const phone = text.replace(PHONE_PUNCTUATION, '');
		if (!PHONE.test(phone)) {
			throw new InputError('The PIX key is not a valid phone number', PHONE_FORM);
		}
		return { value: phone, type: 'PHONE' };
	}
	if (isUuid(text)) return { value: text.toLowerCase(), type: 'RANDOM' };

	const document = readTaxDocument(text);
	if (document && couldBePhone(typeof value === 'number' ? String(value) : text)) {
		throw new InputError(
			`The PIX key could be a ${document.type} or a phone number`,
			unambiguous(document.type),
		);
	}
	if (document) return document;
	const { fault, remedy } = findFault(text);
	throw new InputError(`The PIX key ${fault}`, remedy);
}

function findFault(text: string): { fault: string; remedy: string } {
	const document = kindOfWrongDocument(text);
	const wrongDocument = `a ${document} with wrong check digits`;
	if (couldBePhone(text.replace(PHONE_PUNCTUATION, ''))) {
		const other = document === undefined ? '' : `, or ${wrongDocument}`;
		return {
			fault: `is a phone number without ${text.startsWith('55') ? 'the +' : '+55'}${other}`,
			remedy: PHONE_FORM,
		};
	}
	if (document !== undefined) {
		return {
			fault: `is ${wrongDocument}`,
			remedy: 'Ask the recipient for the key again: at least one digit is wrong.',
		};
	}
	return {
		fault: 'is not a valid CPF, CNPJ, e-mail, phone number or random key',
		remedy: REMEDY,
	};
}

/**
 * A key as text that `parsePixKey` reads again as the same key: a CPF whose digits could be a phone
 * number gets its punctuation, every other key is its value.
 */
export function unambiguousForm({ value, type }: PixKey): string {
	if (type !== 'CPF' || !couldBePhone(value)) return value;
	return value.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
}

/** @param digits as they were given, before leading zeros were put back */
function couldBePhone(digits: string): boolean {
	return PHONE_DIGITS.test(digits);
}

function unambiguous(type: TaxDocument['type']): string {
	const form = type === 'CPF' ? '000.000.000-00' : '00.000.000/0000-00';
	return `Write a ${type} with punctuation (${form}), or a phone number with country code (+5511987654321).`;
}

const PHONE_FORM = 'Write it with country code and area code, like +5511987654321.';

const REMEDY =
	'Ask the recipient for the key. Phone numbers have a country code, like +5511987654321; random keys have 36 characters.';
