import { RowCollector } from '../../shared/lists/rowCollector';
import type { Failure, Scope } from '../../shared/failures/failure';
import { toFailure } from '../../shared/failures/itemError';
import { toBrasiliaTime } from '../../shared/text/time';
import { path } from '../../shared/transport/path';
import { readPage, type ApiRecord, type Page } from '../../shared/transport/schemas';
import { InputError } from '../../shared/input/inputError';
import type { ItemCall } from '../item';
import type { Environment } from '../../shared/client/connection';

/** The scope that an API key requires to look up payouts. */
export const LOOK_UP_SCOPE: Scope = 'withdrawals:read';

/** A list of the account that is searched for orders, newest first. */
export interface AccountList {
	/** Its path is `/v1/` and this name. */
	readonly name: 'withdrawals' | 'payments';
	readonly scope: Scope;
}

export const WITHDRAWALS: AccountList = { name: 'withdrawals', scope: LOOK_UP_SCOPE };
export const PAYMENTS: AccountList = { name: 'payments', scope: 'payments:read' };

/** A list is read no further back than this. */
export const MAX_HISTORY_ROWS = 20_000;

/** How often it is read again because payouts were made while it was read. */
const MAX_CATCH_UPS = 5;

/** By how much the clocks of n8n, its database and the service may differ before a list proves something false. */
export const CLOCKS_DIFFER_MS = 15 * 60_000;

export interface Excerpt {
	readonly rows: readonly ApiRecord[];
	/** False if rows may be missing. */
	readonly isComplete: boolean;
	/** Whether they are missing because the list is longer than what is read of it. */
	readonly isTooLong: boolean;
}

export type Reading = Excerpt | { readonly failure: Failure };

/**
 * Page sizes that nothing else in this package asks for, one for each minute. Their number divides neither
 * an hour nor a day: a workflow that runs every hour would always ask for the same address.
 */
const LEAST_PAGE_SIZE = 69;
const PAGE_SIZES = 31;

/**
 * How many rows to ask for on each page of one reading. Something on the way may have kept a page under its
 * address without saying so, and a payout may be missing in it: what was asked for in the last half hour
 * had another address.
 * @param now epoch ms, when the reading begins
 */
export function pageSizeAt(now: number): number {
	return LEAST_PAGE_SIZE + (Math.floor(now / 60_000) % PAGE_SIZES);
}

/**
 * The withdrawals (or payments) of the account as one run of the node reads them: once, page by page, only
 * as far back as needed, and not again after that failed.
 *
 * Only `page` and `limit` are sent: a filter whose name is an assumption could hide the row that is
 * looked for.
 */
export class AccountHistory {
	private begunAt = 0;
	private pageSize = 0;
	private collector = new RowCollector(() => this.call.now());
	private nextPage = 1;
	/** A page that is not the last one had fewer rows than were asked for. */
	private isCut = false;
	private catchUpsLeft = MAX_CATCH_UPS;
	private reading: Promise<void> = Promise.resolve();
	private failed: Failure | undefined;

	/** @param call of any item of the run */
	constructor(
		private readonly call: Pick<ItemCall, 'lookUp' | 'now' | 'environment'>,
		private readonly list: AccountList = WITHDRAWALS,
	) {}

	/**
	 * The rows since a point in time, or why they cannot be read.
	 * @param since epoch ms by the clock of this n8n; -Infinity for all
	 * @param notBefore what was read before that time is read again
	 * @param until by the same clock; newer rows are left out
	 */
	async since(since: number, notBefore = -Infinity, until = Infinity): Promise<Reading> {
		// Items read concurrently; each page is fetched once.
		this.reading = this.reading.then(async () => {
			if (this.nextPage === 1 || this.begunAt < notBefore) this.begin();
			if (this.failed === undefined) await this.readBack(since);
		});
		this.reading = this.reading.catch((error: unknown) => {
			this.failed = toFailure(error);
		});
		await this.reading;
		if (this.failed) return { failure: this.failed };
		const rows = this.collector.rowsSince(since, until);
		const isComplete = this.reaches(since);
		return { rows, isComplete, isTooLong: !isComplete && !this.collector.isAtEnd };
	}

	private begin(): void {
		this.begunAt = this.call.now();
		this.pageSize = pageSizeAt(this.begunAt);
		this.collector = new RowCollector(() => this.call.now(), this.pageSize);
		this.nextPage = 1;
		this.isCut = false;
		this.catchUpsLeft = MAX_CATCH_UPS;
	}

	private async readBack(since: number): Promise<void> {
		while (
			!this.collector.isAtEnd &&
			this.nextPage <= this.lastPage &&
			!(this.nextPage > 1 && this.reaches(since))
		) {
			await this.take(this.nextPage);
			this.nextPage += 1;
		}
		while (this.collector.isAtEnd && !this.collector.isWhole && this.catchUpsLeft > 0) {
			const isNews = await this.catchUp();
			// Nothing new, and still incomplete: the service counts more rows than it shows.
			this.catchUpsLeft = isNews ? this.catchUpsLeft - 1 : 0;
		}
	}

	/**
	 * Payouts that were made while the list was read are missing: on its first pages if the newest
	 * come first, on its last ones if they come last.
	 * @returns whether there were some
	 */
	private async catchUp(): Promise<boolean> {
		let isNews = false;
		for (const first of [1, this.nextPage - 1]) {
			for (let page = first; !this.collector.isWhole && page <= this.lastPage; page += 1) {
				if (!(await this.take(page))) break;
				isNews = true;
			}
		}
		return isNews;
	}

	/** Reads a page; the first one is 1. @returns whether it had rows that were not known */
	private async take(page: number): Promise<boolean> {
		const query = { page, limit: this.pageSize };
		const { name, scope } = this.list;
		const rows = await this.call.lookUp<Page>(path`/v1/${name}`, readPage(name), scope, query);
		const read = checkWhole(rows, name, this.call);
		const shown = read.rows.length;
		// Only the last page may be shorter. Whether something on the way has taken rows out of this one shows
		// when all are counted: so the list has to be read to its end.
		const isLast = (page - 1) * this.pageSize + shown >= (read.total ?? 0);
		this.isCut ||= shown < this.pageSize && !isLast;
		return this.collector.take(read, page);
	}

	private get lastPage(): number {
		return Math.ceil(MAX_HISTORY_ROWS / this.pageSize);
	}

	private reaches(since: number): boolean {
		if (this.collector.isAtEnd) return this.collector.isWhole;
		return !this.isCut && this.collector.isPast(since);
	}
}

/** Whether a record contradicts the API key: a cache has mixed up test and live. */
export function isOfOtherEnvironment({ isSandbox }: ApiRecord, environment: Environment): boolean {
	return typeof isSandbox === 'boolean' && isSandbox !== (environment === 'sandbox');
}

/** @throws InputError for a page that a proxy has cached or changed: rows may be missing in it */
function checkWhole(
	page: Page,
	name: AccountList['name'],
	call: Pick<ItemCall, 'environment' | 'now'>,
): Page {
	const { rows, cachedBy, date = Infinity } = page;
	const noCache =
		'Ask the administrator of the proxy between n8n and the service to turn off caching for it.';
	if (rows.some((row) => isOfOtherEnvironment(row, call.environment))) {
		throw new InputError(`The list of ${name} is that of another API key`, noCache);
	}
	if (cachedBy !== undefined) {
		throw new InputError(
			`The list of ${name} came from a cache (${cachedBy}), so some may be missing in it`,
			noCache,
		);
	}
	// A cache may keep the header Date and show nothing else of itself.
	if (call.now() - date > CLOCKS_DIFFER_MS) {
		throw new InputError(
			`The list of ${name} is as of ${toBrasiliaTime(date, 'down')}, so some may be missing in it`,
			`${noCache} If it is no later than that now, correct the clock of n8n.`,
		);
	}
	// Each list of the service says how many rows there are (docs/api.md#pagination).
	if (page.total === undefined) {
		throw new InputError(
			`The list of ${name} does not say how many there are, so some may be missing in it`,
			'Run this again later. If it stays like this, ask the administrator of the proxy between n8n and the service what it does with the responses.',
		);
	}
	return page;
}
