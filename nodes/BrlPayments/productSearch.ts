import { NodeApiError, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';
import { ApiClient } from '../api/client';
import { matches } from '../api/filters';
import { formatReais, centsOfAnswer } from '../api/input/money';
import { textOf } from '../api/input/text';
import { FILTER_PARAMETERS } from '../api/openPoints';
import { MAX_PAGE_SIZE } from '../api/pagination';
import { readPage, type Page } from '../api/schemas';
import { errorJson, failureOf } from '../api/itemError';

/**
 * One page of products in use, for the list behind Product. The page number travels as n8n's
 * pagination token.
 */
export async function searchProducts(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const page = Number(paginationToken ?? 1);
	const filters = { isActive: true, ...(filter ? { search: filter } : {}) };
	try {
		const client = await ApiClient.open(this);
		const { rows, totalPages } = await client.call<Page>({
			method: 'GET',
			path: '/v1/products',
			query: {
				[FILTER_PARAMETERS.isActive]: true,
				...(filter ? { [FILTER_PARAMETERS.search]: filter } : {}),
				page,
				limit: MAX_PAGE_SIZE,
			},
			kind: 'read',
			read: readPage('products'),
			scope: 'products:read',
			timeoutMs: 10_000,
		});
		const isLast = totalPages === undefined ? rows.length < MAX_PAGE_SIZE : page >= totalPages;
		return {
			results: rows
				.filter((row) => matches(row, filters))
				.map((row) => ({
					name: `${textOf(row.name)} (${formatReais(centsOfAnswer(row.amount) ?? 0)})`,
					value: textOf(row.id),
				})),
			...(isLast ? {} : { paginationToken: String(page + 1) }),
		};
	} catch (error) {
		const failure = failureOf(error);
		throw new NodeApiError(this.getNode(), errorJson(failure), {
			message: failure.message,
			description: failure.description,
		});
	}
}
