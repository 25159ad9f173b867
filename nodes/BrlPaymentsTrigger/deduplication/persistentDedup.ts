import type { Ledger } from './ledger';
import { MAX_ATTEMPTS, reasonOf, recordSurely } from './recordSurely';

/** What the emitted item carries from the webhook to here; taken out again before anyone sees it. */
export interface DeliveryMark {
	/** As `id`, of what `replayKey` made of the delivery id. */
	readonly key: string;
	/** See `contentId`. */
	readonly id: string;
	/** See `verify`. */
	readonly fingerprints: readonly string[];
	/** Names this one emission: the same when its execution is run again, another one for a copy. */
	readonly emission: string;
}

/**
 * - `first`: go on
 * - `copy`: another execution has this delivery
 * - `foreignSignature`: its signature came with another delivery id before
 */
export type DedupResult = 'first' | 'copy' | 'foreignSignature';

/**
 * Remembers a delivery in n8n's own database-backed store, which survives restarts and spans
 * processes, and says whether it was there before. Where the store keeps failing the delivery goes
 * on: a duplicate is better than a loss.
 *
 * The store records and tells what was there before in one step; but an execution that is killed right
 * after it has lost the answer. So there are two steps. In the first, one execution wins the delivery
 * (`id`), and each says that it has tried (`run`). In the second, the winner says that it has won (`won`)
 * and that there is a winner (`settled`). An execution that has tried before, and is run again, goes on
 * if it has won, or if nobody has.
 *
 * A foreign signature may be that of a genuine delivery all the same: two events may have one body and
 * one second, and here it is too late to ask the sender again. So once it was refused, a person may
 * run it again, and it goes on.
 *
 * @param isRetry whether a person runs the execution again
 * @param isShared whether another process may write to the store
 * @param warn receives what went wrong with the store
 */
export async function remember(
	ledger: Ledger,
	mark: DeliveryMark,
	{ isRetry, isShared }: { isRetry: boolean; isShared: boolean },
	warn: (message: string) => void,
): Promise<DedupResult> {
	const own = {
		id: `id ${mark.id}`,
		key: `id ${mark.key}`,
		run: `run ${mark.key} ${mark.emission}`,
		signatures: mark.fingerprints.map((fingerprint) => `signature ${fingerprint}`),
	};
	// Key and id are the same, unless the user wants the delivery let through again.
	const entries = [...new Set(Object.values(own).flat())];
	const refused = `refused ${mark.key} ${mark.emission}`;
	const asked = isRetry ? [...entries, refused] : entries;

	const known = await recordSurely(ledger, asked, false, warn);
	if (!known) return 'first';
	const hasTried = known.has(own.run);
	const verdict = hasTried ? 'first' : judge(known, own, isRetry && known.has(refused));
	if (verdict === 'copy') return verdict;
	if (verdict === 'foreignSignature') {
		await takeBack(
			ledger,
			entries.filter((entry) => !known.has(entry)),
			warn,
		);
		if (!isRetry) await recordSurely(ledger, [refused], isShared, warn);
		return verdict;
	}

	const won = `won ${mark.key} ${mark.emission}`;
	const settled = `settled ${mark.key}`;
	// Where another process writes, what the first step recorded may be lost.
	const second = isShared ? [won, settled, ...asked] : [won, settled];
	const winners = await recordSurely(ledger, second, isShared, warn);
	if (!hasTried || winners?.has(won) || !winners?.has(settled)) return verdict;
	await takeBack(ledger, [won], warn);
	return 'copy';
}

/** Nothing of a delivery that does not go on may stand in the way of the one that does. */
async function takeBack(
	ledger: Ledger,
	entries: readonly string[],
	warn: (message: string) => void,
): Promise<void> {
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		try {
			return await ledger.forget(entries);
		} catch (error) {
			warn(`Entries could not be removed (attempt ${attempt}): ${reasonOf(error)}`);
		}
	}
}

function judge(
	known: ReadonlySet<string>,
	own: Record<'id' | 'key', string> & { signatures: string[] },
	isApproved: boolean,
): DedupResult {
	const isKnown = own.signatures.some((signature) => known.has(signature));
	if (isKnown && !known.has(own.id) && !isApproved) return 'foreignSignature';
	return known.has(own.key) ? 'copy' : 'first';
}
