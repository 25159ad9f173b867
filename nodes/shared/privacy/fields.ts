import { maskDocument, maskEmail, maskPhone } from './maskFormats';
import { maskText } from './text';

/** What a field contains, judging by its name. */
export type FieldKind = 'document' | 'email' | 'phone' | 'pixKey';

/** Ends of names, without case and punctuation; a plural counts as well. */
const ENDINGS: ReadonlyArray<readonly [FieldKind, RegExp]> = [
	['document', /(?:document|documentnumber|documento|cpf|cnpj|taxid)$/],
	['email', /(?:mail|mailaddress)$/],
	['phone', /(?:phone|telefone|celular|whatsapp|(?:phone|mobile|whatsapp)number)$/],
	['pixKey', /(?:pixkey|chavepix)$/],
];

/** `recipientDocument`, `payer_email` and the like; undefined for all other names. */
export function kindOfField(name: string): FieldKind | undefined {
	const bare = bareName(name);
	return ENDINGS.find(([, ending]) => ending.test(bare))?.[0];
}

/** Payees and payers: there a key is a PIX key, and elsewhere it may be anything. */
const PARTY =
	/(?:recipient|destination|destinatario|favorecido|recebedor|payee|payer|pagador|pix)$/i;

/**
 * Names that may mean something else: what they contain is masked if it looks like personal data.
 * @param parent the nearest name above
 */
export function possibleKindOfField(name: string, parent: string): FieldKind | undefined {
	const bare = bareName(name);
	return (bare === 'key' && PARTY.test(parent)) || bare.endsWith('chave') ? 'pixKey' : undefined;
}

function bareName(name: string): string {
	return name
		.toLowerCase()
		.replace(/[^a-z]/g, '')
		.replace(/s$/, '');
}

/**
 * Masks all of a field that is known to contain personal data, also if the value is mistyped or
 * was masked in part before.
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
