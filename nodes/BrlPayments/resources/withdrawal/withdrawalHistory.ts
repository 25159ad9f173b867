import { RowCollector } from '../../../api/rowCollector';
import type { ApiRecord, Page } from '../../../api/schemas';

/** A list is read no further back than this: 5,000 withdrawals. More would take minutes. */
export const MAX_HISTORY_PAGES = 50;

export interface Excerpt {
	readonly rows: readonly ApiRecord[];
	/** False where older rows may be missing. */
	readonly isComplete: boolean;
}

/**
 * The withdrawals of the account, read once for a run, page by page and only as far back as needed.
 *
 * Only `page` and `limit` go along: a filter whose name is an assumption could hide the very row that
 * is looked for.
 */
export class WithdrawalHistory {
	private readonly collector: RowCollector;
	private nextPage = 1;
	private reading: Promise<void> = Promise.resolve();

	/** @param fetchPage page numbers begin with 1 */
	constructor(
		private readonly fetchPage: (page: number) => Promise<Page>,
		now: () => number,
	) {
		this.collector = new RowCollector(now);
	}

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
		const rows = this.collector.rowsSince(since);
		return { rows, isComplete: this.reaches(since) || isEnough(rows) };
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
	}

	private reaches(since: number): boolean {
		return this.collector.isAtEnd ? this.collector.isWhole : this.collector.isPast(since);
	}
}
