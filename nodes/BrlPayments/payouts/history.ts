import { RowCollector } from '../../shared/lists/rowCollector';
import { MAX_PAGE_SIZE } from '../../shared/lists/pagination';
import type { Failure } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import type { Scope } from '../../shared/failures/scopes';
import { readPage, type ApiRecord, type Page } from '../../shared/transport/schemas';
import { InputError } from '../../shared/validation/inputError';
import type { ItemCall } from '../execution/itemCall';

/** The scope that an API key requires to look up payouts. */
export const LOOK_UP_SCOPE: Scope = 'withdrawals:read';

/** A list is read no further back than this: 20,000 withdrawals. */
export const MAX_HISTORY_PAGES = 200;

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
		// Items read concurrently; each page is fetched once.
		const turn = this.reading.then(async () => await this.readBack(since));
		this.reading = turn.then(
			() => undefined,
			() => undefined,
		);
		await turn;
		const rows = this.collector.rowsSince(since);
		const isComplete = this.reaches(since);
		return { rows, isComplete, isTooLong: !isComplete && !this.collector.isAtEnd };
	}

	private async readBack(since: number): Promise<void> {
		while (
			!this.collector.isAtEnd &&
			this.nextPage <= MAX_HISTORY_PAGES &&
			!(this.nextPage > 1 && this.reaches(since))
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

export type Reading = Excerpt | { readonly failure: Failure };

/** The list of withdrawals as one run of the node reads it: once, and not again after it failed. */
export class PayoutHistory {
	private readonly list: WithdrawalHistory;
	private failed: Failure | undefined;

	/** @param call of any item of the run */
	constructor(call: ItemCall) {
		this.list = new WithdrawalHistory(
			async (page) =>
				checkWhole(
					await call.lookUp<Page>('/v1/withdrawals', readPage('withdrawals'), LOOK_UP_SCOPE, {
						page,
						limit: MAX_PAGE_SIZE,
					}),
				),
			() => call.now(),
		);
	}

	/** See `WithdrawalHistory.since`; a failure is returned. */
	async since(since: number): Promise<Reading> {
		if (this.failed) return { failure: this.failed };
		try {
			return await this.list.since(since);
		} catch (error) {
			this.failed = toFailure(error);
			return { failure: this.failed };
		}
	}
}

/** @throws InputError for a page that a proxy has cached or changed: payouts may be missing in it */
function checkWhole(page: Page): Page {
	if (page.cachedBy !== undefined) {
		throw new InputError(
			`The list of withdrawals came from a cache (${page.cachedBy}), so payouts may be missing in it`,
			'Ask the administrator of the proxy between n8n and the service to turn off caching for it.',
		);
	}
	// Each list of the service says how many rows there are (docs/api.md#pagination).
	if (page.total === undefined) {
		throw new InputError(
			'The list of withdrawals does not say how many there are, so payouts may be missing in it',
			'Run this again later. If it stays like this, ask the administrator of the proxy between n8n and the service what it does with the responses.',
		);
	}
	return page;
}
