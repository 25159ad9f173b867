import { NodeApiError, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { matches } from '../api/filters';
import { formatReais, centsOfAnswer } from '../api/input/money';
import { textOf } from '../api/input/text';
import { MAX_PAGE_SIZE } from '../api/pagination';
import { readPage, type Page } from '../api/schemas';
import { errorJson, failureOf } from '../api/itemError';

/** Pages that are read at most to find a name, before the editor is given what there is. */
const PAGES_PER_SEARCH = 10;

/**
 * Products in use, for the list behind Product: one page, or as many as it takes to find the name that
 * somebody types. The next page number travels as n8n's pagination token.
 */
export async function searchProducts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const filters = { isActive: true, ...(filter ? { search: filter } : {}) };
	try {
		const client = await ApiClient.open(this);
		const first = Number(paginationToken ?? 1);
		for (let page = first; ; page += 1) {
			const { rows, totalPages } = await client.call<Page>({
				method: 'GET',
				path: '/v1/products',
				// No filter, whose name is not known for sure: a service may refuse it.
				query: { page, limit: MAX_PAGE_SIZE },
				kind: 'read',
				read: readPage('products'),
				scope: 'products:read',
				timeoutMs: 10_000,
			});
			const isLast = totalPages === undefined ? rows.length < MAX_PAGE_SIZE : page >= totalPages;
			const found = rows.filter((row) => matches(row, filters));
			const isEnough = !filter || found.length > 0 || page + 1 >= first + PAGES_PER_SEARCH;
			if (!isLast && !isEnough) continue;
			return {
				results: found.map((row) => ({
					name: `${textOf(row.name)} (${formatReais(centsOfAnswer(row.amount) ?? 0)})`,
					value: textOf(row.id),
				})),
				...(isLast ? {} : { paginationToken: String(page + 1) }),
			};
		}
	} catch (error) {
		const failure = failureOf(error);
		throw new NodeApiError(this.getNode(), errorJson(failure), {
			message: failure.message,
			description: failure.description,
		});
	}
}
