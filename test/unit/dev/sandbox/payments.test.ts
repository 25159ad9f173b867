import type { PaymentStatus } from '../../../../dev/sandbox/store/types';
import { CPF, getIds, HOUR_MS, type Json, NOON, useBench } from './support';

const bench = useBench();

const getPayment = async (id: string, key?: string): Promise<Json> =>
	(await bench.get(`/v1/payments/${id}`, key)).json.payment;
const getStatus = async (id: string, key?: string): Promise<string> =>
	(await getPayment(id, key)).status;
const create = async (body: object, key?: string) =>
	(await bench.post('/v1/payments', body, { key })).json.payment;
const live = (): string => bench.sandbox.keys.live;

test('a created payment has exactly the fields of the API', async () => {
	const given = { amount: 100.5, description: 'Order 7', metadata: { order: { id: 7 } } };
	const answer = await bench.post('/v1/payments', given);
	expect(answer.status).toBe(201);
	expect(answer.json).toEqual({
		payment: {
			...given,
			id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
			txId: expect.stringMatching(/^PAY[0-9A-F]{32}$/),
			feeAmount: 0.99,
			netAmount: 99.51,
			feePassedToPayer: false,
			payerFeeAmount: 0,
			status: 'NEW',
			paymentMethod: 'PIX',
			currency: 'BRL',
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
			...{ amount: 101.02, netAmount: 100.03, feePassedToPayer: true, payerFeeAmount: 0.99 },
		});
		bench.clock.advance(5_000);
		expect(await getStatus(payment.id)).toBe('CANCELLED');
	});

	test('it does not exist in production', async () => {
		const { id } = await create({ amount: 100.03 }, live());
		bench.clock.advance(60_000);
		expect(await getStatus(id, live())).toBe('NEW');
		bench.clock.advance(24 * HOUR_MS);
		expect(await getStatus(id, live())).toBe('EXPIRED');
	});
});

test('the payer is the customer once paid, and null for an open charge', async () => {
	const customer = { name: 'Maria', document: '529.982.247-25', documentType: 'CPF' };
	const known = await create({ amount: 10, customer });
	expect(known.payer).toBeNull();
	bench.clock.advance(5_000);
	expect(await getPayment(known.id)).toMatchObject({
		paidAt: new Date(bench.clock.now()).toISOString(),
		payer: {
			...{ name: 'Maria', document: CPF, documentType: 'CPF' },
			...{ institutionName: 'Emulated Bank', institutionIspb: '00000000' },
		},
	});
});

describe('creation', () => {
	test('by product: its price, unless it is unknown, deactivated or of the other environment', async () => {
		const product = bench.sandbox.seed.product({ amountCents: 1_234 });
		const body = { productId: product.id };
		expect((await create(body)).amount).toBe(12.34);
		expect((await bench.post('/v1/payments', body, { key: live() })).status).toBe(404);
		product.isActive = false;
		const { code, refused } = await bench.post('/v1/payments', body);
		expect([code, refused]).toEqual(['VALIDATION_ERROR', ['productId']]);
	});

	test('a hosted card needs 5.00 and returns a checkoutUrl; reads do not repeat it', async () => {
		const body = { mode: 'hosted', methods: ['PIX', 'CARD'] };
		const small = await bench.post('/v1/payments', { ...body, amount: 4.99 });
		expect(small.json.error.details).toEqual({ amount: expect.stringContaining('5.00') });
		const payment = await create({ ...body, amount: 5 });
		expect(payment.checkoutUrl).toBe(`${bench.sandbox.url}/checkout/${payment.id}`);
		expect(payment.status).toBe('PENDING_METHOD_SELECTION');
		expect(await getPayment(payment.id)).not.toHaveProperty('checkoutUrl');
	});

	test('a boleto carries its line', async () => {
		const customer = { name: 'Maria', document: CPF };
		const boleto = await create({ amount: 10, methods: ['BOLETO'], customer });
		expect(boleto.methodData.digitableLine).toMatch(/^\d{47}$/);
	});

	test('the same externalId for card alone finds the earlier payment', async () => {
		const body = { amount: 10, mode: 'hosted', methods: ['CARD'], externalId: 'order-1' };
		const first = await create(body);
		const again = await bench.post('/v1/payments', body);
		expect([again.status, again.json.payment.id]).toEqual([200, first.id]);
		expect((await create({ ...body, methods: ['PIX', 'CARD'] })).id).not.toBe(first.id);
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	test('card data is refused without a key, has no effect, and is not even recorded', async () => {
		const body = { amount: 10, card: { number: '4111111111111111' } };
		const answer = await bench.send({ method: 'POST', path: '/v1/payments', body, key: null });
		expect([answer.status, answer.code]).toEqual([400, 'CARD_PAYMENTS_NOT_AVAILABLE_VIA_API']);
		expect(bench.sandbox.requests[0]!.rawBody.toString()).not.toContain('4111');
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
		const { code, refused } = await bench.post('/v1/payments', body);
		expect([code, refused]).toEqual(['VALIDATION_ERROR', [field]]);
	});
});

describe('refunds', () => {
	const refund = async (id: string, body: object = {}, key?: string) =>
		bench.post(`/v1/payments/${id}/refund`, body, { key });

	test('a sandbox refund is PENDING, then the payment is REFUNDED', async () => {
		const { id } = await create({ amount: 10 });
		bench.clock.advance(5_000);
		const answer = await refund(id, { amount: 10, reason: 'Returned' });
		expect(answer.status).toBe(201);
		expect(answer.json).toEqual({
			refund: {
				...{ id: expect.any(String), txId: expect.any(String), amount: 10, reason: 'Returned' },
				...{ status: 'PENDING', processedAt: null, createdAt: expect.stringMatching(/Z$/) },
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
		expect((await refund(id, { amount: 100 })).code).toBe('PARTIAL_REFUND_NOT_SUPPORTED');
		expect((await refund(id)).json.refund.amount).toBe(40);
		bench.clock.advance(5_000);
		expect(await getStatus(id)).toBe('REFUNDED');
	});

	/** In production, its money frozen. */
	async function refundLive(): Promise<string> {
		const { account, setPaymentStatus } = bench.sandbox;
		const { id } = await create({ amount: 100 }, live());
		setPaymentStatus(id, 'PAID');
		expect(account.balanceCents).toBe(100_000_000 + 9_901);
		await refund(id, {}, live());
		expect(account).toMatchObject({ balanceCents: 99_999_901, frozenCents: 10_000 });
		return id;
	}

	test('in production the money is frozen first and gone after', async () => {
		await refundLive();
		bench.clock.advance(5_000);
		expect(bench.sandbox.account).toMatchObject({ balanceCents: 99_999_901, frozenCents: 0 });
	});

	test('a chargeback that comes in between makes the refund fail: no one is paid twice', async () => {
		const { sandbox, clock } = bench;
		const id = await refundLive();
		sandbox.setPaymentStatus(id, 'CHARGEBACK');
		clock.advance(5_000);
		expect(await getStatus(id, live())).toBe('CHARGEBACK');
		expect(sandbox.books.refunds).toMatchObject([{ status: 'FAILED' }]);
		expect(sandbox.account).toMatchObject({ balanceCents: 99_999_901, frozenCents: 0 });
	});
});

describe('simulate', () => {
	/** @returns the code of the error, or the status of the payment */
	const simulate = async (id: string, status?: string, key?: string): Promise<string> => {
		const request = { method: 'POST', path: `/v1/payments/${id}/simulate`, body: { status }, key };
		const { code, json } = await bench.send(request);
		return code ?? json.payment.status;
	};

	test('forces outcomes, against the cents as well, and needs no idempotency key', async () => {
		const { id } = await create({ amount: 10.02 });
		expect(await simulate(id, 'PAID')).toBe('PAID');
		expect(await simulate(id, 'EXPIRED')).toBe('INVALID_STATUS');
		expect(await simulate(id, 'REFUNDED')).toBe('PSP_REFUND_FAILED');
	});

	test('REFUNDED leaves a refund in the books', async () => {
		const { id } = await create({ amount: 10 });
		expect(await simulate(id, 'REFUNDED')).toBe('INVALID_STATUS');
		await simulate(id, 'PAID');
		expect(await simulate(id, 'REFUNDED')).toBe('REFUNDED');
		expect(bench.sandbox.books.refunds).toMatchObject([{ paymentId: id, status: 'COMPLETED' }]);
		expect((await bench.post(`/v1/payments/${id}/refund`, {})).code).toBe('ALREADY_REFUNDED');
	});

	test('knows terminal outcomes only, and sandbox keys only', async () => {
		const { id } = await create({ amount: 10 });
		expect(await simulate(id, 'NEW')).toBe('VALIDATION_ERROR');
		expect(await simulate(id)).toBe('VALIDATION_ERROR');
		const real = await create({ amount: 10 }, live());
		expect(await simulate(real.id, 'PAID', live())).toBe('FORBIDDEN');
		expect(await getStatus(real.id, live())).toBe('NEW');
	});
});

test('a confirmed card is held, a won dispute restores amount and status but not the fee', async () => {
	const card = { paymentMethod: 'CARD', amountCents: 10_000 } as const;
	const { id } = bench.sandbox.seed.payment({ environment: 'PRODUCTION', ...card });
	const balance = async (status: 'CONFIRMED' | 'PAID' | 'CHARGEBACK') => {
		bench.sandbox.setPaymentStatus(id, status);
		return (await bench.get('/v1/balance', live())).json.balance;
	};
	expect(await balance('CONFIRMED')).toMatchObject({ available: 1_000_000, held: 96.01 });
	expect(await balance('PAID')).toMatchObject({ available: 1_000_096.01, held: 0 });
	expect((await balance('CHARGEBACK')).available).toBe(999_996.01);
	expect((await balance('PAID')).available).toBe(1_000_096.01);
});

describe('what is held of a confirmed payment', () => {
	const seeded = () =>
		bench.sandbox.seed.payment({
			...{ environment: 'PRODUCTION', paymentMethod: 'CARD', amountCents: 10_000 },
		}).id;
	const balanceAfter = async (...statuses: PaymentStatus[]) => {
		const id = seeded();
		for (const status of statuses) bench.sandbox.setPaymentStatus(id, status);
		const { balance } = (await bench.get('/v1/balance', live())).json;
		return [balance.available - 1_000_000, balance.frozen, balance.held].map((reais) =>
			Math.round(reais * 100),
		);
	};

	test.each<[PaymentStatus[], number, number, number]>([
		[['CONFIRMED'], 0, 0, 9_601],
		[['CONFIRMED', 'PAID'], 9_601, 0, 0],
		[['PAID'], 9_601, 0, 0],
		// The fee stays withheld, whichever way it went.
		[['CONFIRMED', 'REFUNDED'], -399, 0, 0],
		[['PAID', 'REFUNDED'], -399, 0, 0],
		[['CONFIRMED', 'PAID', 'REFUNDED'], -399, 0, 0],
		[['CONFIRMED', 'MED_FROZEN'], 0, 9_601, 0],
		[['CONFIRMED', 'MED_FROZEN', 'PAID'], 9_601, 0, 0],
		[['CONFIRMED', 'MED_FROZEN', 'REFUNDED'], -399, 0, 0],
		[['PAID', 'MED_FROZEN', 'REFUNDED'], -399, 0, 0],
		[['CONFIRMED', 'CHARGEBACK'], -399, 0, 0],
		[['CONFIRMED', 'CHARGEBACK', 'CONFIRMED'], 0, 0, 9_601],
		[['CONFIRMED', 'CHARGEBACK', 'CONFIRMED', 'PAID'], 9_601, 0, 0],
		[['PAID', 'REFUNDED', 'CHARGEBACK', 'REFUNDED'], -399, 0, 0],
	])('%j: %i centavos available, %i frozen, %i held', async (statuses, available, frozen, held) => {
		expect(await balanceAfter(...statuses)).toEqual([available, frozen, held]);
	});

	test('a refund by the API takes nothing of it either', async () => {
		const id = seeded();
		bench.sandbox.setPaymentStatus(id, 'CONFIRMED');
		await bench.post(`/v1/payments/${id}/refund`, {}, { key: live() });
		bench.clock.advance(5_000);
		const { balance } = (await bench.get('/v1/balance', live())).json;
		expect(balance).toMatchObject({ available: 999_996.01, frozen: 0, held: 0 });
	});
});

describe('the payer', () => {
	const payerOf = async (customer: object, methods = ['PIX']) => {
		const { id } = (await bench.post('/v1/payments', { amount: 10, methods, customer })).json
			.payment;
		bench.clock.advance(5_000);
		return (await bench.get(`/v1/payments/${id}`)).json.payment.payer;
	};
	const maria = { name: 'Maria', document: '529.982.247-25', documentType: 'CPF' };
	const verde = { name: 'Verde', document: '12.ABC.345/01DE-35', documentType: 'CNPJ' };

	test('has the whole document, letters of a CNPJ included', async () => {
		expect(await payerOf(maria)).toMatchObject({ document: CPF, documentType: 'CPF' });
		expect(await payerOf(verde)).toMatchObject({ document: '12ABC34501DE35' });
	});

	test('has a masked document without a type where the PIX network shows no more', async () => {
		bench.sandbox.account.maskedPayers = true;
		const masked = { documentType: null, institutionName: 'Emulated Bank' };
		expect(await payerOf(maria)).toEqual(
			expect.objectContaining({ ...masked, name: 'Maria', document: '***982247**' }),
		);
		expect(await payerOf(verde)).toMatchObject({ ...masked, document: '***BC34501DE**' });
		expect(await payerOf({ name: 'Maria' })).toMatchObject({ document: null });
		expect(await payerOf({ ...maria, email: 'maria@customer.example' }, ['BOLETO'])).toMatchObject({
			document: CPF,
			documentType: 'CPF',
		});
	});
});

describe('lists', () => {
	const list = async (query: string, key?: string) =>
		(await bench.get(`/v1/payments?${query}`, key)).json;

	test('newest first, also among equals; pages do not overlap and know the total', async () => {
		const { seed } = bench.sandbox;
		const ids = [1, 2, 2, 2, 3].map((second) => seed.payment({ createdAt: NOON + second }).id);
		const older = seed.payment({ createdAt: NOON }).id;
		const seen: string[] = [];
		for (const page of [1, 2, 3, 4]) {
			const { pagination, payments } = await list(`page=${page}&limit=2`);
			expect(pagination).toEqual({ page, limit: 2, total: 6, totalPages: 3 });
			seen.push(...getIds(payments));
		}
		expect(seen).toEqual([...ids.reverse(), older]);
	});

	test('every filter keeps what it names and drops the rest', async () => {
		const { seed } = bench.sandbox;
		const cheap = seed.payment({ amountCents: 1_000, createdAt: NOON }).id;
		const other = { paymentMethod: 'BOLETO', status: 'PAID' } as const;
		const dear = seed.payment({ amountCents: 2_000, createdAt: NOON + 24 * HOUR_MS, ...other }).id;
		const ids = async (query: string) => getIds((await list(query)).payments);
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

	test('amounts are compared in centavos: none is lost at a bound', async () => {
		const all = [29, 110, 820, 1_001, 1_999, 114_715, 99_999_999];
		for (const amountCents of all) bench.sandbox.seed.payment({ amountCents });
		const amounts = async (query: string) =>
			(await list(`limit=100&${query}`)).payments.map((row: { amount: number }) => row.amount);
		for (const cents of all) {
			const reais = cents / 100;
			for (const text of [String(reais), reais.toFixed(2), `${reais.toFixed(2)}0`]) {
				expect(await amounts(`minAmount=${text}&maxAmount=${text}`)).toEqual([reais]);
			}
		}
		expect(await amounts('minAmount=8.201&maxAmount=10.009')).toEqual([]);
		expect(await amounts('minAmount=8.199&maxAmount=10.011')).toEqual([10.01, 8.2]);
	});

	test.each([
		...['page=0', 'page=x', 'page=1.5', 'limit=0', 'limit=101', 'limit=', 'limit=1&limit=2'],
		...['status=DONE', 'method=CASH', 'minAmount=ten', 'startDate=yesterday'],
	])('%s is refused', async (query) => {
		const { code, refused } = await bench.get(`/v1/payments?${query}`);
		expect([code, refused]).toEqual(['VALIDATION_ERROR', [query.split('=')[0]]]);
	});

	test('a key sees its own environment only', async () => {
		const { id } = bench.sandbox.seed.payment();
		expect((await list('', live())).pagination.total).toBe(0);
		expect((await bench.get(`/v1/payments/${id}`, live())).status).toBe(404);
	});
});
