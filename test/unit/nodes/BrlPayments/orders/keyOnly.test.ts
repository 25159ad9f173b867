import fc from 'fast-check';
import {
	checkOwnKey,
	deriveKey,
	deriveReferenceKey,
	isKeyAlive,
	KEY_LIFE_MS,
	keyOfGeneration,
	namedValues,
	toKeyId,
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

test('the same parts have one key, in any order of the identity; another part has another', () => {
	const getText = (parts: KeyParts, name: keyof KeyParts) =>
		JSON.stringify(name === 'identity' ? namedValues(parts.identity) : parts[name]);
	const anyName = fc.constantFrom(...(Object.keys(PARTS) as Array<keyof KeyParts>));
	fc.assert(
		fc.property(anyParts, anyParts, anyName, (parts, other, name) => {
			const reversed = Object.fromEntries(Object.entries(parts.identity).reverse());
			expect(deriveKey({ ...parts, identity: reversed })).toBe(deriveKey(parts));
			fc.pre(getText(parts, name) !== getText(other, name));
			expect(deriveKey({ ...parts, [name]: other[name] })).not.toBe(deriveKey(parts));
		}),
	);
});

test.each<[string, Parameters<typeof deriveReferenceKey>]>([
	['operation', ['product.create', false, 'NF-1042', 0]],
	['environment', ['withdrawal.create', true, 'NF-1042', 0]],
	['reference', ['withdrawal.create', false, 'NF-1043', 0]],
	['generation', ['withdrawal.create', false, 'NF-1042', 1]],
])('another %s has another key', (_, other) => {
	expect(deriveReferenceKey(...other)).not.toBe(
		deriveReferenceKey('withdrawal.create', false, 'NF-1042', 0),
	);
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

test('each generation has its own key, and the first one the key itself', () => {
	const keys = [...Array(MAX_RENEWALS + 1).keys()].map((used) => keyOfGeneration('key-1', used));

	expect(keys[0]).toBe('key-1');
	expect(new Set(keys).size).toBe(5);
});

test('an API key is named without showing its key', () => {
	const name = toKeyId('https://api.example.com', 'brlpay_test_examplekid');

	expect(name).not.toContain('examplekid');
	expect(toKeyId('https://api.example.com', 'brlpay_test_exampleoth')).not.toBe(name);
	expect(toKeyId('https://other.example.com', 'brlpay_test_examplekid')).not.toBe(name);
});

describe("a key of the user's own", () => {
	test.each(['invoice-1042', 'x', '!~', 'x'.repeat(100)])('may be %o', (key) => {
		expect(checkOwnKey(key)).toBe(key);
	});

	const UNSUITABLE = 'has spaces or characters that a header cannot contain';

	test.each([
		['with a blank', 'invoice 1042', UNSUITABLE],
		['with an accent', 'fatura-março', UNSUITABLE],
		['with a line break', 'invoice\r\nX-Evil: 1', UNSUITABLE],
		['that begins with a blank, as long as allowed', ' '.padEnd(100, 'x'), UNSUITABLE],
		['that is empty', '', UNSUITABLE],
		['that is too long', 'x'.repeat(101), 'has 101 characters, and at most 100 are allowed'],
	])('is refused %s', (_, key, fault) => {
		const { message, remedy } = getRefusal(() => checkOwnKey(key));
		expect(message).toBe(`The idempotency key ${fault}`);
		expect(remedy).toContain('Use only letters');
	});
});

test.each<[string, boolean, number | undefined]>([
	['almost too long ago', true, 1 - KEY_LIFE_MS],
	['too long ago', false, -KEY_LIFE_MS],
	['at an unknown time', false, undefined],
	['in the future, as a clock is a little ahead', true, 60_000],
	['in the future, as a clock is wrong', false, 60_001],
])('a key that was first used %s is recognized: %o', (_, expected, sinceNow) => {
	const now = Date.parse('2026-11-21T12:00:00Z');

	expect(isKeyAlive(sinceNow === undefined ? undefined : now + sinceNow, now)).toBe(expected);
});
