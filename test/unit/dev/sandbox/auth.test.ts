import { useBench } from './support';

const bench = useBench();

const getCode = async (key: string | null): Promise<string> => {
	const answer = await bench.send({ method: 'GET', path: '/v1/auth/self', key });
	return answer.json.error?.code ?? 'OK';
};

test('a key has the form <key_prefix>_<env>_<kid>_<secret>, and its secret is an example', () => {
	const { keys, createKey } = bench.sandbox;
	for (const [key, env] of [
		[keys.test, 'test'],
		[keys.live, 'live'],
		[createKey({ environment: 'SANDBOX' }), 'test'],
	] as const) {
		expect(key).toMatch(new RegExp(`^brlpay_${env}_[A-Za-z0-9]{10}_[A-Za-z0-9]{32}$`));
		expect(key).toContain('example');
	}
});

test('GET /v1/auth/self shows every field of the key and no secret', async () => {
	const key = bench.sandbox.createKey({
		environment: 'PRODUCTION',
		name: 'Payouts',
		scopes: ['balance:read'],
		ipAllowlist: ['127.0.0.0/8'],
		rateLimitPerMinute: 30,
		expiresAt: '2030-01-01T00:00:00.000Z',
	});
	const { json, text, status } = await bench.get('/v1/auth/self', key);
	expect(status).toBe(200);
	expect(json).toEqual({
		apiKey: {
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			name: 'Payouts',
			description: null,
			environment: 'PRODUCTION',
			prefix: key.slice(0, -33),
			scopes: ['balance:read'],
			ipAllowlist: ['127.0.0.0/8'],
			rateLimitPerMinute: 30,
			expiresAt: '2030-01-01T00:00:00.000Z',
			lastUsedAt: '2026-03-18T15:00:00.000Z',
			createdAt: '2026-03-18T15:00:00.000Z',
		},
	});
	expect(text).not.toContain(key.slice(-32));
});

test('unknown, revoked, expired and re-labelled keys are all INVALID_API_KEY', async () => {
	const { sandbox, clock } = bench;
	const soon = new Date(clock.now() + 1_000).toISOString();
	const expiring = sandbox.createKey({ environment: 'SANDBOX', expiresAt: soon });
	expect(await getCode(expiring)).toBe('OK');
	clock.advance(1_000);
	expect(await getCode(expiring)).toBe('INVALID_API_KEY');
	expect(await getCode(sandbox.createKey({ environment: 'SANDBOX', revoked: true }))).toBe(
		'INVALID_API_KEY',
	);
	expect(await getCode(sandbox.keys.test.replace('_test_', '_live_'))).toBe('INVALID_API_KEY');
	expect(await getCode('something-else')).toBe('INVALID_API_KEY');
});

test('another scheme, or Bearer without a key, is no Bearer header', async () => {
	const code = async (authorization: string): Promise<string> => {
		const request = { method: 'GET', path: '/v1/balance', key: null, headers: { authorization } };
		return (await bench.send(request)).json.error.code;
	};
	expect(await code('Basic ZXhhbXBsZQ==')).toBe('API_KEY_REQUIRED');
	expect(await code('Bearer ')).toBe('API_KEY_REQUIRED');
});

test('an allowlist lets in what is on it', async () => {
	const allow = (...ipAllowlist: string[]): Promise<string> =>
		getCode(bench.sandbox.createKey({ environment: 'SANDBOX', ipAllowlist }));
	expect(await allow('127.0.0.1')).toBe('OK');
	expect(await allow('10.0.0.1', '127.0.0.0/8')).toBe('OK');
	expect(await allow('10.0.0.1')).toBe('IP_NOT_ALLOWED');
	expect(await allow('::1')).toBe('IP_NOT_ALLOWED');
});

const SCOPED: Array<[string, string, string[]]> = [
	['GET', '/v1/payments', ['payments:read']],
	['GET', '/v1/payments/txid/x', ['payments:read']],
	['POST', '/v1/payments/UUID/refund', ['payments:refund', 'payments:write']],
	['GET', '/v1/payments/UUID/boleto', ['payments:read']],
	['POST', '/v1/payments', ['payments:write']],
	['GET', '/v1/payments/UUID', ['payments:read']],
	['POST', '/v1/payments/UUID/simulate', ['payments:write']],
	['GET', '/v1/withdrawals', ['withdrawals:read']],
	['GET', '/v1/withdrawals/UUID', ['withdrawals:read']],
	['GET', '/v1/withdrawals/limits', ['withdrawals:read']],
	['POST', '/v1/withdrawals', ['withdrawals:write']],
	['POST', '/v1/products', ['products:write']],
	['GET', '/v1/products', ['products:read']],
	['GET', '/v1/products/external/x', ['products:read']],
	['DELETE', '/v1/products/UUID', ['products:write']],
	['POST', '/v1/products/UUID/image', ['products:write']],
	['DELETE', '/v1/products/UUID/image', ['products:write']],
	['GET', '/v1/customers/cus_x', ['customers:read']],
	['GET', '/v1/customers/external/x', ['customers:read']],
	['DELETE', '/v1/customers/cus_x', ['customers:write']],
	['GET', '/v1/documents/payments/UUID/receipt', ['documents:read']],
	['GET', '/v1/documents/statements', ['documents:read']],
	['GET', '/v1/balance', ['balance:read']],
];

test.each(SCOPED)('%s %s needs %o', async (method, path, scopes) => {
	const url = path.replace('UUID', '123e4567-e89b-42d3-a456-426614174000');
	const getAnswer = async (granted: string[]): Promise<string | undefined> => {
		const key = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: granted });
		const { json } = await bench.send({ method, path: url, key });
		return json.error?.code;
	};
	for (const scope of [...scopes, '*']) expect(await getAnswer([scope])).not.toBe('FORBIDDEN');
	const others = SCOPED.flatMap(([, , names]) => names).filter((name) => !scopes.includes(name));
	expect(await getAnswer(others)).toBe('FORBIDDEN');
});
