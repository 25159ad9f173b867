import { maskDocument, maskEmail, maskPhone } from './forms';
import { maskText } from './text';

/** What a field holds, told by its name. */
export type FieldKind = 'document' | 'email' | 'phone' | 'pixKey';

/** Ends of names, without case and punctuation; a plural counts as well. */
const ENDINGS: Record<FieldKind, readonly string[]> = {
	document: ['document', 'documentnumber', 'documento', 'cpf', 'cnpj', 'taxid'],
	email: ['mail', 'mailaddress'],
	phone: ['phone', 'phonenumber', 'telefone', 'celular'],
	pixKey: ['pixkey', 'chavepix'],
};

/** `recipientDocument`, `payer_email` and the like; undefined for all other names. */
export function kindOfField(name: string): FieldKind | undefined {
	const bare = name
		.toLowerCase()
		.replace(/[^a-z]/g, '')
		.replace(/s$/, '');
	return (Object.keys(ENDINGS) as FieldKind[]).find((kind) =>
		ENDINGS[kind].some((ending) => bare.endsWith(ending)),
	);
}

/**
 * Masks all of a field that is known to hold personal data, also where the value is mistyped or was
 * masked in part before.
 */
export function maskField(kind: FieldKind, text: string): string {
	switch (kind) {
		case 'document':
			return maskText(maskDocument(text));
		case 'email':
			return maskText(maskEmail(text));
		case 'phone':
			return maskText(maskPhone(text));
		case 'pixKey':
			return maskPixKey(text);
	}
}

const RANDOM_KEY = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A random key says nothing about its owner and stays; every other kind of key is masked. */
export function maskPixKey(text: string): string {
	if (text.includes('@')) return maskField('email', text);
	if (RANDOM_KEY.test(text.trim())) return text;
	return maskField(isPhone(text.trim()) ? 'phone' : 'document', text);
}

/** With country code, with the area code in parentheses, or of as many digits as no document has. */
function isPhone(text: string): boolean {
	if (text.startsWith('+') || text.startsWith('(')) return true;
	const places = text.match(/[\da-z*]/gi)?.length ?? 0;
	return [10, 12, 13].includes(places) && !/[a-z]/i.test(text);
}
