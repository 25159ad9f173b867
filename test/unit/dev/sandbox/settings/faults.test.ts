import { freshKey, useBench, withdrawalBody } from '../support';

const bench = useBench();

const pay = (idempotencyKey = freshKey()) =>
	bench.post('/v1/withdrawals', withdrawalBody(), { idempotencyKey });
const effects = (): number => bench.sandbox.books.withdrawals.length;

/** The code that the network gave for a request that got no response. */
const getCode = async (request: Promise<unknown>): Promise<unknown> =>
	await request.then(
		() => null,
		(error: Error & { cause?: { code?: string } }) => error.cause?.code,
	);

test.each([
	[{ kind: 'dropBefore' }, 'UND_ERR_SOCKET', 0],
	[{ kind: 'dropBefore', reset: true }, 'ECONNRESET', 0],
	[{ kind: 'dropAfter' }, 'UND_ERR_SOCKET', 1],
	[{ kind: 'dropAfter', reset: true }, 'ECONNRESET', 1],
] as const)('%j: the client sees %s, and %i payouts were made', async (fault, code, made) => {
	bench.sandbox.faults.add(fault);
	const key = freshKey();
	expect(await getCode(pay(key))).toBe(code);
	expect(effects()).toBe(made);
	expect(bench.sandbox.requests).toHaveLength(1);
	expect(bench.sandbox.requests[0]).not.toHaveProperty('status');
	expect((await pay(key)).json.withdrawal.id).toBe(bench.sandbox.books.withdrawals[0]!.id);
	expect(effects()).toBe(1);
});

describe('lateRequest', () => {
	/** As long as a request takes that does not wait. */
	const settle = async (): Promise<void> => {
		for (let n = 0; n < 3; n += 1) await bench.get('/v1/withdrawals/limits');
	};

	test('the connection is lost at once, and the money moves later', async () => {
		bench.sandbox.faults.add({ kind: 'lateRequest', ms: 60_000 });
		await expect(pay()).rejects.toThrow();
		bench.clock.advance(59_999);
		await settle();
		expect(effects()).toBe(0);
		bench.clock.advance(1);
		await settle();
		const [request] = bench.sandbox.requests;
		expect(request).toMatchObject({ fault: 'lateRequest' });
		expect(request).not.toHaveProperty('status');
		expect(bench.sandbox.books.withdrawals).toMatchObject([
			{ createdAt: request!.receivedAt + 60_000 },
		]);
	});

	test('what comes in between with other content makes it a mismatch, without an effect', async () => {
		bench.sandbox.faults.add({ kind: 'lateRequest', ms: 60_000 });
		const idempotencyKey = freshKey();
		await expect(pay(idempotencyKey)).rejects.toThrow();
		const corrected = { ...withdrawalBody(), amount: 200 };
		await bench.post('/v1/withdrawals', corrected, { idempotencyKey });
		bench.clock.advance(60_000);
		await settle();
		expect(bench.sandbox.books.withdrawals.map(({ amountCents }) => amountCents)).toEqual([20_000]);
	});
});

test('inFlight strikes what is processed, not what is refused in the meantime', async () => {
	const { faults, requests } = bench.sandbox;
	faults.add({ kind: 'inFlight', ms: 1_000, times: 2 });
	const key = freshKey();
	const slow = pay(key);
	while (requests[0]?.fault === undefined) await new Promise(setImmediate);
	expect((await pay(key)).code).toBe('IDEMPOTENCY_CONFLICT');
	bench.clock.advance(1_000);
	expect((await slow).status).toBe(201);
	expect(requests.map(({ fault }) => fault)).toEqual(['inFlight', undefined]);
});

test('status and html: instead of processing, or after it', async () => {
	const { faults } = bench.sandbox;
	faults.add({ kind: 'status', status: 418, body: { odd: true }, headers: { 'X-Odd': 'yes' } });
	faults.add({ kind: 'html', status: 502 });
	faults.add({ kind: 'status', status: 500, process: true });
	faults.add({ kind: 'html', status: 504, process: true });
	const odd = await pay();
	expect([odd.status, odd.json, odd.headers.get('x-odd')]).toEqual([418, { odd: true }, 'yes']);
	const page = await pay();
	expect(page.status).toBe(502);
	expect(page.headers.get('content-type')).toMatch(/^text\/html/);
	expect(page.text).toContain('<html>');
	expect(effects()).toBe(0);
	expect([(await pay()).status, (await pay()).status]).toEqual([500, 504]);
	expect(effects()).toBe(2);
});

test.each([{ code: 'WITHDRAWAL_PROVIDER_UNAVAILABLE' }, { code: 'INTERNAL_ERROR', stored: true }])(
	'error %j is stored under its key',
	async (fault) => {
		bench.sandbox.faults.add({ kind: 'error', ...fault });
		const key = freshKey();
		const first = await pay(key);
		expect(first.code).toBe(fault.code);
		expect((await pay(key)).bytes.equals(first.bytes)).toBe(true);
		expect(effects()).toBe(0);
	},
);
