import fc from 'fast-check';
import {
	checkOwnKey,
	deriveKey,
	deriveReferenceKey,
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
