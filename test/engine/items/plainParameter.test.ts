import { WorkflowExpression } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';

const bench = useBench();

/** Expressions that n8n evaluated, of parameters whose names say what they are for. */
function watchN8n(): () => string[] {
	const spy = vi.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');
	return () => spy.mock.calls.map(([raw]) => String(raw)).filter((raw) => raw.startsWith('='));
}

it('reads what only names a field of the item, without n8n', async () => {
	const evaluated = watchN8n();

	const run = await bench.run(payEach(), TWO);

	expect(run.json).toHaveLength(2);
	expect(bench.paid).toEqual([1001, 2002]);
	expect(evaluated().filter((raw) => raw.includes('$json'))).toEqual([]);
});

it('leaves everything else to n8n, item by item', async () => {
	const evaluated = watchN8n();
	const amount = '={{ $json.amount * 2 }}';

	await bench.run(payEach({}, { amount }), TWO);

	expect(bench.paid).toEqual([2002, 4004]);
	expect(evaluated().filter((raw) => raw.includes('$json'))).toEqual([amount, amount]);
});
