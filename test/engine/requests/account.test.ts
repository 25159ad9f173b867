/** What the key and the balance of an account say. */
import { toBrasiliaTime } from '../../../nodes/shared/text/time';
import { useBench } from '../support/harness';
import { HOUR } from '../support/values';
import { operation } from '../support/workflow';
import { expectNoKeys, sent } from '../support/wire';

const bench = useBench();

it.each([
	[13, 1],
	[15, 0],
])('API Key: Get of a key that ends in %i days gives %i hints', async (days, hints) => {
	const expiresAt = new Date(bench.clock.now() + days * 24 * HOUR).toISOString();
	const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', expiresAt });

	const run = await bench.run(operation('apiKey.get'), [{}, {}], { credential: { apiKey } });

	const date = toBrasiliaTime(Date.parse(expiresAt), 'down');
	expect(run.hints).toEqual(Array(hints).fill(expect.stringContaining(date)));
});

describe('Balance: Get', () => {
	it('asks for the balance, once for each item', async () => {
		Object.assign(bench.sandbox.account, { frozenCents: 1, heldCents: 2, reservedCents: 3 });

		const run = await bench.run(operation('balance.get'), [{}, {}], {
			credential: bench.liveCredential,
		});

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
		const run = await bench.run(operation('balance.get'), [{}, {}]);

		expect(run.json.map(({ available }) => available)).toEqual([0, 0]);
		expect(run.hints).toEqual(['With a test key, the balance is always zero.']);
	});
});
