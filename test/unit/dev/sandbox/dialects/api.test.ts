/** Each alternative of the points that concern requests and their responses. */
import { parseDialect } from '../../../../../dev/sandbox';
import { CPF, freshKey, type Json, useBench, withdrawalBody } from '../support';

const bench = useBench();

const speak = (text: string): void => void Object.assign(bench.sandbox.dialect, parseDialect(text));
const ids = (rows: Json[]): string[] => rows.map(({ id }) => id as string);
const DAY = 24 * 60 * 60_000;

describe('listFilters', () => {
	const seed = () => [
		bench.sandbox.seed.payment({ status: 'PAID' }),
		bench.sandbox.seed.payment({ status: 'NEW' }),
	];
	const found = async (query: string) => (await bench.get(`/v1/payments?${query}`)).json.payments;

	test('otherNames filters by other names, and by no assumed one', async () => {
		const [paid] = seed();
		speak('listFilters=otherNames');
		expect(ids(await found('state=PAID'))).toEqual([paid!.id]);
		expect(await found('status=PAID')).toHaveLength(2);
	});

	test('ignoredNames filters by nothing', async () => {
		seed();
		speak('listFilters=ignoredNames');
		expect(await found('status=PAID&state=PAID')).toHaveLength(2);
	});

	test('refused names the parameter that it does not know, and knows pages', async () => {
		speak('listFilters=refused+otherNames');
		expect((await bench.get('/v1/payments?state=PAID&page=1&limit=5')).status).toBe(200);
		const { status, json } = await bench.get('/v1/payments?status=PAID');
		expect([status, Object.keys(json.error.details)]).toEqual([400, ['status']]);
	});

	test('paidOrProcessedAt filters by the time of the payment or of the payout', async () => {
		const now = bench.clock.now();
		const paid = bench.sandbox.seed.payment({ createdAt: now - 3 * DAY, paidAt: now });
		bench.sandbox.seed.payment({ createdAt: now });
		speak('listFilters=paidOrProcessedAt');
		const since = new Date(now - DAY).toISOString();
		expect(ids(await found(`startDate=${since}`))).toEqual([paid.id]);
		const sent = bench.sandbox.seed.withdrawal({ createdAt: now - 3 * DAY, processedAt: now });
		bench.sandbox.seed.withdrawal({ createdAt: now });
		const { json } = await bench.get(`/v1/withdrawals?startDate=${since}`);
		expect(ids(json.withdrawals)).toEqual([sent.id]);
	});
});

test.each(['payment', 'withdrawal', 'product'] as const)('listOrder of %ss', async (name) => {
	const now = bench.clock.now();
	const rows = [2, 0, 1].map((age) => bench.sandbox.seed[name]({ createdAt: now - age }));
	const listed = async (order: string) => {
		speak(`listOrder=${order}`);
		return ids((await bench.get(`/v1/${name}s`)).json[`${name}s`]);
	};
	const [oldest, newest, middle] = ids(rows);
	expect(await listed('newestFirst')).toEqual([newest, middle, oldest]);
	expect(await listed('oldestFirst')).toEqual([oldest, middle, newest]);
	expect(await listed('byId')).toEqual(ids(rows).sort());
});

describe('documentParameters', () => {
	const statement = '/v1/documents/statements?';

	test('otherNames knows no assumed one', async () => {
		speak('documentParameters=otherNames');
		const { json } = await bench.get(`${statement}from=2026-03-01&to=2026-03-02&outputFormat=text`);
		expect(json.content).toContain('Period: 2026-03-01 to 2026-03-02');
		expect((await bench.get(`${statement}startDate=2026-03-01&endDate=2026-03-02`)).status).toBe(
			400,
		);
		const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
		const receipt = await bench.get(`/v1/documents/payments/${id}/receipt?format=text`);
		expect(receipt.headers.get('content-type')).toContain('text/html');
	});

	test('currentMonth is what comes without a period', async () => {
		speak('documentParameters=otherNames+currentMonth');
		const { json } = await bench.get(`${statement}startDate=2026-01-01&endDate=2026-01-02`);
		expect(json.content).toContain('Period: 2026-03-01 to 2026-03-18');
	});
});

describe('requestBodies', () => {
	const destination = { pixKey: CPF, type: 'PIX_KEY' };

	test('required asks for a field of each', async () => {
		speak('requestBodies=required');
		const refused = await bench.post('/v1/withdrawals', withdrawalBody());
		expect(refused.json.error.details).toHaveProperty(['destination.type']);
		expect((await bench.post('/v1/withdrawals', { amount: 10, destination })).status).toBe(201);
		expect((await bench.post('/v1/payments', { amount: 10 })).status).toBe(400);
		expect((await bench.post('/v1/payments', { amount: 10, locale: 'pt' })).status).toBe(201);
	});

	test('refused takes no field that is not described', async () => {
		speak('requestBodies=refused');
		const body = { ...withdrawalBody(), note: 'a' };
		expect((await bench.post('/v1/withdrawals', body)).status).toBe(400);
		expect((await bench.post('/v1/payments', { amount: 10, note: 'a' })).status).toBe(400);
		expect((await bench.post('/v1/payments', { amount: 10 })).status).toBe(201);
	});
});

test('simulateBody: another field, and a response without a body', async () => {
	const { id } = bench.sandbox.seed.payment();
	speak('simulateBody=targetStatus+empty');
	const simulate = async (body: object) => await bench.post(`/v1/payments/${id}/simulate`, body);
	expect((await simulate({ status: 'PAID' })).status).toBe(400);
	const { status, text } = await simulate({ targetStatus: 'PAID' });
	expect([status, text]).toEqual([204, '']);
	expect((await bench.get(`/v1/payments/${id}`)).json.payment.status).toBe('PAID');
});

test.each([
	['nameAndAmount', { name: 'One', amount: 10 }, 201],
	['nameAndAmount', { name: 'One' }, 400],
	['nameOnly', { name: 'One' }, 201],
	['all', { name: 'One', amount: 10 }, 400],
	['all', { name: 'One', amount: 10, description: 'a', externalId: 'b', metadata: {} }, 201],
])('productFields=%s responds to %j with %i', async (required, body, status) => {
	speak(`productFields=${required}`);
	expect((await bench.post('/v1/products', body)).status).toBe(status);
});

test.each([
	['createdOrOk', 201, 200],
	['alwaysOk', 200, 200],
	['accepted', 202, 200],
])('successStatus=%s, of a replay too', async (choice, created, read) => {
	speak(`successStatus=${choice}`);
	for (const { status } of await twice()) expect(status).toBe(created);
	expect((await bench.get('/v1/balance')).status).toBe(read);
});

async function twice() {
	const options = { idempotencyKey: freshKey() };
	const first = await bench.post('/v1/withdrawals', withdrawalBody(), options);
	return [first, await bench.post('/v1/withdrawals', withdrawalBody(), options)];
}

describe('paymentEnvelope', () => {
	const create = async (choice: string): Promise<Json> => {
		speak(`paymentEnvelope=${choice}`);
		return (await bench.post('/v1/payments', { amount: 10, mode: 'hosted' })).json;
	};

	test('of creations and reads, but not of the read whose response is described', async () => {
		const { id, txId } = await create('none');
		expect((await bench.get(`/v1/payments/${id}`)).json.id).toBe(id);
		expect((await bench.get(`/v1/payments/txid/${txId}`)).json.payment.id).toBe(id);
		const { data } = await create('data');
		expect((await bench.get(`/v1/payments/${data.id}`)).json.data.id).toBe(data.id);
	});

	test('the address of the checkout inside the payment or next to it', async () => {
		expect((await create('payment')).payment.checkoutUrl).toMatch(/^http/);
		const { payment, checkoutUrl } = await create('beside');
		expect(payment).not.toHaveProperty('checkoutUrl');
		expect(checkoutUrl).toContain(payment.id);
	});
});

test('methodData: nested, or its type alone', async () => {
	const fields = async (choice: string) => {
		speak(`methodData=${choice}`);
		return (await bench.post('/v1/payments', { amount: 10 })).json.payment.methodData;
	};
	expect((await fields('nested')).pix.copyPaste).toMatch(/^000201/);
	expect(await fields('typeOnly')).toEqual({ type: 'PIX' });
});

test.each([
	['RANDOM', 'RANDOM'],
	['EVP', 'EVP'],
	['lowerCase', 'random'],
])('pixKeyType=%s spells a random key %s', async (choice, spelled) => {
	const { id } = bench.sandbox.seed.withdrawal({
		pixKey: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
	});
	speak(`pixKeyType=${choice}`);
	expect((await bench.get(`/v1/withdrawals/${id}`)).json.withdrawal.pixKeyType).toBe(spelled);
});

test.each([502, 400, 422])('refundFailedStatus=%i', async (expected) => {
	const { id } = bench.sandbox.seed.payment({ status: 'PAID', submittedCents: 1_002 });
	speak(`refundFailedStatus=${expected}`);
	const { status, json } = await bench.post(`/v1/payments/${id}/refund`, {});
	expect([status, json.error.code]).toEqual([expected, 'PSP_REFUND_FAILED']);
});

test('unlistedEndpoints are there in one dialect only', async () => {
	const create = async () => await bench.post('/v1/customers', { name: 'Maria' });
	expect((await create()).status).toBe(404);
	speak('unlistedEndpoints=present');
	const { customerId } = (await create()).json.customer;
	const { id } = bench.sandbox.seed.product();
	const rename = async (path: string) =>
		(await bench.send({ method: 'PATCH', path, body: { name: 'New name' } })).json;
	expect((await rename(`/v1/customers/${customerId}`)).customer.name).toBe('New name');
	expect((await rename(`/v1/products/${id}`)).product.name).toBe('New name');
});

test('rateLimitReset without Retry-After', async () => {
	bench.sandbox.account.rateLimitPerMinute = 1;
	speak('rateLimitReset=milliseconds+noRetryAfter');
	const get = () => bench.get('/v1/balance', bench.sandbox.createKey({ environment: 'SANDBOX' }));
	await get();
	const key = bench.sandbox.createKey({ environment: 'SANDBOX' });
	await bench.get('/v1/balance', key);
	const { headers } = await bench.get('/v1/balance', key);
	expect(headers.get('retry-after')).toBeNull();
	expect(headers.get('x-ratelimit-reset')).toBe('60000');
});

test('rateLimitDefault is that of keys without their own number', async () => {
	speak('rateLimitDefault=10');
	const last = async (rateLimitPerMinute: number | null) => {
		const key = bench.sandbox.createKey({ environment: 'SANDBOX', rateLimitPerMinute });
		for (let request = 0; request < 10; request += 1) await bench.get('/v1/balance', key);
		return (await bench.get('/v1/balance', key)).status;
	};
	expect([await last(null), await last(20)]).toEqual([429, 200]);
});

test.each([
	[{ description: 'x'.repeat(141) }, 400],
	[{ description: 'x'.repeat(140) }, 201],
	[{ metadata: { note: 'x'.repeat(500) } }, 400],
	[{ metadata: { note: 'x' } }, 201],
])('sizeLimits: %#', async (fields, status) => {
	speak('sizeLimits=small');
	expect((await bench.post('/v1/payments', { amount: 10, ...fields })).status).toBe(status);
});

test('deprecation is announced with responses of every kind', async () => {
	speak('deprecation=announced');
	for (const path of ['/v1/balance', '/v1/payments/unknown']) {
		expect((await bench.get(path)).headers.get('sunset')).toMatch(/2027/);
	}
});

describe('storedFailures', () => {
	const statuses = async (choice: string, act: () => void, path: string, body: Json) => {
		speak(`storedFailures=${choice}`);
		const options = { idempotencyKey: freshKey() };
		act();
		const first = await bench.post(path, body, options);
		Object.assign(bench.sandbox.account, {
			withdrawalProviderUnavailable: false,
			paymentProviderUnavailable: false,
			withdrawalsBlocked: false,
		});
		return [first.status, (await bench.post(path, body, options)).status];
	};
	const set = (name: 'withdrawalProviderUnavailable' | 'withdrawalsBlocked') => () => {
		bench.sandbox.account[name] = true;
	};
	const payout = async (choice: string, name: Parameters<typeof set>[0]) =>
		await statuses(choice, set(name), '/v1/withdrawals', withdrawalBody());

	test('described: what the API says of', async () => {
		expect(await payout('described', 'withdrawalProviderUnavailable')).toEqual([503, 503]);
		expect(await payout('described', 'withdrawalsBlocked')).toEqual([403, 201]);
	});

	test('all', async () => {
		expect(await payout('all', 'withdrawalsBlocked')).toEqual([403, 403]);
	});

	test('none, but the 502 of a boleto, of which the API says so', async () => {
		expect(await payout('none', 'withdrawalProviderUnavailable')).toEqual([503, 201]);
		const charge = async (method: string) =>
			await statuses(
				'none',
				() => void (bench.sandbox.account.paymentProviderUnavailable = true),
				'/v1/payments',
				{ amount: 10, methods: [method], customer: { name: 'Maria', document: CPF } },
			);
		expect(await charge('PIX')).toEqual([502, 201]);
		expect(await charge('BOLETO')).toEqual([502, 502]);
	});

	test('as the fault says, where it says so', async () => {
		speak('storedFailures=none');
		const fault = { kind: 'error', code: 'INTERNAL_ERROR', stored: true } as const;
		bench.sandbox.faults.add({ method: 'POST', ...fault });
		expect((await twice()).map(({ status }) => status)).toEqual([500, 500]);
	});
});

describe('idempotencyScope', () => {
	const payWithTwoKeys = async (scope: string): Promise<string[]> => {
		speak(`idempotencyScope=${scope}`);
		const options = { idempotencyKey: freshKey() };
		const keys = [1, 2].map(() => bench.sandbox.createKey({ environment: 'SANDBOX' }));
		const answers = [];
		// Each key twice: a key always knows what it was used for itself.
		for (const key of [...keys, ...keys]) {
			answers.push(await bench.post('/v1/withdrawals', withdrawalBody(), { ...options, key }));
		}
		return answers.map(({ json }) => json.withdrawal.id as string);
	};

	test('account: a second API key finds what the first one made', async () => {
		expect(new Set(await payWithTwoKeys('account')).size).toBe(1);
		expect(bench.sandbox.books.withdrawals).toHaveLength(1);
	});

	test('apiKey: each API key makes it once', async () => {
		const [first, second, ...again] = await payWithTwoKeys('apiKey');
		expect(first).not.toBe(second);
		expect(again).toEqual([first, second]);
		expect(bench.sandbox.books.withdrawals).toHaveLength(2);
	});
});

describe('transitions', () => {
	test.each([
		['pending', 'PENDING'],
		['processing', 'PROCESSING'],
		['completed', 'COMPLETED'],
	])('withdrawalTransitions=%s returns a new payout as %s', async (first, status) => {
		speak(`withdrawalTransitions=${first}`);
		const { json } = await bench.post('/v1/withdrawals', withdrawalBody());
		expect(json.withdrawal.status).toBe(status);
		bench.clock.advance(5_000);
		expect(bench.sandbox.books.withdrawals[0]?.status).toBe('COMPLETED');
	});

	test('withdrawalTransitions=returnable returns the money of a returned payout', async () => {
		const { account, keys } = bench.sandbox;
		const before = account.balanceCents;
		speak('withdrawalTransitions=returnable');
		const { json } = await bench.post('/v1/withdrawals', withdrawalBody(), { key: keys.live });
		bench.clock.advance(5_000);
		expect(account.balanceCents).toBe(before - 10_150);
		bench.sandbox.setWithdrawalStatus(json.withdrawal.id, 'FAILED', 'Account closed');
		expect([account.balanceCents, account.frozenCents]).toEqual([before, 0]);
	});

	test('paymentTransitions=stepwise pays by PROCESSING and CONFIRMED', async () => {
		speak('paymentTransitions=stepwise');
		const statuses: string[] = [];
		const note = ({ to }: { to: string }) => void statuses.push(to);
		bench.sandbox.events.on('payment', note);
		await bench.post('/v1/payments', { amount: 10 });
		bench.clock.advance(5_000);
		bench.sandbox.events.off('payment', note);
		expect(statuses).toEqual(['NEW', 'PROCESSING', 'CONFIRMED', 'PAID']);
	});

	test('refundTransitions=atOnce returns PENDING, and the payment is refunded', async () => {
		const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
		speak('refundTransitions=atOnce');
		const { json } = await bench.post(`/v1/payments/${id}/refund`, {});
		expect(json.refund.status).toBe('PENDING');
		expect((await bench.get(`/v1/payments/${id}`)).json.payment.status).toBe('REFUNDED');
	});
});
