import { useBench } from '../support/harness';
import { INVOICES, livingOf, lose, payReferenced } from '../support/references';

const bench = useBench();

it('that was filled in after the payout, before a retry, pays nothing twice', async () => {
	const found = lose(bench, 'dropBefore', (body) => body.includes('20.02'));
	const failed = await bench.run(payReferenced({ maxConcurrency: 1 }, { reference: '' }), INVOICES);
	found();
	failed.workflow.nodes['BRL Payments']!.parameters.reference = '={{ $json.invoice }}';
	await bench.retry(failed);

	await bench.start(failed.workflow, INVOICES);

	expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
});
