import { WorkflowExpression } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';

const bench = useBench();

it.each([
	['reads what only names a field of the item, without n8n', '={{ $json.amount }}', 1, []],
	['leaves everything else to n8n, item by item', '={{ $json.amount * 2 }}', 2, [0, 1]],
])('%s', async (_what, amount, factor, evaluated) => {
	const spy = vi.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');

	await bench.run(payEach({}, { amount }), TWO);

	expect(bench.paid).toEqual([1001 * factor, 2002 * factor]);
	const raw = spy.mock.calls.map(([one]) => String(one)).filter((one) => one.includes('$json'));
	expect(raw.filter((one) => one.startsWith('='))).toEqual(evaluated.map(() => amount));
});
