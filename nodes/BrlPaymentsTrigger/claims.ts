/**
 * - `claimed`: nobody has this delivery; it is yours
 * - `done`: it started an execution before
 * - `inFlight`: another request has it and is not through yet
 */
export type ClaimResult = 'claimed' | 'done' | 'inFlight';

interface Entry {
	state: 'claimed' | 'done';
}

/**
 * The deliveries that one trigger node has seen in this process. It answers copies without starting
 * an execution; what survives restarts and spans processes is n8n's own store (`remember.ts`).
 */
export class Claims {
	private readonly deliveries = new Map<string, Entry>();
	/** The delivery id is not covered by the signature, so each signature is tied to its first one. */
	private readonly signatures = new Map<string, { deliveryId: string; seenAt: number }>();

	/** When stale signatures are looked for again, in milliseconds since 1970. */
	private nextCleaning = 0;

	/**
	 * @param capacity how many deliveries are remembered at least, and at most a tenth more; the oldest
	 * are forgotten first
	 */
	constructor(private capacity: number) {}

	setCapacity(capacity: number): void {
		this.capacity = capacity;
	}

	/**
	 * Ties signatures to the delivery id that they came with.
	 *
	 * @param fingerprints of the signatures, see `verify`
	 * @param now milliseconds since 1970
	 * @param windowMs how long a signature stays fresh, after which it is refused anyway
	 * @returns false when one of them came with another id before
	 */
	tie(fingerprints: readonly string[], deliveryId: string, now: number, windowMs: number): boolean {
		this.forgetSignatures(now, windowMs);
		for (const fingerprint of fingerprints) {
			const known = this.signatures.get(fingerprint);
			if (known && isStale(known.seenAt, now, windowMs)) this.signatures.delete(fingerprint);
			else if (known && known.deliveryId !== deliveryId) return false;
		}
		for (const fingerprint of fingerprints) {
			if (this.signatures.has(fingerprint)) continue;
			this.signatures.set(fingerprint, { deliveryId, seenAt: now });
		}
		return true;
	}

	/** @param key the delivery id, or what `replayKey` made of it */
	claim(key: string): ClaimResult {
		const entry = this.deliveries.get(key);
		if (entry !== undefined) return entry.state === 'done' ? 'done' : 'inFlight';
		this.deliveries.set(key, { state: 'claimed' });
		this.forgetDeliveries();
		return 'claimed';
	}

	/** The execution was started: copies are answered without another. */
	confirm(key: string): void {
		const entry = this.deliveries.get(key);
		if (entry) entry.state = 'done';
	}

	/** No execution could be started: the next copy is welcome. */
	release(key: string): void {
		if (this.deliveries.get(key)?.state === 'claimed') this.deliveries.delete(key);
	}

	/** A tenth at once: a map is slow to find its oldest entry after many older ones were removed. */
	private forgetDeliveries(): void {
		if (this.deliveries.size <= 1.1 * this.capacity) return;
		for (const [key, { state }] of this.deliveries) {
			if (this.deliveries.size <= this.capacity) return;
			if (state === 'done') this.deliveries.delete(key);
		}
	}

	/** Oldest first, as they were added; stops at the first one that may still be fresh. Now and then only. */
	private forgetSignatures(now: number, windowMs: number): void {
		if (now < this.nextCleaning) return;
		this.nextCleaning = now + windowMs / 10;
		for (const [fingerprint, { seenAt }] of this.signatures) {
			if (!isStale(seenAt, now, windowMs)) return;
			this.signatures.delete(fingerprint);
		}
	}
}

/** The sender's clock may be a window ahead of ours, and a signature fresh for as long. */
function isStale(seenAt: number, now: number, windowMs: number): boolean {
	return now - seenAt > 2 * windowMs;
}

/** The claims of all trigger nodes of this process. */
const claimsOfNode = new Map<string, Claims>();

export function claimsOf(workflowId: string, nodeId: string, capacity: number): Claims {
	const name = `${workflowId}:${nodeId}`;
	const found = claimsOfNode.get(name);
	if (found) {
		found.setCapacity(capacity);
		return found;
	}
	const claims = new Claims(capacity);
	claimsOfNode.set(name, claims);
	return claims;
}
