import { useBench } from './support';

const bench = useBench();

describe('records', () => {
	it.each([
		['asDescribed', false],
		['withMore', true],
	] as const)('%s', async (records, hasMore) => {
		bench.sandbox.dialect.unlistedFields.records = records;
		const { id } = bench.sandbox.seed.payment();
		const { json } = await bench.get(`/v1/payments/${id}`);
		expect('version' in json.payment).toBe(hasMore);
	});
});

describe('during a MED procedure', () => {
	it.each(['MED_FROZEN', 'PAID'] as const)('a payment is %s', async (during) => {
		bench.sandbox.dialect.medStatus.during = during;
		const { id } = bench.sandbox.seed.payment({ status: 'MED_FROZEN' });
		const { json } = await bench.get(`/v1/payments/${id}`);
		expect(json.payment.status).toBe(during);
		const list = await bench.get(`/v1/payments?status=${during}`);
		expect(list.json.payments).toHaveLength(1);
	});
});

describe('a search for products', () => {
	const found = async (search: string): Promise<string[]> => {
		const { json } = await bench.get(`/v1/products?search=${search}`);
		return json.products.map(({ name }: { name: string }) => name);
	};

	beforeEach(() => {
		bench.sandbox.seed.product({ name: 'Monthly plan' });
		bench.sandbox.seed.product({ name: 'T-shirt' });
	});

	it('or in the exact case only', async () => {
		bench.sandbox.dialect.productSearch.compares = 'exactCase';
		expect(await found('monthly')).toEqual([]);
		expect(await found('Monthly')).toEqual(['Monthly plan']);
	});
});

describe('the checkout page', () => {
	const DONE = 'https://shop.example.com/done';
	const CART = 'https://shop.example.com/cart';

	const leadsTo = async (action: string): Promise<string> => {
		const { json } = await bench.post(
			'/v1/payments',
			{ amount: 10, mode: 'hosted', methods: ['PIX'], completionUrl: DONE, returnUrl: CART },
			{ key: bench.sandbox.keys.live },
		);
		await fetch(json.payment.checkoutUrl, {
			method: 'POST',
			body: new URLSearchParams({ action, method: 'PIX' }),
		});
		const page = await (await fetch(json.payment.checkoutUrl)).text();
		return [DONE, CART].filter((url) => page.includes(`href="${url}"`)).join();
	};

	it('leads to Completion URL after paying, and to Return URL without', async () => {
		expect(await leadsTo('pay')).toBe(DONE);
		expect(await leadsTo('decline')).toBe(CART);
	});

	it('or the other way round', async () => {
		bench.sandbox.dialect.checkoutUrls.leadsTo = 'returnAfterPaying';
		expect(await leadsTo('pay')).toBe(CART);
		expect(await leadsTo('decline')).toBe(DONE);
	});
});

describe('a repeated External ID', () => {
	const create = async (): Promise<{ status: number; id: string }> => {
		const { status, json } = await bench.post('/v1/payments', {
			amount: 10,
			externalId: 'order-1',
		});
		return { status, id: json.payment.id };
	};

	it('or finds the first one', async () => {
		bench.sandbox.dialect.repeatedExternalId.finds = 'earlierPayment';
		const [first, second] = [await create(), await create()];
		expect(second).toEqual({ status: 200, id: first.id });
		expect(bench.sandbox.books.payments).toHaveLength(1);
	});
});

describe('a customer by external ID', () => {
	beforeEach(() => {
		bench.sandbox.seed.customer({ externalId: 'customer-1' });
	});

	it('or only with an OAuth token', async () => {
		bench.sandbox.dialect.customerAuthorization.takes = 'oauthToken';
		const { status, json } = await bench.get('/v1/customers/external/customer-1');
		expect([status, json.error.code]).toEqual([401, 'INVALID_API_KEY']);
	});
});

describe('scopes', () => {
	const ID = '123e4567-e89b-42d3-a456-426614174000';
	const isAllowed = async (operation: string, scope: string): Promise<boolean> => {
		const key = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: [scope] });
		const { json } = await bench.post(`/v1/payments/${ID}/${operation}`, {}, { key });
		return json.error.code !== 'FORBIDDEN';
	};

	it.each([
		['refundOrWrite', true, true],
		['writeOnly', false, true],
		['refundOnly', true, false],
	] as const)('of a refund: %s', async (refund, byRefund, byWrite) => {
		bench.sandbox.dialect.scopes.refund = refund;
		expect(await isAllowed('refund', 'payments:refund')).toBe(byRefund);
		expect(await isAllowed('refund', 'payments:write')).toBe(byWrite);
	});

	it.each([
		['write', false],
		['any', true],
	] as const)('of a simulated outcome: %s', async (simulate, byRead) => {
		bench.sandbox.dialect.scopes.simulate = simulate;
		expect(await isAllowed('simulate', 'payments:read')).toBe(byRead);
		expect(await isAllowed('simulate', 'payments:write')).toBe(true);
	});
});
