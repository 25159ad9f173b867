import { MAX_PAGE_SIZE } from '../../shared/lists/pagination';
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

/** A list is read no further back than its newest 20,000 rows. */
const LAST_PAGE = 20_000 / MAX_PAGE_SIZE;

/** How often it is read again because payouts were made while it was read. */
const MAX_CATCH_UPS = 5;

/** By how much the clocks of n8n, its database and the service may differ before a list proves something false. */
export const CLOCKS_DIFFER_MS = 15 * 60_000;

export interface Reading {
	readonly rows: readonly ApiRecord[];
	/** Why rows may be missing, as a sentence; undefined if none can be. */
	readonly gap: string | undefined;
}

/**
 * The withdrawals (or payments) of the account as one run of the node reads them: once, page by page, only
 * as far back as needed, and not again after that failed.
 *
 * Only `page` and `limit` are sent: a filter whose name is an assumption could hide the row that is
 * looked for.
 */
export class AccountHistory {
	private readonly collector: RowCollector;
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
	) {
		this.collector = new RowCollector(call.now);
	}

	/**
	 * The rows since a point in time.
	 * @param since epoch ms by the clock of this n8n; -Infinity for all
	 * @param until by the same clock; newer rows are left out
	 */
	async since(since: number, until = Infinity): Promise<Reading> {
		// Items read concurrently; each page is fetched once.
		this.reading = this.reading.then(async () => {
			if (this.failed === undefined) await this.readBack(since);
		});
		this.reading = this.reading.catch((error: unknown) => {
			this.failed = toFailure(error);
		});
		await this.reading;
		const rows = this.failed ? [] : this.collector.rowsSince(since, until);
		return { rows, gap: this.findGap(since) };
	}

	private findGap(since: number): string | undefined {
		const list = `The list of ${this.list.name}`;
		if (this.failed) {
			return `${list} cannot be read: ${this.failed.message}. ${this.failed.description}`;
		}
		if (this.reaches(since)) return undefined;
		return this.collector.isAtEnd
			? `${list} shows fewer rows than it counts: some were made while it was read, or something between n8n and the service changed it.`
			: `${list} is too long: only its newest 20,000 rows are searched.`;
	}

	private async readBack(since: number): Promise<void> {
		while (
			!this.collector.isAtEnd &&
			this.nextPage <= LAST_PAGE &&
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
			for (let page = first; !this.collector.isWhole && page <= LAST_PAGE; page += 1) {
				if (!(await this.take(page))) break;
				isNews = true;
			}
		}
		return isNews;
	}

	/** Reads a page; the first one is 1. @returns whether it had rows that were not known */
	private async take(page: number): Promise<boolean> {
		const query = { page, limit: MAX_PAGE_SIZE };
		const { name, scope } = this.list;
		const rows = await this.call.lookUp<Page>(path`/v1/${name}`, readPage(name), scope, query);
		const read = checkWhole(rows, name, this.call);
		const shown = read.rows.length;
		// Only the last page may be shorter. Whether something on the way has taken rows out of this one shows
		// when all are counted: so the list has to be read to its end.
		const isLast = (page - 1) * MAX_PAGE_SIZE + shown >= (read.total ?? 0);
		this.isCut ||= shown < MAX_PAGE_SIZE && !isLast;
		return this.collector.take(read, page);
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
