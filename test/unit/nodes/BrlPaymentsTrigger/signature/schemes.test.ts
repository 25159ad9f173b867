import {
	admitsLength,
	NAMED_SCHEMES,
	type Scheme,
	writtenForms,
} from '../../../../../nodes/BrlPaymentsTrigger/signature/schemes';
import {
	AUTOMATIC,
	BODY,
	ENCODINGS,
	HASHES,
	hmac,
	LAYOUTS,
	OTHER_SECRET,
	TIMESTAMPS,
	VALUE_FORMS,
	verifyParts,
	type Encoding,
	type Hash,
} from '../support/delivery';

const SCHEMES = HASHES.flatMap((hash) => Object.keys(LAYOUTS).map((layout) => ({ layout, hash })));

test('the named schemes are these', () => {
	expect(NAMED_SCHEMES.map(({ name }) => name)).toEqual(
		SCHEMES.map(({ layout, hash }) => `${hash}-${layout}`),
	);
});

test.each(SCHEMES)(
	'$hash over $layout is found automatically, and accepted under its name alone',
	({ layout, hash }) => {
		const name = `${hash}-${layout}`;
		for (const encoding of ENCODINGS) {
			for (const timestamp of Object.values(TIMESTAMPS)) {
				const content = LAYOUTS[layout]!(timestamp, BODY);
				const signature = hmac(content, { hash, encoding });
				const wrong = hmac(content, { hash, encoding, secret: OTHER_SECRET });
				for (const write of Object.values(VALUE_FORMS)) {
					const header = write({ signature, wrong, timestamp, hash });
					const parts = { timestamp, signature: header };
					expect(verifyParts(parts), header).toMatchObject({
						result: 'verified',
						scheme: { name },
					});
					for (const scheme of NAMED_SCHEMES) {
						const { result } = verifyParts(parts, { ...AUTOMATIC, schemes: [scheme] });
						expect(result).toBe(scheme.name === name ? 'verified' : 'mismatch');
					}
				}
			}
		}
	},
);

describe('the digest as text', () => {
	// The bytes that base64 writes with +, / and padding.
	const digest = Buffer.from('fbff'.repeat(16), 'hex');

	test('has each encoding once, and hex in both cases', () => {
		expect(writtenForms(digest)).toEqual([
			digest.toString('hex'),
			digest.toString('hex').toUpperCase(),
			digest.toString('base64'),
			digest.toString('base64url'),
		]);
	});

	test.each<[Encoding, string[]]>([
		['hex', [digest.toString('hex'), digest.toString('hex').toUpperCase()]],
		['base64', [digest.toString('base64')]],
		['base64url', [digest.toString('base64url'), `${digest.toString('base64url')}=`]],
	])('in %s alone', (encoding, forms) => {
		expect(writtenForms(digest, encoding)).toEqual(forms);
	});

	test('no two forms of a digest are one character apart', () => {
		const distance = (one: string, other: string) =>
			one.length === other.length ? [...one].filter((c, at) => c !== other[at]).length : Infinity;
		for (let number = 0; number < 2_000; number += 1) {
			const forms = writtenForms(Buffer.from(hmac(Buffer.from(String(number))), 'hex'));
			for (const [index, one] of forms.entries()) {
				for (const other of forms.slice(index + 1)) {
					// base64 and base64url of one length are the same text, if there is no padding.
					expect(distance(one, other)).toBeGreaterThan(1);
				}
			}
		}
	});
});

test.each<[Hash, Encoding | undefined, number[]]>([
	['sha256', 'hex', [64]],
	['sha256', 'base64', [44]],
	['sha256', 'base64url', [43, 44]],
	['sha256', undefined, [43, 44, 64]],
	['sha512', 'hex', [128]],
	['sha512', 'base64', [88]],
	['sha512', 'base64url', [86, 88]],
	['sha512', undefined, [86, 88, 128]],
])('a digest of %s in %o is as long as %o', (hash, encoding, lengths) => {
	const scheme = { ...(NAMED_SCHEMES[0] as Scheme), hash, ...(encoding && { encoding }) };
	const all = Array.from({ length: 200 }, (_, length) => length);
	expect(all.filter((length) => admitsLength(scheme, length))).toEqual(lengths);
});
