import { createHmac } from 'node:crypto';
import {
	AUTOMATIC_SCHEMES,
	hasSigningSecrets,
	readSignatureSettings,
} from '../../../../../nodes/shared/client/signing';
import { expectRefusals, getRefusal } from '../../../support/refusal';
import {
	BODY,
	ENCODINGS,
	HASHES,
	hmac,
	NOW,
	OTHER_SECRET,
	SECRET,
	settingsWith,
	TIMESTAMPS,
	verifyParts,
} from '../../BrlPaymentsTrigger/support/delivery';

const timestamp = TIMESTAMPS.seconds;
const text = BODY.toString();

const CUSTOM = { signatureScheme: 'custom', hash: 'sha256', layout: '{timestamp}.{body}' };
const custom = (changed = {}) => settingsWith({ ...CUSTOM, ...changed });

describe('secrets', () => {
	test.each([
		['eight characters', 'example8', ['example8']],
		['with Windows line ends', `${SECRET}\r\n${OTHER_SECRET}\r\n`, [SECRET, OTHER_SECRET]],
		['in one line', `  ${SECRET}   ${OTHER_SECRET} `, [SECRET, OTHER_SECRET]],
		['pasted twice', `${SECRET}\n${SECRET}`, [SECRET]],
	])('%s', (_, signingSecrets, secrets) => {
		expect(settingsWith({ signingSecrets }).secrets).toEqual(secrets);
	});

	// A constant of n8n: a reader of its source could sign with it.
	const blank = '__n8n_BLANK_VALUE_e5362baf-c777-4d57-a609-6eaf1f9e87f6';
	const empty = '__n8n_EMPTY_VALUE_7b1af746-3729-4c60-9b9b-e08eb29e58da';
	const apiKey = `brlpay_live_example001_${'example0'.repeat(4)}`;
	const [NONE, SHOWN_ONCE] = [/no signing secret.*Settings > Webhooks/, /shown once/];
	const [MASKED, CLEAR] = [/masked value/, /Clear the field 'Signing Secrets/];
	test.each<[string, string | undefined, RegExp, RegExp]>([
		['nothing', undefined, NONE, SHOWN_ONCE],
		['blanks alone', '\n\t\r\n', NONE, SHOWN_ONCE],
		['a fragment', `${SECRET}\nexample`, /too short/, /one per line/],
		['it before a secret', `${blank}\n${SECRET}`, MASKED, CLEAR],
		['it run into a secret', `${SECRET}${blank}`, MASKED, CLEAR],
		['that of an empty field', `${empty} ${SECRET}`, MASKED, CLEAR],
		['a URL', `${SECRET} https://n8n.example.com/1`, /is a URL/, /paste it alone/],
		['an API key', `${SECRET} ${apiKey}`, /is an API key/, /paste it alone/],
		['a masked secret', `${SECRET} whsec_••••••••`, /dots or asterisks/, /paste it alone/],
		['one in quotation marks', `"${SECRET}"`, /quotation marks/, /paste it alone/],
	])('%s is refused, and not repeated in the message', (_, signingSecrets, message, remedy) => {
		const refusal = getRefusal(() => readSignatureSettings({ signingSecrets } as never));
		expect(refusal.message).toMatch(message);
		expect(refusal.remedy).toMatch(remedy);
		for (const secret of signingSecrets?.trim().split(/\s+/).filter(Boolean) ?? []) {
			expect(`${refusal.message} ${refusal.remedy}`).not.toContain(secret);
		}
	});

	test.each([undefined, ' \r\n\t'])('there are none in %o', (signingSecrets) => {
		expect(hasSigningSecrets({ signingSecrets } as never)).toBe(false);
		expect(hasSigningSecrets({ signingSecrets: `\n${SECRET}` })).toBe(true);
	});
});

describe('a whsec_ secret in Automatic', () => {
	const bytes = Buffer.from('k3y-of-the-endpoint-0123456789ab');
	const base64 = bytes.toString('base64');
	const sha256 = (key: string | Buffer, mark = '.') =>
		createHmac('sha256', key).update(`${timestamp}${mark}${text}`).digest('hex');

	test.each([
		['its text', `whsec_${base64}`, sha256(`whsec_${base64}`), 'verified'],
		['its decoded bytes', `whsec_${base64}`, sha256(bytes), 'verified'],
		['written in base64url', `whsec_${bytes.toString('base64url')}`, sha256(bytes), 'verified'],
		['after another secret', `${SECRET}\nwhsec_${base64}`, sha256(bytes), 'verified'],
		['other bytes', `whsec_${base64}`, sha256(Buffer.from(bytes).fill(1, 0, 1)), 'mismatch'],
		['its text without whsec_', `whsec_${base64}`, sha256(base64), 'mismatch'],
		['bytes of a secret without whsec_', base64, sha256(bytes), 'mismatch'],
		['bytes of what is not base64', `whsec_!${base64}`, sha256(bytes), 'mismatch'],
	])('signed with %s', (_, signingSecrets, signature, result) => {
		expect(verifyParts({ signature }, settingsWith({ signingSecrets })).result).toBe(result);
	});

	// The empty key of `whsec_==` would be everybody's.
	test.each([1, 8, 15])('is no key of %d bytes, which can be guessed', (length) => {
		const few = bytes.subarray(0, length);
		const signingSecrets = `whsec_${few.toString('base64')}`;
		expect(settingsWith({ signingSecrets }).secrets).toEqual([signingSecrets]);
		expect(verifyParts({ signature: sha256(few) }, settingsWith({ signingSecrets })).result).toBe(
			'mismatch',
		);
	});
});

test.each([undefined, '', 'auto'])('the scheme %o is found out', (signatureScheme) => {
	const { schemes } = readSignatureSettings({ signingSecrets: SECRET, signatureScheme } as never);
	expect(schemes).toBe(AUTOMATIC_SCHEMES);
});

describe('a custom scheme', () => {
	test.each([
		['v2:{timestamp}:{body}|end', `v2:${timestamp}:${text}|end`],
		['POST\\n/webhook\\n{timestamp}\\n{body}\\n', `POST\n/webhook\n${timestamp}\n${text}\n`],
		['ação $& {timestamp}$1{body}$$', `ação $& ${timestamp}$1${text}$$`],
		['v1\\n{body}\\n{timestamp}\\n', `v1\n${text}\n${timestamp}\n`],
	])('signs %o', (layout, content) => {
		const result = (signed: string) =>
			verifyParts({ signature: hmac(Buffer.from(signed)) }, custom({ layout })).result;
		expect(result(content)).toBe('verified');
		expect(result(`${content} `)).toBe('mismatch');
	});

	test.each([
		...[undefined, '{timestamp}.', '.{body}', '{timestamp}.{timestamp}.{body}'],
		...['{timestamp}.{body}.{body}', '{timestamp}.{body}.{id}', '{Timestamp}.{Body}'],
	])('with the layout %o is refused', (layout) => {
		const message = /must contain \{timestamp\} and \{body\}, each once/;
		expectRefusals([layout], (one) => custom({ layout: one }), message, 'Without the timestamp');
	});

	describe('with a secret that stands for bytes', () => {
		const bytes = Buffer.from('00ff10e2809d7f0a0d5f6b1d8e5a7c4e2f9b3d', 'hex');
		const signature = createHmac('sha256', bytes).update(`${timestamp}.${text}`).digest('hex');
		const result = (signingSecrets: string, decodeAs: unknown) =>
			verifyParts({ signature }, custom({ signingSecrets, decodeAs })).result;

		test.each([
			['hex', bytes.toString('hex').toUpperCase()],
			['base64', bytes.toString('base64')],
			['base64', `whsec_${bytes.toString('base64url')}`],
			['base64', `${SECRET.replaceAll('-', '')}\n${bytes.toString('base64')}`],
		])('in %s: %s', (decodeAs, secret) => {
			expect(result(secret, decodeAs)).toBe('verified');
			expect(result(secret, 'text')).toBe('mismatch');
		});

		test('of which whsec_ is a part, unless they begin with it', () => {
			const signingSecrets = 'examplewhsec_0123456';
			const { secrets } = custom({ signingSecrets, decodeAs: 'base64' });
			expect(secrets).toEqual([Buffer.from(signingSecrets, 'base64')]);
		});

		test.each([
			['hex', 'abcdef012'],
			['base64', '!examplesecret'],
		])('refuses what is not in %s: %s', (decodeAs, signingSecrets) => {
			const refusal = getRefusal(() => custom({ signingSecrets, decodeAs }));
			expect(refusal.message).toBe(`A signing secret is not written in ${decodeAs}`);
			expect(refusal.remedy).toMatch(/change 'Secret Encoding/);
			expect(JSON.stringify(refusal)).not.toContain(signingSecrets);
		});
	});

	// In milliseconds, the first one is another time: the unit counts, whatever the form.
	test.each<[unknown, string, number]>([
		['milliseconds', String(NOW / 1_000), NOW / 1_000],
		['nanoseconds', `${NOW}000000`, NOW],
		['auto', String(NOW / 1_000), NOW],
		['hours', String(NOW), NOW],
	])('with the unit %o reads the timestamp %s', (timestampUnit, counted, sentAt) => {
		const parts = { signature: hmac(Buffer.from(`${counted}.${text}`)), timestamp: counted };
		expect(verifyParts(parts, custom({ timestampUnit }), sentAt)).toMatchObject({
			result: 'verified',
			sentAt,
		});
	});

	test.each(HASHES)('of %s accepts that hash and no other, however it is written', (hash) => {
		const content = Buffer.from(`${timestamp}.${text}`);
		for (const other of HASHES) {
			for (const encoding of ENCODINGS) {
				const parts = { signature: `HMAC:${hmac(content, { hash: other, encoding })}` };
				const expected = other === hash ? 'verified' : 'mismatch';
				expect(verifyParts(parts, custom({ hash })).result).toBe(expected);
			}
		}
	});
});
