import { createHash } from 'node:crypto';
import { DAY_MS } from '../text/time';
import { InputError } from '../validation/inputError';

/** The bound of the API (docs/api.md#idempotency), in characters. */
export const MAX_KEY_LENGTH = 100;
/**
 * How long the service certainly remembers a key: it says 24 hours (docs/api.md#idempotency), but clocks differ,
 * and a request takes its time. Milliseconds.
 */
export const KEY_LIFE_MS = DAY_MS - 10 * 60_000;
/** A first use this far in the future was written by a wrong clock. Milliseconds. */
const TOLERATED_CLOCK_LEAD_MS = 60_000;

/**
 * Whether the service certainly recognizes a repetition under a key.
 * @param firstUsedAt epoch ms; a time in the future says nothing about when that was
 */
export function isKeyAlive(firstUsedAt: number | undefined, now: number): boolean {
	if (firstUsedAt === undefined || firstUsedAt > now + TOLERATED_CLOCK_LEAD_MS) return false;
	return now < firstUsedAt + KEY_LIFE_MS;
}

/**
 * What is bought or paid, in canonical form. Never free text: a description with the current time
 * differs on every attempt, and a key that changed with it would pay twice.
 */
export type Identity = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Names an API key without showing it. @param keyPrefix its public part */
export function toKeyId(baseUrl: string, keyPrefix: string): string {
	return fingerprint([baseUrl, keyPrefix]);
}

/** Everything that makes an automatic order this one and no other. */
export interface KeyParts {
	readonly instanceId: string;
	readonly workflowId: string;
	/** Names the logical execution, see `chooseExecutionIdentity`. */
	readonly root: string;
	/** `withdrawal.create` and the like. */
	readonly operation: string;
	readonly identity: Identity;
	/** How many orders of this identity came before it in the execution. */
	readonly nth: number;
}

/**
 * The first idempotency key of an automatic order. Neither node nor row takes part: rows that move, vanish
 * or are added change nothing for the others.
 */
export function deriveKey({ instanceId, workflowId, root, ...order }: KeyParts): string {
	const { operation, identity, nth } = order;
	return `n8n-${hash([instanceId, workflowId, root, operation, namedValues(identity), nth])}`;
}

/**
 * A key of an order with a reference. Neither instance nor workflow takes part, so that two n8n
 * instances that pay one invoice send one key. Neither does the content: so the service itself is the
 * judge of a corrected row.
 * @param reference normalized
 * @param generation see the protocol of payouts
 */
export function deriveReferenceKey(
	operation: string,
	isLive: boolean,
	reference: string,
	generation: number,
): string {
	return `n8n-${hash(['reference', operation, isLive, reference, generation])}`;
}

/** The first key of what an item asks for; undefined if it has no reference. */
export function firstReferenceKey({
	operation,
	isLive,
	reference,
}: {
	operation: string;
	isLive: boolean;
	reference?: { value: string } | undefined;
}): string | undefined {
	return reference && deriveReferenceKey(operation, isLive, reference.value, 0);
}

/**
 * The key to use after `generation` keys were used up. Generation 0 is the key itself. Derived, not
 * random, so that whoever starts over from the first key, such as another n8n, finds the later ones
 * again.
 */
export function keyOfGeneration(firstKey: string, generation: number): string {
	return generation === 0 ? firstKey : `n8n-${hash([firstKey, generation])}`;
}

/** Short and the same for equal contents; long enough never to collide within one execution. */
export function fingerprint(value: unknown): string {
	return hash(value).slice(0, 16);
}

/** The identity as a list that does not depend on the order of its properties. */
export function namedValues(identity: Identity): unknown[] {
	return Object.keys(identity)
		.sort()
		.map((name) => [name, identity[name] ?? null]);
}

/**
 * Checks a key that the user chose.
 * @throws InputError when a header can't carry it or it is longer than the API allows
 */
export function checkOwnKey(key: string): string {
	if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_LENGTH) {
		throw new InputError(
			key.length > MAX_KEY_LENGTH
				? `The idempotency key has ${key.length} characters, and at most ${MAX_KEY_LENGTH} are allowed`
				: 'The idempotency key has spaces or characters that a header cannot contain',
			'Use only letters without accents, digits, "-" and "_", or leave it empty for an automatic key.',
		);
	}
	return key;
}

function hash(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
