import type { StoreAccess } from '../../api/durableStore';
import type { PolledEvent } from './mark';

const MAX_ATTEMPTS = 5;
/** Of a node, for both ways of receiving; the oldest are forgotten first. */
const MAX_ENTRIES = 60_000;

const eventEntry = (identity: string) => `event ${identity}`;

/**
 * Says which polled events no execution has had before, and remembers all of them. It decides at the
 * head of the execution, in n8n's own store, which survives a kill.
 *
 * An execution that is run again meets the entries that it left itself. It knows them by its emission.
 * @param warn receives what went wrong with the store
 * @returns for each event whether to go on with it; all of them where the store fails: a duplicate is
 * better than a loss
 */
export async function recognizePolled(
	store: StoreAccess,
	events: readonly PolledEvent[],
	warn: (message: string) => void,
): Promise<boolean[]> {
	const own = events.map(({ identities, emission }) => ({
		run: `run ${emission} ${identities[0] ?? ''}`,
		seen: identities.map(eventEntry),
	}));
	const entries = own.flatMap(({ run, seen }) => [run, ...seen]);
	const known = await recordSurely(store, entries, warn);
	const verdicts = own.map(
		({ run, seen }) => known.has(run) || !seen.some((entry) => known.has(entry)),
	);
	// Run again, a repetition must not take its own entry for that of the first one.
	const repeated = own.filter((_, index) => !verdicts[index]).map(({ run }) => run);
	try {
		await store.forget(repeated);
	} catch (error) {
		warn(`An entry could not be removed: ${reasonOf(error)}`);
	}
	return verdicts;
}

/**
 * Says whether an event that a webhook has brought is news beside polling. The first delivery of an
 * event that a poll has emitted is not; a later one with another delivery ID is sent on purpose, such
 * as PAYMENT_PAID after a dispute that was won.
 */
export async function recognizeDelivered(
	store: StoreAccess,
	identities: readonly string[],
	warn: (message: string) => void,
): Promise<boolean> {
	const seen = identities.map(eventEntry);
	const delivered = identities.map((identity) => `delivered ${identity}`);
	const known = await recordSurely(store, [...seen, ...delivered], warn);
	return !seen.some((entry) => known.has(entry)) || delivered.some((entry) => known.has(entry));
}

/** Records, and looks whether it is there: two processes can lose each other's entries. */
async function recordSurely(
	store: StoreAccess,
	entries: readonly string[],
	warn: (message: string) => void,
): Promise<ReadonlySet<string>> {
	const distinct = [...new Set(entries)];
	let knownAtFirst: ReadonlySet<string> | undefined;
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		try {
			const known = await store.record(distinct, MAX_ENTRIES);
			knownAtFirst ??= known;
			if (known.size === distinct.length) break;
		} catch (error) {
			warn(
				`The events that were seen could not be read or written (attempt ${attempt}): ${reasonOf(error)}`,
			);
		}
	}
	return knownAtFirst ?? new Set();
}

function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : 'unknown error';
}
