import { NodeApiError, type ILoadOptionsFunctions, type INodeListSearchResult } from 'n8n-workflow';
import { DateTime } from 'luxon';
import { ApiClient } from '../../shared/client/client';
import { foldedText, matches } from '../../shared/lists/filters';
import { centsOfAnswer, formatReais } from '../../shared/input/money';
import { toText } from '../../shared/input/text';
import { errorJson, toFailure } from '../../shared/failures/itemError';
import { isLastPage, MAX_PAGE_SIZE } from '../../shared/lists/pagination';
import { maskPixKey } from '../../shared/privacy/value';
import { maskText } from '../../shared/privacy/text';
import { readPage, type ApiRecord, type Page } from '../../shared/transport/schemas';
import type { Scope } from '../../shared/failures/failure';

/** How many pages are read at most to find a name, before the editor gets what there is. */
const PAGES_PER_SEARCH = 10;

/** What a list in the editor shows. */
interface Listing {
	readonly rows: 'products' | 'payments' | 'withdrawals';
	readonly scope: Scope;
	readonly getName: (row: ApiRecord, timezone: string) => string;
	/** Whether a row is shown at all. */
	readonly isShown?: (row: ApiRecord) => boolean;
}

/** Products in use, for the list behind Product. */
export const searchProducts = listed({
	rows: 'products',
	scope: 'products:read',
	getName: ({ name, amount }) => `${toText(name)} (${formatPrice(amount)})`,
	isShown: (row) => matches(row, { isActive: true }),
});

export const searchPayments = listed({
	rows: 'payments',
	scope: 'payments:read',
	getName: (row, timezone) => {
		const { name, document } = (row.payer ?? {}) as ApiRecord;
		return described(row, row.amount, maskText(toText(name ?? document)), timezone);
	},
});

export const searchWithdrawals = listed({
	rows: 'withdrawals',
	scope: 'withdrawals:read',
	getName: (row, timezone) =>
		described(row, row.netAmount, maskPixKey(toText(row.pixKey)), timezone),
});

const formatPrice = (amount: unknown) => formatReais(centsOfAnswer(amount) ?? 0);

/** `R$ 125,90, PAID, 21/11/2026 15:30, Maria Silva` */
function described(row: ApiRecord, amount: unknown, party: string, timezone: string): string {
	const made = DateTime.fromISO(toText(row.createdAt), { zone: timezone });
	return [
		formatPrice(amount),
		toText(row.status),
		made.isValid ? made.toFormat('dd/MM/yyyy HH:mm') : '',
		party,
	]
		.filter(Boolean)
		.join(', ');
}

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/**
 * One page of a list, in the order of the service, or as many as it takes to find what a person types.
 * The number of the next page travels as n8n's pagination token.
 */
function listed({ rows: name, scope, getName, isShown }: Listing): ListSearch {
	return async function (filter, paginationToken) {
		const wanted = foldedText(filter ?? '');
		try {
			const client = await ApiClient.open(this);
			for (let page = Number(paginationToken ?? 1), count = 1; ; page += 1, count += 1) {
				const read = await client.request<Page>({
					method: 'GET',
					path: `/v1/${name}`,
					// No filter, whose name is not known for sure: a service may refuse it.
					query: { page, limit: MAX_PAGE_SIZE },
					kind: 'read',
					read: readPage(name),
					scope,
					timeoutMs: 10_000,
				});
				const isLast = isLastPage(read, page, MAX_PAGE_SIZE);
				const found = read.rows
					.filter((row) => isShown?.(row) ?? true)
					.map((row) => ({ name: getName(row, this.getTimezone()), row }))
					.filter(({ name: shown, row }) =>
						[shown, toText(row.id), toText(row.txId)].some((text) =>
							foldedText(text).includes(wanted),
						),
					);
				if (!isLast && wanted !== '' && found.length === 0 && count < PAGES_PER_SEARCH) continue;
				return {
					results: found.map(({ name: shown, row }) => ({ name: shown, value: toText(row.id) })),
					...(isLast ? {} : { paginationToken: String(page + 1) }),
				};
			}
		} catch (error) {
			const failure = toFailure(error);
			throw new NodeApiError(this.getNode(), errorJson(failure), {
				message: failure.message,
				description: failure.description,
			});
		}
	};
}
