/** The service keeps a refusal under the key; the table then refuses the claim of the next generation. */
import { useBench } from '../support/harness';
import { dataTables } from '../support/ledger';
import {
	CORRECTED,
	followWords,
	getCodes,
	INVOICES,
	livingOf,
	referenced,
} from '../support/references';

const bench = useBench();

it.each([7, 9, 11])(
	'a corrected row may be sent where call %i of the table failed',
	async (call) => {
		bench.assume('storedFailures');
		const workflow = referenced();
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		dataTables().failAt(call);
		await bench.start(workflow, INVOICES);
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		dataTables().failAt();

		const last = await followWords(bench, workflow, CORRECTED);

		expect(getCodes(last)).toEqual([undefined, undefined]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'NF-2': 1 });
	},
);
