import { timingSafeEqual } from 'node:crypto';
import { readOffered, type OfferedValue } from './header';
import { admitsLength, computeDigest, writtenForms, type Scheme } from './schemes';
import type { SignatureSettings } from './settings';
import { readTimestamp } from './timestamp';

export type SignatureHeader = 'X-Webhook-Signature' | 'X-Webhook-Timestamp';

/** The parts of a delivery that are signed, or say so. Headers exactly as they arrived. */
export interface SignedParts {
	readonly signature: string | undefined;
	readonly timestamp: string | undefined;
	/** The bytes on the wire; never a body that was parsed and written again. */
	readonly body: Buffer;
}

/**
 * - `verified`: genuine and fresh
 * - `missing`, `malformed`: the headers are not those of the service
 * - `stale`: genuine, but outside the replay window; `differenceMs` is its age (negative: in the future)
 * - `mismatch`: well-formed, but made with another secret, scheme or body
 */
export type Verification =
	| {
			result: 'verified';
			scheme: Scheme;
			/** Name each genuine signature of the header, however it was written there. */
			fingerprints: readonly string[];
			/** Epoch milliseconds. */
			sentAt: number;
	  }
	| { result: 'missing' | 'malformed'; header: SignatureHeader }
	| { result: 'stale'; differenceMs: number }
	| { result: 'mismatch' };

/**
 * Verifies one delivery (docs/api.md#signatures).
 *
 * The age is judged after the signature: a genuine delivery that looks old shows that a clock is
 * wrong, and an unsigned one says nothing about clocks.
 *
 * @param preferred the scheme that matched last time; tried first
 * @param now epoch milliseconds
 * @param windowMs how far the timestamp may differ from now, in either direction
 */
export function verify(
	parts: SignedParts,
	settings: SignatureSettings,
	preferred: Scheme | undefined,
	now: number,
	windowMs: number,
): Verification {
	const { signature, timestamp, body } = parts;
	if (!signature) return { result: 'missing', header: 'X-Webhook-Signature' };
	if (!timestamp) return { result: 'missing', header: 'X-Webhook-Timestamp' };

	const sentAt = readTimestamp(timestamp, settings.timestampUnit);
	if (sentAt === null) return { result: 'malformed', header: 'X-Webhook-Timestamp' };
	const offered = readOffered(signature, settings);
	if (offered === null) return { result: 'malformed', header: 'X-Webhook-Signature' };
	if (offered.timestamp !== undefined && offered.timestamp !== timestamp) {
		return { result: 'mismatch' };
	}
	const candidates = preferred
		? [preferred, ...settings.schemes.filter((scheme) => scheme !== preferred)]
		: settings.schemes;
	const matches: Array<{ scheme: Scheme; fingerprint: string }> = [];
	for (const scheme of candidates) {
		if (!offered.values.some((value) => mayBe(value, scheme))) continue;
		for (const secret of settings.secrets) {
			// Of several signatures each one may be genuine, and could be sent again without the others.
			if (matches.length === offered.values.length) break;
			const digest = computeDigest(scheme, secret, timestamp, body);
			if (offered.values.some((value) => isWritten(digest, scheme, value))) {
				matches.push({ scheme, fingerprint: digest.toString('base64url') });
			}
		}
	}
	if (matches[0] === undefined) return { result: 'mismatch' };
	if (Math.abs(now - sentAt) > windowMs) return { result: 'stale', differenceMs: now - sentAt };
	const fingerprints = matches.map(({ fingerprint }) => fingerprint);
	return { result: 'verified', scheme: matches[0].scheme, fingerprints, sentAt };
}

/** What can be decided without computing anything: hashing a long body takes time. */
function mayBe({ text, hash }: OfferedValue, scheme: Scheme): boolean {
	return (hash ?? scheme.hash) === scheme.hash && admitsLength(scheme, text.length);
}

function isWritten(digest: Buffer, scheme: Scheme, value: OfferedValue): boolean {
	if (!mayBe(value, scheme)) return false;
	return writtenForms(digest, scheme.encoding).some((form) => isEqual(value.text, form));
}

/** Takes the same time whatever differs; the length of a signature is no secret. */
function isEqual(one: string, other: string): boolean {
	const bytes = Buffer.from(one);
	const expected = Buffer.from(other);
	return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
