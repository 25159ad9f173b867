import fc from 'fast-check';
import { InputError } from '../../../../../nodes/api/input/inputError';
import {
	checkOwnKey,
	deriveKey,
	keyOfGeneration,
	MAX_KEY_LENGTH,
	type Identity,
	type KeyParts,
} from '../../../../../nodes/api/idempotency/key';
import { MAX_GENERATION } from '../../../../../nodes/api/retryPolicy';

const anyIdentity: fc.Arbitrary<Identity> = fc.dictionary(
	fc.constantFrom('amount', 'pixKey', 'document', 'externalId', 'methods'),
	fc.oneof(fc.string(), fc.nat(), fc.array(fc.string(), { maxLength: 3 })),
);

const anyParts: fc.Arbitrary<KeyParts> = fc.record({
	instanceId: fc.string(),
	workflowId: fc.string(),
	nodeId: fc.string(),
	root: fc.string(),
	runIndex: fc.nat(),
	itemIndex: fc.nat(),
	identity: anyIdentity,
});

const PARTS: KeyParts = {
	instanceId: 'instance-1',
	workflowId: 'workflow-1',
	nodeId: 'node-1',
	root: 'established:1795262400000',
	runIndex: 0,
	itemIndex: 0,
	identity: { amount: 1000, pixKey: 'maria@customer.example', document: undefined },
};

describe('deriveKey', () => {
	test('gives the same key for the same parts, in whatever order the identity names them', () => {
		fc.assert(
			fc.property(anyParts, (parts) => {
				const reversed = Object.fromEntries(Object.entries(parts.identity).reverse());
				expect(deriveKey({ ...parts, identity: reversed })).toBe(deriveKey(parts));
			}),
		);
	});

	test('gives another key as soon as any single part differs', () => {
		fc.assert(
			fc.property(
				anyParts,
				anyParts,
				fc.constantFrom(...(Object.keys(PARTS) as Array<keyof KeyParts>)),
				(parts, other, name) => {
					fc.pre(JSON.stringify(parts[name]) !== JSON.stringify(other[name]));
					const reordered = Object.fromEntries(Object.entries(parts.identity).sort());
					fc.pre(
						name !== 'identity' ||
							JSON.stringify(reordered) !==
								JSON.stringify(Object.fromEntries(Object.entries(other.identity).sort())),
					);
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
		expect(deriveKey({ ...PARTS, runIndex: 1 })).not.toBe(deriveKey({ ...PARTS, itemIndex: 1 }));
	});

	test.each<[string, Identity]>([
		['the amount', { ...PARTS.identity, amount: 1001 }],
		['the amount as text', { ...PARTS.identity, amount: '1000' }],
		['the PIX key', { ...PARTS.identity, pixKey: 'joao@customer.example' }],
		['the document', { ...PARTS.identity, document: '52998224725' }],
	])('tells two payouts apart by %s', (_, identity) => {
		expect(deriveKey({ ...PARTS, identity })).not.toBe(deriveKey(PARTS));
	});

	// A key that changed with a release would pay again what was in flight during the update.
	test('still gives the key that released versions gave', () => {
		expect(deriveKey(PARTS)).toBe('n8n-TRfHmX9LbpCSWvBE3BQg5zbLgAbyKvCZisxsDYXGo2g');
		expect(keyOfGeneration(deriveKey(PARTS), 1)).toBe(
			'n8n-9tBqzqvksE38W6Gtu00pT112qoom-LCx5_3NrrtapMo',
		);
	});

	test('always fits into the header', () => {
		fc.assert(
			fc.property(anyParts, fc.nat({ max: MAX_GENERATION }), (parts, generation) => {
				const key = keyOfGeneration(deriveKey(parts), generation);
				expect(key).toMatch(/^n8n-[A-Za-z0-9_-]{43}$/);
				expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH);
			}),
		);
	});
});

describe('keyOfGeneration', () => {
	test('is the first key itself at first, and the same other key each time later', () => {
		const generations = Array.from({ length: MAX_GENERATION + 1 }, (_, index) => index);
		const keys = generations.map((generation) => keyOfGeneration('key-1', generation));

		expect(keys[0]).toBe('key-1');
		expect(new Set(keys).size).toBe(generations.length);
		expect(generations.map((generation) => keyOfGeneration('key-1', generation))).toEqual(keys);
	});

	test('differs between operations', () => {
		expect(keyOfGeneration('key-1', 1)).not.toBe(keyOfGeneration('key-2', 1));
	});
});

describe('checkOwnKey', () => {
	test.each(['invoice-1042', 'x', '!~', 'x'.repeat(MAX_KEY_LENGTH)])('accepts %p', (key) => {
		expect(checkOwnKey(key)).toBe(key);
	});

	test.each([
		['too long', 'x'.repeat(MAX_KEY_LENGTH + 1)],
		['with a blank', 'invoice 1042'],
		['with an accent', 'fatura-março'],
		['with a line break', 'invoice\r\nX-Evil: 1'],
		['with a control character', 'invoice\u0000'],
		['empty', ''],
	])('refuses one %s', (_, key) => {
		expect(() => checkOwnKey(key)).toThrow(InputError);
	});
});
