import type { IDataObject } from 'n8n-workflow';
import type { Loss } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE, INVOICES, payReferenced, usePayouts } from '../support/references';
import { sent } from '../support/wire';
import { buildWorkflow, changeOptions, type Parameters } from '../support/workflow';

const bench = usePayouts();

const fields = (...field: Array<[name: string, value: string]>): Parameters => ({
	additionalBodyFields: { field: field.map(([name, value]) => ({ name, value })) } as never,
	maxConcurrency: 1,
});
const query = (...parameter: Array<[name: string, value: string]>): Parameters => ({
	additionalQueryParameters: {
		parameter: parameter.map(([name, value]) => ({ name, value })),
	} as never,
	maxConcurrency: 1,
});
const create = (options: Parameters, more: Parameters = {}): Parameters => ({
	resource: 'payment',
	operation: 'create',
	amount: '={{ $json.amount }}',
	...more,
	options: options as never,
});
const bodies = () =>
	bench.requests('POST').map(({ rawBody }) => JSON.parse(rawBody.toString()) as IDataObject);

describe('Additional Body Fields', () => {
	it('reach the phone and address of a customer, from each item', async () => {
		const options = fields(
			['customer.phone', '={{ $json.phone }}'],
			['customer.address', '={{ $json.address }}'],
			['channel', '="shop"'],
		);

		await bench.run(create(options, { customer: { name: 'Maria' } }), [
			{ amount: 10, phone: '+5511987654321', address: { zip: '01310-100' } },
			{ amount: 20 },
		]);

		const address = { phone: '+5511987654321', address: { zip: '01310-100' } };
		const same = { methods: ['PIX'], mode: 'hosted', channel: 'shop' };
		expect(bodies()).toEqual([
			{ ...same, amount: 10, customer: { name: 'Maria', ...address } },
			{ ...same, amount: 20, customer: { name: 'Maria' } },
		]);
	});

	const paid = () => bench.sandbox.seed.payment({ status: 'PAID', amountCents: 1000 }).id;
	const writes: Array<[string, () => Parameters, string[]]> = [
		['payment.create', () => ({ amount: '10' }), ['amount', 'productId', 'methods', 'externalId']],
		['payment.refund', () => ({ paymentId: paid() }), ['amount']],
		['payment.simulate', () => ({ paymentId: paid(), status: 'REFUNDED' }), []],
		['product.create', () => ({ name: 'Plan', amount: '10' }), ['name', 'amount', 'externalId']],
		[
			'withdrawal.create',
			() => ({ amount: '10', pixKey: 'maria@recipient.example' }),
			['amount', 'destination.pixKey', 'destination', 'destination.recipientDocument'],
		],
	];

	it.each(writes)('go along with %s', async (name, parameters) => {
		const [resource = '', operation = ''] = name.split('.');
		const options = fields(['extra.deep', '7']) as never;

		const { error } = await bench.run({ resource, operation, ...parameters(), options }, [{}]);

		expect(error).toBeUndefined();
		expect(bodies()).toEqual([expect.objectContaining({ extra: { deep: 7 } })]);
	});

	it.each(
		writes.flatMap(([name, parameters, guarded]) =>
			guarded.map((one) => [name, one, parameters] as const),
		),
	)('of %s cannot set %s, and nothing is sent', async (name, guarded, parameters) => {
		const [resource = '', operation = ''] = name.split('.');
		const options = fields([guarded, '99']) as never;

		const { error } = await bench.run({ resource, operation, ...parameters(), options }, [{}, {}]);

		expect(error?.message).toBe(`Row 1: Additional Body Fields cannot set "${guarded}"`);
		expect(bench.requests()).toEqual([]);
	});

	it('stop all items before the first is sent when one of them cannot be placed', async () => {
		const options = fields(['={{ $json.name }}', '1']);

		const { error } = await bench.run(create(options), [
			{ amount: 10, name: 'fine' },
			{ amount: 20, name: 'amount' },
		]);

		expect(error).toHaveProperty('itemIndex', 1);
		expect(bench.requests()).toEqual([]);
	});

	it('are named where the server refuses a field, without their values', async () => {
		bench.sandbox.faults.add({
			kind: 'error',
			code: 'VALIDATION_ERROR',
			details: { 'customer.phone': 'Too short' },
		});

		const { error } = await bench.run(create(fields(['customer.phone', '119'])), [{ amount: 10 }]);

		expect(error?.description).toContain('Check the Additional Body Fields too: customer.phone.');
		expect(error?.description).not.toContain('119');
	});
});

/** Side by side, so that both items are sent although the first fails. */
const both = (...field: Array<[name: string, value: string]>): Parameters => ({
	...fields(...field),
	maxConcurrency: 2,
});

describe('Additional Body Fields and retries', () => {
	it('take no part in the key: an order that got a response keeps it', async () => {
		bench.sandbox.faults.add({ kind: 'dropBefore', times: 5 });
		const failed = await bench.run(payEach(both(['note', 'a'])), TWO);

		const run = await bench.retry(failed);

		bench.expectPaid([1001, 2002], run);
		expect(bench.keys).toHaveLength(2);
	});

	/** Runs it with both requests or responses lost, and retries it with another field. */
	async function retryEdited(parameters: Parameters, items: IDataObject[], lost: Loss) {
		const failed = await bench.start(buildWorkflow({ parameters }), items, { lost });
		changeOptions(failed.workflow, both(['note', 'b']));
		return await bench.retry(failed);
	}

	it('that are edited leave open, not denied, whether a payout took effect', async () => {
		const { error } = await retryEdited(payEach(both(['note', 'a'])), TWO, 'dropAfter');

		expect(error?.description).toContain('2 with unknown outcome');
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.keys).toHaveLength(2);
	});

	it('that are edited pay once what never arrived', async () => {
		const run = await retryEdited(payEach(both(['note', 'a'])), TWO, 'dropBefore');

		expect(run.paidBefore).toEqual([undefined, undefined]);
		bench.expectPaid([1001, 2002], run);
		expect(bench.keys).toHaveLength(2);
	});

	it('that are edited leave open, not denied, whether a charge took effect', async () => {
		const charge = create(both(['note', 'a']));

		const { error } = await retryEdited(charge, [{ amount: 10 }, { amount: 20 }], 'dropAfter');

		expect(error?.description).toContain('IDEMPOTENCY_PAYLOAD_MISMATCH');
		expect(error?.description).toContain('an additional body field');
		expect(error?.message).toContain('already sent with different content');
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	it('under an Idempotency Key of one’s own are refused by the service, and pay nothing twice', async () => {
		const own = (note: string) =>
			payEach({ ...both(['note', note]), idempotencyKey: '={{ "invoice-" + $json.amount }}' });
		await bench.run(own('a'), TWO);

		const again = await bench.run(own('b'), TWO, CONTINUE);

		expect(bench.paid).toEqual([1001, 2002]);
		for (const { alreadyPaid, error } of again.json) {
			expect(alreadyPaid === true || error?.effect === 'unknown').toBe(true);
		}
	});

	it('under a reference pay nothing twice, and claim no other payout', async () => {
		const parameters = payReferenced(both(['note', 'a']));
		const workflow = buildWorkflow({ parameters, ...CONTINUE });
		await bench.start(workflow, INVOICES, { lost: 'dropAfter' });
		changeOptions(workflow, both(['note', 'b']));

		const run = await bench.followWords(workflow, INVOICES);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(run.paidBefore).toEqual([true, true]);
		bench.expectTrue(run);
	});

	it('after a refusal that the service keeps are sent with the next key of the reference', async () => {
		bench.sandbox.faults.add({
			...{ method: 'POST', kind: 'error', code: 'VALIDATION_ERROR' },
			...{ stored: true, times: 2 },
		});
		const parameters = payReferenced(both(['note', 'a']));
		const failed = await bench.start(buildWorkflow({ parameters }), INVOICES);
		expect(failed.error).toBeDefined();
		changeOptions(failed.workflow, both(['note', 'b']));

		const run = await bench.retry(failed);

		bench.expectPaid([1001, 2002], run);
		expect(bench.keys).toHaveLength(4);
	});
});

describe('Additional Query Parameters', () => {
	it('go along with the look-up of a product, and with the write', async () => {
		bench.sandbox.seed.product({ externalId: 'plan-1' });
		const productId = { __rl: true, mode: 'externalId', value: 'plan-1' };
		const remove = { resource: 'product', operation: 'delete', productId };

		await bench.run({ ...remove, options: query(['companyId', '7']) as never }, [{}]);

		expect(sent(bench).map((line) => line.replace(/[0-9a-f-]{36}/, 'ID'))).toEqual([
			'GET /v1/products/external/plan-1?companyId=7',
			'DELETE /v1/products/ID?companyId=7',
		]);
	});

	it('go along with what is looked up before a payout, but hide no row of the list', async () => {
		const options = {
			...query(['companyId', '7'], ['status', 'COMPLETED'], ['limit', '1'], ['page', '2']),
			duplicateGuard: 'always',
		};

		await bench.run(payEach(options), TWO);

		expect(bench.requests('GET').map(({ url }) => url)).toEqual([
			expect.stringMatching(/^\/v1\/withdrawals\?page=1&limit=\d\d&companyId=7$/),
		]);
	});

	it('without a value take out a parameter that this node would send', async () => {
		const options = query(['status', ''], ['state', 'PAID']) as never;
		const list = { resource: 'payment', operation: 'getAll', limit: 5, options };

		await bench.run({ ...list, filters: { status: 'PAID' } }, [{}]);

		expect(sent(bench)).toEqual(['GET /v1/payments?page=1&limit=100&state=PAID']);
	});

	it.each<[string, Parameters]>([
		['a filter', { resource: 'payment', operation: 'getAll', filters: { status: 'PAID' } }],
		[
			'a date of a statement',
			{
				resource: 'document',
				operation: 'getStatement',
				startDate: '2026-03-01',
				endDate: '2026-03-02',
			},
		],
	])('are named where the server refuses %s', async (_name, parameters) => {
		bench.sandbox.faults.add({ kind: 'error', code: 'VALIDATION_ERROR' });

		const { error } = await bench.run({ ...parameters, options: {} }, [{}]);

		expect(error?.description).toContain('Options > Additional Query Parameters');
	});

	it('are not named where nothing was guessed', async () => {
		bench.sandbox.faults.add({ kind: 'error', code: 'VALIDATION_ERROR' });

		const { error } = await bench.run(
			{ resource: 'payment', operation: 'getAll', filters: {}, options: {} },
			[{}],
		);

		expect(error?.description).not.toContain('Additional');
	});
});

describe('Without Amount', () => {
	it('creates a product without a price where the user says so', async () => {
		const parameters: Parameters = {
			resource: 'product',
			operation: 'create',
			name: '={{ $json.name }}',
			amount: '={{ $json.price }}',
			options: { withoutAmount: '={{ $json.isFree }}', maxConcurrency: 1 },
		};

		await bench.run(
			parameters,
			[
				{ name: 'Free', isFree: 'true' },
				{ name: 'Plan', isFree: false, price: '49,90' },
			],
			CONTINUE,
		);

		expect(bodies()).toEqual([{ name: 'Free' }, { name: 'Plan', amount: 49.9 }]);
	});
});
