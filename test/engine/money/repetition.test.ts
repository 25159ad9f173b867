import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import { useMoney } from '../support/money';
import { FAILING_NODE, PASS_NODE } from '../support/nodeTypes';
import { payEach } from '../support/payouts';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = useMoney();
const SAME: IDataObject = { amount: 10.01, pixKey: CPF };
const TWINS = [SAME, SAME];

describe('payouts with equal content', () => {
	it.each([
		['in one run', {}],
		['by two runs of a loop', { isLooped: true }],
	])('are both paid %s', async (_where, settings) => {
		bench.expectPaid([1001, 1001], await bench.run(payEach(), TWINS, settings));
		expect(bench.keys).toHaveLength(2);
	});

	it('are both paid by two nodes of one workflow', async () => {
		await bench.run(payEach(), [SAME, { ...SAME, amount: 20.02 }], { isDoubled: true });
		expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
	});

	describe('in two executions of one workflow', () => {
		let workflow: ReturnType<typeof buildWorkflow>;
		let establishedAt: number;
		beforeEach(() => {
			workflow = buildWorkflow({ parameters: payEach() });
			establishedAt = bench.clock.now();
		});

		it('are all paid', async () => {
			await bench.start(workflow, TWINS, { establishedAt });
			await bench.start(workflow, TWINS, { establishedAt: establishedAt + 1 });
			expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
		});

		it('are all paid if they were established in the same millisecond', async () => {
			await Promise.all([
				bench.start(workflow, TWINS, { establishedAt }),
				bench.start(workflow, TWINS, { establishedAt }),
			]);
			expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
			expect(bench.keys).toHaveLength(4);
		});

		it('are all paid on an n8n that does not say when an execution was established', async () => {
			await bench.onOldN8n(async () => {
				await bench.start(workflow, TWINS);
				await bench.start(workflow, TWINS);
			});
			expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
		});

		it('are paid once more by neither retry of two of the same millisecond', async () => {
			const settings = { establishedAt, lost: 'dropAfter' } as const;
			const first = await bench.start(workflow, TWINS, settings);
			const second = await bench.start(workflow, TWINS, settings);

			const retried = [await bench.retry(first), await bench.retry(second)];

			bench.expectPaid([1001, 1001, 1001, 1001], ...retried);
			expect(new Set(retried.flatMap(({ ids }) => ids)).size).toBe(4);
		});

		describe('of the same millisecond that failed before they paid', () => {
			let first: Execution;
			let second: Execution;
			beforeEach(async () => {
				workflow.nodes.Before!.type = FAILING_NODE;
				first = await bench.start(workflow, [SAME], { establishedAt });
				second = await bench.start(workflow, [SAME], { establishedAt });
				workflow.nodes.Before!.type = PASS_NODE;
				expect(bench.posts).toBe(0);
			});

			it.each([
				['their retries', 'retry'],
				['their retries after a kill', 'retryAfterKill'],
			] as const)('are all paid by %s', async (_name, again) => {
				const retried = [await bench[again](first), await bench[again](second)];

				bench.expectPaid([1001, 1001], ...retried);
				expect(new Set(retried.flatMap(({ ids }) => ids)).size).toBe(2);
				expect((await bench[again](first)).ids).toEqual(retried[0]?.ids);
				expect(bench.paid).toEqual([1001, 1001]);
			});

			it('are not called paid where n8n does not tell the two apart', async () => {
				for (const { data } of [first, second]) delete data.resumeToken;

				const [paid, { error }] = [await bench.retry(first), await bench.retry(second)];

				bench.expectPaid([1001], paid);
				expect(error?.message).toContain(`Execution ${paid.id} has asked for the same`);
			});
		});
	});
});
