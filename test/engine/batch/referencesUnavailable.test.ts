/** Check Batch where the table of references cannot be read: it never says that nothing was paid. */
import { useBench } from '../support/harness';
import { batchOf, checkReferenced, problemCodes, wasPaidBefore } from '../support/checks';
import { dataTables } from '../support/ledger';
import { payEach, TWO } from '../support/payouts';
import { INVOICES, killTables, referenced } from '../support/references';
import { restart } from '../support/restart';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();
const CHECK = { ...payEach({}, { reference: '={{ $json.invoice }}' }), operation: 'checkBatch' };

it.each<[string, () => void, string]>([
	['the module is switched off', () => (dataTables().isOff = true), 'n8n 2.3 or later'],
	['every call fails', () => killTables(), 'Have the database of n8n checked'],
	['a column was removed', () => dataTables().removeColumn('run'), 'restore the column'],
	['the table was renamed', () => dataTables().rename('Paid'), 'give it its name back'],
])('says once, for the whole batch, that %s', async (_what, trouble, remedy) => {
	await bench.start(referenced(), INVOICES);
	trouble();

	const checked = await checkReferenced(bench, INVOICES);

	expect(wasPaidBefore(checked)).toEqual([null, null]);
	expect(problemCodes(checked)).toEqual([[], []]);
	expect(batchOf(checked)).toMatchObject({
		...{ ok: false, newCount: 2, paidBeforeCount: 0 },
		problems: [{ code: 'REFERENCES_UNAVAILABLE', message: expect.stringContaining(remedy) }],
	});
});

it('says that the table is gone which this node has read before', async () => {
	await bench.start(referenced(), INVOICES);
	const workflow = buildWorkflow({ parameters: CHECK });
	expect(wasPaidBefore(await bench.start(workflow, INVOICES))).toEqual([true, true]);
	dataTables().remove();
	restart();

	const checked = await bench.start(workflow, INVOICES);

	expect(wasPaidBefore(checked)).toEqual([null, null]);
	expect(batchOf(checked)).toMatchObject({
		ok: false,
		problems: [{ code: 'REFERENCES_UNAVAILABLE' }],
	});
	expect(dataTables().has()).toBe(false);
});

it('judges a list without references as ever', async () => {
	dataTables().isOff = true;

	const checked = await bench.run(
		{
			...{ resource: 'withdrawal', operation: 'checkBatch', options: {} },
			...{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' },
		},
		TWO,
	);

	expect(batchOf(checked)).toMatchObject({ ok: true, problems: [], okCount: 2 });
});
