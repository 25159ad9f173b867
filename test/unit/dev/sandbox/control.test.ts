import { startSandbox } from '../../../../dev/sandbox';
import { form, PNG, useBench, withdrawalBody } from './support';

const bench = useBench();

const control = (method: string, path: string, body?: unknown) =>
	bench.send({
		method,
		path: `/_sandbox${path}`,
		key: null,
		...(body === undefined ? {} : { body }),
	});

describe('faults', () => {
	test('are queued, listed, struck and removed over HTTP', async () => {
		const one = await control('POST', '/faults', {
			kind: 'error',
			code: 'SERVICE_UNAVAILABLE',
			pathPattern: '^/v1/balance$',
			times: 'Infinity',
		});
		expect(one.status).toBe(201);
		await control('POST', '/faults', { kind: 'delay', ms: 1, path: '/v1/auth/self', skip: 2 });
		expect((await bench.get('/v1/balance')).json.error.code).toBe('SERVICE_UNAVAILABLE');
		const { faults } = (await control('GET', '/faults')).json;
		expect(faults).toEqual([
			{
				id: one.json.id,
				kind: 'error',
				code: 'SERVICE_UNAVAILABLE',
				path: '/^\\/v1\\/balance$/',
				left: 'Infinity',
				seen: 1,
			},
			{
				id: expect.any(Number),
				kind: 'delay',
				ms: 1,
				path: '/v1/auth/self',
				skip: 2,
				left: 1,
				seen: 0,
			},
		]);
		expect((await control('DELETE', `/faults/${one.json.id}`)).json.faults).toHaveLength(1);
		expect((await control('DELETE', `/faults/${one.json.id}`)).status).toBe(404);
		await control('DELETE', '/faults');
		expect((await control('GET', '/faults')).json).toEqual({ faults: [] });
		expect((await bench.get('/v1/balance')).status).toBe(200);
	});

	test.each([
		{ kind: 'dropBefore', reset: true },
		{ kind: 'dropAfter', reset: true },
		{ kind: 'lateAnswer', ms: 10 },
		{ kind: 'lateRequest', ms: 10 },
	])('%j is queued as it is', async (fault) => {
		expect((await control('POST', '/faults', fault)).status).toBe(201);
		expect((await control('GET', '/faults')).json.faults).toMatchObject([fault]);
		await control('DELETE', '/faults');
	});

	test.each([
		{},
		{ kind: 'explode' },
		{ kind: 'lateAnswer' },
		{ kind: 'error', code: 'NOT_A_CODE' },
		{ kind: 'html' },
		{ kind: 'delay', ms: -1 },
		{ kind: 'dropBefore', times: 0 },
		{ kind: 'dropBefore', pathPattern: '(' },
	])('%j is refused', async (fault) => {
		expect((await control('POST', '/faults', fault)).json.error.code).toBe('VALIDATION_ERROR');
		expect((await control('GET', '/faults')).json.faults).toEqual([]);
	});
});

test('the account changes live, in known settings of the right type only', async () => {
	const changed = await control('PATCH', '/account', { feeCents: 200, withdrawalsBlocked: true });
	expect(changed.json.account).toMatchObject({ feeCents: 200, dayStartHour: 6 });
	expect((await bench.post('/v1/withdrawals', withdrawalBody())).status).toBe(403);
	for (const wrong of [{ unknown: 1 }, { feeCents: -1 }, { feeCents: '1' }]) {
		expect((await control('PATCH', '/account', wrong)).status).toBe(400);
	}
	expect((await control('GET', '/account')).json.account.feeCents).toBe(200);
});

test('keys show no secret but once, and can be revoked', async () => {
	const made = await control('POST', '/keys', { environment: 'SANDBOX', scopes: ['balance:read'] });
	const { key } = made.json;
	expect((await bench.get('/v1/balance', key)).status).toBe(200);
	const list = await control('GET', '/keys');
	expect(list.text).toContain(key.slice(0, -33));
	expect(list.text).not.toContain('secret');
	for (const full of [key, bench.sandbox.keys.test, bench.sandbox.keys.live]) {
		expect(list.text).not.toContain(full.slice(-32));
	}
	const { id } = list.json.keys.find((entry: { prefix: string }) => key.startsWith(entry.prefix));
	await control('POST', `/keys/${id}/revoke`);
	expect((await bench.get('/v1/balance', key)).status).toBe(401);
	for (const wrong of [
		{ environment: 'test' },
		{ environment: 'SANDBOX', scopes: ['all'] },
		{ environment: 'SANDBOX', ipAllowlist: ['10.0.0.0/33'] },
	]) {
		expect((await control('POST', '/keys', wrong)).status).toBe(400);
	}
});

test('states are forced under the same rules as in code', async () => {
	const { seed } = bench.sandbox;
	const boleto = seed.payment({ paymentMethod: 'BOLETO', status: 'EXPIRED' }).id;
	const late = await control('POST', `/payments/${boleto}/status`, { status: 'PAID' });
	expect(late.json.payment.status).toBe('PAID');
	const back = await control('POST', `/payments/${boleto}/status`, { status: 'NEW' });
	expect(back.json.error.code).toBe('INVALID_STATUS');
	const { id } = seed.withdrawal();
	const failed = await control('POST', `/withdrawals/${id}/status`, {
		status: 'FAILED',
		errorMessage: 'Refused',
	});
	expect(failed.json.withdrawal).toMatchObject({ status: 'FAILED', errorMessage: 'Refused' });
	expect((await control('POST', '/payments/none/status', { status: 'PAID' })).status).toBe(404);
});

test('customers are made here, since the API shows no path for it', async () => {
	const made = await control('POST', '/customers', { name: 'João', externalId: 'j' });
	expect((await bench.get('/v1/customers/external/j')).json.customer).toMatchObject({
		id: made.json.customer.id,
		name: 'João',
	});
	expect((await control('GET', '/customers')).json.customers).toHaveLength(1);
});

test('the books show every effect and what was stored, the requests what arrived', async () => {
	await bench.post('/v1/withdrawals', withdrawalBody());
	const { product } = (await bench.post('/v1/products', { name: 'A', amount: 1 })).json;
	await bench.send({ method: 'POST', path: `/v1/products/${product.id}/image`, body: form(PNG) });
	const books = (await control('GET', '/books')).json;
	expect(books.withdrawals).toMatchObject([{ amountCents: 10_000, status: 'PENDING' }]);
	expect(books.products[0].image).toEqual({
		bytes: PNG.length,
		sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
	});
	const { requests } = (await control('GET', '/requests')).json;
	expect(requests).toHaveLength(3);
	expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/withdrawals', status: 201 });
	expect(JSON.parse(Buffer.from(requests[0].rawBody, 'base64').toString())).toEqual(
		withdrawalBody(),
	);
	expect(requests[0].headers.authorization).toBe('Bearer brlpay_test_testkey001_[redacted]');
});

test('reset forgets everything, idempotency keys and settings included', async () => {
	const { sandbox } = bench;
	const options = { idempotencyKey: 'example-reset' };
	await bench.post('/v1/withdrawals', withdrawalBody(), options);
	sandbox.account.feeCents = 999;
	sandbox.faults.add({ kind: 'dropBefore' });
	await control('POST', '/reset');
	expect(sandbox.books.withdrawals).toHaveLength(0);
	expect(sandbox.requests).toHaveLength(0);
	expect(sandbox.account.feeCents).toBe(150);
	expect((await bench.get('/v1/withdrawals')).json.withdrawals).toEqual([]);
	const changed = { ...withdrawalBody(), amount: 20 };
	expect((await bench.post('/v1/withdrawals', changed, options)).status).toBe(201);
});

describe('start', () => {
	test('listens on the loopback address only, on a separate port', async () => {
		const other = await startSandbox();
		expect(other.url).toBe(`http://127.0.0.1:${other.port}`);
		expect(other.port).not.toBe(bench.sandbox.port);
		expect(other.keys).toEqual(bench.sandbox.keys);
		await other.close();
		await expect(fetch(other.url)).rejects.toThrow();
	});

	test('speed shortens the way of states', async () => {
		const fast = await startSandbox({ speed: 1_000 });
		const reached = new Promise((resolve) => {
			fast.events.on('payment', ({ to }) => {
				if (to === 'PAID') resolve(to);
			});
		});
		await fetch(`${fast.url}/v1/payments`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${fast.keys.test}`,
				'x-idempotency-key': 'example',
				'content-type': 'application/json',
			},
			body: '{"amount": 10}',
		});
		expect(await reached).toBe('PAID');
		await fast.close();
	});

	test('a speed that is not positive is refused', async () => {
		await expect(startSandbox({ speed: 0 })).rejects.toThrow(RangeError);
	});
});
