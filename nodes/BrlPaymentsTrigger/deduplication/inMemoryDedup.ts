import type { DeliveryMark } from './persistentDedup';

/**
 * - `claimed`: no other request has this delivery; it is yours
 * - `done`: it started an execution before
 * - `inFlight`: another request has it and is not finished yet
 */
export type ClaimResult = 'claimed' | 'done' | 'inFlight';

/**
 * The state of a request whose sender hung up before the response: n8n has stored an execution or is
 * about to (`pending`), has responded with success, or with an error.
 */
export type ResponseState = 'pending' | 'accepted' | 'failed';

/**
 * - `claimed`: on its way through n8n
 * - `answered`: n8n has accepted it, and its execution has not yet reported a verdict
 * - `done`: its execution has found it to be genuine and continued
 */
interface Entry {
	state: 'claimed' | 'answered' | 'done';
	/** All that its copies were about until now, see `contentsOf`. */
	contents: readonly string[];
	/** Those of copies that went to an execution, which puts them into n8n's store. */
	readonly remembered: readonly string[];
	readonly claimedAt: number;
	/** The signatures that it came with until now; none once it is `done`, where nobody asks. */
	fingerprints: ReadonlySet<string>;
	/** Set once the sender has hung up. */
	abandoned?: { readonly until: number; readonly getState: () => ResponseState };
}

const NONE: ReadonlySet<string> = new Set();

/** What a delivery is recognized by. */
type Identified = Pick<DeliveryMark, 'key' | 'contents'>;

/** Owner of a signature that was caught under a foreign id, if its own id is not known here. */
const NOBODY = '';

/**
 * How long n8n may take to start an execution after the sender has hung up. After that, the next
 * copy is let in: its execution finds in n8n's store whether the first one has begun.
 */
export const PATIENCE_MS = 15 * 60_000;

/**
 * The deliveries that one trigger node has seen in this process. It responds to copies without
 * starting an execution; what survives restarts and spans processes is n8n's own store
 * (`persistentDedup.ts`).
 *
 * All times are epoch ms.
 */
export class InMemoryDedup {
	/** By their keys; nearly always one for each. */
	private readonly deliveries = new Map<string, Entry[]>();
	/**
	 * Event and delivery id are not signed, so each signature is tied to the first pair that it came
	 * with.
	 */
	private readonly signatures = new Map<string, { name: string; seenAt: number }>();

	/** When stale signatures are looked for again. */
	private nextCleaning = 0;

	/**
	 * @param capacity how many deliveries are remembered at least; the oldest are forgotten first,
	 * but none before two windows have passed
	 */
	constructor(public capacity: number) {}

	/**
	 * Ties signatures to the delivery that they came with.
	 *
	 * @param fingerprints of the signatures, see `verify`
	 * @param name event and id of the delivery
	 * @param windowMs how long a signature stays fresh, after which it is refused anyway
	 * @returns false when one of them came with another event or id before
	 */
	bindSignature(
		fingerprints: readonly string[],
		name: string,
		now: number,
		windowMs: number,
	): boolean {
		this.forgetSignatures(now, windowMs);
		for (const fingerprint of fingerprints) {
			const known = this.signatures.get(fingerprint);
			if (known && isStale(known.seenAt, now, windowMs)) this.signatures.delete(fingerprint);
			else if (known && known.name !== name) return false;
		}
		const unknown = fingerprints.filter((fingerprint) => !this.signatures.has(fingerprint));
		for (const fingerprint of unknown) this.signatures.set(fingerprint, { name, seenAt: now });
		return true;
	}

	claim(
		delivery: Identified & Pick<DeliveryMark, 'fingerprints'>,
		now: number,
		windowMs: number,
	): ClaimResult {
		this.settleAbandoned(delivery, now);
		const { key, contents, fingerprints } = delivery;
		const entry = this.find(delivery);
		// A later copy may have only the ID that this one has and the first one had not.
		if (entry) entry.contents = union(entry.contents, contents);
		if (entry?.state === 'claimed') return 'inFlight';
		// One more ID goes to an execution, which ends at its head: after a restart, n8n's store has to know it.
		const isRemembered = contents.every((content) => entry?.remembered.includes(content));
		if (entry?.state === 'done' && isRemembered) return 'done';
		// Re-signed before its execution, perhaps in another process, has reported back. That execution
		// decides: if it finds that someone else sent the first one, this is the genuine one.
		if (entry && fingerprints.some((each) => entry.fingerprints.has(each))) return 'done';
		const others = this.othersThan(entry, key);
		// The newest ones are last.
		this.deliveries.delete(key);
		this.deliveries.set(key, [
			...others,
			{
				state: 'claimed',
				contents: entry?.contents ?? contents,
				remembered: union(entry?.remembered ?? [], contents),
				claimedAt: now,
				fingerprints: new Set([...(entry?.fingerprints ?? []), ...fingerprints]),
			},
		]);
		this.forgetDeliveries(now, windowMs);
		return 'claimed';
	}

	/** n8n has responded with success: an execution was created. */
	answer(delivery: Identified): void {
		const entry = this.find(delivery);
		if (entry?.state === 'claimed') entry.state = 'answered';
	}

	/** The execution continues: copies get a response without another one. */
	confirm(delivery: Identified): void {
		const entry = this.find(delivery);
		if (!entry) return;
		entry.state = 'done';
		// They would be more than half of what a remembered delivery takes.
		entry.fingerprints = NONE;
	}

	/** No execution could be started: the next copy is let in. */
	release(delivery: Identified): void {
		if (this.find(delivery)?.state === 'claimed') this.remove(delivery);
	}

	/**
	 * The sender hung up before the response. n8n may still start an execution: with a limit of
	 * concurrent executions, it stores one and responds when a slot is free. So the claim stays until
	 * n8n has responded after all, or the execution has begun, or {@link PATIENCE_MS} have passed.
	 */
	abandon(delivery: Identified, getState: () => ResponseState, now: number): void {
		const entry = this.find(delivery);
		if (entry?.state === 'claimed') entry.abandoned = { until: now + PATIENCE_MS, getState };
	}

	/** The execution has found out that the signature belongs to another delivery. */
	disown(delivery: Identified & Pick<DeliveryMark, 'fingerprints'>, now: number): void {
		this.remove(delivery);
		for (const fingerprint of delivery.fingerprints) {
			this.signatures.delete(fingerprint);
			this.signatures.set(fingerprint, { name: NOBODY, seenAt: now });
		}
	}

	/** Whether this process has claimed the delivery: then it also writes what n8n remembers. */
	has(delivery: Identified): boolean {
		return this.find(delivery) !== undefined;
	}

	private find({ key, contents }: Identified): Entry | undefined {
		return this.deliveries
			.get(key)
			?.find((entry) => entry.contents.some((content) => contents.includes(content)));
	}

	private othersThan(entry: Entry | undefined, key: string): Entry[] {
		return (this.deliveries.get(key) ?? []).filter((each) => each !== entry);
	}

	private remove(delivery: Identified): void {
		const others = this.othersThan(this.find(delivery), delivery.key);
		if (others.length > 0) this.deliveries.set(delivery.key, others);
		else this.deliveries.delete(delivery.key);
	}

	private settleAbandoned(delivery: Identified, now: number): void {
		const abandoned = this.find(delivery)?.abandoned;
		if (!abandoned) return;
		const state = abandoned.getState();
		if (state === 'accepted') this.answer(delivery);
		else if (state === 'failed' || now > abandoned.until) this.release(delivery);
	}

	/** A tenth at once: a map is slow to find its oldest entry after many older ones were removed. */
	private forgetDeliveries(now: number, windowMs: number): void {
		if (this.deliveries.size <= 1.1 * this.capacity) return;
		for (const [key, entries] of this.deliveries) {
			const isFresh = entries.some(({ claimedAt }) => !isStale(claimedAt, now, windowMs));
			if (this.deliveries.size <= this.capacity || isFresh) return;
			if (!entries.some((entry) => isUnderWay(entry, now))) this.deliveries.delete(key);
		}
	}

	/**
	 * Oldest first, as they were added; stops at the first one that may still be fresh. Runs only now
	 * and then.
	 */
	private forgetSignatures(now: number, windowMs: number): void {
		if (now < this.nextCleaning) return;
		this.nextCleaning = now + windowMs / 10;
		for (const [fingerprint, { seenAt }] of this.signatures) {
			if (!isStale(seenAt, now, windowMs)) return;
			this.signatures.delete(fingerprint);
		}
	}
}

function isUnderWay({ state, abandoned }: Entry, now: number): boolean {
	return state === 'claimed' && now <= (abandoned?.until ?? Infinity);
}

function union(known: readonly string[], more: readonly string[]): readonly string[] {
	return more.every((each) => known.includes(each)) ? known : [...new Set([...known, ...more])];
}

/** The sender's clock may be a window ahead of ours, and a signature fresh for as long. */
function isStale(seenAt: number, now: number, windowMs: number): boolean {
	return now - seenAt > 2 * windowMs;
}

/** The claims of all trigger nodes of this process. */
const claimsOfNode = new Map<string, InMemoryDedup>();

/** @param node workflow and node, as in `getStoreName` */
export function getInMemoryDedup(node: string, capacity: number): InMemoryDedup {
	const claims = claimsOfNode.get(node) ?? new InMemoryDedup(capacity);
	claims.capacity = capacity;
	claimsOfNode.set(node, claims);
	return claims;
}
