import type { SeenEvents } from './seenEvents';
import { MAX_ATTEMPTS, getErrorMessage, recordSurely } from './recordSurely';

/** What the emitted item carries from the webhook to here; removed before anyone sees it. */
export interface DeliveryMark {
	/** As `id`, but made from what `replayKey` returns for the delivery id. */
	readonly key: string;
	/** The delivery id and the event, neither of which is signed. */
	readonly id: string;
	/** What is signed, see `contentsOf`. */
	readonly contents: readonly string[];
	/** See `verify`. */
	readonly fingerprints: readonly string[];
	/** Names this one emission: the same when its execution is run again, another one for a copy. */
	readonly emission: string;
}

/**
 * - `first`: continue
 * - `copy`: another execution has this delivery
 * - `foreignSignature`: its signature came with another delivery id before
 */
export type DedupResult = 'first' | 'copy' | 'foreignSignature';

/**
 * Remembers a delivery in n8n's own database-backed store, which survives restarts and spans
 * processes, and says whether it was there before. If the store keeps failing, the delivery
 * continues: a duplicate is better than a loss.
 *
 * The store records and returns what was there before in one call; but an execution that is killed
 * right after a call has lost the result. So there are two calls. The first only records who has
 * tried. It refuses a foreign signature, and shows whether an execution comes first. The second
 * settles the delivery: the first execution to record `settled` continues, and none after it.
 *
 * A foreign signature may still be that of a genuine delivery: two events may have the same body in
 * the same second, and here it is too late for the sender to try again. So after a refusal, a person
 * may run the execution again, and it continues.
 *
 * @param isRetry whether a person runs the execution again
 * @param isShared whether another process may write to the store
 * @param warn receives what went wrong with the store
 */
export async function remember(
	seenEvents: SeenEvents,
	mark: DeliveryMark,
	{ isRetry, isShared }: { isRetry: boolean; isShared: boolean },
	warn: (message: string) => void,
): Promise<DedupResult> {
	const names = entryNames(mark);
	// Key and id are the same, unless the user wants the delivery let through again.
	const tried = [...new Set([names.id, names.key, names.run, ...names.signatures])];
	const asked = isRetry ? [...tried, names.refused] : tried;

	const known = await recordSurely(seenEvents, asked, false, warn);
	if (!known) return 'first';
	const isApproved = isRetry && known.has(names.refused);
	const hasTried = known.has(names.run);
	if (!hasTried && !isApproved && isForeign(known, names)) {
		const isNew = (entry: string) => !known.has(entry);
		return await refuse(seenEvents, tried.filter(isNew), { names, isRetry, isShared }, warn);
	}

	// A later execution must not record itself as the winner before it knows: it may be killed right after.
	const comesLater = known.has(names.key) && !hasTried;
	const settled = [...names.settled, ...names.settledById];
	const claim = [...(comesLater ? [] : [names.won]), ...settled, ...names.owners];
	// If another process writes, what the first call recorded may be lost.
	const second = isShared ? [...claim, ...asked] : claim;
	const before = await recordSurely(seenEvents, second, isShared, warn);
	if (!before || before.has(names.won)) return 'first';
	if (names.settled.some((entry) => before.has(entry))) {
		if (!comesLater) await takeBack(seenEvents, [names.won], warn);
		return 'copy';
	}
	// An execution that was killed has tried this id before, and it is unknown which signature it had.
	const isOwned = mark.key === mark.id && names.owners.some((owner) => before.has(owner));
	if (isOwned && !isApproved && known.has(names.id)) {
		const claimed = [...claim, ...tried].filter((entry) => !before.has(entry));
		return await refuse(seenEvents, claimed, { names, isRetry, isShared }, warn);
	}
	if (comesLater) await recordSurely(seenEvents, [names.won], isShared, warn);
	return 'first';
}

interface EntryNames {
	readonly id: string;
	readonly key: string;
	/** This execution has tried. */
	readonly run: string;
	readonly signatures: readonly string[];
	/** This execution was refused for its signature. */
	readonly refused: string;
	/** This execution continues. */
	readonly won: string;
	/** Some execution continues with this key, about this resource in this status. */
	readonly settled: readonly string[];
	/** The same with the id, if that is not the key. */
	readonly settledById: readonly string[];
	/** Some execution continued with this signature. */
	readonly owners: readonly string[];
}

function entryNames({ id, key, contents, emission, fingerprints }: DeliveryMark): EntryNames {
	const settledAs = (name: string) => contents.map((content) => `settled ${name} ${content}`);
	return {
		id: `id ${id}`,
		key: `id ${key}`,
		run: `run ${key} ${emission}`,
		signatures: fingerprints.map((fingerprint) => `signature ${fingerprint}`),
		refused: `refused ${key} ${emission}`,
		won: `won ${key} ${emission}`,
		settled: settledAs(key),
		settledById: key === id ? [] : settledAs(id),
		owners: fingerprints.map((fingerprint) => `owner ${fingerprint}`),
	};
}

/** Whether the signature came with another delivery id before. */
function isForeign(known: ReadonlySet<string>, { id, signatures }: EntryNames): boolean {
	return signatures.some((signature) => known.has(signature)) && !known.has(id);
}

/** A delivery that does not continue must leave nothing that stops the one that does. */
async function refuse(
	seenEvents: SeenEvents,
	entries: readonly string[],
	{ names, isRetry, isShared }: { names: EntryNames; isRetry: boolean; isShared: boolean },
	warn: (message: string) => void,
): Promise<'foreignSignature'> {
	await takeBack(seenEvents, entries, warn);
	if (!isRetry) await recordSurely(seenEvents, [names.refused], isShared, warn);
	return 'foreignSignature';
}

async function takeBack(
	seenEvents: SeenEvents,
	entries: readonly string[],
	warn: (message: string) => void,
): Promise<void> {
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		try {
			return await seenEvents.forget(entries);
		} catch (error) {
			warn(`Entries could not be removed (attempt ${attempt}): ${getErrorMessage(error)}`);
		}
	}
}
