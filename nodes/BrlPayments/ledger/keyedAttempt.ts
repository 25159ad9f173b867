import type { Failure } from '../../shared/failures/failure';
import type { KeyedOrder } from '../../shared/orders/order';
import type { Reference } from '../../shared/orders/reference';
import { lookUpError, type Effect } from '../../shared/retry/errors';
import type { Outcome } from '../../shared/transport/outcome';
import type { OrderItem } from '../execution/orderProcessor';
import type { Answer, State } from './protocol';

/** The order as the client sees it while it sends under one key. */
export class KeyedAttempt implements KeyedOrder {
	readonly hasOwnKey = false;
	readonly hasNextKey = false;
	readonly isDone = false;
	readonly retrySafeUntil = undefined;
	unansweredAt: number | undefined;
	/** Epoch ms. */
	firstSentInRunAt: number | undefined;
	private isUsedUp = false;
	private last: { readonly outcome: Outcome; readonly effect: Effect } | undefined;

	constructor(
		readonly key: string,
		private readonly item: OrderItem,
		private readonly state: State,
		private readonly renew: (unansweredAt: number | undefined) => Promise<void>,
		private readonly now: () => number,
		/** By the clock of this n8n. */
		readonly firstUsedAt: number | undefined,
	) {
		this.unansweredAt = state.unansweredAt;
	}

	get reference(): Reference | undefined {
		return this.item.order.reference;
	}

	get isUnclear(): boolean {
		return this.unansweredAt !== undefined || this.state.others !== 'none';
	}

	async beforeAttempt(now: number): Promise<void> {
		await this.renew(this.unansweredAt);
		this.firstSentInRunAt ??= now;
		this.item.order.recordSent(now);
	}

	recordSuccess(): void {
		this.unansweredAt = undefined;
	}

	recordOutcome(outcome: Outcome, effect: Effect, now: number): void {
		this.last = { outcome, effect };
		if (effect !== 'unknown' || isMismatch(outcome)) return;
		this.unansweredAt = this.now();
		this.item.order.recordOutcome(outcome, effect, now);
	}

	useNextKey(): void {
		throw new TypeError('The protocol decides about the next key');
	}

	/** The service keeps a failure under the key: that is what became of every attempt of this run. */
	recordUsedUp(): void {
		this.isUsedUp = true;
		this.unansweredAt = undefined;
	}

	/** What the last attempt of the run was answered with. */
	toAnswer({ code }: Failure): Answer {
		if (this.last === undefined) return { kind: 'notSent' };
		if (code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') return { kind: 'mismatch' };
		const { outcome, effect } = this.last;
		if (effect === 'unknown') return { kind: 'unknown' };
		if (outcome.kind !== 'refused') return { kind: 'notSent' };
		const isLasting = this.isUsedUp || lookUpError(code)?.isAboutRequest === true;
		const isBeforeKeyCheck = effect === 'notReached' && !isLasting;
		return { kind: 'refused', needsNewKey: this.isUsedUp, isBeforeKeyCheck, isLasting };
	}
}

/**
 * This attempt did nothing: the key was used with other content. After a conflict that is not known, as
 * what is being processed may be this very attempt, which something on the way has sent twice.
 */
function isMismatch(outcome: Outcome): boolean {
	return outcome.kind === 'refused' && outcome.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH';
}
