import { OPERATIONS } from '../../../../dev/sandbox/routes';
import { useBench } from './support';

const bench = useBench();

const getCode = async (key: string): Promise<string> =>
	(await bench.get('/v1/auth/self', key)).code ?? 'OK';

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
	const settings = {
		name: 'Payouts',
		scopes: ['balance:read'],
		ipAllowlist: ['127.0.0.0/8'],
		rateLimitPerMinute: 30,
		expiresAt: '2030-01-01T00:00:00.000Z',
	};
	const key = bench.sandbox.createKey({ environment: 'PRODUCTION', ...settings });
	const { json, text, status } = await bench.get('/v1/auth/self', key);
	expect(status).toBe(200);
	expect(json).toEqual({
		apiKey: {
			...settings,
			id: expect.stringMatching(/^[0-9a-f-]{36}$/),
			description: null,
			environment: 'PRODUCTION',
			prefix: key.slice(0, -33),
			lastUsedAt: '2026-03-18T15:00:00.000Z',
			createdAt: '2026-03-18T15:00:00.000Z',
		},
	});
	expect(text).not.toContain(key.slice(-32));
});

test('unknown, revoked, expired and re-labelled keys are all INVALID_API_KEY', async () => {
	const { sandbox, clock } = bench;
	const expiresAt = new Date(clock.now() + 1_000).toISOString();
	const expiring = sandbox.createKey({ environment: 'SANDBOX', expiresAt });
	expect(await getCode(expiring)).toBe('OK');
	clock.advance(1_000);
	for (const key of [
		expiring,
		sandbox.createKey({ environment: 'SANDBOX', revoked: true }),
		sandbox.keys.test.replace('_test_', '_live_'),
		'something-else',
	]) {
		expect(await getCode(key)).toBe('INVALID_API_KEY');
	}
});

test.each(['Basic ZXhhbXBsZQ==', 'Bearer '])('"%s" is no Bearer header', async (authorization) => {
	const request = { method: 'GET', path: '/v1/balance', key: null, headers: { authorization } };
	expect((await bench.send(request)).code).toBe('API_KEY_REQUIRED');
});

test.each([
	['OK', ['127.0.0.1']],
	['OK', ['10.0.0.1', '127.0.0.0/8']],
	['IP_NOT_ALLOWED', ['10.0.0.1']],
	['IP_NOT_ALLOWED', ['::1']],
])('%s with the allowlist %j', async (code, ipAllowlist) => {
	const key = bench.sandbox.createKey({ environment: 'SANDBOX', ipAllowlist });
	expect(await getCode(key)).toBe(code);
});

/** Their scopes are those of docs/api.md: see apiPage.test.ts. */
const SCOPED = OPERATIONS.filter(({ isThere, scopes }) => !isThere && scopes.length > 0);

test.each(SCOPED)('$method $path needs $scopes', async ({ method, path, scopes }) => {
	const url = path
		.replace(':customerId', 'cus_x')
		.replace(/:\w*externalId|:txId/i, 'x')
		.replace(/:\w+/, '123e4567-e89b-42d3-a456-426614174000');
	const getAnswer = async (granted: string[]): Promise<string | undefined> => {
		const key = bench.sandbox.createKey({ environment: 'SANDBOX', scopes: granted });
		return (await bench.send({ method, path: url, key })).code;
	};
	for (const scope of [...scopes, '*']) expect(await getAnswer([scope])).not.toBe('FORBIDDEN');
	const others = SCOPED.flatMap((one) => one.scopes).filter((name) => !scopes.includes(name));
	expect(await getAnswer(others)).toBe('FORBIDDEN');
});
