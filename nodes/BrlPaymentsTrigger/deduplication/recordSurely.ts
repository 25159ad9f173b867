import type { SeenEvents } from './seenEvents';

/** How often a store that fails is tried. */
export const MAX_ATTEMPTS = 5;

/**
 * Records entries in n8n's store, and tries again if that fails. The helper reads a row and
 * writes it back, so two processes can lose each other's entries: if another one may write, it
 * checks after writing whether they are really there.
 *
 * @param isShared whether another process may write to the store
 * @param warn receives what went wrong with the store
 * @returns those that were there before; after a failure these may be its own. Undefined if the
 * store kept failing
 */
export async function recordSurely(
	seenEvents: SeenEvents,
	entries: readonly string[],
	isShared: boolean,
	warn: (message: string) => void,
): Promise<ReadonlySet<string> | undefined> {
	const distinct = [...new Set(entries)];
	let knownBefore: ReadonlySet<string> | undefined;
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		try {
			const known = await seenEvents.record(distinct);
			knownBefore ??= known;
			if (!isShared || known.size === distinct.length) break;
		} catch (error) {
			warn(
				`The events that were seen could not be read or written (attempt ${attempt}): ${getErrorMessage(error)}`,
			);
		}
	}
	return knownBefore;
}

/** What a failure of the store says, for the log. */
export function getErrorMessage(error: unknown): string {
	return error instanceof Error ? error.message : 'unknown error';
}
