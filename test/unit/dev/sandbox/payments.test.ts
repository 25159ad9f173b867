import { NOON, useBench } from './support';

const bench = useBench();

const getStatus = async (id: string, key?: string): Promise<string> =>
	(await bench.get(`/v1/payments/${id}`, key)).json.payment.status;

const create = async (body: object, key?: string) =>
	(await bench.post('/v1/payments', body, key === undefined ? {} : { key })).json.payment;

test('a created payment has exactly the fields of the API', async () => {
	const answer = await bench.post('/v1/payments', {
		amount: 100.5,
		description: 'Order 7',
		metadata: { order: { id: 7 } },
	});
	expect(answer.status).toBe(201);
	expect(answer.json).toEqual({
		payment: {
			id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
			txId: expect.stringMatching(/^PAY[0-9A-F]{32}$/),
			amount: 100.5,
			feeAmount: 0.99,
			netAmount: 99.51,
			feePassedToPayer: false,
			payerFeeAmount: 0,
			status: 'NEW',
			paymentMethod: 'PIX',
			currency: 'BRL',
			description: 'Order 7',
			metadata: { order: { id: 7 } },
			expiresAt: '2026-03-19T15:00:00.000Z',
			createdAt: '2026-03-18T15:00:00.000Z',
			methodData: { type: 'PIX', qrCode: expect.any(String), emulated: true },
			paidAt: null,
			payer: null,
		},
	});
	const { payment } = answer.json;
	expect((await bench.get(`/v1/payments/${payment.id}`)).json).toEqual(answer.json);
	expect((await bench.get(`/v1/payments/txid/${payment.txId}`)).json).toEqual(answer.json);
});

describe('sandbox cents rule', () => {
	test.each([
		[100, 'PAID'],
		[100.01, 'PAID'],
		[100.02, 'NEW'],
		[100.03, 'CANCELLED'],
		[100.04, 'EXPIRED'],
		[100.05, 'PAID'],
	])('%d becomes %s after 5 s, not earlier', async (amount, outcome) => {
		const { id } = await create({ amount });
		bench.clock.advance(4_999);
		expect(await getStatus(id)).toBe('NEW');
		bench.clock.advance(1);
		expect(await getStatus(id)).toBe(outcome);
	});

	test('it reads the submitted amount, before a fee that is passed to the payer', async () => {
		const payment = await create({ amount: 100.03, passFeeToPayer: true });
		expect(payment).toMatchObject({
			amount: 101.02,
			netAmount: 100.03,
			feePassedToPayer: true,
			payerFeeAmount: 0.99,
		});
		bench.clock.advance(5_000);
		expect(await getStatus(payment.id)).toBe('CANCELLED');
	});

	test('it does not exist in production', async () => {
		const { live } = bench.sandbox.keys;
		const { id } = await create({ amount: 100.03 }, live);
		bench.clock.advance(60_000);
		expect(await getStatus(id, live)).toBe('NEW');
		bench.clock.advance(24 * 60 * 60 * 1_000);
		expect(await getStatus(id, live)).toBe('EXPIRED');
	});
});

test('the payer is the customer once paid, and null for an open charge', async () => {
	const customer = { name: 'Maria', document: '529.982.247-25', documentType: 'CPF' };
	const known = await create({ amount: 10, customer });
	expect(known.payer).toBeNull();
	bench.clock.advance(5_000);
	const { payment } = (await bench.get(`/v1/payments/${known.id}`)).json;
	expect(payment.paidAt).toBe(new Date(bench.clock.now()).toISOString());
	expect(payment.payer).toEqual({
		name: 'Maria',
		document: '52998224725',
		documentType: 'CPF',
		institutionName: 'Emulated Bank',
		institutionIspb: '00000000',
	});
});

describe('creation', () => {
	test('by product: its price, unless it is unknown, deactivated or of the other environment', async () => {
		const { sandbox } = bench;
		const product = sandbox.seed.product({ amountCents: 1_234 });
		expect((await create({ productId: product.id })).amount).toBe(12.34);
		const live = await bench.post(
			'/v1/payments',
			{ productId: product.id },
			{ key: sandbox.keys.live },
		);
		expect(live.status).toBe(404);
		product.isActive = false;
		const gone = await bench.post('/v1/payments', { productId: product.id });
		expect(gone.json.error).toMatchObject({
			code: 'VALIDATION_ERROR',
			details: { productId: expect.any(String) },
		});
	});

	test('a hosted card needs 5.00 and returns a checkoutUrl; reads do not repeat it', async () => {
		const body = { mode: 'hosted', methods: ['PIX', 'CARD'] };
		const small = await bench.post('/v1/payments', { ...body, amount: 4.99 });
		expect(small.json.error.details).toEqual({ amount: expect.stringContaining('5.00') });
		const payment = await create({ ...body, amount: 5 });
		expect(payment.checkoutUrl).toBe(`${bench.sandbox.url}/checkout/${payment.id}`);
		expect(payment.status).toBe('PENDING_METHOD_SELECTION');
		const read = (await bench.get(`/v1/payments/${payment.id}`)).json.payment;
		expect(read).not.toHaveProperty('checkoutUrl');
	});

	test('a boleto carries its line; the same externalId for card alone finds the earlier payment', async () => {
		const customer = { name: 'Maria', document: '52998224725' };
		const boleto = await create({ amount: 10, methods: ['BOLETO'], customer });
		expect(boleto.methodData.digitableLine).toMatch(/^\d{47}$/);
		const body = { amount: 10, mode: 'hosted', methods: ['CARD'], externalId: 'order-1' };
		const first = await create(body);
		const again = await bench.post('/v1/payments', body);
		expect(again.status).toBe(200);
		expect(again.json.payment.id).toBe(first.id);
		const other = await create({ ...body, methods: ['PIX', 'CARD'] });
		expect(other.id).not.toBe(first.id);
		expect(bench.sandbox.books.payments).toHaveLength(3);
	});

	test('card data is refused without a key, has no effect, and is not even recorded', async () => {
		const body = { amount: 10, card: { number: '4111111111111111' } };
		const answer = await bench.send({ method: 'POST', path: '/v1/payments', body, key: null });
		expect(answer.status).toBe(400);
		expect(answer.json.error.code).toBe('CARD_PAYMENTS_NOT_AVAILABLE_VIA_API');
		expect(bench.sandbox.requests[0]?.rawBody.toString()).not.toContain('4111');
		expect(bench.sandbox.books.payments).toHaveLength(0);
	});

	test.each([
		[{ amount: 0 }, 'amount'],
		[{ amount: '10' }, 'amount'],
		[{ amount: 10.001 }, 'amount'],
		[{ amount: 10, methods: [] }, 'methods'],
		[{ amount: 10, methods: ['CASH'] }, 'methods.0'],
		[{ amount: 10, mode: 'embedded' }, 'mode'],
		[{ amount: 10, productId: 'x' }, 'productId'],
		[{ amount: 10, completionUrl: 'javascript:alert(1)' }, 'completionUrl'],
		[{ amount: 10, customer: { documentType: 'RG' } }, 'customer.documentType'],
		[{ amount: 10, metadata: 'x' }, 'metadata'],
		[[], 'body'],
	])('%j is refused for its %s', async (body, field) => {
		const { json } = await bench.post('/v1/payments', body);
		expect(json.error.code).toBe('VALIDATION_ERROR');
		expect(Object.keys(json.error.details)).toEqual([field]);
	});
});

describe('refunds', () => {
	test('a sandbox refund is PENDING, then the payment is REFUNDED', async () => {
		const { id } = await create({ amount: 10 });
		bench.clock.advance(5_000);
		const answer = await bench.post(`/v1/payments/${id}/refund`, {
			amount: 10,
			reason: 'Returned',
		});
		expect(answer.status).toBe(201);
		expect(answer.json).toEqual({
			refund: {
				id: expect.any(String),
				txId: expect.any(String),
				amount: 10,
				reason: 'Returned',
				status: 'PENDING',
				processedAt: null,
				createdAt: expect.stringMatching(/Z$/),
			},
		});
		expect(await getStatus(id)).toBe('PAID');
		bench.clock.advance(5_000);
		expect(await getStatus(id)).toBe('REFUNDED');
		expect(bench.sandbox.books.refunds).toMatchObject([
			{ amountCents: 1_000, status: 'COMPLETED' },
		]);
	});

	test('of a payment that was refunded in part is what remains', async () => {
		const { id } = bench.sandbox.seed.payment({ amountCents: 10_000, status: 'PARTIAL_REFUND' });
		bench.sandbox.seed.refund({ paymentId: id, amountCents: 6_000 });

		const whole = await bench.post(`/v1/payments/${id}/refund`, { amount: 100 });
		const rest = await bench.post(`/v1/payments/${id}/refund`, {});

		expect(whole.json.error.code).toBe('PARTIAL_REFUND_NOT_SUPPORTED');
		expect(rest.json.refund.amount).toBe(40);
		bench.clock.advance(5_000);
		expect(await getStatus(id)).toBe('REFUNDED');
	});

	test('in production the money is frozen first and gone after', async () => {
		const { sandbox, clock } = bench;
		const { live } = sandbox.keys;
		const { id } = await create({ amount: 100 }, live);
		sandbox.setPaymentStatus(id, 'PAID');
		expect(sandbox.account.balanceCents).toBe(100_000_000 + 9_901);
		await bench.post(`/v1/payments/${id}/refund`, {}, { key: live });
		expect(sandbox.account).toMatchObject({ balanceCents: 99_999_901, frozenCents: 10_000 });
		clock.advance(5_000);
		expect(sandbox.account).toMatchObject({ balanceCents: 99_999_901, frozenCents: 0 });
	});

	test('a chargeback that comes in between makes the refund fail: no one is paid twice', async () => {
		const { sandbox, clock } = bench;
		const { id } = await create({ amount: 100 }, sandbox.keys.live);
		sandbox.setPaymentStatus(id, 'PAID');
		await bench.post(`/v1/payments/${id}/refund`, {}, { key: sandbox.keys.live });
		sandbox.setPaymentStatus(id, 'CHARGEBACK');
		clock.advance(5_000);
		expect(await getStatus(id, sandbox.keys.live)).toBe('CHARGEBACK');
		expect(sandbox.books.refunds).toMatchObject([{ status: 'FAILED' }]);
		expect(sandbox.account).toMatchObject({ balanceCents: 99_999_901, frozenCents: 0 });
	});
});

describe('simulate', () => {
	const simulate = async (id: string, body: unknown, key?: string) =>
		bench.post(`/v1/payments/${id}/simulate`, body, key === undefined ? {} : { key });

	test('forces outcomes, against the cents as well, and needs no idempotency key', async () => {
		const { id } = await create({ amount: 10.02 });
		const paid = await bench.send({
			method: 'POST',
			path: `/v1/payments/${id}/simulate`,
			body: { status: 'PAID' },
		});
		expect(paid.status).toBe(200);
		expect(paid.json.payment.status).toBe('PAID');
		expect((await simulate(id, { status: 'EXPIRED' })).json.error.code).toBe('INVALID_STATUS');
		expect((await simulate(id, { status: 'REFUNDED' })).json.error.code).toBe('PSP_REFUND_FAILED');
	});

	test('REFUNDED leaves a refund in the books', async () => {
		const { id } = await create({ amount: 10 });
		expect((await simulate(id, { status: 'REFUNDED' })).json.error.code).toBe('INVALID_STATUS');
		await simulate(id, { status: 'PAID' });
		expect((await simulate(id, { status: 'REFUNDED' })).json.payment.status).toBe('REFUNDED');
		expect(bench.sandbox.books.refunds).toMatchObject([{ paymentId: id, status: 'COMPLETED' }]);
		const again = await bench.post(`/v1/payments/${id}/refund`, {});
		expect(again.json.error.code).toBe('ALREADY_REFUNDED');
	});

	test('knows terminal outcomes only, and sandbox keys only', async () => {
		const { live } = bench.sandbox.keys;
		const { id } = await create({ amount: 10 });
		expect((await simulate(id, { status: 'NEW' })).json.error.code).toBe('VALIDATION_ERROR');
		expect((await simulate(id, {})).json.error.code).toBe('VALIDATION_ERROR');
		const real = await create({ amount: 10 }, live);
		expect((await simulate(real.id, { status: 'PAID' }, live)).status).toBe(403);
		expect(await getStatus(real.id, live)).toBe('NEW');
	});
});

describe('production money', () => {
	const live = (): string => bench.sandbox.keys.live;
	const balance = async () => (await bench.get('/v1/balance', live())).json.balance;

	test('a confirmed card is held, a won dispute restores amount and status but not the fee', async () => {
		const { sandbox } = bench;
		const payment = sandbox.seed.payment({
			environment: 'PRODUCTION',
			paymentMethod: 'CARD',
			methods: ['CARD'],
			amountCents: 10_000,
		});
		sandbox.setPaymentStatus(payment.id, 'CONFIRMED');
		expect(await balance()).toMatchObject({ available: 1_000_000, held: 96.01 });
		sandbox.setPaymentStatus(payment.id, 'PAID');
		expect(await balance()).toMatchObject({ available: 1_000_096.01, held: 0 });
		sandbox.setPaymentStatus(payment.id, 'CHARGEBACK');
		expect((await balance()).available).toBe(999_996.01);
		sandbox.setPaymentStatus(payment.id, 'PAID');
		expect((await balance()).available).toBe(1_000_096.01);
	});
});

describe('lists', () => {
	test('newest first, also among equals; pages do not overlap and know the total', async () => {
		const { seed } = bench.sandbox;
		const ids = [1, 2, 2, 2, 3].map((second) => seed.payment({ createdAt: NOON + second }).id);
		const older = seed.payment({ createdAt: NOON }).id;
		const expected = [...ids].reverse().concat(older);
		const seen: string[] = [];
		for (const page of [1, 2, 3, 4]) {
			const { json } = await bench.get(`/v1/payments?page=${page}&limit=2`);
			expect(json.pagination).toEqual({ page, limit: 2, total: 6, totalPages: 3 });
			seen.push(...json.payments.map((payment: { id: string }) => payment.id));
		}
		expect(seen).toEqual(expected);
	});

	test('every filter keeps what it names and drops the rest', async () => {
		const { seed } = bench.sandbox;
		const cheap = seed.payment({ amountCents: 1_000, createdAt: NOON }).id;
		const dear = seed.payment({
			amountCents: 2_000,
			paymentMethod: 'BOLETO',
			status: 'PAID',
			createdAt: NOON + 24 * 60 * 60 * 1_000,
		}).id;
		const ids = async (query: string): Promise<string[]> =>
			(await bench.get(`/v1/payments?${query}`)).json.payments.map((p: { id: string }) => p.id);
		expect(await ids('status=PAID')).toEqual([dear]);
		expect(await ids('method=BOLETO')).toEqual([dear]);
		expect(await ids('minAmount=10.01')).toEqual([dear]);
		expect(await ids('minAmount=10')).toEqual([dear, cheap]);
		expect(await ids('maxAmount=19.99')).toEqual([cheap]);
		expect(await ids('startDate=2026-03-19')).toEqual([dear]);
		expect(await ids('endDate=2026-03-18')).toEqual([cheap]);
		expect(await ids('endDate=2026-03-18T14:59:59Z')).toEqual([]);
		expect(await ids('unknown=PAID')).toEqual([dear, cheap]);
		bench.sandbox.dialect.listFilters.names = 'ignoredNames';
		expect(await ids('status=PAID&minAmount=x')).toEqual([dear, cheap]);
		expect(await ids('status=PAID&limit=1')).toEqual([dear]);
	});

	test.each([
		...['page=0', 'page=x', 'page=1.5', 'limit=0', 'limit=101', 'limit=', 'limit=1&limit=2'],
		...['status=DONE', 'method=CASH', 'minAmount=ten', 'startDate=yesterday'],
	])('%s is refused', async (query) => {
		const { json } = await bench.get(`/v1/payments?${query}`);
		expect(json.error).toMatchObject({ code: 'VALIDATION_ERROR' });
		expect(Object.keys(json.error.details)).toEqual([query.split('=')[0]]);
	});

	test('a key sees its own environment only', async () => {
		const { seed, keys } = bench.sandbox;
		const { id } = seed.payment();
		expect((await bench.get('/v1/payments', keys.live)).json.pagination.total).toBe(0);
		expect((await bench.get(`/v1/payments/${id}`, keys.live)).status).toBe(404);
	});
});
