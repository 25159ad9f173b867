/** The field that begins a code. */
export const START = '000201';
const PIX = 'br.gov.bcb.pix';
/** Ids of the fields that may contain an account; which of them is that of PIX is left to the issuer. */
const isAccount = (id: string) => id >= '26' && id <= '51';
/** The bound of EMV on a whole code, in bytes. */
const MAX_BYTES = 512;

/** The first intact PIX code ("copia e cola") in a text; undefined if there is none. */
export function findBrCode(text: string): string | undefined {
	for (const [start, end] of brCodesIn(text)) {
		const code = text.slice(start, end);
		if (isIntact(code)) return code;
	}
	return undefined;
}

/** Whether a text looks like a PIX code, intact or not. */
export function looksLikeBrCode(text: string): boolean {
	return text.startsWith(START) && isPixAccount(text);
}

/** Where each text with the structure of a PIX code begins and ends, intact or not. */
export function* brCodesIn(text: string): Generator<readonly [start: number, end: number]> {
	let done = 0;
	for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, at + 1)) {
		const read = at < done ? null : readCode(text, at);
		if (!read || !isPix(read)) continue;
		yield [at, read.end];
		done = read.end;
	}
}

/** What a PIX code says of a payment. */
export interface BrCode {
	/** In the form of the PIX directory; undefined if it names none. */
	readonly pixKey: string | undefined;
	/** Of a dynamic code: where a bank's app reads what is to be paid. */
	readonly url: string | undefined;
	/** How many recipients it names. */
	readonly accounts: number;
	/** ISO 4217, by number; undefined if the code does not say. */
	readonly currency: string | undefined;
	/** ISO 3166. */
	readonly country: string | undefined;
	/** In reais, with a decimal point; undefined if the payer decides. */
	readonly amount: string | undefined;
	/** Whether a tip or a fee comes on top. */
	readonly hasSurcharge: boolean;
	readonly recipientName: string;
	readonly recipientCity: string;
	/** By which the recipient recognizes the payment; undefined if the code has none. */
	readonly txId: string | undefined;
}

/** What a text is that is no intact PIX code. */
export type CodeFault =
	/** Its fields do not add up to the text. */
	| 'length'
	| 'checksum'
	/** Intact, but of another payment scheme. */
	| 'scheme';

/** @returns what is wrong with a text that is not exactly one intact PIX code */
export function parseBrCode(text: string): BrCode | CodeFault {
	const read = readCode(text, 0);
	if (read?.end !== text.length) return 'length';
	if (!isIntact(text)) return 'checksum';
	if (!isPix(read)) return 'scheme';
	const { fields } = read;
	const templates = [...fields]
		.filter(([id, value]) => (isAccount(id) || id >= '80') && isPixAccount(value))
		.map(([id, value]) => ({ id, parts: readFields(value, 0)?.fields }));
	const accounts = templates.filter(({ id }) => isAccount(id));
	const txId = readFields(fields.get('62') ?? '', 0)?.fields.get('05');
	return {
		pixKey: accounts[0]?.parts?.get('01'),
		url: templates.map(({ parts }) => parts?.get('25')).find((url) => url !== undefined),
		accounts: accounts.length,
		currency: fields.get('53'),
		country: fields.get('58'),
		amount: fields.get('54'),
		hasSurcharge: ['55', '56', '57'].some((id) => fields.has(id)),
		recipientName: fields.get('59')?.trim() ?? '',
		recipientCity: fields.get('60')?.trim() ?? '',
		// The Banco Central's sign for none.
		txId: txId === '***' ? undefined : txId,
	};
}

interface Fields {
	readonly fields: ReadonlyMap<string, string>;
	/** Where the text after them begins. */
	readonly end: number;
}

/**
 * A code of any scheme, intact or not. Issuers count an accent as one or as two: lengths are in
 * characters, or else in bytes.
 */
function readCode(text: string, start: number): Fields | null {
	const isClosed = (read: Fields | null) => /^[\dA-F]{4}$/i.test(read?.fields.get(CHECKSUM) ?? '');
	const read = readFields(text, start, CHECKSUM);
	if (isClosed(read)) return read;
	const inBytes = readFieldsInBytes(text, start);
	return isClosed(inBytes) ? inBytes : null;
}

/** @returns null as well if a length ends within a character */
function readFieldsInBytes(text: string, start: number): Fields | null {
	const bytes = Buffer.from(text.slice(start, start + MAX_BYTES));
	// One character a byte, so that the same walk counts bytes.
	const read = readFields(bytes.toString('latin1'), 0, CHECKSUM);
	if (read === null) return null;
	const decode = (value: string) => Buffer.from(value, 'latin1').toString();
	const fields = new Map([...read.fields].map(([id, value]) => [id, decode(value)]));
	if ([...fields.values()].some((value) => value.includes('\ufffd'))) return null;
	return { fields, end: start + bytes.subarray(0, read.end).toString().length };
}

const isPix = ({ fields }: Fields): boolean =>
	[...fields].some(([id, value]) => isAccount(id) && isPixAccount(value));

const isPixAccount = (value: string) => value.toLowerCase().includes(PIX);

/** The field that closes a code. */
const CHECKSUM = '63';

/**
 * Walks fields (two digits of id, two of length, the value) to the end of the text, or up to the last
 * one. No field may occur twice, which also bounds the walk.
 * @returns null if the text has another structure
 */
function readFields(text: string, start: number, last?: string): Fields | null {
	const fields = new Map<string, string>();
	for (let at = start; at < text.length || last !== undefined;) {
		const [, id = '', length = ''] = /^(\d\d)(\d\d)$/.exec(text.slice(at, at + 4)) ?? [];
		const end = at + 4 + Number(length);
		if (id === '' || fields.has(id) || end > text.length) return null;
		fields.set(id, text.slice(at + 4, end));
		if (id === last) return { fields, end };
		at = end;
	}
	return { fields, end: text.length };
}

/** Whether the checksum that closes a code (CRC-16/CCITT-FALSE) is that of the code. */
function isIntact(code: string): boolean {
	const bytes = Buffer.from(code.slice(0, -4));
	if (bytes.length + 4 > MAX_BYTES) return false;
	let sum = 0xffff;
	for (const byte of bytes) {
		sum ^= byte << 8;
		for (let bit = 0; bit < 8; bit += 1) {
			sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff;
		}
	}
	return sum === parseInt(code.slice(-4), 16);
}
