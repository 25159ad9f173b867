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
