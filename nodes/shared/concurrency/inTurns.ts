import { realRuntime, type Runtime } from './runtime';

/** How long n8n may have to wait for its event loop, in milliseconds. */
const LONGEST_TURN_MS = 20;

/**
 * `rows.map`, in as many turns of the event loop as it takes: 50,000 rows in one turn keep n8n from
 * answering webhooks, and its editor, for seconds.
 */
export async function mapInTurns<T, R>(
	rows: readonly T[],
	map: (row: T) => R,
	runtime: Pick<Runtime, 'now' | 'nextTurn'> = realRuntime,
): Promise<R[]> {
	const mapped: R[] = [];
	let turnEndsAt = runtime.now() + LONGEST_TURN_MS;
	for (const row of rows) {
		if (runtime.now() >= turnEndsAt) {
			await runtime.nextTurn();
			turnEndsAt = runtime.now() + LONGEST_TURN_MS;
		}
		mapped.push(map(row));
	}
	return mapped;
}
