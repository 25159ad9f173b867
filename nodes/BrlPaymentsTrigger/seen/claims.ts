/** The part of an HTTP response that shows what became of a request. */
export interface ResponseInProgress {
	readonly statusCode: number;
	/** The response was sent, even if the sender has hung up. */
	readonly writableEnded: boolean;
	/** The sender has hung up. */
	readonly destroyed: boolean;
	once(event: 'close', listener: () => void): void;
}

/** A claim is its response; `done` in place of a successful one, which need not be kept. */
interface Claim {
	readonly claimedAt: number;
	response: ResponseInProgress | 'done';
}

/**
 * How long n8n may take to start an execution after the sender has hung up: with a limit of concurrent
 * executions it stores one, and responds when a slot is free. After that, the next copy is let in: its
 * execution finds in n8n's database whether the first one has begun.
 */
const PATIENCE_MS = 15 * 60_000;
/** 50,000 deliveries of two IDs, about 16 MB. Whatever came within two windows is kept beyond that. */
const CAPACITY = 100_000;
/** Owner of a signature that was caught under a foreign ID. */
const NOBODY = '';

/**
 * The deliveries that one trigger node has seen in this process: copies get a response without an
 * execution. What survives a restart is in `store.ts`. All times are epoch ms.
 */
export class Claims {
	/** By the keys of the delivery, those seen last at the end. */
	private readonly claims = new Map<string, Claim>();
	/** Event and delivery ID are not signed, so each signature is tied to the first pair that it came with. */
	private readonly owners = new Map<string, { readonly owner: string; readonly seenAt: number }>();

	/**
	 * @param owner delivery ID and event
	 * @returns whether all signatures came with this delivery ID and event from the first time on
	 */
	ownsSignatures(owner: string, signatures: readonly string[], now: number, windowMs: number) {
		for (const [signature, { seenAt }] of this.owners) {
			if (!isStale(seenAt, now, windowMs)) break;
			this.owners.delete(signature);
		}
		if (signatures.some((one) => (this.owners.get(one)?.owner ?? owner) !== owner)) return false;
		for (const one of signatures) if (!this.owners.has(one)) this.tie(one, owner, now);
		return true;
	}

	/** @returns `claimed` if it is yours; `done` if it started an execution before */
	claim(
		keys: readonly string[],
		response: ResponseInProgress,
		now: number,
		windowMs: number,
	): 'claimed' | 'inFlight' | 'done' {
		const earlier = this.find(keys).find((claim) => stateOf(claim, now) !== 'free');
		const claim: Claim = earlier ?? { claimedAt: now, response };
		// A copy may have an ID that the first one has not: the next one may have only that.
		for (const key of keys) {
			this.claims.delete(key);
			this.claims.set(key, claim);
		}
		this.forget(now, windowMs);
		if (earlier) return stateOf(earlier, now) === 'done' ? 'done' : 'inFlight';
		response.once('close', () => {
			if (stateOf(claim, now) === 'done') claim.response = 'done';
		});
		return 'claimed';
	}

	/** Whether this process has claimed it: then no other one writes what n8n remembers. */
	has(keys: readonly string[]): boolean {
		return this.find(keys).length > 0;
	}

	/** Its execution continues. */
	confirm(keys: readonly string[]): void {
		for (const claim of this.find(keys)) claim.response = 'done';
	}

	/** Its execution has found the signatures to be those of another delivery. */
	revoke(keys: readonly string[], signatures: readonly string[], now: number): void {
		for (const key of keys) this.claims.delete(key);
		for (const one of signatures) this.tie(one, NOBODY, now);
	}

	private readonly find = (keys: readonly string[]): Claim[] =>
		keys.flatMap((key) => this.claims.get(key) ?? []);

	private tie(signature: string, owner: string, now: number): void {
		this.owners.delete(signature);
		this.owners.set(signature, { owner, seenAt: now });
	}

	/** A tenth at once: a map is slow to find its oldest entry after many older ones were removed. */
	private forget(now: number, windowMs: number): void {
		if (this.claims.size <= 1.1 * CAPACITY) return;
		for (const [key, claim] of this.claims) {
			if (this.claims.size <= CAPACITY || !isStale(claim.claimedAt, now, windowMs)) return;
			if (stateOf(claim, now) !== 'inFlight') this.claims.delete(key);
		}
	}
}

/** The sender's clock may be a window ahead of ours, and a signature fresh for as long. */
function isStale(seenAt: number, now: number, windowMs: number): boolean {
	return now - seenAt > 2 * windowMs;
}

/** n8n responds after the execution was created, even if the sender has hung up. */
function stateOf({ response, claimedAt }: Claim, now: number): 'free' | 'inFlight' | 'done' {
	if (response === 'done') return 'done';
	const { statusCode, writableEnded, destroyed } = response;
	if (writableEnded) return statusCode >= 200 && statusCode < 300 ? 'done' : 'free';
	return destroyed && now - claimedAt > PATIENCE_MS ? 'free' : 'inFlight';
}

const claimsOfNode = new Map<string, Claims>();

/** @param node workflow and node, as in `getStoreName` */
export function claimsOf(node: string): Claims {
	const claims = claimsOfNode.get(node) ?? new Claims();
	claimsOfNode.set(node, claims);
	return claims;
}
