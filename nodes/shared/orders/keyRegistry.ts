import { BoundedMap } from '../concurrency/boundedMap';

/**
 * Knows which execution of this process uses which key.
 *
 * n8n distinguishes executions by the millisecond in which they were established. Two that begin in
 * the same one and pay the same thing would share a key, and the second would silently not pay.
 */
export class KeyRegistry {
	private readonly owners: Map<string, string>;

	/** @param capacity how many keys are remembered; the oldest is forgotten first */
	constructor(capacity = 20_000) {
		this.owners = new BoundedMap(capacity);
	}

	/** Claims a key. @returns true when another execution claimed it before. */
	isTakenByOther(key: string, executionId: string): boolean {
		const owner = this.owners.get(key);
		if (owner !== undefined) return owner !== executionId;
		this.owners.set(key, executionId);
		return false;
	}
}
