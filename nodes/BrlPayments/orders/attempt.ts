import type { Failure } from '../../shared/failures/failure';
import { lookUpError, type Effect } from '../../shared/retry/errors';
import type { Outcome } from '../../shared/transport/outcome';
import type { KeyedRequest } from '../../shared/client/keyed';
import { openSendings, type Answer, type State } from './protocol';

/** An order of the ledger as the client sees it while it sends under one key. */
export class LedgerAttempt implements KeyedRequest {
	readonly hasOwnKey = false;
	readonly hasNextKey = false;
	readonly firstUsedAt = undefined;
	readonly retrySafeUntil = undefined;
	/** By the clock of the ledger, see `State`. */
	unansweredAt: number;
	private isUsedUp = false;
	private last: { readonly outcome: Outcome; readonly effect: Effect } | undefined;
	private readonly isOpenElsewhere: boolean;

	/**
	 * @param reference as entered; undefined if the name is automatic
	 * @param sayAgain how the same request is made again, as a sentence
	 * @param renew called before each attempt; rejects if it must not be made
	 * @param now by the clock of the ledger
	 */
	constructor(
		readonly key: string,
		readonly reference: string | undefined,
		private readonly sayAgain: () => string,
		state: State,
		private readonly renew: (unansweredAt: number) => Promise<void>,
		private readonly now: () => number,
	) {
		this.unansweredAt = state.unansweredAt;
		const { rows, asked, generation } = state;
		this.isOpenElsewhere = openSendings(rows).some(
			(row) => row.generation === generation && row.run !== asked.run,
		);
	}

	get again(): string {
		return this.sayAgain();
	}

	get isUnclear(): boolean {
		return this.unansweredAt !== -Infinity || this.isOpenElsewhere;
	}

	async beforeAttempt(): Promise<void> {
		await this.renew(this.unansweredAt);
	}

	recordSuccess(): void {
		this.unansweredAt = -Infinity;
	}

	recordOutcome(outcome: Outcome, effect: Effect): void {
		this.last = { outcome, effect };
		if (effect === 'unknown' && !isMismatch(outcome)) this.unansweredAt = this.now();
	}

	useNextKey(): void {
		throw new TypeError('The protocol decides about the next key');
	}

	/** The service keeps a failure under the key: that is what became of every attempt of this run. */
	recordUsedUp(): void {
		this.isUsedUp = true;
		this.unansweredAt = -Infinity;
	}

	/** What the last attempt of the run was answered with. */
	toAnswer({ code }: Failure): Answer {
		if (this.last === undefined) return { kind: 'notSent' };
		if (code === 'IDEMPOTENCY_PAYLOAD_MISMATCH') return { kind: 'mismatch' };
		const { outcome, effect } = this.last;
		if (effect === 'unknown') return { kind: 'unknown' };
		if (outcome.kind !== 'refused') return { kind: 'notSent' };
		return { kind: 'refused', needsNewKey: this.isUsedUp && lookUpError(code) !== undefined };
	}
}

/** This attempt did nothing: the key was used with other content. */
function isMismatch(outcome: Outcome): boolean {
	return outcome.kind === 'refused' && outcome.code === 'IDEMPOTENCY_PAYLOAD_MISMATCH';
}
