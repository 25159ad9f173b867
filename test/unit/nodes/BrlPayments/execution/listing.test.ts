import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import { InputError } from '../../../../../nodes/shared/validation/inputError';
import { listRecords } from '../../../../../nodes/BrlPayments/execution/listing';
import { answer } from '../../../support/answers';
import { createItemCall } from '../../../support/itemCall';

const PAYMENTS = Array.from({ length: 250 }, (_, index) => ({
	id: `p${index}`,
	status: index % 2 === 0 ? 'PAID' : 'NEW',
	paymentMethod: 'PIX',
	amount: index,
	createdAt: '2026-11-21T12:00:00Z',
}));

/** A server that pages, and that knows no filter. */
const serve = ({ qs }: IHttpRequestOptions) => {
	const { page, limit } = qs as { page: number; limit: number };
	return answer(200, {
		payments: PAYMENTS.slice((page - 1) * limit, page * limit),
		pagination: {
			page,
			limit,
			total: PAYMENTS.length,
			totalPages: Math.ceil(PAYMENTS.length / limit),
		},
	});
};

const open = async (changed: IDataObject = {}) =>
	await createItemCall(
		{
			respond: serve,
			parameters: [{ returnAll: false, limit: 50, filters: {}, options: {}, ...changed }],
		},
		0,
		'payment.getAll',
	);

const list = async (changed: IDataObject = {}) => {
	const world = await open(changed);
	const rows = await listRecords(world.call, '/v1/payments', 'payments');
	return { ...world, rows };
};

test('asks for no more rows than wanted', async () => {
	const { rows, requests, runHints } = await list();

	expect(rows.map(({ id }) => id)).toEqual(PAYMENTS.slice(0, 50).map(({ id }) => id));
	expect(requests.map(({ qs }) => qs)).toEqual([{ page: 1, limit: 50 }]);
	expect(runHints.size).toBe(0);
});

test('reads all pages with Return All, whatever the limit says', async () => {
	const { rows, requests } = await list({ returnAll: true, limit: 0 });

	expect(rows).toHaveLength(250);
	expect(requests.map(({ qs }) => qs)).toEqual([
		{ page: 1, limit: 100 },
		{ page: 2, limit: 100 },
		{ page: 3, limit: 100 },
	]);
});

test('sends the filters in the form of the API', async () => {
	const { requests } = await list({
		limit: 1,
		filters: {
			status: 'PAID',
			method: 'PIX',
			startDate: '2026-11-21',
			endDate: '2026-11-21',
			minAmount: 'R$ 0,00',
			maxAmount: '1.234,56',
		},
	});

	expect(requests[0]?.qs).toEqual({
		status: 'PAID',
		method: 'PIX',
		startDate: '2026-11-21T03:00:00.000Z',
		endDate: '2026-11-22T02:59:59.999Z',
		minAmount: 0,
		maxAmount: 1234.56,
		page: 1,
		limit: 100,
	});
});

test('returns only rows that match although the server ignores the filter, and says so', async () => {
	const { rows, runHints } = await list({ returnAll: true, filters: { status: 'PAID' } });

	expect(rows).toHaveLength(125);
	expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['PAID']));
	expect([...runHints]).toEqual([expect.stringContaining('did not apply all filters')]);
});

test('counts matching rows for the limit', async () => {
	const { rows } = await list({ limit: 60, filters: { status: 'NEW' } });

	expect(rows).toHaveLength(60);
	expect(rows.at(-1)?.id).toBe('p119');
});

test('takes empty filters for none', async () => {
	const { requests } = await list({
		filters: { status: '', minAmount: '', startDate: '', search: null },
	});

	expect(requests[0]?.qs).toEqual({ page: 1, limit: 50 });
});

test('sends a filter that is off', async () => {
	const { requests } = await list({ filters: { isActive: false }, limit: 1 });

	expect(requests[0]?.qs).toMatchObject({ isActive: false });
});

test('says when the list kept changing', async () => {
	let total = 300;
	const world = await createItemCall({
		respond: ({ qs }) => {
			total -= 1;
			const { page } = qs as { page: number };
			return answer(200, {
				payments: [{ id: `p${page}` }],
				pagination: { total, totalPages: 3 },
			});
		},
		parameters: [{ returnAll: true, filters: {}, options: {} }],
	});

	await listRecords(world.call, '/v1/payments', 'payments');

	expect([...world.runHints]).toEqual([expect.stringContaining('a few rows may be missing')]);
});

test('lets additional query parameters replace its own', async () => {
	const { requests } = await list({
		limit: 1,
		options: {
			additionalQueryParameters: {
				parameter: [
					{ name: 'currency', value: 'BRL' },
					{ name: 'limit', value: '7' },
					{ name: '', value: 'ignored' },
				],
			},
		},
	});

	expect(requests[0]?.qs).toEqual({ page: 1, limit: '7', currency: 'BRL' });
});

test.each<[string, IDataObject]>([
	['a limit of zero', { limit: 0 }],
	['half a row', { limit: 1.5 }],
	['a limit that is no number', { limit: 'many' }],
	['a date in another order', { filters: { startDate: '21/11/2026' } }],
	['an ambiguous amount', { filters: { minAmount: '1.234' } }],
	['dates the wrong way round', { filters: { startDate: '2026-11-22', endDate: '2026-11-21' } }],
	['amounts the wrong way round', { filters: { minAmount: '2', maxAmount: '1' } }],
	['a status that is an object', { filters: { status: { a: 1 } } }],
	['a timeout of zero', { options: { timeout: 0 } }],
])('sends nothing with %s', async (_, changed) => {
	const world = await open(changed);

	await expect(listRecords(world.call, '/v1/payments', 'payments')).rejects.toThrow(InputError);
	expect(world.requests).toEqual([]);
});
