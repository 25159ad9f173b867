import { toText } from '../validation/text';
import type { ApiRecord, Page } from '../transport/schemas';

/** The bound of the API on rows per page (docs/api.md#pagination). */
export const MAX_PAGE_SIZE = 100;
/** How many pages of one list are requested at the same time. */
export const PAGES_AT_ONCE = 10;
/** A reader costs one page that is read twice, so it gets at least this many pages. */
const LEAST_PAGES = 3;
/** How often the whole list is read again when rows went missing while paging. */
const MAX_PASSES = 3;
/** Pages in a row without a new row, though the server counts more: rows may shift by a page or two. */
export const MAX_FRUITLESS_PAGES = 3;

interface Collected {
	/**
	 * Rows that match, each once, in the order of the list. Rows that only another pass found come
	 * last, and a row may come late when a whole page of new rows arrives between two responses.
	 */
	readonly rows: ApiRecord[];
	/** Rows that the server sent although they do not match. */
	readonly leftOut: number;
	/** False when rows kept moving and some may be missing. */
	readonly isComplete: boolean;
}

/** What is to be read, and how. */
interface Wish {
	/** Page numbers begin with 1. */
	readonly fetchPage: (page: number) => Promise<Page>;
	readonly pageSize: number;
	readonly limit: number;
	readonly isWanted: (row: ApiRecord) => boolean;
	readonly pagesAtOnce: number;
}

/**
 * Reads a list that others write to at the same time.
 *
 * Rows shift while a list is paged: a new one at the top pushes the last row of a page onto the next
 * one, where it is met twice; a vanished one pulls a row onto a page that was already read, where it
 * is missed. The first is solved by the id, the second by reading the list again until it did not
 * shrink meanwhile and as many rows were seen as the server counted when the reading began.
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
	const wish: Wish = { fetchPage, pageSize, limit, isWanted, pagesAtOnce };
	let rows: ApiRecord[] = [];
	let leftOut = 0;
	const known = new Set<unknown>();

	for (let count = 1; count <= MAX_PASSES; count += 1) {
		const pass = new Pass(wish, known, limit - rows.length);
		await pass.read();
		rows = rows.concat(...pass.rows);
		leftOut += pass.leftOut;
		if (rows.length >= limit) return { rows: rows.slice(0, limit), leftOut, isComplete: true };
		if (pass.isComplete) return { rows, leftOut, isComplete: true };
		for (const id of pass.ids) known.add(id);
	}
	return { rows, leftOut, isComplete: false };
}

/** Reads pages one after the other, from the first of its section on. */
interface Reader {
	/** Counts the readers of a pass in the order of their sections. */
	readonly place: number;
	readonly from: number;
	readonly to: number;
	readonly firstPage: Promise<Page>;
	readonly rows: ApiRecord[];
	/** How many rows the list had when this reader looked last. */
	total: number | undefined;
	totalPages: number | undefined;
	/** How many pages in a row have brought nothing new. */
	fruitless: number;
	isAtEnd: boolean;
}

/**
 * The list, read from top to bottom once.
 *
 * Several readers share it, each with a section of neighboring pages. A reader requests one page
 * after the other, because only for pages in a known order do the counts show that no row slipped
 * through between them: new rows push rows ahead of the reader, and when fewer rows are counted than
 * before, some may have slipped. Between two sections there is no such order. So a reader continues
 * past its own section until it meets a row that a later reader has met: all that comes after that
 * row belongs to the later one.
 */
class Pass {
	leftOut = 0;
	private readonly readers: Reader[] = [];
	/** The place of the reader that met a row first, by the id of the row. */
	private readonly metBy = new Map<unknown, number>();
	private firstTotal: number | undefined;
	private hasSlipped = false;
	/** The server does not know pages: it sends the same rows forever, whatever it counts. */
	private isCut = false;
	/** Two readers meet at a row: only its ID certainly recognizes it. */
	private haveIds = true;
	private readonly failures: unknown[] = [];

	/** @param known ids of rows that an earlier pass has found */
	constructor(
		private readonly wish: Wish,
		private readonly known: ReadonlySet<unknown>,
		private readonly limit: number,
	) {}

	get rows(): ApiRecord[][] {
		return this.readers.map(({ rows }) => rows);
	}

	get ids(): Iterable<unknown> {
		return this.metBy.keys();
	}

	get isComplete(): boolean {
		// Not counted over all passes: rows that vanished would make up for rows that were missed.
		return !this.hasSlipped && !this.isCut && this.metBy.size >= (this.firstTotal ?? 0);
	}

	/** The first page says how many there are; from then on, all that are certainly needed are distributed. */
	async read(): Promise<void> {
		for (let from = 1, to = 1; ;) {
			const last = await this.readPages(from, to);
			this.firstTotal ??= last.total;
			const needed = last.isAtEnd || this.isCut ? to : this.lastPageNeeded(to, last);
			// Not by `from`: the next page of a number too large to count with is the same page.
			if (needed <= to) return;
			from = to + 1;
			to = needed;
		}
	}

	private lastPageNeeded(read: number, { totalPages }: Reader): number {
		const kept = this.readers.reduce((sum, { rows }) => sum + rows.length, 0);
		const pages = Math.ceil((this.limit - kept) / this.wish.pageSize);
		return totalPages === undefined
			? read + Math.min(1, pages)
			: Math.min(totalPages, read + pages);
	}

	/** @returns the reader of the last section */
	private async readPages(from: number, to: number): Promise<Reader> {
		const before = this.readers.at(-1);
		const readers = this.sections(from, to).map((section) => this.open(section));
		const [first] = readers;
		if (first && before) Object.assign(first, { total: before.total, fruitless: before.fruitless });
		await Promise.all(
			readers.map((reader, index) =>
				this.readSection(reader, readers[index + 1]).catch((error: unknown) => {
					this.failures.push(error);
				}),
			),
		);
		if (this.failures.length > 0) throw this.failures[0];
		return readers.at(-1) as Reader;
	}

	private sections(from: number, to: number): Array<{ from: number; to: number }> {
		const pages = to - from + 1;
		const most = this.haveIds ? this.wish.pagesAtOnce : 1;
		const count = Math.max(1, Math.min(most, Math.floor(pages / LEAST_PAGES)));
		const start = (index: number) => from + Math.ceil((pages * index) / count);
		return Array.from({ length: count }, (_, index) => ({
			from: start(index),
			to: start(index + 1) - 1,
		}));
	}

	private open({ from, to }: { from: number; to: number }): Reader {
		const reader: Reader = {
			place: this.readers.length,
			from,
			to,
			firstPage: this.wish.fetchPage(from),
			rows: [],
			total: undefined,
			totalPages: undefined,
			fruitless: 0,
			isAtEnd: false,
		};
		this.readers.push(reader);
		return reader;
	}

	private async readSection(reader: Reader, next: Reader | undefined): Promise<void> {
		for (let number = reader.from; number <= (next ?? reader).to; number += 1) {
			// The rows of the next reader must be known before this page is requested.
			if (number === next?.from) await next.firstPage;
			if (this.failures.length > 0 || this.isCut) return;
			const page = await (number === reader.from ? reader.firstPage : this.wish.fetchPage(number));
			this.hasSlipped ||= (page.total ?? 0) < (reader.total ?? 0);
			reader.total = page.total ?? reader.total;
			reader.totalPages = page.totalPages;

			const metBefore = this.metBy.size;
			if (this.take(reader, page.rows) === 'metLaterReader') return;
			reader.fruitless = this.metBy.size === metBefore ? reader.fruitless + 1 : 0;
			this.isCut ||= reader.fruitless >= MAX_FRUITLESS_PAGES;
			const isRepeated = page.totalPages === undefined && reader.fruitless > 0;
			reader.isAtEnd = isRepeated || isLastPage(page, number, this.wish.pageSize);
			if (reader.isAtEnd) return;
		}
		// All that the next reader has met is gone.
		if (next) this.hasSlipped = true;
	}

	private take(reader: Reader, rows: readonly ApiRecord[]): 'metLaterReader' | 'goOn' {
		for (const row of rows) {
			const id = idOfRow(row);
			this.haveIds &&= id === row.id;
			const place = this.metBy.get(id);
			if (place !== undefined && place > reader.place) return 'metLaterReader';
			if (place !== undefined) continue;
			this.metBy.set(id, reader.place);
			if (this.known.has(id)) continue;
			if (this.wish.isWanted(row)) reader.rows.push(row);
			else this.leftOut += 1;
		}
		return 'goOn';
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
