import { CNPJ, CPF, getIds, HOUR_MS, startBench, useBench, withdrawalBody } from './support';

const bench = useBench();

const live = (): string => bench.sandbox.keys.live;
const create = (change: object = {}, key = live()) =>
	bench.post('/v1/withdrawals', { ...withdrawalBody(), ...change }, { key });
const payTo = (destination: object) => create({ amount: 10, destination });
const read = async (id: string) =>
	(await bench.get(`/v1/withdrawals/${id}`, live())).json.withdrawal;

test('the creation returns the narrow form, the read the whole one', async () => {
	const answer = await create({ description: 'Supplier' });
	expect(answer.status).toBe(201);
	const narrow = {
		id: expect.stringMatching(/^[0-9a-f-]{36}$/),
		txId: expect.stringMatching(/^WIT1773846000000[0-9A-Z]{5}$/),
		...{ grossAmount: 101.5, feeAmount: 1.5, netAmount: 100, currency: 'BRL' },
		...{ status: 'PENDING', isSandbox: false, paymentMethod: 'PIX' },
		createdAt: '2026-03-18T15:00:00.000Z',
	};
	expect(answer.json).toEqual({ withdrawal: narrow });
	const whole = { pixKey: CPF, pixKeyType: 'CPF', processedAt: null, errorMessage: null };
	expect(await read(answer.json.withdrawal.id)).toEqual({ ...narrow, ...whole });
});

test('PENDING, PROCESSING, COMPLETED; the money is frozen, then gone', async () => {
	const { id } = (await create()).json.withdrawal;
	const { account } = bench.sandbox;
	expect(account).toMatchObject({ balanceCents: 99_989_850, frozenCents: 10_150 });
	bench.clock.advance(1_000);
	expect((await read(id)).status).toBe('PROCESSING');
	bench.clock.advance(4_000);
	const processedAt = expect.stringMatching(/Z$/);
	expect(await read(id)).toMatchObject({ status: 'COMPLETED', processedAt });
	expect(account).toMatchObject({ balanceCents: 99_989_850, frozenCents: 0 });
});

test('a failed one brings the money back and says why', async () => {
	bench.sandbox.account.withdrawalOutcome = 'FAILED';
	const { id } = (await create()).json.withdrawal;
	bench.clock.advance(5_000);
	const errorMessage = 'The receiving institution refused the transfer';
	expect(await read(id)).toMatchObject({ status: 'FAILED', errorMessage });
	expect(bench.sandbox.account).toMatchObject({ balanceCents: 100_000_000, frozenCents: 0 });
	expect(bench.sandbox.books.withdrawals).toMatchObject([{ id, status: 'FAILED' }]);
});

describe('limits', () => {
	const limits = async (key = live()) => (await bench.get('/v1/withdrawals/limits', key)).json;

	test('the response is not enveloped and has exactly the fields of the API', async () => {
		await create();
		expect(await limits()).toEqual({
			...{ currentLimit: 500_000, used: 101.5, remaining: 499_898.5, isNightTime: false },
			...{ fee: 1.5, dayStartHour: 6, dayEndHour: 20, minAmount: 10, perTransactionLimit: null },
		});
	});

	test('remaining - fee is the largest amount that passes; each environment has its counter', async () => {
		bench.sandbox.account.dayLimitCents = 50_000;
		await create({ amount: 100.3 });
		const { remaining, fee } = await limits();
		const largest = Math.round((remaining - fee) * 100) / 100;
		expect((await create({ amount: largest + 0.01 })).code).toBe('WITHDRAWAL_LIMIT_EXCEEDED');
		expect((await create({ amount: largest })).status).toBe(201);
		expect((await limits()).remaining).toBe(0);
		expect((await limits(bench.sandbox.keys.test)).used).toBe(0);
	});

	test('the night has less, the same counter, and the Brazilian midnight empties it', async () => {
		const fresh = await startBench({ account: { nightLimitCents: 20_000 } });
		const key = fresh.sandbox.keys.live;
		const ask = async () => (await fresh.get('/v1/withdrawals/limits', key)).json;
		const pay = async () => (await fresh.post('/v1/withdrawals', withdrawalBody(), { key })).code;
		await pay();
		fresh.clock.advance(8 * HOUR_MS);
		expect(await ask()).toMatchObject({ isNightTime: true, currentLimit: 200, used: 101.5 });
		expect(await pay()).toBe('WITHDRAWAL_LIMIT_EXCEEDED');
		// Past midnight in UTC, not in Brazil.
		fresh.clock.advance(2 * HOUR_MS);
		expect((await ask()).used).toBe(101.5);
		fresh.clock.advance(2 * HOUR_MS);
		expect(await ask()).toMatchObject({ isNightTime: true, used: 0, remaining: 200 });
		await fresh.sandbox.close();
	});
});

test('fake money has no balance: a sandbox withdrawal succeeds while its balance reads zero', async () => {
	bench.sandbox.account.balanceCents = 0;
	const { json } = await create({}, bench.sandbox.keys.test);
	expect(json.withdrawal.isSandbox).toBe(true);
	expect(bench.sandbox.account.balanceCents).toBe(0);
});

test.each([
	['a CPF key names its own recipient: the tax id of the account is not needed', CPF, null, CPF],
	['any other is paid in the name of the account', 'maria@customer.example', CNPJ, CNPJ],
])('%s', async (_rule, pixKey, ownTaxId, recipientDocument) => {
	bench.sandbox.account.ownTaxId = ownTaxId;
	await payTo({ pixKey });
	expect(bench.sandbox.books.withdrawals).toMatchObject([{ recipientDocument }]);
});

test('the network remembers a refusal for that key and document only', async () => {
	bench.sandbox.account.pixKeyHolders = { 'maria@customer.example': CPF };
	const pay = async (recipientDocument: string) =>
		(await payTo({ pixKey: 'maria@customer.example', recipientDocument })).code;
	expect(await pay(CNPJ)).toBe('WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH');
	expect(await pay(CNPJ)).toBe('WITHDRAWAL_PIX_KEY_BLOCKED');
	expect(await pay(CPF)).toBeUndefined();
	bench.clock.advance(24 * HOUR_MS);
	expect(await pay(CNPJ)).toBe('WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH');
});

test.each([
	[{ amount: 9.99 }, 'amount'],
	[{ amount: 1_000_000.01 }, 'amount'],
	[{ amount: 10.005 }, 'amount'],
	[{ amount: '10' }, 'amount'],
	[{ destination: 'x' }, 'destination'],
	[{ destination: { pixKey: '' } }, 'destination.pixKey'],
	[{ method: 'TED' }, 'method'],
	[{ currency: 'USD' }, 'currency'],
	[{ description: 'x'.repeat(501) }, 'description'],
])('%j is refused for its %s', async (change, field) => {
	const { code, refused } = await create(change);
	expect([code, refused]).toEqual(['VALIDATION_ERROR', [field]]);
});

test.each([
	['529.982.247-25', 'CPF'],
	[CNPJ, 'CNPJ'],
	['12ABC34501DE35', 'CNPJ'],
	['maria@customer.example', 'EMAIL'],
	['+5511987654321', 'PHONE'],
	['+12025550143', 'PHONE'],
	// Its check digits are right, though many write it as an example.
	['12345678909', 'CPF'],
	["o'neil+pix@customer.example", 'EMAIL'],
	['123e4567-e89b-42d3-a456-426614174000', 'RANDOM'],
])('%s is paid as a PIX key of type %s', async (pixKey, type) => {
	const { json } = await payTo({ pixKey });
	expect((await read(json.withdrawal.id)).pixKeyType).toBe(type);
});

test.each([
	...['52998224724', '11222333000180', '11987654321', '+1 555 0100', 'maria@customer'],
	...['123e4567e89b42d3a456426614174000', ' 52998224725'],
])('%o is an INVALID_PIX_KEY', async (pixKey) => {
	expect((await payTo({ pixKey })).code).toBe('INVALID_PIX_KEY');
});

test('the list filters by status and date, and refuses other methods and currencies', async () => {
	const { seed } = bench.sandbox;
	const later = bench.clock.now() + 1;
	const one = seed.withdrawal({ status: 'COMPLETED' }).id;
	const two = seed.withdrawal({ createdAt: later }).id;
	const list = (query: string) => bench.get(`/v1/withdrawals?${query}`);
	const ids = async (query: string) => getIds((await list(query)).json.withdrawals);
	expect(await ids('')).toEqual([two, one]);
	expect(await ids('status=COMPLETED&method=PIX&currency=BRL')).toEqual([one]);
	expect(await ids(`startDate=${new Date(later).toISOString()}`)).toEqual([two]);
	for (const query of ['status=PAID', 'method=CARD', 'currency=USD']) {
		expect((await list(query)).status).toBe(400);
	}
});

test('a list that lags leaves out what is younger, and does not count it', async () => {
	const list = async () => (await bench.get('/v1/withdrawals', live())).json;
	bench.sandbox.account.withdrawalListLagMs = 120_000;
	const { id } = (await create()).json.withdrawal;
	bench.clock.advance(60_000);
	await create();
	bench.clock.advance(59_999);
	expect(await list()).toMatchObject({ withdrawals: [], pagination: { total: 0 } });
	expect((await read(id)).id).toBe(id);
	bench.clock.advance(1);
	expect(await list()).toMatchObject({ withdrawals: [{ id }], pagination: { total: 1 } });
});

test('another tool pays: booked and listed like any other, without a request', async () => {
	const { sandbox, clock } = bench;
	const own = (await create()).json.withdrawal.id;
	const look = { pixKey: CPF, amountCents: 10_000, description: 'Other tool' };
	const { id } = sandbox.payByOtherTool({ ...look, environment: 'PRODUCTION' });

	expect(sandbox.requests).toHaveLength(1);
	expect(sandbox.account.balanceCents).toBe(100_000_000 - 2 * 10_150);
	expect(sandbox.books.withdrawals).toMatchObject([
		{ id: own },
		{ id, ...look, idempotencyKey: null },
	]);
	const { withdrawals } = (await bench.get('/v1/withdrawals', live())).json;
	const shown = { netAmount: 100, pixKey: CPF };
	expect(withdrawals).toMatchObject([
		{ id, ...shown },
		{ id: own, ...shown },
	]);
	clock.advance(5_000);
	expect((await read(id)).status).toBe('COMPLETED');
});

test('what has ended does not move again', async () => {
	const { id } = (await create()).json.withdrawal;
	bench.sandbox.setWithdrawalStatus(id, 'FAILED', 'Refused');
	bench.clock.advance(10_000);
	expect(await read(id)).toMatchObject({ status: 'FAILED', errorMessage: 'Refused' });
	expect(() => bench.sandbox.setWithdrawalStatus(id, 'COMPLETED')).toThrow(/cannot become/);
	expect(bench.sandbox.account.balanceCents).toBe(100_000_000);
});
