import { maskDocument, maskEmail, maskPhone } from './maskFormats';
import { maskText } from './text';

/** What a field contains, judging by its name. */
export type FieldKind = 'document' | 'email' | 'phone' | 'pixKey';

/** Ends of names, without case and punctuation; a plural counts as well. */
const ENDINGS: Record<FieldKind, readonly string[]> = {
	document: ['document', 'documentnumber', 'documento', 'cpf', 'cnpj', 'taxid'],
	email: ['mail', 'mailaddress'],
	phone: ['phone', 'phonenumber', 'telefone', 'celular', 'mobilenumber', 'whatsappnumber'],
	pixKey: ['pixkey', 'chavepix'],
};

/** Last words of names, which other words end with too: `parcel`, `automobile`. */
const PHONE_WORDS: ReadonlySet<string> = new Set(['cel', 'mobile', 'whatsapp', 'zap']);
/** `payerCel`, `payer_cel`, `CEL2`. Bounded, as names may be long. */
const LAST_WORD = /(?:^|[^A-Za-z]|(?<=[a-z\d])(?=[A-Z]))([A-Z]?[a-z]{1,10}|[A-Z]{1,10})\d{0,3}$/;

/** `recipientDocument`, `payer_email` and the like; undefined for all other names. */
export function kindOfField(name: string): FieldKind | undefined {
	const bare = bareName(name);
	const kind = (Object.keys(ENDINGS) as FieldKind[]).find((each) =>
		ENDINGS[each].some((ending) => bare.endsWith(ending)),
	);
	return kind ?? (PHONE_WORDS.has(lastWord(name)) ? 'phone' : undefined);
}

/** Payees and payers: there a key is a PIX key, and elsewhere it may be anything. */
const PARTY =
	/(?:recipient|destination|destinatario|favorecido|recebedor|payee|payer|pagador|pix)$/i;

/**
 * Names that may mean something else: what they contain is masked if it looks like personal data.
 * @param parent the nearest name above
 */
export function possibleKindOfField(name: string, parent: string): FieldKind | undefined {
	const isKey = bareName(name) === 'key' && PARTY.test(parent);
	return isKey || lastWord(name) === 'chave' ? 'pixKey' : undefined;
}

function bareName(name: string): string {
	return name
		.toLowerCase()
		.replace(/[^a-z]/g, '')
		.replace(/s$/, '');
}

function lastWord(name: string): string {
	return LAST_WORD.exec(name)?.[1]?.toLowerCase() ?? '';
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
