import { ServiceError } from './errors';
import type { WireAnswer } from './http/answer';

const WINDOW_MS = 24 * 60 * 60 * 1_000;
export const MAX_KEY_LENGTH = 100;

interface Entry {
	fingerprint: string;
	expiresAt: number;
	/** Undefined while the first request is still being processed. */
	answer: WireAnswer | undefined;
}

/** A key that was taken for one request: ends in exactly one of the two. */
export interface Claim {
	keep(answer: WireAnswer): void;
	release(): void;
}

/**
 * Idempotency keys, valid for 24 hours from their first use (docs/api.md#limits). A slot is
 * the account's environment or the API key (by the dialect), the endpoint and the key together.
 */
export class IdempotencyStore {
	private readonly entries = new Map<string, Entry>();

	/** The stored response to replay, or a claim to process under; throws the two 409 guards. */
	claim(slot: string, fingerprint: string, now: number): WireAnswer | Claim {
		const known = this.entries.get(slot);
		if (known && known.expiresAt > now) {
			if (known.fingerprint !== fingerprint) throw new ServiceError('IDEMPOTENCY_PAYLOAD_MISMATCH');
			if (!known.answer) throw new ServiceError('IDEMPOTENCY_CONFLICT');
			return known.answer;
		}
		const entry: Entry = { fingerprint, expiresAt: now + WINDOW_MS, answer: undefined };
		this.entries.set(slot, entry);
		return {
			keep: (answer) => {
				entry.answer = answer;
			},
			release: () => {
				// After a reset the slot may belong to a later request.
				if (this.entries.get(slot) === entry) this.entries.delete(slot);
			},
		};
	}
}
