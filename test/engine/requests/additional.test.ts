import type { IDataObject } from 'n8n-workflow';
import { usePayouts } from '../support/money';
import { payEach, TWO } from '../support/payouts';
import { EMAIL, HOUR, PHONE } from '../support/values';
import { additionalQuery, operation, type Parameters } from '../support/workflow';
import { sent } from '../support/wire';

const bench = usePayouts();

/** @param maxConcurrency 2: both items are sent although the first fails */
const fields = (field: Record<string, string>, maxConcurrency = 1): Parameters => ({
	additionalBodyFields: {
		field: Object.entries(field).map(([name, value]) => ({ name, value })),
	},
	maxConcurrency,
});
const create = (options: Parameters, more: Parameters = {}): Parameters =>
	operation('payment.create', { amount: '={{ $json.amount }}', ...more }, options);
const bodies = () =>
	bench.requests('POST').map(({ rawBody }) => JSON.parse(rawBody.toString()) as IDataObject);

/** docs/api.md#create-a-payment, spelled out here so that nothing under test is used. */
const CARD_FIELDS = [
	...['card', 'deviceInfo', 'remoteIp', 'holderInfo', 'authorizeOnly', 'creditCard'],
	...['creditCardHolderInfo', 'creditCardToken', 'installmentCount', 'installmentValue'],
	'totalValue',
];

describe('Additional Body Fields', () => {
	it('reach the phone and address of a customer, from each item', async () => {
		const options = fields({
			'customer.phone': '={{ $json.phone }}',
			'customer.address': '={{ $json.address }}',
			channel: '="shop"',
		});
		const address = { phone: PHONE, address: { zip: '01310-100' } };

		await bench.run(create(options, { customer: { name: 'Maria' } }), [
			{ amount: 10, ...address },
			{ amount: 20 },
		]);

		const same = { methods: ['PIX'], mode: 'hosted', channel: 'shop' };
		expect(bodies()).toEqual([
			{ ...same, amount: 10, customer: { name: 'Maria', ...address } },
			{ ...same, amount: 20, customer: { name: 'Maria' } },
		]);
	});

	const paid = () => bench.sandbox.seed.payment({ status: 'PAID', amountCents: 1000 }).id;
	const writes: Array<[string, () => Parameters, string[]]> = [
		[
			'payment.create',
			() => ({ amount: '10' }),
			['amount', 'methods', 'externalId', ...CARD_FIELDS],
		],
		['payment.refund', () => ({ paymentId: paid() }), ['amount']],
		['payment.simulate', () => ({ paymentId: paid(), status: 'REFUNDED' }), []],
		['product.create', () => ({ name: 'Plan', amount: '10' }), ['name', 'amount', 'externalId']],
		[
			'withdrawal.create',
			() => ({ amount: '10', pixKey: EMAIL }),
			['amount', 'destination.pixKey', 'destination', 'destination.recipientDocument'],
		],
	];

	it.each(writes)('go along with %s', async (name, parameters) => {
		const options = fields({ 'extra.deep': '7' });

		const { error } = await bench.run(operation(name, parameters(), options), [{}]);

		expect(error).toBeUndefined();
		expect(bodies()).toEqual([expect.objectContaining({ extra: { deep: 7 } })]);
	});

	it.each(
		writes.flatMap(([name, parameters, guarded]) =>
			guarded.map((one) => [name, one, parameters] as const),
		),
	)('of %s cannot set %s, and nothing is sent', async (name, guarded, parameters) => {
		const options = fields({ [guarded]: '99' });

		const { error } = await bench.run(operation(name, parameters(), options), [{}, {}]);

		const row = name === 'withdrawal.create' ? 'Row 1 (R$ 10,00)' : 'Row 1';
		expect(error?.message).toBe(`${row}: Additional Body Fields cannot set "${guarded}"`);
		expect(bench.requests()).toEqual([]);
	});

	it.each(['creditCard.holder.name', 'credit_card.number'])('cannot set %s', async (name) => {
		const { error } = await bench.run(create(fields({ [name]: '4000 0000' })), TWO);

		expect(error?.message).toBe(`Row 1: Additional Body Fields cannot set "${name.split('.')[0]}"`);
		expect(error?.description).not.toContain('4000');
		expect(bench.requests()).toEqual([]);
	});

	it.each([
		['payment page', 'hosted', 'headless'],
		['no page', 'headless', 'hosted'],
	])('that contradict Mode are refused: %s', async (_name, mode, other) => {
		const { error } = await bench.run(create(fields({ mode: other }), { mode }), TWO);

		expect(error?.message).toBe('Row 1: Additional Body Fields sets another "mode" than Mode');
		expect(bench.requests()).toEqual([]);
	});
});

describe('Additional Query Parameters', () => {
	it('go along with the look-up of a product, and with the write', async () => {
		const { id } = bench.sandbox.seed.product({ externalId: 'plan-1' });
		const productId = { __rl: true, mode: 'externalId', value: 'plan-1' };

		await bench.run(
			operation('product.delete', { productId }, additionalQuery(['companyId', '7'])),
			[{}],
		);

		expect(sent(bench)).toEqual([
			'GET /v1/products/external/plan-1?companyId=7',
			`DELETE /v1/products/${id}?companyId=7`,
		]);
	});

	it('go along with what is looked up before a payout, but hide no row of the list', async () => {
		const more = additionalQuery(
			['companyId', '7'],
			['status', 'COMPLETED'],
			['limit', '1'],
			['page', '2'],
		);
		const failed = await bench.run(payEach(more), TWO, { ...bench.begunNow, lost: 'dropAfter' });
		bench.clock.advance(25 * HOUR);

		expect((await bench.retry(failed)).error).toBeDefined();

		expect(bench.requests('GET').map(({ url }) => url)).toEqual([
			expect.stringMatching(/^\/v1\/withdrawals\?page=1&limit=\d+&companyId=7$/),
		]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('without a value take out a parameter that this node would send', async () => {
		const list = { limit: 5, filters: { status: 'PAID' } };
		const options = additionalQuery(['status', ''], ['state', 'PAID']);

		await bench.run(operation('payment.getAll', list, options), [{}]);

		expect(sent(bench)).toEqual(['GET /v1/payments?page=1&limit=100&state=PAID']);
	});
});
