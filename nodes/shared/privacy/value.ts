import { findBrCode } from '../brazil/brCode';
import { withLeadingZeros } from '../brazil/checkDigits';
import { walkJson } from '../text/walkJson';
import { maskDocument, maskText, maskEmail, maskPhone } from './text';

/**
 * Ids in whatever form the service gives them ("opaque"): one of 11 or 14 digits is no document.
 * Other ids need no name, for their form says what they are.
 */
const OPAQUE_IDS = new Set(['txId', 'endToEndId', 'deliveryId', 'idempotencyKey', 'providerMedId']);
const BARE_ID = /^[\w-]*$/;

interface Place {
	/** The nearest name above. */
	readonly name: string;
	readonly kind: FieldKind | undefined;
	/** Not where the kind is that of an object around it, or the name may mean other things as well. */
	readonly isSure: boolean;
}

/**
 * Masks personal data in any JSON value: CPF, CNPJ, e-mail addresses and phone keys in every text
 * and name, and all of a field whose name says that it contains one. Ids, amounts and all else stay,
 * and so does the structure.
 *
 * A number stays a number, unless it is a document or phone by the name of its field.
 */
export function maskPersonalData<T>(value: T): T {
	return mask(value, maskLeaf);
}

/**
 * The same for what a server says about fields, `{pixKey: 'Too long'}`: a sentence stays readable,
 * and of a value that it quotes no long number is left, mistyped or not.
 */
export function maskMessages<T>(value: T): T {
	return mask(value, (leaf, place) =>
		typeof leaf === 'string' && place.kind !== undefined && SENTENCE.test(leaf)
			? maskText(leaf).replace(LONG_NUMBER, maskDocument)
			: maskLeaf(leaf, place),
	);
}

const SENTENCE = /\p{L}\s+\p{L}|^\p{L}+\.?$/u;
/** Bounded, so that the cost grows with the length of the text and no faster. */
const LONG_NUMBER = /\d[\d./-]{6,30}\d/g;

function mask<T>(value: T, leaf: (value: unknown, place: Place) => unknown): T {
	const top: Place = { name: '', kind: undefined, isSure: false };
	return walkJson(value, top, {
		enter: ({ name, kind }, field): Place => {
			const own = kindOfField(field);
			return {
				name: field,
				kind: own ?? possibleKindOfField(field, name) ?? kind,
				isSure: own !== undefined,
			};
		},
		name: maskText,
		leaf,
	});
}

function maskLeaf(value: unknown, place: Place): unknown {
	if (typeof value === 'string') return maskString(value, place);
	const { kind } = place;
	if (typeof value !== 'number' || kind === undefined || kind === 'email') return value;
	return isLongNumber(value) ? maskField(kind, withLeadingZeros(String(value))) : value;
}

function maskString(text: string, { name, kind, isSure }: Place): string {
	if (OPAQUE_IDS.has(name) && BARE_ID.test(text)) return text;
	// A PIX code is kept whole, whatever the name of its field: masked in part it could not be paid.
	if (kind === undefined || findBrCode(text) !== undefined) return maskText(text);
	return isSure || couldBe(kind, text) ? maskField(kind, text) : maskText(text);
}

/** Within `document: {type, number}` only what has the length of one is taken for one. */
function couldBe(kind: FieldKind, text: string): boolean {
	if (kind === 'email') return text.includes('@');
	const places = text.match(/[\d*]/g)?.length ?? 0;
	return /^[\d*+()./ -]*$/.test(text) && places >= 10 && places <= 14;
}

/** CPF and CNPJ with leading zeros lost, and phones: 8 to 14 digits. */
function isLongNumber(value: number): boolean {
	return Number.isInteger(value) && value >= 1e7 && value < 1e14;
}

/** What a field contains, judging by its name. */
type FieldKind = 'document' | 'email' | 'phone' | 'pixKey';

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
function possibleKindOfField(name: string, parent: string): FieldKind | undefined {
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
function maskField(kind: FieldKind, text: string): string {
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
