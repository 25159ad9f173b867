import { createHash } from 'node:crypto';
import type { Failure } from '../../shared/failures/failure';
import { parseTimestamp } from '../../shared/lists/rowMoment';
import { remember, type EntryNames } from '../deduplication/persistentDedup';
import type { SeenEvents } from '../deduplication/seenEvents';
import { joinCalls } from '../deduplication/sharedSeenEvents';
import type { TriggerOutput } from '../events/output';

/** Field of a polled item that goes from `poll` to `execute` and no further. */
export const POLL_MARK = '__poll';

/** The metadata of an item that a poll has emitted. */
export type PollMark = PolledEvent | { readonly failure: Failure };

export interface PolledEvent {
	/** See `toIdentities`. */
	readonly identities: readonly string[];
	/** Names the poll: the same when its execution is run again. */
	readonly emission: string;
}

type Identified = Pick<TriggerOutput, 'event' | 'paymentId' | 'withdrawalId' | 'txId'>;

/** 60 bits: among 10,000 events, two are confused once in twenty billion times. */
const LENGTH = 10;

/**
 * By what an event is recognized, delivered or polled: its name with the ID of its resource, and its
 * name with the txId. A delivery may carry only one of the two (docs/api.md#event-bodies), a listed
 * row carries both.
 */
export function toIdentities({ event, paymentId, withdrawalId, txId }: Identified): string[] {
	return [paymentId ?? withdrawalId, txId]
		.filter((id) => id !== null)
		.map((id) =>
			createHash('sha256').update(`${event} ${id}`).digest('base64url').slice(0, LENGTH),
		);
}

/** When the service stops trying to deliver an event (docs/api.md#delivery-attempts). */
const GIVES_UP_AFTER_MS = 72 * 60 * 60_000;
const MARGIN_MS = 60 * 60_000;
/**
 * How many entries the store has to keep if there is polling: 10,000 events, which a poll may
 * still find in its lists days later. The oldest are forgotten first.
 */
export const ENTRIES_OF_POLLING = 80_000;

/**
 * Says which polled events no execution has had before, and remembers all of them, with as many calls of
 * the store as one of them would need.
 *
 * @returns for each event whether to continue with it
 */
export async function recognizePolled(
	seenEvents: SeenEvents,
	events: readonly PolledEvent[],
): Promise<boolean[]> {
	const joined = joinCalls(seenEvents);
	const results = events.map(async (event) => await remember(joined, namesOf(event), false));
	return (await Promise.all(results)).map((result) => result === 'first');
}

/**
 * Says whether an event that a webhook has brought is new compared with polling. The first delivery of an
 * event that a poll has emitted is not; a later one with another delivery ID is sent on purpose, such
 * as PAYMENT_PAID after a dispute that was won.
 *
 * @param isSentOnPurpose see {@link isSentAgainOnPurpose}
 */
export async function recognizeDelivered(
	seenEvents: SeenEvents,
	event: PolledEvent,
	isSentOnPurpose: boolean,
): Promise<boolean> {
	const repeats = event.identities.map((identity) => `delivered ${identity}`);
	const result = await remember(seenEvents, { ...namesOf(event), repeats }, false);
	return isSentOnPurpose || result === 'first';
}

/**
 * Whether the service has sent this PAYMENT_PAID long after the payment was paid. It gives up after
 * 72 hours, so this is not a late first delivery: a dispute was won, or a person has sent it again.
 */
export function isSentAgainOnPurpose({
	body,
	sentAt,
}: Pick<TriggerOutput, 'body' | 'sentAt'>): boolean {
	const paidAt = parseTimestamp(body.paidAt);
	return Date.parse(sentAt) - paidAt > GIVES_UP_AFTER_MS + MARGIN_MS;
}

/** Nothing that is polled has a signature. */
function namesOf({ identities, emission }: PolledEvent): EntryNames {
	const own = `${emission} ${identities[0] ?? ''}`;
	return {
		id: `try ${own}`,
		keys: identities.map((identity) => `event ${identity}`),
		run: `try ${own}`,
		signatures: [],
		refused: `refused ${own}`,
		won: `won ${own}`,
		settled: identities.map((identity) => `settled ${identity}`),
		...{ settledById: [], owners: [], repeats: [] },
		late: [`late ${own}`],
		certain: identities.map((identity) => `certain ${identity}`),
	};
}
