import { createHmac } from 'node:crypto';

export type Hash = 'sha256' | 'sha512';
export type Encoding = 'hex' | 'base64' | 'base64url';

/**
 * How the bytes to sign are put together. All that is documented is that timestamp and raw body are
 * signed (docs/api.md#signatures). There is no layout without the timestamp: it would make a
 * recorded delivery valid forever.
 */
export interface Layout {
	/** The text before the first of the two, between them, and after the second one. */
	readonly before: string;
	readonly between: string;
	readonly after: string;
	/** Whether the body comes first. Only a custom scheme has that. */
	readonly bodyFirst?: boolean;
}

/** A way to compute a signature; the format of its value in the header is recognized separately. */
export interface Scheme {
	/** Value of the credential's Signature Scheme, part of saved credentials. */
	readonly name: string;
	readonly hash: Hash;
	readonly layout: Layout;
	/** Only a custom scheme fixes these; the others accept every encoding and prefix. */
	readonly encoding?: Encoding;
	readonly prefix?: string;
}

const LAYOUTS: ReadonlyArray<{ name: string; layout: Layout }> = [
	{ name: 'dot', layout: { before: '', between: '.', after: '' } },
	{ name: 'plain', layout: { before: '', between: '', after: '' } },
	{ name: 'colon', layout: { before: '', between: ':', after: '' } },
	{ name: 'v1Colon', layout: { before: 'v1:', between: ':', after: '' } },
	{ name: 'newline', layout: { before: '', between: '\n', after: '' } },
];

/** All named schemes, in the order in which automatic detection tries them. */
export const NAMED_SCHEMES: readonly Scheme[] = (['sha256', 'sha512'] as const).flatMap((hash) =>
	LAYOUTS.map(({ name, layout }) => ({ name: `${hash}-${name}`, hash, layout })),
);

/** A text, or the bytes that a text in hex or base64 stands for. */
export type Secret = string | Buffer;

/** The signature of one delivery as raw bytes. @param timestamp exactly as in the header */
export function computeDigest(
	scheme: Pick<Scheme, 'hash' | 'layout'>,
	secret: Secret,
	timestamp: string,
	body: Buffer,
): Buffer {
	const { before, between, after, bodyFirst } = scheme.layout;
	const hmac = createHmac(scheme.hash, secret);
	if (bodyFirst) hmac.update(before).update(body).update(`${between}${timestamp}${after}`);
	else hmac.update(`${before}${timestamp}${between}`).update(body).update(after);
	return hmac.digest();
}

const DIGEST_BYTES: Record<Hash, number> = { sha256: 32, sha512: 64 };

/** Whether a value of this length may be a digest of the hash, so that computing one is of any use. */
export function admitsLength({ hash, encoding }: Scheme, length: number): boolean {
	const bytes = DIGEST_BYTES[hash];
	const unpadded = Math.ceil((bytes * 4) / 3);
	const padded = 4 * Math.ceil(bytes / 3);
	const lengths = { hex: [2 * bytes], base64: [padded], base64url: [padded, unpadded] };
	return (encoding ? lengths[encoding] : Object.values(lengths).flat()).includes(length);
}

/**
 * Every way in which a digest is written. Compared as text, not as decoded bytes: several texts can
 * decode to the same bytes, and each delivery is to have one signature and no variants of it.
 */
export function writtenForms(digest: Buffer, encoding?: Encoding): string[] {
	const hex = digest.toString('hex');
	const base64 = digest.toString('base64');
	const base64url = digest.toString('base64url');
	const padding = base64.slice(base64url.length);
	const forms = {
		hex: [hex, hex.toUpperCase()],
		base64: [base64],
		base64url: [base64url, `${base64url}${padding}`],
	};
	// Padded base64url is left to a custom scheme: it may be one character away from base64.
	return encoding ? forms[encoding] : [...forms.hex, base64, base64url];
}

/**
 * Signs a body as a sender would, for tests and for trying out a credential.
 * @param timestamp as sent in X-Webhook-Timestamp
 * @returns the value of X-Webhook-Signature
 */
export function sign(
	scheme: Scheme,
	secret: Secret,
	timestamp: string,
	body: Buffer,
	encoding: Encoding = 'hex',
): string {
	const digest = computeDigest(scheme, secret, timestamp, body);
	return `${scheme.prefix ?? ''}${digest.toString(scheme.encoding ?? encoding)}`;
}
