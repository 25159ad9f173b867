import {
	readDigests,
	readTimestamp,
} from '../../../../../nodes/BrlPaymentsTrigger/signature/verify';
import {
	BODY,
	dotSignature,
	hmac,
	isAccepted,
	LAYOUTS,
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

describe('signatures', () => {
	const getSignatures = (header: string, settings = settingsWith()) => {
		const verification = verifyParts({ signature: header }, settings);
		return verification.result === 'verified' ? verification.signatures : [];
	};

	test('name the signature, however it is written', () => {
		expect(getSignatures(signature)).toHaveLength(1);
		const base64 = Buffer.from(signature, 'hex').toString('base64');
		for (const header of [signature.toUpperCase(), base64, `${wrong} ${signature} ${signature}`]) {
			expect(getSignatures(header)).toEqual(getSignatures(signature));
		}
	});

	test('name each genuine signature of the header', () => {
		const both = settingsWith({ signingSecrets: `${SECRET} ${OTHER_SECRET}` });
		const [one, other] = [signature, wrong].map((header) => getSignatures(header, both));

		expect(one).not.toEqual(other);
		expect(getSignatures(`${signature} ${wrong}`, both)).toEqual([one, other].flat());
	});
});

test.each([
	'f'.repeat(42),
	'f'.repeat(129),
	'f'.repeat(66),
	`${signature}f`,
	`${signature} `.padEnd(2_049),
])('no digest is read from %s', (header) => {
	expect(readDigests(header)).toEqual([]);
});

test('a timestamp that is none is malformed', () => {
	const timestamp = `${TIMESTAMPS.seconds} `;
	expect(verifyParts({ timestamp })).toEqual({ result: 'malformed' });
});

// Edited bytes, other times and other secrets: forgeries.test.ts.
test.each([
	['two wrong signatures', `v1,${wrong} v1,${wrong}`],
	['a signature without the timestamp', hmac(BODY)],
	['one without it that keeps the full stop', hmac(Buffer.from(`.${String(BODY)}`))],
	['a signature without the body', hmac(Buffer.from(`${TIMESTAMPS.seconds}.`))],
	['a genuine one behind eight others', `${`${wrong} `.repeat(8)}${signature}`],
	['the bytes of the secret', Buffer.from(SECRET.padEnd(32)).toString('hex')],
	['the secret "undefined"', dotSignature(BODY, TIMESTAMPS.seconds, 'undefined')],
])('%s does not match', (_, header) => {
	expect(verifyParts({ signature: header })).toMatchObject({ result: 'mismatch' });
});

test.each([
	['a wrong one by another hash behind it', `sha256=${signature} sha512=${'f'.repeat(128)}`],
	['a later version of the algorithm', `v2,anything v1,${signature}`],
	['a form that nobody has promised', `hmac-sha256: "${signature}"; key=1`],
	['seven others before it', `${`${wrong} `.repeat(7)}${signature}`],
	['blanks up to 2,048 characters', signature.padEnd(2_048)],
])('a signature with %s is verified', (_, header) => {
	expect(verifyParts({ signature: header }).result).toBe('verified');
});

test('what does not match says what was tried, and nothing that is secret', () => {
	const settings = settingsWith({ signingSecrets: `${SECRET} ${OTHER_SECRET}` });
	expect(verifyParts({ signature: `${'e'.repeat(64)} ${'f'.repeat(64)}` }, settings)).toEqual({
		result: 'mismatch',
		tried: `2 of your secrets with 10 layouts, on 2 digests of a signature of 129 characters, a timestamp of 10 characters and a body of ${BODY.length} bytes`,
	});
});

test('base64 that begins or ends like hex is read as base64', () => {
	const timestamps = Array.from({ length: 200 }, (_, index) => String(NOW / 1000 - index));
	const digestOf = (timestamp: string) =>
		hmac(LAYOUTS.dot!(timestamp, BODY), { encoding: 'base64url' });
	const looksLikeHex = timestamps.filter((timestamp) =>
		/^[\da-f]{2}|[\da-f]{2}$/i.test(digestOf(timestamp)),
	);

	expect(looksLikeHex.length).toBeGreaterThan(10);
	for (const timestamp of looksLikeHex)
		expect(verifyParts({ timestamp, signature: digestOf(timestamp) }).result).toBe('verified');
});

test.each([
	['past', WINDOW_MS],
	['future', -WINDOW_MS],
])('the window ends exactly at its length in the %s', (_, differenceMs) => {
	const beyond = differenceMs + Math.sign(differenceMs);
	expect(verifyParts({}, undefined, NOW + differenceMs).result).toBe('verified');
	const stale = { result: 'stale', differenceMs: beyond };
	expect(verifyParts({}, undefined, NOW + beyond)).toEqual(stale);
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

describe('a timestamp', () => {
	test.each<[string, number]>([
		...Object.values(TIMESTAMPS).map((text): [string, number] => [text, NOW]),
		['2026-11-21T12:00:00.5Z', NOW + 500],
		['2026-11-21T12:00:00.123456789Z', NOW + 123],
		['2026-11-21T09:00:00-03:00', NOW],
		['2026-11-21T09:00:00-0300', NOW],
		['1795262400.5', NOW + 500],
		['1795262400123.9', NOW + 123],
		['1795262400123456', NOW + 123],
		['1795262400123456789', NOW + 123],
		['Sat, 21 Nov 2026 12:00:00 GMT', NOW],
		['999999999', 999_999_999_000],
		['999999999999', 999_999_999_999],
	])('reads %o', (text, moment) => {
		expect(readTimestamp(text)).toBe(moment);
	});

	test.each([
		...['', '0', '12345678', '-1795262400', '1795262400s', '1795262400, 1795262400', ' 1795262400'],
		...['0x6b018240', '1.7952624e9', '1795262400\n', '2026-11-21', '2026-11-21 12:00:00Z'],
		'\u0661\u0667\u0669\u0665\u0662\u0666\u0662\u0664\u0660\u0660',
		...['2026-11-21T12:00:00', '2026-11-21T12:00:00z', '2026-13-21T12:00:00Z'],
		...['2026-11-21T12:00:00+99:00', '2026-11-21T12:00:00Z\n', 'Sat, 21 Nov 2026 12:00:00 EST'],
		// Date.parse reads all of these.
		...['+002026-11-21T12:00:00Z', '2026-11-21T12:00:00Z (noon)'],
		...['On Sat, 21 Nov 2026 12:00:00 GMT', 'Sat, 21 Nov 2026 12:00:00 GMT+0300'],
	])('%o is no timestamp', (text) => {
		expect(readTimestamp(text)).toBeNull();
	});

	test.each([
		['1795262400', 'milliseconds', 1_795_262_400],
		['1795262400000', 'microseconds', 1_795_262_400],
		['5', 'seconds', 5_000],
		['8640000000000000', 'milliseconds', 8.64e15],
		['8640000000000001', 'milliseconds', null],
		['1e9', 'seconds', null],
		['2026-11-21T12:00:00Z', 'seconds', NOW],
	] as const)('%o in %s is %o', (text, unit, moment) => {
		expect(readTimestamp(text, unit)).toBe(moment);
	});
});
