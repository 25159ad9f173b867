import { parseDialect } from '../../../../dev/sandbox';
import { startBench, useBench } from './support';

const bench = useBench();

test('a key gets its requests a minute, then 429 until the window is over', async () => {
	const { sandbox, clock } = bench;
	const key = sandbox.createKey({ environment: 'SANDBOX', rateLimitPerMinute: 2 });
	const get = () => bench.get('/v1/balance', key);
	expect((await get()).status).toBe(200);
	clock.advance(10_000);
	expect((await get()).status).toBe(200);
	const refused = await get();
	expect(refused.status).toBe(429);
	expect(refused.headers.get('retry-after')).toBe('50');
	expect(refused.headers.get('x-ratelimit-reset')).toBe('50');
	expect((await bench.get('/v1/balance')).status).toBe(200);
	clock.advance(49_999);
	expect((await get()).status).toBe(429);
	clock.advance(1);
	expect((await get()).status).toBe(200);
});

test.each([
	['seconds', '60'],
	['milliseconds', '60000'],
	['epochSeconds', '1773846060'],
	['epochMilliseconds', '1773846060000'],
	['httpDate', 'Wed, 18 Mar 2026 15:01:00 GMT'],
] as const)('X-RateLimit-Reset in %s', async (unit, value) => {
	const dialect = parseDialect(`rateLimitReset=${unit}`);
	const fresh = await startBench({ account: { rateLimitPerMinute: 1 }, dialect });
	await fresh.get('/v1/balance');
	const refused = await fresh.get('/v1/balance');
	await fresh.sandbox.close();
	expect(refused.headers.get('x-ratelimit-reset')).toBe(value);
});
