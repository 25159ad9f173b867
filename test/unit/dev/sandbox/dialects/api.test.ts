/** Each alternative of the points that concern requests and their responses. */
import { parseDialect } from '../../../../../dev/sandbox';
import { assumedDialect, oppositeDialect } from '../../../../../dev/sandbox/settings/dialects';
import { CPF, freshKey, getIds, type Json, useBench, withdrawalBody } from '../support';

const bench = useBench();

const speak = (text: string): void => void Object.assign(bench.sandbox.dialect, parseDialect(text));

it('turns every switch into its opposite', () => {
	const assumed = assumedDialect() as Record<string, Record<string, string>>;
	for (const [id, switches] of Object.entries(oppositeDialect())) {
		for (const [name, value] of Object.entries(switches)) {
			expect([id, name, value]).not.toEqual([id, name, assumed[id]![name]]);
		}
	}
});

it('refuses an open point that does not exist, and lists those that do', () => {
	expect(() => parseDialect('listOrders=byId')).toThrow(
		/"listOrders", only listFilters, listOrder/,
	);
});

const pay = (fields: Json = {}) =>
	bench.post('/v1/withdrawals', { ...withdrawalBody(), ...fields });
const charge = (fields: Json = {}) => bench.post('/v1/payments', { amount: 10, ...fields });
const sell = (product: Json) => bench.post('/v1/products', product);
const payment = async (fields: Json) =>
	(await bench.get(`/v1/payments/${bench.sandbox.seed.payment(fields).id}`)).json.payment;
const refund = (fields: Json) =>
	bench.post(`/v1/payments/${bench.sandbox.seed.payment(fields).id}/refund`, {});
const FROZEN = { status: 'MED_FROZEN' };
const mayBe = async (operation: string, scope: string) => {
	const key = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: [scope] });
	const path = `/v1/payments/123e4567-e89b-42d3-a456-426614174000/${operation}`;
	return (await bench.post(path, {}, { key })).code !== 'FORBIDDEN';
};

it.each<[dialect: string, request: () => ReturnType<typeof pay>, status: number]>([
	['requestBodies=refused', () => pay({ note: 'a' }), 400],
	['requestBodies=refused', () => charge({ note: 'a' }), 400],
	['requestBodies=refused', () => charge(), 201],
	['productFields=nameAndAmount', () => sell({ name: 'One', amount: 10 }), 201],
	['productFields=nameAndAmount', () => sell({ name: 'One' }), 400],
	['productFields=nameOnly', () => sell({ name: 'One' }), 201],
	['productFields=all', () => sell({ name: 'One', amount: 10 }), 400],
	[
		'productFields=all',
		() => sell({ name: 'One', amount: 10, description: 'a', externalId: 'b', metadata: {} }),
		201,
	],
	...([502, 400, 422] as const).map((status): [string, () => ReturnType<typeof pay>, number] => [
		`refundFailedStatus=${status}`,
		() => refund({ status: 'PAID', submittedCents: 1_002 }),
		status,
	]),
	['sizeLimits=small', () => charge({ description: 'x'.repeat(141) }), 400],
	['sizeLimits=small', () => charge({ description: 'x'.repeat(140) }), 201],
	['sizeLimits=small', () => charge({ metadata: { note: 'x'.repeat(500) } }), 400],
	['sizeLimits=small', () => charge({ metadata: { note: 'x' } }), 201],
	['successStatus=createdOrOk', () => bench.get('/v1/balance'), 200],
	['successStatus=accepted', () => bench.get('/v1/balance'), 200],
	['unlistedEndpoints=absent', () => bench.post('/v1/customers', { name: 'Maria' }), 404],
])('%s: %#', async (dialect, request, status) => {
	speak(dialect);
	expect((await request()).status).toBe(status);
});

it.each<[dialect: string, answer: () => Promise<unknown>, expected: unknown]>([
	['methodData=typeOnly', async () => (await charge()).json.payment.methodData, { type: 'PIX' }],
	[
		'methodData=nested',
		async () => (await charge()).json.payment.methodData,
		{ type: 'PIX', pix: { copyPaste: expect.stringMatching(/^000201/) } },
	],
	...(['RANDOM', 'EVP', 'lowerCase'] as const).map(
		(spelling): [string, () => Promise<unknown>, string] => [
			`pixKeyType=${spelling}`,
			async () => {
				const pixKey = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
				const { id } = bench.sandbox.seed.withdrawal({ pixKey });
				return (await bench.get(`/v1/withdrawals/${id}`)).json.withdrawal.pixKeyType;
			},
			spelling === 'lowerCase' ? 'random' : spelling,
		],
	),
	['unlistedFields=asDescribed', async () => 'version' in (await payment({})), false],
	['unlistedFields=withMore', async () => 'version' in (await payment({})), true],
	['medStatus=MED_FROZEN', async () => (await payment(FROZEN)).status, 'MED_FROZEN'],
	['medStatus=PAID', async () => (await payment(FROZEN)).status, 'PAID'],
	['productSearch=exactCase', async () => await findProducts('monthly'), []],
	['productSearch=exactCase', async () => await findProducts('Monthly'), ['Monthly plan']],
	['scopes=refundOrWrite', async () => await mayBe('refund', 'payments:refund'), true],
	['scopes=refundOrWrite', async () => await mayBe('refund', 'payments:write'), true],
	['scopes=writeOnly', async () => await mayBe('refund', 'payments:refund'), false],
	['scopes=writeOnly', async () => await mayBe('refund', 'payments:write'), true],
	['scopes=refundOnly', async () => await mayBe('refund', 'payments:refund'), true],
	['scopes=refundOnly', async () => await mayBe('refund', 'payments:write'), false],
	['scopes=write', async () => await mayBe('simulate', 'payments:read'), false],
	['scopes=any', async () => await mayBe('simulate', 'payments:read'), true],
	['customerAuthorization=oauthToken', getExternalCustomer, 'INVALID_API_KEY'],
	['withdrawalTransitions=pending', newPayout, ['PENDING', 'COMPLETED']],
	['withdrawalTransitions=processing', newPayout, ['PROCESSING', 'COMPLETED']],
	['withdrawalTransitions=completed', newPayout, ['COMPLETED', 'COMPLETED']],
])('%s: %#', async (dialect, answer, expected) => {
	speak(dialect);
	expect(await answer()).toEqual(expected);
});

async function findProducts(search: string): Promise<string[]> {
	for (const name of ['Monthly plan', 'T-shirt']) bench.sandbox.seed.product({ name });
	const { json } = await bench.get(`/v1/products?search=${search}`);
	return json.products.map(({ name }: { name: string }) => name);
}

async function getExternalCustomer(): Promise<string | undefined> {
	bench.sandbox.seed.customer({ externalId: 'customer-1' });
	return (await bench.get('/v1/customers/external/customer-1')).code;
}

/** Its status in the response, and five seconds later. */
async function newPayout(): Promise<string[]> {
	const { json } = await pay();
	bench.clock.advance(5_000);
	return [json.withdrawal.status, bench.sandbox.books.withdrawals[0]!.status];
}

it.each(['payment', 'withdrawal', 'product'] as const)('listOrder of %ss', async (name) => {
	const now = bench.clock.now();
	const rows = [2, 0, 1].map((age) => bench.sandbox.seed[name]({ createdAt: now - age }));
	const listed = async (order: string) => {
		speak(`listOrder=${order}`);
		return getIds((await bench.get(`/v1/${name}s`)).json[`${name}s`]);
	};
	const [oldest, newest, middle] = getIds(rows);
	expect(await listed('newestFirst')).toEqual([newest, middle, oldest]);
	expect(await listed('oldestFirst')).toEqual([oldest, middle, newest]);
	expect(await listed('byId')).toEqual(getIds(rows).sort());
});

it('a list filters by the status that it shows', async () => {
	speak('medStatus=PAID');
	bench.sandbox.seed.payment({ status: 'MED_FROZEN' });
	expect((await bench.get('/v1/payments?status=PAID')).json.payments).toHaveLength(1);
});

async function twice(path = '/v1/withdrawals', body: Json = withdrawalBody(), between = () => {}) {
	const options = { idempotencyKey: freshKey() };
	const first = await bench.post(path, body, options);
	between();
	return [first.status, (await bench.post(path, body, options)).status];
}

it.each([
	['createdOrOk', 201],
	['alwaysOk', 200],
	['accepted', 202],
])('successStatus=%s, of a replay too', async (choice, created) => {
	speak(`successStatus=${choice}`);
	expect(await twice()).toEqual([created, created]);
});

it('unlistedEndpoints=present: customers are created and renamed, products renamed', async () => {
	speak('unlistedEndpoints=present');
	const { customerId } = (await bench.post('/v1/customers', { name: 'Maria' })).json.customer;
	const { id } = bench.sandbox.seed.product();
	const rename = async (path: string) =>
		(await bench.send({ method: 'PATCH', path, body: { name: 'New name' } })).json;
	expect((await rename(`/v1/customers/${customerId}`)).customer.name).toBe('New name');
	expect((await rename(`/v1/products/${id}`)).product.name).toBe('New name');
});

it.each(['/v1/balance', '/v1/payments/unknown'])(
	'deprecation is announced with %s',
	async (path) => {
		speak('deprecation=announced');
		expect((await bench.get(path)).headers.get('sunset')).toMatch(/2027/);
	},
);

describe('storedFailures=none', () => {
	beforeEach(() => speak('storedFailures=none'));
	const end = () =>
		void Object.assign(bench.sandbox.account, {
			withdrawalProviderUnavailable: false,
			paymentProviderUnavailable: false,
		});

	it('stores no failure but the 502 of a boleto, of which the API says so', async () => {
		const { account } = bench.sandbox;
		account.withdrawalProviderUnavailable = true;
		expect(await twice('/v1/withdrawals', withdrawalBody(), end)).toEqual([503, 201]);
		const bill = async (method: string) => {
			account.paymentProviderUnavailable = true;
			const customer = { name: 'Maria', document: CPF };
			return await twice('/v1/payments', { amount: 10, methods: [method], customer }, end);
		};
		expect(await bill('PIX')).toEqual([502, 201]);
		expect(await bill('BOLETO')).toEqual([502, 502]);
	});

	it('stores what the fault says is stored', async () => {
		const fault = { kind: 'error', code: 'INTERNAL_ERROR', stored: true } as const;
		bench.sandbox.faults.add({ method: 'POST', ...fault });
		expect(await twice()).toEqual([500, 500]);
	});
});

it('idempotencyScope=apiKey: each API key makes it once', async () => {
	speak('idempotencyScope=apiKey');
	const idempotencyKey = freshKey();
	const keys = [1, 2].map(() => bench.sandbox.createKey({ environment: 'SANDBOX' }));
	const ids: string[] = [];
	for (const key of [...keys, ...keys]) {
		const { json } = await bench.post('/v1/withdrawals', withdrawalBody(), { idempotencyKey, key });
		ids.push(json.withdrawal.id as string);
	}
	expect(ids[0]).not.toBe(ids[1]);
	expect(ids.slice(2)).toEqual(ids.slice(0, 2));
	expect(bench.sandbox.books.withdrawals).toHaveLength(2);
});

it('withdrawalTransitions=returnable returns the money of a returned payout', async () => {
	const { account, keys } = bench.sandbox;
	const before = account.balanceCents;
	speak('withdrawalTransitions=returnable');
	const { json } = await bench.post('/v1/withdrawals', withdrawalBody(), { key: keys.live });
	bench.clock.advance(5_000);
	expect(account.balanceCents).toBe(before - 10_150);
	bench.sandbox.setWithdrawalStatus(json.withdrawal.id, 'FAILED', 'Account closed');
	expect([account.balanceCents, account.frozenCents]).toEqual([before, 0]);
});

it('paymentTransitions=stepwise pays by PROCESSING and CONFIRMED', async () => {
	speak('paymentTransitions=stepwise');
	const statuses: string[] = [];
	const note = ({ to }: { to: string }) => void statuses.push(to);
	bench.sandbox.events.on('payment', note);
	await charge();
	bench.clock.advance(5_000);
	bench.sandbox.events.off('payment', note);
	expect(statuses).toEqual(['NEW', 'PROCESSING', 'CONFIRMED', 'PAID']);
});

it('refundTransitions=atOnce returns PENDING, and the payment is refunded', async () => {
	const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
	speak('refundTransitions=atOnce');
	const { json } = await bench.post(`/v1/payments/${id}/refund`, {});
	expect(json.refund.status).toBe('PENDING');
	expect((await bench.get(`/v1/payments/${id}`)).json.payment.status).toBe('REFUNDED');
});

it.each([
	['completionAfterPaying', 'done', 'cart'],
	['returnAfterPaying', 'cart', 'done'],
])('checkoutUrls=%s leads to %s after paying, and else to %s', async (leadsTo, paid, declined) => {
	speak(`checkoutUrls=${leadsTo}`);
	const toShop = async (action: string): Promise<string | undefined> => {
		const urls = {
			completionUrl: 'https://shop.example/done',
			returnUrl: 'https://shop.example/cart',
		};
		const body = { amount: 10, mode: 'hosted', methods: ['PIX'], ...urls };
		const { json } = await bench.post('/v1/payments', body, { key: bench.sandbox.keys.live });
		const form = new URLSearchParams({ action, method: 'PIX' });
		const page = await fetch(json.payment.checkoutUrl, { method: 'POST', body: form });
		return /href="https:\/\/shop.example\/(\w+)"/.exec(await page.text())?.[1];
	};
	expect(await toShop('pay')).toBe(paid);
	expect(await toShop('decline')).toBe(declined);
});

it('repeatedExternalId=earlierPayment finds the first one', async () => {
	speak('repeatedExternalId=earlierPayment');
	const first = await charge({ externalId: 'order-1' });
	const second = await charge({ externalId: 'order-1' });
	expect([second.status, second.json.payment.id]).toEqual([200, first.json.payment.id]);
	expect(bench.sandbox.books.payments).toHaveLength(1);
});
