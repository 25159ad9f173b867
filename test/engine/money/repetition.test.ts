import { useBench } from '../support/harness';
import { FAILING_NODE, PASS_NODE } from '../support/nodeTypes';
import { payEach } from '../support/payouts';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();
const SAME = { amount: 10.01, pixKey: CPF };

describe('payouts with equal content', () => {
	it('are both paid in one run', async () => {
		const again = await bench.run(payEach(), [SAME, SAME]);

		bench.expectPaid([1001, 1001], again);
		expect(bench.keys).toHaveLength(2);
	});

	it('are both paid by two runs of a loop', async () => {
		const run = await bench.run(payEach(), [SAME, SAME], { isLooped: true });

		bench.expectPaid([1001, 1001], run);
	});

	it('are both paid by two nodes of one workflow', async () => {
		await bench.run(payEach(), [SAME, { ...SAME, amount: 20.02 }], { isDoubled: true });

		expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
	});

	it('are all paid by two executions of one workflow', async () => {
		const workflow = buildWorkflow({ parameters: payEach() });

		await bench.start(workflow, [SAME, SAME], { establishedAt: bench.clock.now() });
		await bench.start(workflow, [SAME, SAME], { establishedAt: bench.clock.now() + 1 });

		expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
	});

	it('are all paid by two executions that were established in the same millisecond', async () => {
		const workflow = buildWorkflow({ parameters: payEach() });
		const establishedAt = bench.clock.now();

		await Promise.all([
			bench.start(workflow, [SAME, SAME], { establishedAt }),
			bench.start(workflow, [SAME, SAME], { establishedAt }),
		]);

		expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
		expect(bench.keys).toHaveLength(4);
	});

	it('are paid once more by neither retry of two executions of the same millisecond', async () => {
		const workflow = buildWorkflow({ parameters: payEach() });
		const establishedAt = bench.clock.now();
		const clear = bench.sandbox.faults.add({ times: Infinity, kind: 'dropAfter' });
		const first = await bench.start(workflow, [SAME, SAME], { establishedAt });
		const second = await bench.start(workflow, [SAME, SAME], { establishedAt });
		expect(bench.paid).toHaveLength(4);

		clear();
		const retried = [await bench.retry(first), await bench.retry(second)];

		expect(retried.map(({ error }) => error)).toEqual([undefined, undefined]);
		expect(bench.paid).toHaveLength(4);
		const ids = retried.flatMap(({ json }) => json.map(({ id }) => id));
		expect(new Set(ids).size).toBe(4);
	});

	describe('in two executions of the same millisecond that failed before they paid', () => {
		const failBeforePaying = async () => {
			const workflow = buildWorkflow({ parameters: payEach() });
			const establishedAt = bench.clock.now();
			const before = workflow.nodes.Before!;
			before.type = FAILING_NODE;
			const failed = [
				await bench.start(workflow, [SAME], { establishedAt }),
				await bench.start(workflow, [SAME], { establishedAt }),
			] as const;
			before.type = PASS_NODE;
			expect(bench.posts).toBe(0);
			return failed;
		};

		it.each([
			['their retries', 'retry'],
			['their retries after a kill', 'retryAfterKill'],
		] as const)('are all paid by %s', async (_name, again) => {
			const [first, second] = await failBeforePaying();

			const retried = [await bench[again](first), await bench[again](second)];

			expect(retried.map(({ error }) => error)).toEqual([undefined, undefined]);
			expect(new Set(retried.map(({ json }) => json[0]?.id)).size).toBe(2);
			expect(bench.paid).toEqual([1001, 1001]);
			const { json } = await bench[again](first);
			expect(json[0]?.id).toBe(retried[0]?.json[0]?.id);
			expect(bench.paid).toEqual([1001, 1001]);
		});

		it('are not called paid where n8n does not tell the two apart', async () => {
			const [first, second] = await failBeforePaying();
			for (const { data } of [first, second]) delete data.resumeToken;

			const [paid, { error }] = [await bench.retry(first), await bench.retry(second)];

			expect(paid.error).toBeUndefined();
			expect(error?.message).toContain(`Execution ${paid.id} has asked for the same`);
			expect(bench.paid).toEqual([1001]);
		});
	});

	it('are all paid on an n8n that does not say when an execution was established', async () => {
		const workflow = buildWorkflow({ parameters: payEach() });

		await bench.onOldN8n(async () => {
			await bench.start(workflow, [SAME, SAME]);
			await bench.start(workflow, [SAME, SAME]);
		});

		expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
	});
});
