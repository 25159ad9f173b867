import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { readDelivery } from '../../../../../nodes/BrlPaymentsTrigger/request';
import {
	AUTOMATIC_SCHEMES,
	readSignatureSettings,
	type SignatureSettings,
} from '../../../../../nodes/shared/client/signing';
import {
	verify,
	type SignedParts,
	type Verification,
} from '../../../../../nodes/BrlPaymentsTrigger/signature/verify';

export const SECRET = 'example-signing-secret-0001';
export const OTHER_SECRET = 'example-signing-secret-0002';
export const NOW = Date.parse('2026-11-21T12:00:00Z');
export const WINDOW_MS = 300_000;

/** Stops the clock at NOW in each test of the file. @returns what sets it to another time */
export function stopClock(): (now: number) => void {
	beforeEach(() => {
		vi.spyOn(Date, 'now').mockReturnValue(NOW);
	});
	afterEach(() => {
		vi.restoreAllMocks();
	});
	return (now) => void vi.mocked(Date.now).mockReturnValue(now);
}

export const PAYMENT_ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
export const DELIVERY_ID = '5f0c6a1e-8b7d-4c7e-9b0a-3d5f1c2e4a6b';

/** With an amount that a body which is parsed and written again would lose: 10.00. */
export const BODY = Buffer.from(`{"id":"${PAYMENT_ID}","amount":10.00,"status":"PAID"}`);

export const HASHES = ['sha256', 'sha512'] as const;
export const ENCODINGS = ['hex', 'base64', 'base64url'] as const;
export type Hash = (typeof HASHES)[number];
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes that are signed, per layout; spelled out here, so that nothing under test is used. */
export const LAYOUTS: Record<string, (timestamp: string, body: Buffer) => Buffer> = {
	dot: (timestamp, body) => Buffer.concat([Buffer.from(`${timestamp}.`), body]),
	plain: (timestamp, body) => Buffer.concat([Buffer.from(timestamp), body]),
	colon: (timestamp, body) => Buffer.concat([Buffer.from(`${timestamp}:`), body]),
	v1Colon: (timestamp, body) => Buffer.concat([Buffer.from(`v1:${timestamp}:`), body]),
	newline: (timestamp, body) => Buffer.concat([Buffer.from(timestamp), Buffer.from([10]), body]),
};

/** NOW in the three forms that a timestamp may have. */
export const TIMESTAMPS = {
	seconds: String(NOW / 1000),
	milliseconds: String(NOW),
	'ISO 8601': '2026-11-21T12:00:00Z',
};

/** How a header is written around a signature; `wrong` is the signature of another secret. */
export const VALUE_FORMS: Record<
	string,
	(parts: { signature: string; wrong: string; timestamp: string; hash: Hash }) => string
> = {
	bare: ({ signature }) => signature,
	'v1=': ({ signature }) => `v1=${signature}`,
	'v1,': ({ signature }) => `v1,${signature}`,
	'hash=': ({ signature, hash }) => `${hash}=${signature}`,
	't=,v1=': ({ signature, timestamp }) => `t=${timestamp},v1=${signature}`,
	'several v1,': ({ signature, wrong }) => `v1,${wrong} v1,${signature}`,
	'several hash=': ({ signature, wrong, hash }) => `${hash}=${wrong} ${hash}=${signature}`,
	'several with blanks in t=': ({ signature, wrong, timestamp }) =>
		`t=${timestamp}, v1=${signature} , v1=${wrong}`,
	'several versions in t=': ({ signature, wrong, timestamp }) =>
		`t=${timestamp},v1=${signature},v0=${wrong}`,
};

/** A signature, computed with nothing but node:crypto. */
export function hmac(
	content: Buffer,
	{
		secret = SECRET,
		hash = 'sha256',
		encoding = 'hex',
	}: { secret?: string; hash?: Hash; encoding?: Encoding } = {},
): string {
	return createHmac(hash, secret).update(content).digest(encoding);
}

/** The signature of the commonest scheme: HMAC-SHA256 in hex of timestamp, full stop and body. */
export function dotSignature(
	body: Buffer = BODY,
	timestamp: string = TIMESTAMPS.seconds,
	secret: string = SECRET,
): string {
	return hmac(Buffer.concat([Buffer.from(`${timestamp}.`), body]), { secret });
}

/** A valid delivery; tests break one thing of it. Names of headers as n8n hands them over. */
export function validHeaders(changed: IDataObject = {}): IDataObject {
	return {
		'x-webhook-event': 'PAYMENT_PAID',
		'x-webhook-delivery-id': DELIVERY_ID,
		'x-webhook-timestamp': TIMESTAMPS.seconds,
		'x-webhook-signature': dotSignature(),
		...changed,
	};
}

/** A delivery of this body, signed as the service would. */
export const signed = (
	body: Buffer | string,
	timestamp = TIMESTAMPS.seconds,
	changed: IDataObject = {},
) => ({
	rawBody: Buffer.from(body),
	headers: validHeaders({
		'x-webhook-timestamp': timestamp,
		'x-webhook-signature': dotSignature(Buffer.from(body), timestamp),
		...changed,
	}),
});

export const settingsWith = (changed: IDataObject = {}): SignatureSettings =>
	readSignatureSettings({ signingSecrets: SECRET, signatureScheme: 'auto', ...changed });

/** As Automatic reads them; not read here, so that a fault in reading fails the tests that read. */
const AUTOMATIC: SignatureSettings = {
	secrets: [SECRET],
	entered: 1,
	schemes: AUTOMATIC_SCHEMES,
};

export function verifyParts(
	parts: Partial<SignedParts> = {},
	settings: SignatureSettings = AUTOMATIC,
	now = NOW,
): Verification {
	return verify(
		{ signature: dotSignature(), timestamp: TIMESTAMPS.seconds, body: BODY, ...parts },
		settings,
		now,
		WINDOW_MS,
	);
}

/** Whether a delivery passes both gates: the signature, and being a delivery at all. */
export function isAccepted(timestamp: string, signature: string, body: Buffer): boolean {
	const { result } = verifyParts({ signature, timestamp, body });
	return (
		result === 'verified' && 'deliveryId' in readDelivery(validHeaders(), body, 'PAYMENT_PAID')
	);
}
