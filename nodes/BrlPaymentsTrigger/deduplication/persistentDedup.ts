import type { SeenEvents } from './seenEvents';
import { joinCalls } from './sharedSeenEvents';
import { createHash } from 'node:crypto';
import type { Failure } from '../../shared/failures/failure';
import { parseTimestamp } from '../../shared/lists/rowCollector';
import type { TriggerOutput } from '../events/output';

/** Field of an emitted item that goes from the webhook to `execute` and no further. */
export const DELIVERY_MARK = '__delivery';

export interface DeliveryMark {
	/** As `id`, but made from what `replayKey` returns for the delivery id. */
	readonly key: string;
	/** The delivery id and the event, neither of which is signed. */
	readonly id: string;
	/** What is signed, see `contentsOf`. */
	readonly contents: readonly string[];
	readonly fingerprints: readonly string[];
	/** Names this one emission: the same when its execution is run again, another one for a copy. */
	readonly emission: string;
}

/**
 * - `first`: continue
 * - `copy`: another execution has this delivery
 * - `foreignSignature`: its signature came with another delivery id before
 */
type DedupResult = 'first' | 'copy' | 'foreignSignature';

/** What one execution records about one event in n8n's store. */
interface EntryNames {
	/** An execution has tried with this delivery ID and event. */
	readonly id: string;
	/** An execution has tried the same: another one that finds one of these comes later. */
	readonly keys: readonly string[];
	/** This execution has tried. */
	readonly run: string;
	readonly signatures: readonly string[];
	/** This execution was refused for its signature. */
	readonly refused: string;
	/** This execution continues. */
	readonly won: string;
	/** Some execution continues with the same. */
	readonly settled: readonly string[];
	/** What else is known then. */
	readonly settledById: readonly string[];
	/** Some execution continued with this signature. */
	readonly owners: readonly string[];
	/** If one of these was there before, the execution continues, whichever has come first. */
	readonly repeats: readonly string[];
	/** This execution came later, and has settled it unless another one had. */
	readonly late: readonly string[];
	/** Some execution continues, and knows it. */
	readonly certain: readonly string[];
}

/**
 * Remembers an event in n8n's own database-backed store, which survives restarts and spans processes, and
 * says whether it was there before. If the store keeps failing, the event continues.
 *
 * The store records and returns what was there before in one call; but an execution that is killed
 * right after a call has lost the result. So there are two calls. The first only records who has
 * tried. It refuses a foreign signature, and shows whether an execution comes first. The second
 * settles the event: the first execution to record `settled` continues, and none after it.
 *
 * A foreign signature may still be that of a genuine delivery: two events may have the same body in
 * the same second, and here it is too late for the sender to try again. So after a refusal, a person
 * may run the execution again, and it continues.
 *
 * @param isRetry whether a person runs the execution of a delivery again
 */
export async function remember(
	seenEvents: SeenEvents,
	names: EntryNames,
	isRetry: boolean,
): Promise<DedupResult> {
	const { id, keys, run, signatures, won, settled, owners, late, certain } = names;
	const tried = [...new Set([id, ...keys, run, ...signatures, ...names.repeats])];
	const asked = isRetry ? [...tried, names.refused] : tried;
	const known = await seenEvents.record(asked);
	if (!known) return 'first';
	const isKnown = (entry: string) => known.has(entry);
	const isApproved = isRetry && isKnown(names.refused);
	const hasTried = isKnown(run);
	const isForeign = signatures.some(isKnown) && !isKnown(id);
	if (isForeign && !hasTried && !isApproved) {
		const own = tried.filter((entry) => !isKnown(entry));
		return await refuse(seenEvents, own, names, isRetry);
	}

	const isRepeat = !hasTried && names.repeats.some(isKnown);
	// A later execution must not record itself as the winner before it knows: it may be killed right after.
	const comesLater = !hasTried && !isRepeat && keys.some(isKnown);
	const own = comesLater ? late : [won, ...certain, ...(hasTried ? late : [])];
	const claim = [...own, ...settled, ...names.settledById, ...owners];
	// If another process writes, what the first call recorded may be lost.
	const before = await seenEvents.record(seenEvents.isShared ? [...claim, ...asked] : claim, true);
	if (!before || isRepeat || before.has(won)) return 'first';
	const wasThere = (entry: string) => before.has(entry);
	// It was killed after it had settled the event, and before it knew.
	const isOwnSettling = late.some(wasThere) && !certain.some(wasThere);
	if (settled.some(wasThere) && !isOwnSettling) {
		if (!comesLater) await seenEvents.forget(own.filter((entry) => !wasThere(entry)));
		return 'copy';
	}
	// An execution that was killed has tried this id before, and it is unknown which signature it had.
	const isOwned = keys.includes(id) && owners.some(wasThere);
	if (isOwned && !isApproved && isKnown(id)) {
		const claimed = [...claim, ...tried].filter((entry) => !wasThere(entry));
		return await refuse(seenEvents, claimed, names, isRetry);
	}
	if (comesLater) await seenEvents.record([won, ...certain], true);
	return 'first';
}

/** A delivery that does not continue must leave nothing that stops the one that does. */
async function refuse(
	seenEvents: SeenEvents,
	entries: readonly string[],
	{ refused }: EntryNames,
	isRetry: boolean,
): Promise<'foreignSignature'> {
	await seenEvents.forget(entries);
	if (!isRetry) await seenEvents.record([refused], true);
	return 'foreignSignature';
}

export function namesOfDelivery(mark: DeliveryMark): EntryNames {
	const { id, key, contents, emission, fingerprints } = mark;
	const settledAs = (name: string) => contents.map((content) => `settled ${name} ${content}`);
	return {
		id: `id ${id}`,
		// Key and id are the same, unless the user wants the delivery let through again.
		keys: [`id ${key}`],
		run: `run ${key} ${emission}`,
		signatures: fingerprints.map((fingerprint) => `signature ${fingerprint}`),
		refused: `refused ${key} ${emission}`,
		won: `won ${key} ${emission}`,
		settled: settledAs(key),
		settledById: key === id ? [] : settledAs(id),
		owners: fingerprints.map((fingerprint) => `owner ${fingerprint}`),
		...{ repeats: [], late: [], certain: [] },
	};
}

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

type Identified = Pick<TriggerOutput, 'event' | 'status' | 'paymentId' | 'withdrawalId' | 'txId'>;

/** 60 bits: among 10,000 events, two are confused once in twenty billion times. */
const LENGTH = 10;

/**
 * By what an event is recognized, delivered or polled: its name with the ID of its resource, and its
 * name with the txId. A delivery may carry only one of the two (docs/api.md#event-bodies), a listed
 * row carries both. A payment that is refunded in part may be refunded in full later: that is another event.
 */
export function toIdentities(identified: Identified): string[] {
	const { event, status, paymentId, withdrawalId, txId } = identified;
	const name = status === 'PARTIAL_REFUND' ? `${event} ${status}` : event;
	return [paymentId ?? withdrawalId, txId]
		.filter((id) => id !== null)
		.map((id) => createHash('sha256').update(`${name} ${id}`).digest('base64url').slice(0, LENGTH));
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
