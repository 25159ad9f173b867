import { toText } from '../input/text';
import type { ApiRecord, Page } from '../transport/schemas';

/** The bound of the API on rows per page (docs/api.md#pagination). */
export const MAX_PAGE_SIZE = 100;
/** How many pages of one list are requested at the same time. */
export const PAGES_AT_ONCE = 10;
/** Fewer pages are requested one after the other: pages at the same time cost one more at the end. */
const LEAST_AT_ONCE = 3;
/** How often the list is read, if rows moved while it was read. */
const MAX_PASSES = 3;
/** Pages in a row without a new row, though the server counts more: rows may shift by a page or two. */
export const MAX_FRUITLESS_PAGES = 3;

interface Collected {
	/**
	 * Rows that match, each once, in the order in which the last pass met them; then those that only an
	 * earlier pass has met.
	 */
	readonly rows: ApiRecord[];
	/** False when rows kept moving and some may be missing. */
	readonly isComplete: boolean;
}

/**
 * Reads a list that others write to at the same time: the first page, which says how many there are, then
 * several pages at once.
 *
 * Rows shift meanwhile: a new one at the top pushes the last row of a page onto the next one, and one that
 * vanishes pulls a row back. So a row may be met twice, or on no page. The list is read again until a pass
 * proves that it missed none; the last time one page after the other, which new rows cannot disturb.
 *
 * @param fetchPage page numbers begin with 1
 * @param limit how many matching rows are wanted at most; Infinity for all
 * @param pagesAtOnce how many pages may be requested at the same time
 * @throws what `fetchPage` throws; by then, nothing is under way any more
 */
export async function collectPages(
	fetchPage: (page: number) => Promise<Page>,
	pageSize: number,
	limit: number,
	isWanted: (row: ApiRecord) => boolean,
	pagesAtOnce = PAGES_AT_ONCE,
): Promise<Collected> {
	let rows: ReadonlyMap<string, ApiRecord> = new Map();
	let isComplete = false;
	for (let count = 1; count <= MAX_PASSES && !isComplete; count += 1) {
		const pass = new Pass(fetchPage, pageSize, limit, isWanted);
		isComplete = await pass.read(count < MAX_PASSES ? pagesAtOnce : 1);
		const earlier = [...rows].filter(([id]) => !pass.met.has(id));
		rows = new Map([...pass.rows, ...earlier]);
	}
	return { rows: [...rows.values()].slice(0, limit), isComplete };
}

/** The list, read from top to bottom once. */
class Pass {
	/** IDs of all rows. */
	readonly met = new Set<string>();
	/** Rows that match. */
	readonly rows = new Map<string, ApiRecord>();
	private pages = 0;
	private fruitless = 0;
	private isAtEnd = false;
	/** The server counts more, and sends nothing new. */
	private isCut = false;
	private readonly totals: Array<number | undefined> = [];

	constructor(
		private readonly fetchPage: (page: number) => Promise<Page>,
		private readonly pageSize: number,
		private readonly limit: number,
		private readonly isWanted: (row: ApiRecord) => boolean,
	) {}

	/** @returns whether every row was met that was in the list all the time, down to where enough matched */
	async read(pagesAtOnce: number): Promise<boolean> {
		const first = await this.fetchPage(1);
		this.take(first);
		let last: Page | undefined = first;
		let isOrdered = true;
		while (!this.isAtEnd && !this.isCut && this.rows.size < this.limit) {
			const next = Math.min(pagesAtOnce, this.pagesNeeded(last?.totalPages));
			if (next >= LEAST_AT_ONCE) isOrdered = false;
			const wave = await this.fetchAll(this.pages + 1, isOrdered ? 1 : Math.max(1, next));
			for (const page of wave) this.take(page);
			last = wave.at(-1);
		}
		if (this.isCut) return false;
		return isOrdered ? this.isInOrder(first) : await this.isProved(first);
	}

	private pagesNeeded(totalPages = this.pages + 1): number {
		const missing = Math.ceil((this.limit - this.rows.size) / this.pageSize);
		return Math.min(totalPages - this.pages, missing);
	}

	/** All are awaited, also if one fails. */
	private async fetchAll(first: number, count: number): Promise<Page[]> {
		const pages = Array.from({ length: count }, async (_, at) => await this.fetchPage(first + at));
		const settled = await Promise.allSettled(pages);
		return settled.map((one) => {
			if (one.status === 'rejected') throw one.reason;
			return one.value;
		});
	}

	private take(page: Page): void {
		const before = this.met.size;
		this.pages += 1;
		this.totals.push(page.total);
		for (const row of page.rows) {
			const id = idOfRow(row);
			if (this.met.has(id)) continue;
			this.met.add(id);
			if (this.isWanted(row)) this.rows.set(id, row);
		}
		// A server that does not know pages sends the same rows forever, whatever it counts.
		this.fruitless = this.met.size === before ? this.fruitless + 1 : 0;
		const isCounted = page.totalPages !== undefined;
		this.isCut ||= isCounted && this.fruitless >= MAX_FRUITLESS_PAGES;
		const isRepeated = !isCounted && this.fruitless > 0;
		this.isAtEnd ||= isRepeated || isLastPage(page, this.pages, this.pageSize);
	}

	/**
	 * Of pages that were read one after the other: new rows push rows ahead of the reader. When fewer are
	 * counted than before, some may have slipped past it.
	 */
	private isInOrder({ total = 0 }: Page): boolean {
		const hasSlipped = this.totals.some((own, index) => (own ?? 0) < (this.totals[index - 1] ?? 0));
		return !hasSlipped && (this.rows.size >= this.limit || this.met.size >= total);
	}

	/**
	 * Of pages in any order: as many rows were met as there were, and no new row is among them. That shows
	 * on the first page, read again. With k new rows before the first old one, and k more rows than at the
	 * beginning, all old ones are still there; if no page counted more, no new row was on any page but the
	 * first, which was read before they came.
	 */
	private async isProved({ rows, total }: Page): Promise<boolean> {
		if (total === undefined) return false;
		if (this.met.size < Math.min(total, this.pages * this.pageSize)) return false;
		const old = new Set(rows.map(idOfRow));
		const again = await this.fetchPage(1);
		const arrived = again.rows.findIndex((row) => old.has(idOfRow(row)));
		const now = total + arrived;
		return arrived !== -1 && again.total === now && this.totals.every((own) => Number(own) <= now);
	}
}

/** What a row is known by: its ID or, if that is not text, all that the row contains. */
export function idOfRow(row: ApiRecord): string {
	return typeof row.id === 'string' ? row.id : toText(row);
}

/** Follows `totalPages`; if the server sends none, a page that is not full is the last one. */
export function isLastPage(page: Page, number: number, pageSize: number): boolean {
	if (page.rows.length === 0) return true;
	return page.totalPages === undefined ? page.rows.length < pageSize : number >= page.totalPages;
}
