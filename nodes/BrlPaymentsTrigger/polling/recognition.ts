import type { SeenEvents } from '../deduplication/seenEvents';
import { parseTimestamp } from '../../shared/lists/rowMoment';
import type { TriggerOutput } from '../emit/output';
import { getErrorMessage, recordSurely } from '../deduplication/recordSurely';
import type { PolledEvent } from './deliveryMetadata';

/** When the service stops trying to deliver an event (docs/api.md#delivery-attempts). */
const GIVES_UP_AFTER_MS = 72 * 60 * 60_000;
const MARGIN_MS = 60 * 60_000;
/**
 * How many entries the store has to keep if there is polling: 10,000 events, which a poll may
 * still find in its lists days later. The oldest are forgotten first.
 */
export const ENTRIES_OF_POLLING = 60_000;

interface Candidate {
	/** See `toIdentities`. */
	readonly identities: readonly string[];
	/** Names the execution: the same when it is run again. */
	readonly emission: string;
	readonly isDelivery: boolean;
}

/**
 * Says which polled events no execution has had before, and remembers all of them. It decides at the
 * head of the execution, in n8n's own store, which survives a kill.
 *
 * @param warn receives what went wrong with the store
 * @returns for each event whether to continue with it; all of them if the store fails: a
 * duplicate is better than a loss
 */
export async function recognizePolled(
	seenEvents: SeenEvents,
	events: readonly PolledEvent[],
	warn: (message: string) => void,
): Promise<boolean[]> {
	return await recognize(
		seenEvents,
		events.map((event) => ({ ...event, isDelivery: false })),
		warn,
	);
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
	warn: (message: string) => void,
): Promise<boolean> {
	const [verdict] = await recognize(seenEvents, [{ ...event, isDelivery: true }], warn);
	return isSentOnPurpose || (verdict ?? true);
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

/**
 * The store records and returns what was there before, in one step; but an execution killed right
 * after it has lost the result. So it takes two: in the first, one execution wins the event
 * (`event`) and says that it has tried (`try`); in the second, the winner says that it has won
 * (`won`) and that there is a winner (`settled`). An execution that has tried before and is run
 * again continues if it has won, or if none has.
 */
async function recognize(
	seenEvents: SeenEvents,
	candidates: readonly Candidate[],
	warn: (message: string) => void,
): Promise<boolean[]> {
	const all = candidates.map((candidate) => getEntries(candidate));
	const before = await recordSurely(
		seenEvents,
		all.flatMap(({ tried, events, deliveries }) => [tried, ...events, ...deliveries]),
		true,
		warn,
	);
	const isKnown = (entry: string) => before?.has(entry) ?? false;
	const first = all.map(({ tried, events, deliveries }) => {
		if (isKnown(tried)) return 'unclear';
		return !events.some(isKnown) || deliveries.some(isKnown) ? 'won' : 'lost';
	});

	const open = all.filter((_, index) => first[index] !== 'lost');
	if (open.length === 0) return first.map(() => false);
	const winners = await recordSurely(
		seenEvents,
		open.flatMap(({ won, settled }) => [won, ...settled]),
		true,
		warn,
	);
	const verdicts = all.map(({ won, settled }, index) => {
		if (first[index] !== 'unclear') return first[index] === 'won';
		return winners?.has(won) || !settled.some((entry) => winners?.has(entry));
	});
	try {
		const wrong = all.filter((_, index) => first[index] === 'unclear' && !verdicts[index]);
		await seenEvents.forget(wrong.map(({ won }) => won));
	} catch (error) {
		warn(`An entry could not be removed: ${getErrorMessage(error)}`);
	}
	return verdicts;
}

function getEntries({ identities, emission, isDelivery }: Candidate) {
	const own = `${emission} ${identities[0] ?? ''}`;
	return {
		tried: `try ${own}`,
		won: `won ${own}`,
		events: identities.map((identity) => `event ${identity}`),
		settled: identities.map((identity) => `settled ${identity}`),
		deliveries: isDelivery ? identities.map((identity) => `delivered ${identity}`) : [],
	};
}
