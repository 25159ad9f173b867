import { idOfRow, isLastPage, MAX_FRUITLESS_PAGES, MAX_PAGE_SIZE } from '../../api/pagination';
import { isSince, momentOf } from '../../api/rowMoment';
import type { ApiRecord, Page } from '../../api/schemas';

/** Of one list, a poll reads no more pages: 2,000 rows. The next poll goes on where it stopped. */
export const MAX_PAGES = 20;
/** The clocks of two machines, and the time between a booking and its answer. */
const CLOCK_SLACK_MS = 60_000;

export interface Reading {
	readonly rows: readonly ApiRecord[];
	/** The page to go on with at the next poll; 1 where the list was read as far back as wanted. */
	readonly nextPage: number;
	/** What ended the reading early; what was read before it is in `rows`. */
	readonly error?: unknown;
}

/**
 * Reads the rows of a list since a moment. Only `page` and `limit` go along, so the first page is read
 * each time, and then what an earlier poll has left over.
 *
 * New rows push others onto later pages, never onto earlier ones, so going on at the same page misses
 * none. Nor is the order of the list documented: it is stopped early only where all rows so far came
 * newest first.
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
): Promise<Reading> {
	const known = new Map<string, ApiRecord>();
	const inWindow = () => [...known.values()].filter((row) => isSince(row, from));
	let from = since - CLOCK_SLACK_MS;
	let oldest = Infinity;
	let newest = -Infinity;
	let isNewestFirst = true;
	let fruitless = 0;
	let number = 1;
	for (let read = 0; read < MAX_PAGES; read += 1) {
		let page: Page;
		try {
			page = await fetchPage(number);
		} catch (error) {
			return { rows: inWindow(), nextPage: Math.max(number, resumeAt), error };
		}
		if (page.date !== undefined) from = since + (page.date - now()) - CLOCK_SLACK_MS;
		const before = known.size;
		for (const row of page.rows) {
			const id = idOfRow(row);
			if (known.has(id)) continue;
			known.set(id, row);
			const createdAt = momentOf(row);
			// Also where the row shows no moment.
			isNewestFirst &&= createdAt <= oldest;
			newest = Math.max(newest, createdAt);
			oldest = Math.min(oldest, Number.isNaN(createdAt) ? Infinity : createdAt);
		}
		// A server that does not know pages sends the same rows for ever, whatever it counts.
		fruitless = known.size === before ? fruitless + 1 : 0;
		const isRepeated = fruitless >= (page.totalPages === undefined ? 1 : MAX_FRUITLESS_PAGES);
		const isAtEnd = isRepeated || isLastPage(page, number, MAX_PAGE_SIZE);
		// Rows of one moment show no order.
		const isPast = isNewestFirst && oldest < newest && oldest < from;
		if (isAtEnd || isPast) return { rows: inWindow(), nextPage: 1 };
		number = number === 1 ? Math.max(2, resumeAt) : number + 1;
	}
	return { rows: inWindow(), nextPage: number };
}
