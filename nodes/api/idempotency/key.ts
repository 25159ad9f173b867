import { createHash } from 'node:crypto';
import { InputError } from '../input/inputError';

/** The interface's bound ("Limits", X-Idempotency-Key length), in characters. */
export const MAX_KEY_LENGTH = 100;

/**
 * What is bought or paid, in canonical form. Never free text: a description with the current time
 * differs on every attempt, and a key that changed with it would pay twice.
 */
export type Identity = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Everything that makes one logical operation this one and no other. */
export interface KeyParts {
	readonly instanceId: string;
	readonly workflowId: string;
	readonly nodeId: string;
	readonly root: string;
	/** Counted from the first run that this node's context has seen. */
	readonly runIndex: number;
	readonly itemIndex: number;
	readonly identity: Identity;
}

/** The first idempotency key of a logical operation: the same parts always give the same key. */
export function deriveKey(parts: KeyParts): string {
	const { instanceId, workflowId, nodeId, root, runIndex, itemIndex, identity } = parts;
	const named = Object.keys(identity)
		.sort()
		.map((name) => [name, identity[name] ?? null]);
	return `n8n-${hash([instanceId, workflowId, nodeId, root, runIndex, itemIndex, named])}`;
}

/**
 * The key to use after `generation` keys were used up. Generation 0 is the key itself. Derived, not
 * drawn, so that whoever starts over from the first key finds the later ones again.
 */
export function keyOfGeneration(firstKey: string, generation: number): string {
	return generation === 0 ? firstKey : `n8n-${hash([firstKey, generation])}`;
}

/**
 * Checks a key that the user chose.
 * @throws InputError when a header can't carry it or it is longer than the interface allows
 */
export function checkOwnKey(key: string): string {
	if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_LENGTH) {
		throw new InputError(
			key.length > MAX_KEY_LENGTH
				? `The idempotency key has ${key.length} characters, and at most ${MAX_KEY_LENGTH} are allowed`
				: 'The idempotency key has blanks or characters that a header cannot carry',
			'Use only letters without accents, digits, "-" and "_", or leave it empty for an automatic key.',
		);
	}
	return key;
}

function hash(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
