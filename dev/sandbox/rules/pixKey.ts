import { cnpj, cpf } from 'cpf-cnpj-validator';

/** The API does not show the values of `pixKeyType`; these are the emulator's own. */
type PixKeyType = 'CPF' | 'CNPJ' | 'EMAIL' | 'PHONE' | 'RANDOM';

export interface PixKey {
	type: PixKeyType;
	/** The document that a CPF or CNPJ key itself supplies. */
	document: string | null;
}

/** E-mail addresses and phone numbers as the public directory of PIX keys has them. */
const EMAIL =
	/^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
const PHONE = /^\+[1-9]\d{1,14}$/;
const RANDOM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DOCUMENT =
	/^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2}|[0-9A-Za-z]{12}\d{2}|[0-9A-Za-z]{2}\.[0-9A-Za-z]{3}\.[0-9A-Za-z]{3}\/[0-9A-Za-z]{4}-\d{2})$/;

/** Says what kind of PIX key a text is, by its form alone; null when it is none (INVALID_PIX_KEY). */
export function readPixKey(text: string): PixKey | null {
	if (DOCUMENT.test(text)) {
		const parsed = parseTaxDocument(text);
		return parsed && { type: parsed.type, document: parsed.value };
	}
	if (PHONE.test(text)) return { type: 'PHONE', document: null };
	if (RANDOM.test(text)) return { type: 'RANDOM', document: null };
	// 77 characters is the most that the Brazilian PIX directory accepts.
	if (text.length <= 77 && EMAIL.test(text)) return { type: 'EMAIL', document: null };
	return null;
}

/** Its check digits are right; the library refuses it as an example, the API names no such rule. */
const UNLIKELY_CPF = '12345678909';

/** A CPF or CNPJ with or without its punctuation -> its type and bare value, or null. */
export function parseTaxDocument(text: string): { type: 'CPF' | 'CNPJ'; value: string } | null {
	const value = text.replace(/[.\-/\s]/g, '').toUpperCase();
	if (cpf.isValid(value, true) || value === UNLIKELY_CPF) return { type: 'CPF', value };
	return cnpj.isValid(value, true) ? { type: 'CNPJ', value } : null;
}
