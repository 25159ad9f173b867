import { textOf } from './input/text';
import type { ApiRecord, Page } from './schemas';

/** The interface's bound on rows per page ("Limits", page size). */
export const MAX_PAGE_SIZE = 100;
/** How often the whole list is read again when rows went missing while paging. */
const MAX_PASSES = 3;
/** Pages in a row without a new row, though the server counts more: rows may shift by a page or two. */
const MAX_FRUITLESS_PAGES = 3;

export interface Collected {
	/** Rows that match, each once, in the order in which they were first seen. */
	readonly rows: ApiRecord[];
	/** Rows that the server sent although they do not match. */
	readonly leftOut: number;
	/** False when rows kept moving and some may be missing. */
	readonly isComplete: boolean;
}

/**
 * Reads a list page by page.
 *
 * Rows shift while a list is paged: a new one at the top pushes the last row of a page onto the next
 * one, where it is met twice; a vanished one pulls a row onto a page that was already read, where it
 * is missed. The first is solved by the id, the second by reading the list again until it did not
 * shrink meanwhile and as many rows were seen as the server counted when the reading began.
 *
 * @param fetchPage page numbers begin with 1
 * @param limit how many matching rows are wanted at most; Infinity for all
 */
export async function collectPages(
	fetchPage: (page: number) => Promise<Page>,
	pageSize: number,
	limit: number,
	isWanted: (row: ApiRecord) => boolean,
): Promise<Collected> {
	const seen = new Set<unknown>();
	const rows: ApiRecord[] = [];
	let leftOut = 0;

	for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
		const seenNow = new Set<unknown>();
		let firstTotal: number | undefined;
		let total: number | undefined;
		let hasShrunk = false;
		let fruitless = 0;
		let isCut = false;
		for (let number = 1; ; number += 1) {
			const page = await fetchPage(number);
			hasShrunk ||= (page.total ?? 0) < (total ?? 0);
			total = page.total ?? total;
			firstTotal ??= total;
			const seenBefore = seenNow.size;
			for (const row of page.rows) {
				const id = typeof row.id === 'string' ? row.id : textOf(row);
				seenNow.add(id);
				if (seen.has(id)) continue;
				seen.add(id);
				if (!isWanted(row)) {
					leftOut += 1;
					continue;
				}
				rows.push(row);
				if (rows.length >= limit) return { rows, leftOut, isComplete: true };
			}
			if (isLastPage(page, number, pageSize)) break;
			// A server that does not know pages sends the same rows for ever, whatever it counts.
			fruitless = seenNow.size === seenBefore ? fruitless + 1 : 0;
			if (page.totalPages === undefined && fruitless > 0) break;
			isCut = fruitless >= MAX_FRUITLESS_PAGES;
			if (isCut) break;
		}
		// Not counted over all passes: rows that vanished would make up for rows that were missed.
		if (!hasShrunk && !isCut && seenNow.size >= (firstTotal ?? 0))
			return { rows, leftOut, isComplete: true };
	}
	return { rows, leftOut, isComplete: false };
}

/** Follows `totalPages`; where the server sends none, a page that is not full is the last one. */
export function isLastPage(page: Page, number: number, pageSize: number): boolean {
	if (page.rows.length === 0) return true;
	return page.totalPages === undefined ? page.rows.length < pageSize : number >= page.totalPages;
}
