import { computeDigest, type Encoding, type Scheme, type Secret } from './schemes';

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
