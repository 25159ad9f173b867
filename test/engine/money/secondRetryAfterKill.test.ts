import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { withWaysOut } from '../../support/dialect';
import type { Execution } from '../support/execution';
import { useBench } from '../support/harness';
import { NODE } from '../support/names';
import { payEach } from '../support/payouts';
import { CPF } from '../support/values';
import { type Parameters } from '../support/workflow';

const bench = useBench();
const alike = (...names: string[]): IDataObject[] =>
	names.map((name) => ({ amount: 50, pixKey: CPF, name }));
const payNamed = (options: Parameters = {}, more: Parameters = {}) =>
	payEach(options, { description: '={{ $json.name }}', ...more });
const begun = () => {
	bench.clock.advance(1);
	return { establishedAt: bench.clock.now() };
};
const edit = ({ workflow }: Execution, parameters: INodeParameters) => {
	const node = workflow.nodes[NODE]!;
	node.parameters = withWaysOut({ ...node.parameters, ...parameters } as Parameters) as never;
};

/** unreferenced.ts planBefore, orderMemory.ts isInherited: the doubt of a retry after a kill is forgotten by the next Retry. */
it('a corrected amount after a kill stays in doubt when the retry is retried', async () => {
	const killed = await bench.run(payNamed(), alike('A'), begun());
	edit(killed, { amount: 60 });
	const first = await bench.retryAfterKill(killed);
	expect(first.error?.message).toContain('It is not known whether an earlier attempt paid');

	await bench.retry(first);

	expect(bench.paid).toEqual([5000]);
});

it('OVER_LIMIT after a kill does not claim `effect: none` in the second retry', async () => {
	const killed = await bench.run(payNamed(), alike('A'), begun());
	edit(killed, { options: { largestAmount: '49,99' } as never });
	const first = await bench.retryAfterKill(killed);
	expect(first.error).toMatchObject({ effect: 'unknown' });

	const second = await bench.retry(first);

	expect(second.error).toMatchObject({ effect: 'unknown' });
});
