import type { IDataObject } from 'n8n-workflow';
import { deduplication } from '../support/deduplicator';
import { dataTables } from '../support/ledger';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { restart } from '../support/restart';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();
const HOUR = 60 * 60_000;
const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const errorsOf = ({ json }: Execution) => json.map(({ error }) => error as IDataObject | undefined);
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};

/** durableStore.ts record: `new` and `processed` of n8n's helper are not added up. */
it('a shortened answer of the helper refuses: it would begin the ledger anew', async () => {
	const parameters = payEach({}, { reference: '={{ $json.name }}' });
	const workflow = buildWorkflow({ parameters, ...CONTINUE });
	await bench.start(workflow, alike('NF-1'), begun());
	expect(bench.paid).toEqual([5000]);
	bench.clock.advance(25 * HOUR);
	restart();
	const tables = dataTables() as unknown as { tables: unknown[] | Map<unknown, unknown> };
	if (Array.isArray(tables.tables)) tables.tables.length = 0;
	else tables.tables.clear();
	const store = deduplication();
	const context = store.context.bind(store);
	vi.spyOn(store, 'context').mockImplementation((...names) => {
		const { helpers, ...rest } = context(...names);
		const checkProcessedAndRecord = async (...given: never[]) => {
			await (helpers.checkProcessedAndRecord as never as (...all: never[]) => Promise<unknown>)(
				...given,
			);
			return { new: [], processed: [] };
		};
		return { ...rest, helpers: { ...helpers, checkProcessedAndRecord } } as never;
	});

	const again = await bench.start(workflow, alike('NF-1'), begun());

	expect(bench.paid).toEqual([5000]);
	expect(errorsOf(again)[0]).toMatchObject({ code: 'REFERENCES_UNAVAILABLE' });
});
