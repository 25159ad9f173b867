import { RowCollector } from '../../shared/lists/rowCollector';
import type { ApiRecord, Page } from '../../shared/transport/schemas';

/**
 * A poll reads at most this many pages of one list: 2,000 rows. The next poll continues where it
 * stopped.
 */
export const MAX_PAGES = 20;

export interface PolledRows {
	readonly rows: readonly ApiRecord[];
	/** The page to continue with at the next poll; 1 if the list was read as far back as wanted. */
	readonly nextPage: number;
	/** How far the clock of the service is ahead of this one, in milliseconds. */
	readonly clockLead: number;
	/** What ended the reading early; what was read before it is in `rows`. */
	readonly error?: unknown;
}

/**
 * Reads the rows of a list since a point in time. Only `page` and `limit` are sent, so the first
 * page is read each time, and then what an earlier poll has left over.
 *
 * New rows push others onto later pages, never onto earlier ones, so continuing at the same page
 * misses none.
 *
 * @param fetchPage page numbers begin with 1
 * @param since epoch ms by the clock of this n8n
 * @param resumeAt see `Reading.nextPage`
 */
export async function readRecent(
	fetchPage: (page: number) => Promise<Page>,
	since: number,
	resumeAt: number,
	now: () => number,
): Promise<PolledRows> {
	const collector = new RowCollector(now);
	const reading = (nextPage: number): PolledRows => ({
		rows: collector.rowsSince(since),
		nextPage,
		clockLead: collector.clockLead,
	});
	let number = 1;
	for (let read = 0; read < MAX_PAGES; read += 1) {
		try {
			collector.take(await fetchPage(number), number);
		} catch (error) {
			return { ...reading(Math.max(number, resumeAt)), error };
		}
		if (collector.isAtEnd || collector.isPast(since)) return reading(1);
		number = number === 1 ? Math.max(2, resumeAt) : number + 1;
	}
	return reading(number);
}
