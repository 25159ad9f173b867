import fc from 'fast-check';
import {
	checkOwnKey,
	deriveKey,
	deriveReferenceKey,
	fingerprint,
	isKeyAlive,
	KEY_LIFE_MS,
	keyOfGeneration,
	MAX_KEY_LENGTH,
	namedValues,
	type Identity,
	type KeyParts,
} from '../../../../../nodes/shared/orders/key';
import { MAX_RENEWALS } from '../../../../../nodes/shared/retry/retryPolicy';
import { getRefusal } from '../../../support/refusal';

const anyIdentity: fc.Arbitrary<Identity> = fc.dictionary(
	fc.constantFrom('amount', 'pixKey', 'document', 'externalId', 'methods'),
	fc.oneof(fc.string(), fc.nat(), fc.array(fc.string(), { maxLength: 3 })),
);

const anyParts: fc.Arbitrary<KeyParts> = fc.record({
	instanceId: fc.string(),
	workflowId: fc.string(),
	root: fc.string(),
	operation: fc.string(),
	identity: anyIdentity,
	nth: fc.nat(),
});

const PARTS: KeyParts = {
	instanceId: 'instance-1',
	workflowId: 'workflow-1',
	root: 'established:1795262400000',
	operation: 'withdrawal.create',
	identity: { amount: 1000, pixKey: 'maria@customer.example', document: undefined },
	nth: 0,
};

describe('deriveKey', () => {
	test('returns the same key for the same parts, in any order of the identity', () => {
		fc.assert(
			fc.property(anyParts, (parts) => {
				const reversed = Object.fromEntries(Object.entries(parts.identity).reverse());
				expect(deriveKey({ ...parts, identity: reversed })).toBe(deriveKey(parts));
			}),
		);
	});

	test('returns another key as soon as any single part differs', () => {
		const getText = (parts: KeyParts, name: keyof KeyParts) =>
			JSON.stringify(name === 'identity' ? namedValues(parts.identity) : parts[name]);
		fc.assert(
			fc.property(
				anyParts,
				anyParts,
				fc.constantFrom(...(Object.keys(PARTS) as Array<keyof KeyParts>)),
				(parts, other, name) => {
					fc.pre(getText(parts, name) !== getText(other, name));
					expect(deriveKey({ ...parts, [name]: other[name] })).not.toBe(deriveKey(parts));
				},
			),
		);
	});

	test('does not mix up neighbouring parts', () => {
		const key = (instanceId: string, workflowId: string) =>
			deriveKey({ ...PARTS, instanceId, workflowId });

		expect(key('a', 'bc')).not.toBe(key('ab', 'c'));
		expect(key('a","b', 'c')).not.toBe(key('a', 'b","c'));
	});

	test.each<[string, Identity]>([
		['the amount', { ...PARTS.identity, amount: 1001 }],
		['the amount as text', { ...PARTS.identity, amount: '1000' }],
		['the PIX key', { ...PARTS.identity, pixKey: 'joao@customer.example' }],
		['the document', { ...PARTS.identity, document: '52998224725' }],
	])('distinguishes two payouts by %s', (_, identity) => {
		expect(deriveKey({ ...PARTS, identity })).not.toBe(deriveKey(PARTS));
	});
});

describe('deriveReferenceKey', () => {
	const key = deriveReferenceKey('withdrawal.create', false, 'NF-1042', 0);

	test.each([
		['operation', deriveReferenceKey('product.create', false, 'NF-1042', 0)],
		['reference', deriveReferenceKey('withdrawal.create', false, 'NF-1043', 0)],
		['generation', deriveReferenceKey('withdrawal.create', false, 'NF-1042', 1)],
		['environment', deriveReferenceKey('withdrawal.create', true, 'NF-1042', 0)],
	])('returns another key for another %s', (_, other) => {
		expect(other).not.toBe(key);
	});

	test('never meets an automatic key', () => {
		const identity = { reference: 'NF-1042' };

		expect(deriveKey({ ...PARTS, identity })).not.toBe(key);
	});

	test('returns other keys for later payouts than an attempt under the first one uses up', () => {
		const later = [1, 2, 3].map((generation) =>
			deriveReferenceKey('withdrawal.create', false, 'NF-1042', generation),
		);
		const usedUp = [1, 2, 3, 4].map((generation) => keyOfGeneration(key, generation));

		expect(new Set([key, ...later, ...usedUp]).size).toBe(8);
	});
});

// A key that changed with a release would pay again what was in flight during the update.
test('keys stay what released versions made them', () => {
	expect(deriveKey(PARTS)).toBe('n8n-Wdskn5nzFBtG1IGtyu3mRvTLBXf2X3nzuHmV-bMHR44');
	expect(keyOfGeneration(deriveKey(PARTS), 1)).toBe(
		'n8n-KyH9bq3JVCk2bJTt2305yH6m0vIiKri7PIThEequofI',
	);
	expect(deriveReferenceKey('withdrawal.create', false, 'NF-1042', 0)).toBe(
		'n8n-LIa2NyIxrbGaiGeA-8jLv6-b05Ne-OthoCHhEUZ-xIo',
	);
});

test('every derived key fits into the header', () => {
	const generation = fc.nat({ max: MAX_RENEWALS });
	fc.assert(
		fc.property(anyParts, fc.string(), generation, (parts, reference, used) => {
			for (const first of [deriveKey(parts), deriveReferenceKey('a.b', false, reference, used)]) {
				const key = keyOfGeneration(first, used);
				expect(key).toMatch(/^n8n-[A-Za-z0-9_-]{43}$/);
				expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH);
			}
		}),
	);
});

describe('keyOfGeneration', () => {
	test('is the first key itself at first, and the same other key each time later', () => {
		const generations = Array.from({ length: MAX_RENEWALS + 1 }, (_, index) => index);
		const keys = generations.map((generation) => keyOfGeneration('key-1', generation));

		expect(keys[0]).toBe('key-1');
		expect(new Set(keys).size).toBe(generations.length);
		expect(generations.map((generation) => keyOfGeneration('key-1', generation))).toEqual(keys);
	});

	test('differs between orders', () => {
		expect(keyOfGeneration('key-1', 1)).not.toBe(keyOfGeneration('key-2', 1));
	});
});

describe('fingerprint', () => {
	test('is short, and the same for equal contents', () => {
		expect(fingerprint(['a', 1])).toBe(fingerprint(['a', 1]));
		expect(fingerprint(['a', 1])).toMatch(/^[A-Za-z0-9_-]{16}$/);
	});

	test.each([[['a', '1']], [['a', 2]], [['a']], [[['a', 1]]]])('differs for %j', (other) => {
		expect(fingerprint(other)).not.toBe(fingerprint(['a', 1]));
	});
});

test('namedValues sorts by name, and keeps a value that is missing as null', () => {
	expect(namedValues({ pixKey: 'p', amount: 1, document: undefined })).toEqual([
		['amount', 1],
		['document', null],
		['pixKey', 'p'],
	]);
});

describe('checkOwnKey', () => {
	test.each(['invoice-1042', 'x', '!~', 'x'.repeat(MAX_KEY_LENGTH)])('accepts %o', (key) => {
		expect(checkOwnKey(key)).toBe(key);
	});

	test.each([
		['with a blank', 'invoice 1042'],
		['with an accent', 'fatura-março'],
		['with a line break', 'invoice\r\nX-Evil: 1'],
		['with a control character', 'invoice\u0000'],
		['empty', ''],
	])('refuses one %s', (_, key) => {
		const { message, remedy } = getRefusal(() => checkOwnKey(key));
		expect(message).toContain('has spaces or characters that a header cannot contain');
		expect(remedy).toContain('Use only letters');
	});

	test('refuses one of 101 characters', () => {
		expect(getRefusal(() => checkOwnKey('x'.repeat(MAX_KEY_LENGTH + 1))).message).toBe(
			'The idempotency key has 101 characters, and at most 100 are allowed',
		);
	});

	test('calls one that is as long as allowed not too long, whatever is in it', () => {
		const key = ' '.padEnd(MAX_KEY_LENGTH, 'x');
		expect(getRefusal(() => checkOwnKey(key)).message).toContain('has spaces');
	});
});

describe('a key', () => {
	const NOW = Date.parse('2026-11-21T12:00:00Z');

	test.each<[string, number | undefined, boolean]>([
		['just now', NOW, true],
		['almost too long ago', NOW - KEY_LIFE_MS + 1, true],
		['too long ago', NOW - KEY_LIFE_MS, false],
		['at an unknown time', undefined, false],
		['in the future, as a clock is a little ahead', NOW + 60_000, true],
		['in the future, as a clock is wrong', NOW + 60_001, false],
	])('that was first used %s is recognized for sure: %o', (_, firstUsedAt, expected) => {
		expect(isKeyAlive(firstUsedAt, NOW)).toBe(expected);
	});
});
