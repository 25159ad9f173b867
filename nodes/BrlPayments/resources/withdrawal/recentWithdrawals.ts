import { idOfRow, isLastPage, MAX_FRUITLESS_PAGES, MAX_PAGE_SIZE } from '../../../api/pagination';
import type { ApiRecord, Page } from '../../../api/schemas';

/**
 * The withdrawals since a moment, read anew before each payout. What is known already is not read
 * again: the service's own count tells when nothing is missing, in whatever order it lists them.
 */
export class RecentWithdrawals {
	private readonly known = new Map<unknown, ApiRecord>();
	/**
	 * The largest count that any answer showed. Items refresh side by side: what is known from a newer
	 * answer of another item must not make up for a row that an older one of this item has yet to show.
	 */
	private largestTotal = 0;

	/** @param fetchPage gives a page of the list from that moment on; page numbers begin with 1 */
	constructor(private readonly fetchPage: (page: number) => Promise<Page>) {}

	/** All of them as of now. */
	async refresh(): Promise<ApiRecord[]> {
		const seenNow = new Set<unknown>();
		let fruitless = 0;
		for (let number = 1; ; number += 1) {
			const page = await this.fetchPage(number);
			const seenBefore = seenNow.size;
			for (const row of page.rows) {
				const id = idOfRow(row);
				seenNow.add(id);
				this.known.set(id, row);
			}
			this.largestTotal = Math.max(this.largestTotal, page.total ?? 0);
			const isComplete = page.total !== undefined && this.known.size >= this.largestTotal;
			// A server that does not know pages sends the same rows for ever, whatever it counts.
			fruitless = seenNow.size === seenBefore ? fruitless + 1 : 0;
			const isRepeated = fruitless >= (page.totalPages === undefined ? 1 : MAX_FRUITLESS_PAGES);
			if (isComplete || isRepeated || isLastPage(page, number, MAX_PAGE_SIZE)) break;
		}
		return [...this.known.values()];
	}
}
