import {
	couldBePhone,
	findPhoneFault,
	isWrittenAsPhone,
	toNational,
	withoutTrunkZero,
} from '../brazil/phone';
import { InputError } from './inputError';
import { namesOfTypes, type PixKeyType, type PixKeyTypes } from './pixKeyType';
import {
	bareDigits,
	documentText,
	kindOfWrongDocument,
	readEntry,
	readTaxDocument,
	type TaxDocument,
} from './taxDocument';
import { isUuid } from './uuid';

export interface PixKey {
	/** As the PIX directory keeps it: documents and phones without punctuation, the rest in lower case. */
	readonly value: string;
	readonly type: PixKeyType;
}

/**
 * E-mail addresses as the public directory of PIX keys has them, in lower case. In addition, no name
 * of a country or the like ends with digits: those are the rest of a PIX code.
 */
const EMAIL =
	/^[a-z\d.!#$&'*+/=?^_`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{0,58}[a-z\d])$/;
const EMAIL_MAX_LENGTH = 77;
/** E.164. Behind the country code of Brazil, more is known. */
const PHONE = /^\+[1-9]\d{9,14}$/;
const PHONE_PUNCTUATION = /[\s()-]/g;

/**
 * Reads a PIX key and brings it into the form of the PIX directory.
 *
 * Digits that can be both a document and a phone number are refused, because the payout would reach
 * a stranger if the guess were wrong. Punctuation, the +55 of a phone or the type says which one is
 * meant.
 *
 * @param value text, or a number from a spreadsheet that dropped the leading zeros of a document
 * @param types that the list says the key has, see `parsePixKeyType`; with PHONE, +55 is added
 * @throws InputError for an ambiguous key, one of another type, and for what the server would refuse with
 * INVALID_PIX_KEY or the network as nonexistent. None quotes the key: n8n stores and logs errors, and
 * what is masked helps nobody to find the row.
 */
export function parsePixKey(value: unknown, types: PixKeyTypes = []): PixKey {
	const entry = readEntry(value, 'The PIX key');
	if (entry === '') {
		throw new InputError(
			'The PIX key is empty',
			`If it is an expression, check the name of its field. ${REMEDY}`,
		);
	}
	const key = readKey(entry, typeof value === 'number', types);
	checkPixKeyType(key, types);
	return key;
}

/** @throws InputError for a key of another type than the list says */
export function checkPixKeyType({ type }: PixKey, types: PixKeyTypes): void {
	if (types.length === 0 || types.includes(type)) return;
	throw new InputError(
		`PIX Key Type is ${namesOfTypes(types)}, but the PIX key is ${A_KEY[type]}`,
		"Correct the one that is wrong. With 'PIX Key Type' = Automatic, the type is read from the key.",
	);
}

const A_KEY: Record<PixKeyType, string> = {
	CPF: 'a CPF',
	CNPJ: 'a CNPJ',
	EMAIL: 'an e-mail address',
	PHONE: 'a phone number',
	RANDOM: 'a random key',
};

function readKey(entry: string, isNumber: boolean, types: PixKeyTypes): PixKey {
	if (entry.includes('@')) return parseEmail(entry.replace(/^mailto:\s*/i, ''));
	if (entry.startsWith('+')) return parsePhone(entry.replace(PHONE_PUNCTUATION, ''));
	if (isUuid(entry)) return { value: entry.toLowerCase(), type: 'RANDOM' };

	const text = documentText(entry, isNumber);
	const document = readTaxDocument(text);
	const digits = bareDigits(entry);
	if (digits !== undefined && types.includes('PHONE')) {
		const national = toNational(digits);
		// Without an area code it is a phone number that cannot be read, and no document of a stranger.
		const isShort = digits.length < 10;
		if (isShort || !document || findPhoneFault(national) === undefined) return inBrazil(national);
	}
	if (document && types.length === 0 && couldBePhone(digits ?? '')) {
		throw new InputError(
			`The PIX key could be a ${document.type} or a phone number`,
			unambiguous(document.type),
		);
	}
	if (document) return document;
	if (isWrittenAsPhone(entry)) return inBrazil(toNational(entry.replace(/\D/g, '')));
	const { fault, remedy, wrongType } = findFault(digits ?? entry, text, types);
	// That a CPF is no right CPF contradicts nothing.
	const isOfType = wrongType !== undefined && types.includes(wrongType);
	const said =
		types.length === 0 || isOfType ? 'The' : `PIX Key Type is ${namesOfTypes(types)}, but the`;
	throw new InputError(`${said} PIX key ${fault}`, remedy);
}

function parseEmail(address: string): PixKey {
	// Before lower case: there are signs whose lower case is a plain letter.
	if (/[^\0-\x7f]/.test(address)) {
		throw new InputError(
			'The PIX key is an e-mail address with a character that no PIX key has, such as an accent',
			REMEDY,
		);
	}
	const value = address.toLowerCase();
	if (!EMAIL.test(value) || value.length > EMAIL_MAX_LENGTH) {
		throw new InputError('The PIX key is not a valid e-mail address', REMEDY);
	}
	return { value, type: 'EMAIL' };
}

/** @param text with +, without punctuation */
function parsePhone(text: string): PixKey {
	// A zero before the area code is dialled in Brazil, and no area code begins with one.
	if (/^\+55\d*$/.test(text)) return inBrazil(withoutTrunkZero(text.slice(3)));
	if (PHONE.test(text)) return { value: text, type: 'PHONE' };
	throw new InputError('The PIX key is not a valid phone number', PHONE_FORM);
}

/** A number that cannot exist would only be refused after somebody has approved the list. */
function inBrazil(national: string): PixKey {
	const fault = findPhoneFault(national);
	if (fault === undefined) return { value: `+55${national}`, type: 'PHONE' };
	throw new InputError(`The PIX key is a phone number ${fault}`, ASK_FOR_PHONE);
}

/**
 * @param given as it was entered: with zeros put back, a phone number would pass for a document
 * @param text the same as a document is written
 */
function findFault(
	given: string,
	text: string,
	types: PixKeyTypes,
): { fault: string; remedy: string; wrongType?: TaxDocument['type'] } {
	const wrong = (document: TaxDocument['type']) => `a ${document} with wrong check digits`;
	const digits = given.replace(PHONE_PUNCTUATION, '');
	if (couldBePhone(digits)) {
		const document = kindOfWrongDocument(given);
		const other = document === undefined ? '' : `, or ${wrong(document)}`;
		if (types.includes('PHONE'))
			return { fault: 'is no phone number in Brazil', remedy: ASK_FOR_PHONE };
		const isLocal = digits.length < 10;
		const missing = isLocal ? 'area code' : digits.length < 12 ? '+55' : 'the +';
		return {
			fault: `is a phone number without ${missing}${other}`,
			remedy: isLocal ? PHONE_FORM : `${PHONE_FORM} Or set 'PIX Key Type' to Phone.`,
		};
	}
	const document = kindOfWrongDocument(text);
	if (document !== undefined) {
		return {
			fault: `is ${wrong(document)}`,
			remedy: 'Ask the recipient for the key again: at least one digit is wrong.',
			wrongType: document,
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

function unambiguous(type: TaxDocument['type']): string {
	const form = type === 'CPF' ? '000.000.000-00' : '00.000.000/0000-00';
	return `Write a ${type} with punctuation (${form}), or a phone number with country code (+5511987654321). Or say which one it is in 'PIX Key Type'.`;
}

const PHONE_FORM = 'Write it with country code and area code, like +5511987654321.';

const ASK_FOR_PHONE = 'Ask the recipient for the number again, and write it like +5511987654321.';

const REMEDY =
	'Ask the recipient for the key. Phone numbers have a country code, like +5511987654321; random keys have 36 characters.';
