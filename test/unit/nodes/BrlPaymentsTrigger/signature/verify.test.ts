import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { NAMED_SCHEMES } from '../../../../../nodes/BrlPaymentsTrigger/signature/schemes';
import {
	verify,
	type Verification,
} from '../../../../../nodes/BrlPaymentsTrigger/signature/verify';
import {
	BODY,
	DELIVERY_ID,
	dotSignature,
	hmac,
	isAccepted,
	NOW,
	OTHER_SECRET,
	SECRET,
	settingsWith,
	TIMESTAMPS,
	validHeaders,
	verifyParts,
	WINDOW_MS,
} from '../support/delivery';

const tryParse = (verification: Verification) => verification.result;

test('a valid delivery is verified', () => {
	expect(verifyParts()).toEqual({
		result: 'verified',
		scheme: expect.objectContaining({ name: 'sha256-dot' }),
		fingerprints: [expect.any(String)],
		sentAt: NOW,
	});
});

describe('fingerprints', () => {
	const getFingerprints = (signature: string, settings = settingsWith()) => {
		const verification = verifyParts({ signature }, settings);
		return verification.result === 'verified' ? verification.fingerprints : verification.result;
	};
	const foreign = dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET);

	test('name the signature, however it is written', () => {
		const signature = dotSignature();
		const fingerprints = [
			signature.toUpperCase(),
			Buffer.from(signature, 'hex').toString('base64'),
			`v1=${signature}`,
			`t=${TIMESTAMPS.seconds},v1=${signature}`,
			`${foreign} ${signature}`,
			`${signature} ${signature}`,
		].map((header) => getFingerprints(header));

		for (const one of fingerprints) expect(one).toEqual(getFingerprints(signature));
		expect(getFingerprints(signature)).toHaveLength(1);
	});

	test('name each genuine signature of the header', () => {
		const both = settingsWith({ signingSecrets: `${SECRET} ${OTHER_SECRET}` });
		const [one, other] = [dotSignature(), foreign].map((header) => getFingerprints(header, both));

		expect(one).not.toEqual(other);
		expect(getFingerprints(`${dotSignature()} ${foreign}`, both)).toEqual([
			...(one ?? []),
			...(other ?? []),
		]);
	});
});

describe('one thing broken: headers', () => {
	const signature = dotSignature();
	const timestamp = TIMESTAMPS.seconds;

	test.each([undefined, ''])('signature %o is missing', (value) => {
		expect(verifyParts({ signature: value })).toEqual({
			result: 'missing',
			header: 'X-Webhook-Signature',
		});
	});

	test.each([undefined, ''])('timestamp %o is missing', (value) => {
		expect(verifyParts({ timestamp: value })).toEqual({
			result: 'missing',
			header: 'X-Webhook-Timestamp',
		});
	});

	test.each([
		['doubled by a proxy', `${signature}, ${signature}`],
		['doubled without a blank', `${signature},${signature}`],
		['a blank before it', ` ${signature}`],
		['a blank after it', `${signature} `],
		['a line break after it', `${signature}\n`],
		['a tab in it', `${signature}\t${signature}`],
		['in quotes', `"${signature}"`],
		['too short', signature.slice(0, 42)],
		['too long', signature.repeat(3)],
		['not a signature', 'none'],
		['an unknown prefix', `md5=${signature}`],
		['a prefix alone', 'v1='],
		['only a later version', `v2=${signature}`],
		['fields without a signature', `t=${timestamp}`],
		['fields twice', `t=${timestamp},v1=${signature} t=${timestamp},v1=${signature}`],
		['an empty timestamp field', `t=,v1=${signature}`],
		['more values than any service sends', Array.from({ length: 9 }, () => signature).join(' ')],
		['longer than any header', `${'v2,x '.repeat(500)}${signature}`],
		['letters that look alike', signature.replace(/[a-f]/, 'а')],
	])('signature %s is malformed', (_, value) => {
		expect(verifyParts({ signature: value })).toEqual({
			result: 'malformed',
			header: 'X-Webhook-Signature',
		});
	});

	test.each([
		['doubled', `${timestamp}, ${timestamp}`],
		['a blank before it', ` ${timestamp}`],
		['a blank after it', `${timestamp} `],
		['a sign', `+${timestamp}`],
		['in hex', `0x${(NOW / 1000).toString(16)}`],
		['with an exponent', '1.7952624e9'],
		['not a number', 'NaN'],
		['an HTTP date of another zone', 'Sat, 21 Nov 2026 12:00:00 EST'],
		['without a zone', '2026-11-21T12:00:00'],
		['only a day', '2026-11-21'],
	])('timestamp %s is malformed', (_, value) => {
		const signed = dotSignature(BODY, value);
		expect(verifyParts({ timestamp: value, signature: signed })).toEqual({
			result: 'malformed',
			header: 'X-Webhook-Timestamp',
		});
	});

	test.each([
		['another timestamp in the header field', `t=${NOW / 1000 + 1},v1=${signature}`],
		['the same time in another unit', `t=${NOW},v1=${signature}`],
	])('%s does not match', (_, value) => {
		expect(tryParse(verifyParts({ signature: value }))).toBe('mismatch');
	});

	test('a hash name that is not the one it was made with does not match', () => {
		expect(tryParse(verifyParts({ signature: `sha512=${signature}` }))).toBe('mismatch');
		expect(tryParse(verifyParts({ signature: `sha256=${signature}` }))).toBe('verified');
	});
});

describe('one thing broken: what is signed', () => {
	test('the same time in another unit', () => {
		expect(tryParse(verifyParts({ timestamp: TIMESTAMPS.milliseconds }))).toBe('mismatch');
		expect(tryParse(verifyParts({ timestamp: TIMESTAMPS['ISO 8601'] }))).toBe('mismatch');
	});
});

describe('one thing broken: the signature', () => {
	test.each(['', 'undefined', 'null', `${SECRET}\n`, SECRET.toUpperCase()])(
		'the secret %o',
		(secret) => {
			const signature = dotSignature(BODY, TIMESTAMPS.seconds, secret);
			expect(tryParse(verifyParts({ signature }))).toBe('mismatch');
		},
	);

	test('leaves out the timestamp', () => {
		for (const content of [BODY, Buffer.concat([Buffer.from('.'), BODY])]) {
			for (const hash of ['sha256', 'sha512'] as const) {
				expect(tryParse(verifyParts({ signature: hmac(content, { hash }) }))).toBe('mismatch');
			}
		}
	});

	test('leaves out the body', () => {
		const signature = hmac(Buffer.from(`${TIMESTAMPS.seconds}.`));
		expect(tryParse(verifyParts({ signature }))).toBe('mismatch');
	});

	test('covers the secret without a key', () => {
		const signature = hmac(Buffer.from(`${SECRET}${TIMESTAMPS.seconds}.${BODY.toString()}`), {
			secret: '',
		});
		expect(tryParse(verifyParts({ signature }))).toBe('mismatch');
	});

	test('all zeros, or the bytes of the secret', () => {
		expect(tryParse(verifyParts({ signature: '0'.repeat(64) }))).toBe('mismatch');
		expect(tryParse(verifyParts({ signature: '='.repeat(64) }))).toBe('malformed');
		expect(
			tryParse(verifyParts({ signature: Buffer.from(SECRET.padEnd(32, SECRET)).toString('hex') })),
		).toBe('mismatch');
	});

	test.each([
		['mixed upper and lower case', (hex: string) => hex.replace(/[a-f]/, (c) => c.toUpperCase())],
		['the first half', (hex: string) => hex.slice(0, 48)],
		['reversed', (hex: string) => [...hex].reverse().join('')],
		['padding', (hex: string) => `${hex}==`],
		['as base64 of the hex text', (hex: string) => Buffer.from(hex).toString('base64')],
	])('%s', (_, change) => {
		expect(tryParse(verifyParts({ signature: change(dotSignature()) }))).toBe('mismatch');
	});
});

describe('the cost', () => {
	const hmacs = (signature: string) => {
		const parts = { signature, timestamp: TIMESTAMPS.seconds, body: BODY };
		const created = vi.spyOn(crypto, 'createHmac');
		// For whoever imports the function by its name.
		syncBuiltinESMExports();
		try {
			verify(parts, settingsWith(), undefined, NOW, WINDOW_MS);
			return created.mock.calls.map(([hash]) => hash);
		} finally {
			created.mockRestore();
			syncBuiltinESMExports();
		}
	};

	test.each([
		['hex of SHA-256', 'f'.repeat(64), Array.from({ length: 5 }, () => 'sha256')],
		['hex of SHA-512', 'f'.repeat(128), Array.from({ length: 5 }, () => 'sha512')],
		['base64 of SHA-256', `${'f'.repeat(43)}=`, Array.from({ length: 5 }, () => 'sha256')],
		['no hash', 'f'.repeat(50), []],
		['a hash that is named', `sha512=${'f'.repeat(64)}`, []],
		['another timestamp', `t=1,v1=${'f'.repeat(64)}`, []],
		['the genuine one', dotSignature(), ['sha256']],
	])('of what is as long as %s is no more than it may be', (_, signature, expected) => {
		expect(hmacs(signature)).toEqual(expected);
	});
});

describe('the window', () => {
	test.each([
		['past', WINDOW_MS],
		['future', -WINDOW_MS],
	])('ends exactly at its length in the %s', (_, differenceMs) => {
		const beyond = differenceMs + Math.sign(differenceMs);

		expect(tryParse(verifyParts({}, undefined, NOW + differenceMs))).toBe('verified');
		expect(verifyParts({}, undefined, NOW + beyond)).toEqual({
			result: 'stale',
			differenceMs: beyond,
		});
	});

	test('what is unsigned is not called stale: it says nothing about clocks', () => {
		const now = NOW + 2 * WINDOW_MS;
		expect(tryParse(verifyParts({ body: Buffer.from('{}') }, undefined, now))).toBe('mismatch');
	});

	test('a stale delivery is not called stale when its headers are malformed', () => {
		const now = NOW + 2 * WINDOW_MS;
		expect(tryParse(verifyParts({ signature: 'none' }, undefined, now))).toBe('malformed');
		expect(tryParse(verifyParts({ signature: undefined }, undefined, now))).toBe('missing');
	});
});

describe('secrets and schemes', () => {
	test.each([0, 1, 2])('secret %i of three is found', (index) => {
		const secrets = [SECRET, OTHER_SECRET, 'example-signing-secret-0003'];
		const signature = dotSignature(BODY, TIMESTAMPS.seconds, secrets[index]);
		const settings = settingsWith({ signingSecrets: secrets.join('\n') });

		expect(tryParse(verifyParts({ signature }, settings))).toBe('verified');
		expect(
			tryParse(
				verifyParts(
					{ signature },
					settingsWith({ signingSecrets: secrets.filter((_, at) => at !== index).join(' ') }),
				),
			),
		).toBe('mismatch');
	});

	test('a named scheme accepts no other one', () => {
		const settings = settingsWith({ signatureScheme: 'sha256-colon' });
		const colon = hmac(Buffer.from(`${TIMESTAMPS.seconds}:${BODY.toString()}`));

		expect(tryParse(verifyParts({ signature: colon }, settings))).toBe('verified');
		expect(tryParse(verifyParts({ signature: dotSignature() }, settings))).toBe('mismatch');
	});

	test('one wrong signature next to the right one does no harm, two wrong ones do', () => {
		const wrong = dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET);

		expect(tryParse(verifyParts({ signature: `v1,${wrong} v1,${dotSignature()}` }))).toBe(
			'verified',
		);
		expect(tryParse(verifyParts({ signature: `v1,${wrong} v1,${wrong}` }))).toBe('mismatch');
	});

	test('of signatures by two hashes one may be wrong', () => {
		const wrong = 'f'.repeat(128);
		for (const signature of [
			`sha256=${dotSignature()} sha512=${wrong}`,
			`sha512=${wrong} sha256=${dotSignature()}`,
		]) {
			expect(tryParse(verifyParts({ signature }))).toBe('verified');
		}
	});

	test('a signature under the name of another hash is refused next to a wrong one', () => {
		const signature = `sha512=${dotSignature()} sha256=${'f'.repeat(64)}`;
		expect(tryParse(verifyParts({ signature }))).toBe('mismatch');
	});

	test('the scheme that matched last time is tried once', () => {
		const wrong = dotSignature(BODY, TIMESTAMPS.seconds, OTHER_SECRET);
		const parts = {
			signature: `${wrong} ${dotSignature()}`,
			timestamp: TIMESTAMPS.seconds,
			body: BODY,
		};
		const verification = verify(parts, settingsWith(), NAMED_SCHEMES[0], NOW, WINDOW_MS);
		expect(verification).toMatchObject({ fingerprints: [expect.any(String)] });
	});

	test('a later version of the algorithm next to v1 is left alone, and never enough', () => {
		const signature = dotSignature();
		expect(tryParse(verifyParts({ signature: `v2,anything v1,${signature}` }))).toBe('verified');
		expect(tryParse(verifyParts({ signature: `v2,${signature}` }))).toBe('malformed');
	});
});

test('no other split of the signed bytes into timestamp and body is accepted', () => {
	// Under the layouts without a mark between them, the border could be moved.
	const plain = hmac(Buffer.concat([Buffer.from(TIMESTAMPS.milliseconds), BODY]));
	const newline = hmac(Buffer.concat([Buffer.from(`${TIMESTAMPS.seconds}\n`), BODY]));
	const genuine = [
		validHeaders({
			'x-webhook-timestamp': TIMESTAMPS.milliseconds,
			'x-webhook-signature': plain,
		}),
		validHeaders({ 'x-webhook-signature': newline }),
	];
	for (const headers of genuine) expect(isAccepted(headers, BODY)).toBe(true);

	const moved: Array<[string, string, Buffer]> = [
		[plain, TIMESTAMPS.seconds, Buffer.concat([Buffer.from('000'), BODY])],
		[newline, TIMESTAMPS.seconds, Buffer.concat([Buffer.from('\n'), BODY])],
		[dotSignature(), TIMESTAMPS.seconds, Buffer.concat([Buffer.from('.'), BODY])],
	];
	for (const [signature, timestamp, body] of moved) {
		const headers = {
			'x-webhook-event': 'PAYMENT_PAID',
			'x-webhook-delivery-id': DELIVERY_ID,
			'x-webhook-timestamp': timestamp,
			'x-webhook-signature': signature,
		};
		expect(isAccepted(headers, body)).toBe(false);
	}
});
