/** Each alternative of the points that concern requests and their responses. */
import { parseDialect } from '../../../../../dev/sandbox';
import { CPF, freshKey, type Json, useBench, withdrawalBody } from '../support';

const bench = useBench();

const speak = (text: string): void => void Object.assign(bench.sandbox.dialect, parseDialect(text));
const ids = (rows: Json[]): string[] => rows.map(({ id }) => id as string);

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

test('requestBodies=refused takes no field that is not described', async () => {
	speak('requestBodies=refused');
	const body = { ...withdrawalBody(), note: 'a' };
	expect((await bench.post('/v1/withdrawals', body)).status).toBe(400);
	expect((await bench.post('/v1/payments', { amount: 10, note: 'a' })).status).toBe(400);
	expect((await bench.post('/v1/payments', { amount: 10 })).status).toBe(201);
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
