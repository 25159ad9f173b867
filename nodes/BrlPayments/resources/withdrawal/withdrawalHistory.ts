import { idOfRow, isLastPage, MAX_FRUITLESS_PAGES, MAX_PAGE_SIZE } from '../../../api/pagination';
import { isSince, momentOf } from '../../../api/rowMoment';
import type { ApiRecord, Page } from '../../../api/schemas';

/** A list is read no further back than this: 5,000 withdrawals. More would take minutes. */
export const MAX_HISTORY_PAGES = 50;
/** The clocks of two machines, and the time between a booking and its answer. */
const CLOCK_SLACK_MS = 60_000;

export interface Excerpt {
	readonly rows: readonly ApiRecord[];
	/** False where older rows may be missing. */
	readonly isComplete: boolean;
}

/**
 * The withdrawals of the account, read once for a run, page by page and only as far back as needed.
 *
 * Only `page` and `limit` go along: a filter whose name is an assumption could hide the very row that
 * is looked for. Nor is the order of the list documented: it is stopped early only where all rows so
 * far came newest first.
 */
export class WithdrawalHistory {
	private readonly known = new Map<string, ApiRecord>();
	private nextPage = 1;
	private isAtEnd = false;
	private isNewestFirst = true;
	private oldest = Infinity;
	private newest = -Infinity;
	private largestTotal = 0;
	private fruitless = 0;
	/** How far the clock of the service is ahead of this one, milliseconds. */
	private clockLead = 0;
	private reading: Promise<void> = Promise.resolve();

	/** @param fetchPage page numbers begin with 1 */
	constructor(
		private readonly fetchPage: (page: number) => Promise<Page>,
		private readonly now: () => number,
	) {}

	/**
	 * The withdrawals since a moment.
	 * @param since epoch ms by the clock of this n8n; -Infinity for all
	 * @throws what `fetchPage` throws
	 */
	async since(since: number): Promise<Excerpt> {
		return await this.until(since, () => false);
	}

	/** The same, but read no further than `isEnough` asks for. */
	async until(since: number, isEnough: (rows: readonly ApiRecord[]) => boolean): Promise<Excerpt> {
		// Items ask side by side; each page is read once.
		const turn = this.reading.then(async () => await this.readBack(since, isEnough));
		this.reading = turn.then(
			() => undefined,
			() => undefined,
		);
		await turn;
		const from = this.toServiceTime(since);
		const rows = [...this.known.values()].filter((row) => isSince(row, from));
		return { rows, isComplete: this.reaches(from) || isEnough(rows) };
	}

	private async readBack(
		since: number,
		isEnough: (rows: readonly ApiRecord[]) => boolean,
	): Promise<void> {
		while (
			!this.isAtEnd &&
			this.nextPage <= MAX_HISTORY_PAGES &&
			!(this.nextPage > 1 && this.reaches(this.toServiceTime(since))) &&
			!isEnough([...this.known.values()])
		) {
			this.take(await this.fetchPage(this.nextPage), this.nextPage);
			this.nextPage += 1;
		}
	}

	private take(page: Page, number: number): void {
		if (page.date !== undefined) this.clockLead = page.date - this.now();
		const before = this.known.size;
		for (const row of page.rows) {
			const id = idOfRow(row);
			if (this.known.has(id)) continue;
			this.known.set(id, row);
			const createdAt = momentOf(row);
			// Also where the row shows no moment.
			this.isNewestFirst &&= createdAt <= this.oldest;
			this.newest = Math.max(this.newest, createdAt);
			this.oldest = Math.min(this.oldest, Number.isNaN(createdAt) ? Infinity : createdAt);
		}
		this.largestTotal = Math.max(this.largestTotal, page.total ?? 0);
		// A server that does not know pages sends the same rows for ever, whatever it counts.
		this.fruitless = this.known.size === before ? this.fruitless + 1 : 0;
		const isRepeated = this.fruitless >= (page.totalPages === undefined ? 1 : MAX_FRUITLESS_PAGES);
		this.isAtEnd = isRepeated || isLastPage(page, number, MAX_PAGE_SIZE);
	}

	/** @param from epoch ms by the clock of the service */
	private reaches(from: number): boolean {
		if (this.isAtEnd) return this.known.size >= this.largestTotal;
		// Rows of one moment show no order.
		return this.isNewestFirst && this.oldest < this.newest && this.oldest < from;
	}

	private toServiceTime(moment: number): number {
		return moment + this.clockLead - CLOCK_SLACK_MS;
	}
}
