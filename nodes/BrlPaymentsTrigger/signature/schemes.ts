import { createHmac } from 'node:crypto';

export type Hash = 'sha256' | 'sha512';
export type Encoding = 'hex' | 'base64' | 'base64url';

/**
 * How the bytes to sign are put together. The interface does not show it ("The signature computation
 * … not shown"), only that timestamp and raw body are signed. There is no layout without the
 * timestamp: it would make a recorded delivery valid for ever.
 */
export interface Layout {
	/** What stands before the timestamp, between timestamp and body, and after the body. */
	readonly before: string;
	readonly between: string;
	readonly after: string;
}

/** A way to compute a signature; how its value is written in the header is told apart by looking. */
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

/** The signature of one delivery as raw bytes. @param timestamp exactly as in the header */
export function computeDigest(
	scheme: Pick<Scheme, 'hash' | 'layout'>,
	secret: string,
	timestamp: string,
	body: Buffer,
): Buffer {
	const { before, between, after } = scheme.layout;
	const hmac = createHmac(scheme.hash, secret)
		.update(`${before}${timestamp}${between}`)
		.update(body);
	return (after === '' ? hmac : hmac.update(after)).digest();
}

/**
 * Every way in which a digest is written. Compared as text, not as decoded bytes: several texts can
 * decode to the same bytes, and each delivery is to have one signature and no variants of it.
 */
export function writtenForms(digest: Buffer, encoding?: Encoding): string[] {
	switch (encoding) {
		case 'hex': {
			const hex = digest.toString('hex');
			return [hex, hex.toUpperCase()];
		}
		case 'base64':
			return [digest.toString('base64')];
		case 'base64url': {
			const base64url = digest.toString('base64url');
			const padding = digest.toString('base64').slice(base64url.length);
			return [base64url, `${base64url}${padding}`];
		}
		case undefined:
			// Padded base64url is left to a custom scheme: it may be one character away from base64.
			return [
				...writtenForms(digest, 'hex'),
				digest.toString('base64'),
				digest.toString('base64url'),
			];
	}
}
