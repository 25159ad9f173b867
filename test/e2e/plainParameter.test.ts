/** The VM in which n8n evaluates expressions needs the Node.js that n8n runs on. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';

import { ensureN8nInstalled } from '../../dev/n8n/install/install';
import { readPlainly } from '../../nodes/BrlPayments/expression';
import { savedCases, type Case, type Evaluated } from '../unit/support/expressions';

it('reads each parameter as the VM of n8n evaluates it', async () => {
	const host = await ensureN8nInstalled();
	// As n8n saves them.
	const cases = JSON.parse(JSON.stringify(fc.sample(savedCases, 4_000))) as Case[];
	const read = cases
		.map((one) => ({ ...one, value: readPlainly(one.raw, one.json) }))
		.filter(({ value }) => value !== undefined);
	expect(read.length).toBeGreaterThan(200);

	const { stdout, stderr } = spawnSync(
		host.nodeBinary,
		[
			join(__dirname, 'support', 'evaluateInVm.cjs'),
			join(host.folder, 'node_modules', 'n8n-workflow'),
		],
		{ input: JSON.stringify(read), encoding: 'utf8', maxBuffer: 2 ** 28 },
	);
	expect(stderr).toBe('');
	const { isInVm, results } = JSON.parse(stdout) as { isInVm: boolean; results: Evaluated[] };
	expect(isInVm).toBe(true);
	expect(results).toEqual(read.map(({ value }) => ({ value })));
});
