import { maskPixKey } from '../personalData/fields';
import { InputError } from './inputError';
import { documentText, readTaxDocument } from './taxDocument';
import { isUuid } from './uuid';

export type PixKeyType = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'RANDOM';

export interface PixKey {
	/** As the PIX directory keeps it: documents and phones without punctuation, the rest in lower case. */
	readonly value: string;
	readonly type: PixKeyType;
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMAIL_MAX_LENGTH = 77;
const PHONE = /^\+[1-9]\d{9,14}$/;
const PHONE_PUNCTUATION = /[\s()-]/g;

/**
 * Reads a PIX key and brings it into the form of the PIX directory.
 *
 * @throws InputError for what the server would refuse with INVALID_PIX_KEY, quoted masked. A phone
 * number without country code is refused too, since its digits may be a CPF and money would go to
 * somebody else; bare digits with the check digits of a CPF are taken for one, as nothing tells them apart.
 */
export function parsePixKey(value: unknown): PixKey {
	const text = documentText(value);
	if (text === '') {
		throw new InputError('PIX key is empty', REMEDY);
	}
	if (text.includes('@')) {
		if (!EMAIL.test(text) || text.length > EMAIL_MAX_LENGTH) {
			throw new InputError(`PIX key "${maskPixKey(text)}" is not a valid e-mail address`, REMEDY);
		}
		return { value: text.toLowerCase(), type: 'EMAIL' };
	}
	if (text.startsWith('+')) {
		const phone = text.replace(PHONE_PUNCTUATION, '');
		if (!PHONE.test(phone)) {
			throw new InputError(
				`PIX key "${maskPixKey(text)}" is not a valid phone number`,
				'Write it with country and area code, like +5511987654321.',
			);
		}
		return { value: phone, type: 'PHONE' };
	}
	if (isUuid(text)) return { value: text.toLowerCase(), type: 'RANDOM' };

	const document = readTaxDocument(text);
	if (document) return document;
	throw new InputError(
		`PIX key "${maskPixKey(text)}" is not a valid CPF, CNPJ, e-mail, phone number or random key`,
		REMEDY,
	);
}

const REMEDY =
	'Use a CPF or CNPJ with correct check digits, an e-mail address, a phone number with country code like +5511987654321, or a random key (36 characters with hyphens).';
