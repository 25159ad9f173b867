import { idOfRow, isLastPage, MAX_FRUITLESS_PAGES, MAX_PAGE_SIZE } from './pagination';
import type { ApiRecord, Page } from '../transport/schemas';
import { toText } from '../input/text';

/** Covers clocks that differ, and the time between a booking and its response. */
const CLOCK_SLACK_MS = 60_000;

/** Rows with one timestamp show no order, and those with two or three may come newest first by chance. */
const LEAST_DESCENTS = 4;

/**
 * Collects the rows of a list that is read page by page back to a point in time, and says when enough was
 * read.
 *
 * The order of the list is not documented: reading stops early only if all rows so far came newest
 * first.
 */
export class RowCollector {
	private readonly known = new Map<string, ApiRecord>();
	private isNewestFirst = true;
	private oldest = Infinity;
	/** How often a row was older than all before it. */
	private descents = 0;
	private largestTotal = 0;
	private fruitlessPages = 0;
	private lead: number | undefined;
	/** No page after the last one taken contains a row that is not known. */
	isAtEnd = false;

	/** @param now epoch ms by the clock of this n8n */
	constructor(private readonly now: () => number) {}

	/** How far the clock of the service is ahead of this one, in milliseconds. */
	get clockLead(): number {
		return this.lead ?? 0;
	}

	/** At the end, and with as many rows as the service counts. */
	get isWhole(): boolean {
		return this.isAtEnd && this.known.size >= this.largestTotal;
	}

	/**
	 * @param number of the page, which begins with 1
	 * @returns whether it contained rows that were not known
	 */
	take(page: Page, number: number): boolean {
		if (page.date !== undefined) this.lead = page.date - this.now();
		const before = this.known.size;
		for (const row of page.rows) this.add(row);
		this.largestTotal = Math.max(this.largestTotal, page.total ?? 0);
		// A server that does not know pages sends the same rows forever, whatever it counts.
		this.fruitlessPages = this.known.size === before ? this.fruitlessPages + 1 : 0;
		const fruitlessAtMost = page.totalPages === undefined ? 1 : MAX_FRUITLESS_PAGES;
		this.isAtEnd ||=
			this.fruitlessPages >= fruitlessAtMost || isLastPage(page, number, MAX_PAGE_SIZE);
		return this.known.size > before;
	}

	/**
	 * Whether no later page can contain a row since that time.
	 * @param since epoch ms by the clock of this n8n
	 */
	isPast(since: number): boolean {
		const isSorted = this.isNewestFirst && this.descents >= LEAST_DESCENTS;
		return isSorted && this.oldest < this.toServiceTime(since);
	}

	/**
	 * Rows since that time, and those without a timestamp, which may be from any time.
	 * @param since epoch ms by the clock of this n8n; -Infinity for all
	 * @param until what is certainly newer is left out, if the service says what time it is
	 */
	rowsSince(since: number, until = Infinity): ApiRecord[] {
		const rows = [...this.known.values()];
		// Called after each page: timestamps need not be parsed then.
		if (since === -Infinity && until === Infinity) return rows;
		const from = this.toServiceTime(since);
		const to = this.lead === undefined ? Infinity : until + Math.max(0, this.lead) + CLOCK_SLACK_MS;
		return rows.filter((row) => {
			const createdAt = getCreatedAt(row);
			return !(createdAt < from) && !(createdAt > to);
		});
	}

	private add(row: ApiRecord): void {
		const id = idOfRow(row);
		if (this.known.has(id)) return;
		this.known.set(id, row);
		const createdAt = getCreatedAt(row);
		// A comparison with NaN is false: a row without a timestamp proves no order.
		this.isNewestFirst &&= createdAt <= this.oldest;
		if (createdAt < this.oldest && this.oldest !== Infinity) this.descents += 1;
		this.oldest = Math.min(this.oldest, Number.isNaN(createdAt) ? Infinity : createdAt);
	}

	/** A `Date` that is ahead may be that of a proxy: rows are left out only by what makes them earlier. */
	private toServiceTime(timestamp: number): number {
		return timestamp + Math.min(0, this.clockLead) - CLOCK_SLACK_MS;
	}
}

/** When a row was created, in epoch ms; NaN if it shows no timestamp, or one without a time zone. */
export function getCreatedAt({ createdAt }: ApiRecord): number {
	return parseTimestamp(createdAt);
}

/** The latest timestamp in a row, in epoch ms; NaN if it has none. */
export function getLatestAt({ createdAt, paidAt, processedAt }: ApiRecord): number {
	const timestamps = [createdAt, paidAt, processedAt].map(parseTimestamp);
	const known = timestamps.filter((timestamp) => !Number.isNaN(timestamp));
	return known.length === 0 ? Number.NaN : Math.max(...known);
}

/** Epoch ms; NaN for what is not a timestamp, or has no time zone. */
function parseTimestamp(value: unknown): number {
	const text = toText(value);
	return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? Date.parse(text) : Number.NaN;
}
