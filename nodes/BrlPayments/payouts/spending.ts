import { BoundedMap } from '../../shared/concurrency/boundedMap';
import type { Cents } from '../../shared/validation/money';

/** By idempotency key, in centavos. */
export type Amounts = ReadonlyMap<string, Cents>;

/**
 * What the executions of this process are about to pay. An agent may call its tool several times at
 * once: each call has to count what the others have not sent yet.
 */
export class Spending {
	private readonly byExecution: Map<string, Map<string, Cents>>;

	/** @param capacity how many executions are remembered; the oldest is forgotten first */
	constructor(capacity = 1_000) {
		this.byExecution = new BoundedMap(capacity);
	}

	/** Forgets everything, as a restart does. */
	clear(): void {
		this.byExecution.clear();
	}

	/** To be called before the payouts are sent, in the same turn of the event loop as {@link total}. */
	reserve(execution: string, amounts: Amounts): void {
		const reserved = this.byExecution.get(execution) ?? new Map<string, Cents>();
		for (const [key, cents] of amounts) reserved.set(key, cents);
		if (reserved.size > 0) this.byExecution.set(execution, reserved);
	}

	/** To be called for payouts that had no effect, or that the execution itself remembers. */
	release(execution: string, keys: Iterable<string>): void {
		const reserved = this.byExecution.get(execution);
		for (const key of keys) reserved?.delete(key);
		if (reserved?.size === 0) this.byExecution.delete(execution);
	}

	/** @param spent what the execution remembers of payouts that took effect or may have */
	total(execution: string, spent: Amounts): Cents {
		const amounts = new Map([...(this.byExecution.get(execution) ?? []), ...spent]);
		return [...amounts.values()].reduce((sum, cents) => sum + cents, 0);
	}
}
