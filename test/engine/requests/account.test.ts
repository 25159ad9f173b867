/** What the key and the balance of an account say. */
import { toBrasiliaTime } from '../../../nodes/shared/text/time';
import { useBench } from '../support/harness';
import { HOUR } from '../support/values';
import { operation } from '../support/workflow';

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

it('Balance: Get says that a test key always reads zero', async () => {
	const run = await bench.run(operation('balance.get'), [{}, {}]);

	expect(run.json.map(({ available }) => available)).toEqual([0, 0]);
	expect(run.hints).toEqual(['With a test key, the balance is always zero.']);
});
