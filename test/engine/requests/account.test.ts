import { useBench } from '../support/harness';
import { expectNoKeys, sent } from '../support/wire';
import { toBrasiliaTime } from '../../../nodes/shared/text/time';

const bench = useBench();

describe('API Key: Get of a key that ends', () => {
	const get = { resource: 'apiKey', operation: 'get', options: {} };
	const DAY_MS = 24 * 60 * 60 * 1000;

	it.each([
		[13, 1],
		[15, 0],
	])('in %i days gives %i hints', async (days, hints) => {
		const expiresAt = new Date(bench.clock.now() + days * DAY_MS).toISOString();
		const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', expiresAt });

		const run = await bench.run(get, [{}, {}], { credential: { apiKey } });

		expect(run.hints).toHaveLength(hints);
		for (const hint of run.hints)
			expect(hint).toContain(toBrasiliaTime(Date.parse(expiresAt), 'down'));
	});
});

describe('Balance: Get', () => {
	const get = { resource: 'balance', operation: 'get', options: {} };

	it('asks for the balance, once for each item', async () => {
		Object.assign(bench.sandbox.account, { frozenCents: 1, heldCents: 2, reservedCents: 3 });

		const run = await bench.run(get, [{}, {}], { credential: bench.liveCredential });

		expect(sent(bench)).toEqual(['GET /v1/balance', 'GET /v1/balance']);
		expectNoKeys(bench);
		expect(run.sources).toEqual([0, 1]);
		expect(run.json[1]).toEqual({
			available: 1_000_000,
			frozen: 0.01,
			held: 0.02,
			reserved: 0.03,
			total: 1_000_000.06,
			currency: 'BRL',
			environment: 'PRODUCTION',
			updatedAt: expect.any(String),
		});
		expect(run.hints).toEqual([]);
	});

	it('says that a test key always reads zero', async () => {
		const run = await bench.run(get, [{}, {}]);

		expect(run.json.map(({ available }) => available)).toEqual([0, 0]);
		expect(run.hints).toEqual(['With a test key, the balance is always zero.']);
	});
});
