import type { Ledger } from './ledger';

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
export type Recollection = 'first' | 'copy' | 'foreignSignature';

const MAX_ATTEMPTS = 5;

/**
 * Remembers a delivery in n8n's own database-backed store, which survives restarts and spans
 * processes, and says whether it was there before.
 *
 * The helper reads a row and writes it back, so two processes can lose each other's entries: where
 * another one may write, it looks after writing whether the entries are really there. The very first
 * write of two processes collides on the row's key. Where the store keeps failing the delivery goes
 * on: a duplicate is better than a loss.
 *
 * An execution that is run again meets the entries that it left itself. It knows them by its emission,
 * and goes on; it stays a copy when another execution had the delivery first.
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
): Promise<Recollection> {
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
	let verdict: Recollection | undefined;

	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		try {
			const known = await ledger.record(asked);
			verdict ??= judge(known, own, isRetry && known.has(refused));
			if (verdict === 'copy') {
				// Run again, a copy must not take its own entries for those of the first one.
				await ledger.forget([own.run]);
				return verdict;
			}
			if (verdict === 'foreignSignature') {
				// Nothing of it may stand in the way of the genuine delivery with that id.
				await ledger.forget(entries.filter((entry) => !known.has(entry)));
				if (!isRetry) await ledger.record([refused]);
				return verdict;
			}
			if (!isShared || known.size === asked.length) return verdict;
		} catch (error) {
			warn(
				`The deliveries that were seen could not be read or written (attempt ${attempt}): ${error instanceof Error ? error.message : 'unknown error'}`,
			);
		}
	}
	return verdict ?? 'first';
}

function judge(
	known: ReadonlySet<string>,
	own: Record<'id' | 'key' | 'run', string> & { signatures: string[] },
	isApproved: boolean,
): Recollection {
	if (known.has(own.run)) return 'first';
	const isKnown = own.signatures.some((signature) => known.has(signature));
	if (isKnown && !known.has(own.id) && !isApproved) return 'foreignSignature';
	return known.has(own.key) ? 'copy' : 'first';
}
