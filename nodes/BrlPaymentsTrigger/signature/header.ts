import type { Hash } from './schemes';
import type { SignatureSettings } from './settings';
import { HTTP_DATE_FORM } from './timestamp';

export type Headers = Readonly<Record<string, unknown>>;

/** A header that came once; undefined if it is missing or came several times as a list. */
export function getHeader(headers: Headers, name: string): string | undefined {
	const value = headers[name.toLowerCase()];
	return typeof value === 'string' ? value : undefined;
}

/** A signature value without its prefix, and the hash that a prefix names. */
export interface OfferedValue {
	readonly text: string;
	readonly hash?: Hash | undefined;
}

/** What one X-Webhook-Signature header offers. */
export interface OfferedSignatures {
	readonly values: readonly OfferedValue[];
	/** From `t=…`; must then be the timestamp of the delivery. */
	readonly timestamp: string | undefined;
}

/** Longer headers are not read: a signature has at most 128 characters, and there are few of them. */
const MAX_LENGTH = 2_048;
const MAX_VALUES = 8;

/** Hex and both base64 alphabets, with padding at the end only. 43 characters are the least for SHA-256. */
const VALUE = '([A-Za-z0-9+/_-]{43,128}={0,2})';
const BARE = new RegExp(`^${VALUE}$`);
const SINGLE = new RegExp(`^(?:v1[=,]|(sha256|sha512)=)?${VALUE}$`);
const TIMESTAMP = /^[^,\s]{1,64}$/;
/** One of `t=…,v1=…,v0=…`. The value of an unknown field does not matter. */
const FIELD = /^([\w-]{1,32})=(\S*)$/;
/** A timestamp in whose place `t=date` is read: its comma and its blanks separate nothing. */
const DATE = new RegExp(`(?<![^, ])t=(${HTTP_DATE_FORM})(?![^, ])`);
/** With the blanks around it, but not so many that the search for them would take long. */
const COMMA = / {0,4}, {0,4}/g;
/** A later version of the algorithm next to v1; not for us to judge. */
const OTHER_VERSION = /^v(?!1[=,])\w{1,8}[=,]\S+$/;

/**
 * Reads the forms that senders use: bare, `v1=…`, `v1,…`, `sha256=…`, `t=…,v1=…` with further fields,
 * and several of them separated by a blank. Blanks around commas are no part of it. Strict: one part
 * that is none of these spoils the whole header.
 *
 * @returns null when the header is malformed
 */
export function readSignatureHeader(header: string): OfferedSignatures | null {
	if (header.length > MAX_LENGTH) return null;
	const values: OfferedValue[] = [];
	let timestamp: string | undefined;
	const [, date] = DATE.exec(header) ?? [];
	const text = date === undefined ? header : header.replace(date, 'date');

	for (const part of text.replace(COMMA, ',').split(' ')) {
		const [, hash, value] = SINGLE.exec(part) ?? [];
		const fields = value === undefined ? readFields(part) : null;
		if (value !== undefined) values.push({ text: value, hash: hash as Hash | undefined });
		else if (fields && timestamp === undefined) {
			timestamp = fields.timestamp;
			values.push(...fields.values);
		} else if (fields || !OTHER_VERSION.test(part)) return null;
	}
	if (values.length === 0 || values.length > MAX_VALUES) return null;
	return { values, timestamp: timestamp === 'date' ? (date ?? timestamp) : timestamp };
}

/** Reads `t=…,v1=…`: one `t`, one `v1` or several, and fields that are not for us. */
function readFields(part: string): { timestamp: string; values: OfferedValue[] } | null {
	const timestamps: string[] = [];
	const values: OfferedValue[] = [];
	for (const field of part.split(',')) {
		const [, name, text] = FIELD.exec(field) ?? [];
		if (name === undefined || text === undefined) return null;
		if (name === 't') timestamps.push(text);
		else if (name === 'v1' && BARE.test(text)) values.push({ text });
		else if (name === 'v1') return null;
	}
	const [timestamp] = timestamps;
	if (timestamp === undefined || timestamps.length > 1 || values.length === 0) return null;
	return TIMESTAMP.test(timestamp) ? { timestamp, values } : null;
}

/**
 * Reads the header of a custom scheme: the prefix and the value, or several separated by a blank. A
 * prefix that contains a blank occurs once.
 */
export function readPrefixedHeader(header: string, prefix: string): OfferedSignatures | null {
	const isOne = prefix.includes(' ');
	const parts = header.length > MAX_LENGTH ? [] : isOne ? [header] : header.split(' ');
	const values = parts
		.filter((part) => part.startsWith(prefix))
		.map((part) => ({ text: part.slice(prefix.length) }));
	const isWhole = values.length === parts.length && values.every(({ text }) => BARE.test(text));
	return isWhole && values.length > 0 && values.length <= MAX_VALUES
		? { values, timestamp: undefined }
		: null;
}

/**
 * Reads the header as the chosen scheme writes it. Without a prefix, every form that requires none
 * is read. @returns null when it is malformed
 */
export function readOffered(
	signature: string,
	settings: SignatureSettings,
): OfferedSignatures | null {
	const prefix = settings.schemes[0]?.prefix ?? '';
	return prefix === '' ? readSignatureHeader(signature) : readPrefixedHeader(signature, prefix);
}

const CORE = /[A-Za-z0-9+/_-]{43}/;

/** Whether no scheme at all could read the header, so that its secret need not be looked up. */
export function isHopeless(header: string): boolean {
	return header.length > MAX_LENGTH || !CORE.test(header);
}
