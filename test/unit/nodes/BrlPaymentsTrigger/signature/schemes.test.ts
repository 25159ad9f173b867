import {
	admitsLength,
	NAMED_SCHEMES,
	type Scheme,
	sign,
	writtenForms,
} from '../../../../../nodes/BrlPaymentsTrigger/signature/schemes';
import { pickCases } from '../../../support/cases';
import {
	AUTOMATIC,
	BODY,
	ENCODINGS,
	HASHES,
	hmac,
	LAYOUTS,
	OTHER_SECRET,
	SECRET,
	settingsWith,
	TIMESTAMPS,
	VALUE_FORMS,
	verifyParts,
	type Encoding,
	type Hash,
} from '../support/delivery';

interface Combination {
	scheme: string;
	timestamp: string;
	signature: string;
	header: string;
	isOneValue: boolean;
}

/** Every encoding, value form and timestamp form of one layout and hash, signed here. */
function buildCombinations(layout: string, hash: Hash): Combination[] {
	return ENCODINGS.flatMap((encoding) =>
		Object.values(TIMESTAMPS).flatMap((timestamp) =>
			Object.entries(VALUE_FORMS).map(([form, write]) => {
				const content = LAYOUTS[layout]?.(timestamp, BODY) ?? Buffer.alloc(0);
				const signature = hmac(content, { hash, encoding });
				const wrong = hmac(content, { hash, encoding, secret: OTHER_SECRET });
				return {
					scheme: `${hash}-${layout}`,
					timestamp,
					signature,
					header: write({ signature, wrong, timestamp, hash }),
					isOneValue: !form.startsWith('several'),
				};
			}),
		),
	);
}

/** Other characters that could stand in the place of one: near ones, and those that mean the same. */
function getReplacements(character: string): string[] {
	const code = character.charCodeAt(0);
	const others = { '+': '-', '/': '_', '-': '+', _: '/' } as Record<string, string>;
	return [
		String.fromCharCode(code ^ 1),
		String.fromCharCode(code ^ 0x20),
		others[character] ?? '0',
	].filter((other) => other !== character);
}

/** Every text that differs from this one in one place between `from` and `to`. */
function* tampered(text: string, from = 0, to = text.length): Generator<string> {
	for (let at = from; at < to; at += 1) {
		for (const other of getReplacements(text.charAt(at))) {
			yield text.slice(0, at) + other + text.slice(at + 1);
		}
	}
}

const SCHEMES = HASHES.flatMap((hash) => Object.keys(LAYOUTS).map((layout) => ({ layout, hash })));

test('the named schemes are these', () => {
	expect(NAMED_SCHEMES.map(({ name }) => name)).toEqual(
		SCHEMES.map(({ layout, hash }) => `${hash}-${layout}`),
	);
});

describe.each(SCHEMES)(
	'$hash over $layout, in each encoding, value form and unit',
	({ layout, hash }) => {
		const combinations = buildCombinations(layout, hash);
		const picked = pickCases(combinations, 5);
		const named = settingsWith({ signatureScheme: `${hash}-${layout}` });

		test('is found automatically, and accepted under its name alone', () => {
			expect(combinations).toHaveLength(3 * 3 * 12);
			for (const { scheme, timestamp, header } of combinations) {
				const parts = { timestamp, signature: header };
				expect([header, verifyParts(parts)]).toEqual([
					header,
					expect.objectContaining({
						result: 'verified',
						scheme: expect.objectContaining({ name: scheme }),
					}),
				]);
				expect(verifyParts(parts, named).result).toBe('verified');
				for (const other of NAMED_SCHEMES.filter(({ name }) => name !== scheme)) {
					const settings = { ...AUTOMATIC, schemes: [other] };
					expect(verifyParts(parts, settings).result).toBe('mismatch');
				}
			}
		});

		test('any byte of the header changed is refused', () => {
			for (const { timestamp, signature, header, isOneValue } of picked) {
				// A second value may well be wrong, so only the genuine one is tampered with there.
				const from = isOneValue ? 0 : header.indexOf(signature);
				const to = isOneValue ? header.length : from + signature.length;
				for (const changed of tampered(header, from, to)) {
					const { result } = verifyParts({ timestamp, signature: changed }, named);
					if (result === 'verified') throw new Error(`${header} was accepted as ${changed}`);
				}
			}
		});
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

describe('signing', () => {
	test.each(SCHEMES)(
		'$hash over $layout returns what any other implementation computes',
		({ layout, hash }) => {
			const scheme = NAMED_SCHEMES.find(({ name }) => name === `${hash}-${layout}`) as Scheme;
			const content = LAYOUTS[layout]?.(TIMESTAMPS.seconds, BODY) ?? Buffer.alloc(0);

			expect(sign(scheme, SECRET, TIMESTAMPS.seconds, BODY)).toBe(hmac(content, { hash }));
			for (const encoding of ENCODINGS) {
				expect(sign(scheme, SECRET, TIMESTAMPS.seconds, BODY, encoding)).toBe(
					hmac(content, { hash, encoding }),
				);
			}
		},
	);

	test('with a custom scheme writes its prefix and its encoding', () => {
		const scheme: Scheme = {
			name: 'custom',
			hash: 'sha512',
			layout: { before: '<', between: '|', after: '>' },
			encoding: 'base64',
			prefix: 'sig:',
		};
		const content = Buffer.from(`<${TIMESTAMPS.seconds}|${BODY.toString()}>`);

		expect(sign(scheme, SECRET, TIMESTAMPS.seconds, BODY, 'hex')).toBe(
			`sig:${hmac(content, { hash: 'sha512', encoding: 'base64' })}`,
		);
	});
});
