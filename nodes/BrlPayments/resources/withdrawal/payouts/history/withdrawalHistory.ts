import { RowCollector } from '../../../../../shared/lists/rowCollector';
import type { ApiRecord, Page } from '../../../../../shared/transport/schemas';

/** A list is read no further back than this: 5,000 withdrawals. More would take minutes. */
export const MAX_HISTORY_PAGES = 50;

/** How often it is read again because payouts were made while it was read. */
const MAX_CATCH_UPS = 5;

export interface Excerpt {
	readonly rows: readonly ApiRecord[];
	/** False where rows may be missing. */
	readonly isComplete: boolean;
	/** Whether they are missing because the list is longer than what is read of it. */
	readonly isTooLong: boolean;
}

/**
 * The withdrawals of the account, read once for a run, page by page and only as far back as needed.
 *
 * Only `page` and `limit` are sent: a filter whose name is an assumption could hide the row that is
 * looked for.
 */
export class WithdrawalHistory {
	private readonly collector: RowCollector;
	private nextPage = 1;
	private catchUpsLeft = MAX_CATCH_UPS;
	private reading: Promise<void> = Promise.resolve();

	/** @param fetchPage page numbers begin with 1 */
	constructor(
		private readonly fetchPage: (page: number) => Promise<Page>,
		now: () => number,
	) {
		this.collector = new RowCollector(now);
	}

	/**
	 * The withdrawals since a point in time.
	 * @param since epoch ms by the clock of this n8n; -Infinity for all
	 * @throws what `fetchPage` throws
	 */
	async since(since: number): Promise<Excerpt> {
		return await this.until(since, () => false);
	}

	/** The same, but read no further than `isEnough` asks for. */
	async until(since: number, isEnough: (rows: readonly ApiRecord[]) => boolean): Promise<Excerpt> {
		// Items read concurrently; each page is fetched once.
		const turn = this.reading.then(async () => await this.readBack(since, isEnough));
		this.reading = turn.then(
			() => undefined,
			() => undefined,
		);
		await turn;
		const rows = this.collector.rowsSince(since);
		const isComplete = this.reaches(since) || isEnough(rows);
		return { rows, isComplete, isTooLong: !isComplete && !this.collector.isAtEnd };
	}

	private async readBack(
		since: number,
		isEnough: (rows: readonly ApiRecord[]) => boolean,
	): Promise<void> {
		while (
			!this.collector.isAtEnd &&
			this.nextPage <= MAX_HISTORY_PAGES &&
			!(this.nextPage > 1 && this.reaches(since)) &&
			!isEnough(this.collector.rowsSince(-Infinity))
		) {
			this.collector.take(await this.fetchPage(this.nextPage), this.nextPage);
			this.nextPage += 1;
		}
		while (this.collector.isAtEnd && !this.collector.isWhole && this.catchUpsLeft > 0) {
			const isNews = await this.catchUp();
			// Nothing new, and still incomplete: the service counts more rows than it shows.
			this.catchUpsLeft = isNews ? this.catchUpsLeft - 1 : 0;
		}
	}

	/**
	 * Payouts that were made while the list was read are missing: on its first pages where the newest
	 * come first, on its last ones where they come last.
	 * @returns whether there were some
	 */
	private async catchUp(): Promise<boolean> {
		let isNews = false;
		for (const first of [1, this.nextPage - 1]) {
			for (let page = first; !this.collector.isWhole && page <= MAX_HISTORY_PAGES; page += 1) {
				if (!this.collector.take(await this.fetchPage(page), page)) break;
				isNews = true;
			}
		}
		return isNews;
	}

	private reaches(since: number): boolean {
		return this.collector.isAtEnd ? this.collector.isWhole : this.collector.isPast(since);
	}
}
