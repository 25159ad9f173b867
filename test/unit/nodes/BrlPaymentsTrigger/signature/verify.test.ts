import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { NAMED_SCHEMES } from '../../../../../nodes/BrlPaymentsTrigger/signature/schemes';
import { verify } from '../../../../../nodes/BrlPaymentsTrigger/signature/verify';
import {
	AUTOMATIC,
	BODY,
	dotSignature,
	hmac,
	isAccepted,
	NOW,
	OTHER_SECRET,
	SECRET,
	settingsWith,
	TIMESTAMPS,
	verifyParts,
	WINDOW_MS,
} from '../support/delivery';

const signature = dotSignature();
const wrong = dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET);

test('a valid delivery is verified', () => {
	expect(verifyParts()).toEqual({
		result: 'verified',
		scheme: expect.objectContaining({ name: 'sha256-dot' }),
		fingerprints: [expect.any(String)],
		sentAt: NOW,
	});
});

describe('fingerprints', () => {
	const getFingerprints = (header: string, settings = settingsWith()) => {
		const verification = verifyParts({ signature: header }, settings);
		return verification.result === 'verified' ? verification.fingerprints : [];
	};

	test('name the signature, however it is written', () => {
		expect(getFingerprints(signature)).toHaveLength(1);
		for (const header of [
			signature.toUpperCase(),
			Buffer.from(signature, 'hex').toString('base64'),
			`v1=${signature}`,
			`t=${TIMESTAMPS.seconds},v1=${signature}`,
			`${wrong} ${signature}`,
			`${signature} ${signature}`,
		]) {
			expect(getFingerprints(header)).toEqual(getFingerprints(signature));
		}
	});

	test('name each genuine signature of the header', () => {
		const both = settingsWith({ signingSecrets: `${SECRET} ${OTHER_SECRET}` });
		const [one, other] = [signature, wrong].map((header) => getFingerprints(header, both));

		expect(one).not.toEqual(other);
		expect(getFingerprints(`${signature} ${wrong}`, both)).toEqual([one, other].flat());
	});
});

describe('one thing broken: headers', () => {
	// Their forms: header.test.ts and timestamp.test.ts.
	test.each([
		['missing', 'X-Webhook-Signature', { signature: undefined }],
		['missing', 'X-Webhook-Signature', { signature: '' }],
		['missing', 'X-Webhook-Timestamp', { timestamp: undefined }],
		['missing', 'X-Webhook-Timestamp', { timestamp: '' }],
		['malformed', 'X-Webhook-Signature', { signature: `${signature}, ${signature}` }],
		['malformed', 'X-Webhook-Timestamp', { timestamp: `${TIMESTAMPS.seconds} ` }],
	])('%s: %s of %o', (result, header, parts) => {
		expect(verifyParts(parts)).toEqual({ result, header });
	});

	test('a stale delivery is not called stale when its headers are malformed', () => {
		const now = NOW + 2 * WINDOW_MS;
		expect(verifyParts({ signature: 'none' }, undefined, now).result).toBe('malformed');
		expect(verifyParts({ signature: undefined }, undefined, now).result).toBe('missing');
	});
});

const changed = (change: (hex: string) => string) => ({ signature: change(signature) });

test.each([
	['another timestamp in the header field', { signature: `t=${NOW / 1000 + 1},v1=${signature}` }],
	['the same time in another unit there', { signature: `t=${NOW},v1=${signature}` }],
	['the same time in another unit', { timestamp: TIMESTAMPS.milliseconds }],
	['the same time in another form', { timestamp: TIMESTAMPS['ISO 8601'] }],
	['the name of another hash', { signature: `sha512=${signature}` }],
	['it next to a wrong one', { signature: `sha512=${signature} sha256=${'f'.repeat(64)}` }],
	['two wrong signatures', { signature: `v1,${wrong} v1,${wrong}` }],
	['a signature without the timestamp', { signature: hmac(BODY) }],
	['one without it by SHA-512', { signature: hmac(BODY, { hash: 'sha512' }) }],
	['one without it that keeps the full stop', { signature: hmac(Buffer.from(`.${String(BODY)}`)) }],
	['a signature without the body', { signature: hmac(Buffer.from(`${TIMESTAMPS.seconds}.`)) }],
	['all zeros', { signature: '0'.repeat(64) }],
	['the bytes of the secret', { signature: Buffer.from(SECRET.padEnd(32)).toString('hex') }],
	['both cases in one', changed((hex) => hex.replace('a', 'A'))],
	['the first half', changed((hex) => hex.slice(0, 48))],
	['padding behind hex', changed((hex) => `${hex}==`)],
	['base64 of the hex text', changed((hex) => Buffer.from(hex).toString('base64'))],
	...['', 'undefined', `${SECRET}\n`, SECRET.toUpperCase()].map((secret): [string, object] => [
		`the secret ${JSON.stringify(secret)}`,
		{ signature: dotSignature(BODY, TIMESTAMPS.seconds, secret) },
	]),
])('%s does not match', (_, parts) => {
	expect(verifyParts(parts)).toEqual({ result: 'mismatch' });
});

test.each([
	['the name of its hash', `sha256=${signature}`],
	['a wrong one before it', `v1,${wrong} v1,${signature}`],
	['a wrong one by another hash behind it', `sha256=${signature} sha512=${'f'.repeat(128)}`],
	['a wrong one by another hash before it', `sha512=${'f'.repeat(128)} sha256=${signature}`],
	['a later version of the algorithm', `v2,anything v1,${signature}`],
])('a signature with %s is verified', (_, header) => {
	expect(verifyParts({ signature: header }).result).toBe('verified');
});

describe('the cost', () => {
	const timestamp = TIMESTAMPS.seconds;
	const hmacs = (header: string) => {
		const created = vi.spyOn(crypto, 'createHmac');
		// For whoever imports the function by its name.
		syncBuiltinESMExports();
		try {
			verify({ signature: header, timestamp, body: BODY }, AUTOMATIC, undefined, NOW, WINDOW_MS);
			return created.mock.calls.map(([hash]) => hash);
		} finally {
			created.mockRestore();
			syncBuiltinESMExports();
		}
	};
	const five = (hash: string) => Array.from({ length: 5 }, () => hash);

	test.each([
		['hex of SHA-256', 'f'.repeat(64), five('sha256')],
		['hex of SHA-512', 'f'.repeat(128), five('sha512')],
		['base64 of SHA-256', `${'f'.repeat(43)}=`, five('sha256')],
		['no hash', 'f'.repeat(50), []],
		['a hash that is named', `sha512=${'f'.repeat(64)}`, []],
		['another timestamp', `t=1,v1=${'f'.repeat(64)}`, []],
		['the genuine one', signature, ['sha256']],
	])('of what is as long as %s is no more than it may be', (_, header, expected) => {
		expect(hmacs(header)).toEqual(expected);
	});

	test('the scheme that matched last time is tried once, and is not the only one', () => {
		const parts = { signature: `${wrong} ${signature}`, timestamp, body: BODY };
		for (const preferred of [NAMED_SCHEMES[0], NAMED_SCHEMES.at(-1)]) {
			expect(verify(parts, AUTOMATIC, preferred, NOW, WINDOW_MS)).toMatchObject({
				scheme: NAMED_SCHEMES[0],
				fingerprints: [expect.any(String)],
			});
		}
	});
});

describe('the window', () => {
	test.each([
		['past', WINDOW_MS],
		['future', -WINDOW_MS],
	])('ends exactly at its length in the %s', (_, differenceMs) => {
		const beyond = differenceMs + Math.sign(differenceMs);
		expect(verifyParts({}, undefined, NOW + differenceMs).result).toBe('verified');
		const stale = { result: 'stale', differenceMs: beyond };
		expect(verifyParts({}, undefined, NOW + beyond)).toEqual(stale);
	});

	test('what is unsigned is not called stale: it says nothing about clocks', () => {
		const now = NOW + 2 * WINDOW_MS;
		expect(verifyParts({ body: Buffer.from('{}') }, undefined, now).result).toBe('mismatch');
	});
});

test.each([0, 1, 2])('secret %i of three is found, and missed without it', (index) => {
	const secrets = [SECRET, OTHER_SECRET, 'example-signing-secret-0003'];
	const header = dotSignature(BODY, TIMESTAMPS.seconds, secrets[index]);
	const resultWith = (signingSecrets: string) =>
		verifyParts({ signature: header }, settingsWith({ signingSecrets })).result;

	expect(resultWith(secrets.join('\n'))).toBe('verified');
	expect(resultWith(secrets.toSpliced(index, 1).join(' '))).toBe('mismatch');
});

/** Under the layouts without a mark between timestamp and body, the border could be moved. */
test('no other split of the signed bytes into timestamp and body is accepted', () => {
	const { seconds, milliseconds } = TIMESTAMPS;
	const plain = hmac(Buffer.concat([Buffer.from(milliseconds), BODY]));
	const newline = hmac(Buffer.concat([Buffer.from(`${seconds}\n`), BODY]));
	const accepts = (header: string, timestamp: string, before = '') =>
		isAccepted(timestamp, header, Buffer.concat([Buffer.from(before), BODY]));
	expect(accepts(plain, milliseconds)).toBe(true);
	expect(accepts(newline, seconds)).toBe(true);

	expect(accepts(plain, seconds, '000')).toBe(false);
	expect(accepts(newline, seconds, '\n')).toBe(false);
	expect(accepts(signature, seconds, '.')).toBe(false);
});
