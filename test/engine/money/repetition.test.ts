/** Rows that are the same in every field, and rows that are not, in one execution and in several. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { usePayouts } from '../support/money';
import { chargeEach, payEach } from '../support/payouts';
import { CPF } from '../support/values';
import { buildWorkflow, CONTINUE } from '../support/workflow';
import { EDIT_NODE, FAILING_NODE, PASS_NODE } from '../support/nodeTypes';

const bench = usePayouts();
const SAME: IDataObject = { amount: 10.01, pixKey: CPF };
const OTHER: IDataObject = { ...SAME, amount: 20.02 };
const TWINS = [1, 2].map((line) => ({ ...SAME, line }));

it.each([
	['payouts in rounds of a loop', payEach()],
	['charges in rounds of a loop', chargeEach('PIX')],
	[
		'charges under keys of their own in rounds of a loop',
		{ ...chargeEach('PIX'), options: { idempotencyKey: '=order-{{ $json.amount }}' } },
	],
])(
	'a row that cannot be read is not said to have left nothing done behind others that took effect: %s',
	async (_where, parameters) => {
		const rows = [SAME, { ...OTHER, amount: '1.234' }];
		const { data } = await bench.run(parameters, rows, { isLooped: true });

		const { message, description } = data.resultData.error ?? {};
		expect(message).toContain('is ambiguous');
		expect(description).not.toContain('Nothing');
		expect(description).toContain('did in other rounds or nodes, a new one would do again.');
	},
);

it('a row of a loop that cannot be read is to run alone, where errors do not stop it', async () => {
	const rows = [SAME, { ...OTHER, amount: '1.234' }];
	const run = await bench.run(payEach(), rows, { isLooped: true, ...CONTINUE });

	const shown = run.getRuns().flatMap(({ data }) => data?.main?.[0] ?? []);
	expect(JSON.stringify(shown)).toContain('Then run it alone in a new execution');
	expect(bench.paid).toEqual([1001]);
});

describe('rows of one amount to one PIX key', () => {
	it.each<[string, RunSettings]>([
		['in one run', {}],
		['in two rounds of a loop', { isLooped: true }],
	])('are paid %s if they differ in any field', async (_where, settings) => {
		bench.expectPaid([1001, 1001], await bench.run(payEach(), TWINS, settings));
		expect(bench.keys).toHaveLength(2);
	});

	it.each<[string, RunSettings, IDataObject[], number[], string]>([
		['in one run', {}, [SAME, OTHER, SAME], [], 'Rows 1 and 3 are the same in every field'],
		[
			'in one run, and others are paid where errors do not stop it',
			CONTINUE,
			[SAME, OTHER, SAME],
			[2002],
			'Rows 1 and 3 are the same in every field',
		],
		['in two rounds of a loop', { isLooped: true }, [SAME, SAME], [1001], 'Row 1 is the same'],
		['in two nodes', { isDoubled: true }, [SAME, OTHER], [1001, 2002], 'Row 1 is the same'],
	])('stop if nothing tells them apart: %s', async (_where, settings, rows, paid, says) => {
		const failed = await bench.run(payEach(), rows, settings);

		const shown = failed.error ?? failed.data.resultData.error ?? failed.errors[0];
		expect(shown?.message).toContain(says);
		expect(shown?.description).toMatch(/If both are owed, |only one is owed/);
		// In a loop, an earlier round has paid.
		expect(shown?.description?.includes('Nothing was paid')).toBe(paid.length === 0);
		expect(bench.paid).toEqual(paid);
	});

	it('keep their own withdrawals over a retry, however each of them ended', async () => {
		const rows = ['A', 'B', 'C', 'D'].map((line) => ({ ...SAME, line }));
		const described = payEach({}, { description: '={{ $json.line }}' });
		const end = bench.strike('"D"', { kind: 'error', code: 'INSUFFICIENT_BALANCE' });
		const lost = { '"B"': 'dropAfter', '"C"': 'dropBefore' } as const;
		const failed = await bench.run(described, rows, { ...bench.begunNow, lost });
		end();
		await bench.run(described, [{ ...SAME, line: 'other' }]);

		const { ids, error } = await bench.retry(failed);

		expect(error).toBeUndefined();
		expect(ids).toEqual(['A', 'B', 'C', 'D'].map((line) => bench.idOf(line)));
		expect(bench.living).toEqual({ A: 1, B: 1, C: 1, D: 1, other: 1 });
	});
});

describe('charges without an External ID that nothing tells apart', () => {
	const charges = () => bench.sandbox.books.payments.map(({ amountCents }) => amountCents);
	const charge = async (rows: IDataObject[], settings: RunSettings) =>
		await bench.run(chargeEach('PIX'), rows, settings);

	it.each<[string, RunSettings, number]>([
		['in one run', {}, 2],
		['in two rounds of a loop', { isLooped: true }, 2],
		['in two nodes', { isDoubled: true }, 4],
	])('are one for each item: %s', async (_where, settings, count) => {
		await charge([SAME, SAME], settings);
		expect(charges()).toEqual(Array.from({ length: count }, () => 1001));
	});

	it('are created once over a retry, in a later round of a loop', async () => {
		const settings = { isLooped: true, ...bench.begunNow };
		const end = bench.lose('dropAfter', () => charges().length > 0);
		const failed = await charge([SAME, SAME, SAME], settings);
		end();
		expect(charges()).toHaveLength(2);

		const { data } = await bench.retry(failed);

		expect(data.resultData.error).toBeUndefined();
		expect(charges()).toEqual([1001, 1001, 1001]);
	});

	it.each([
		['with their errors', PASS_NODE],
		['without them', EDIT_NODE],
	])('are created once if they come back from the error output %s', async (_how, wiredBackBy) => {
		bench.lose('dropAfter', undefined, 10);
		const run = await charge([SAME, SAME], {
			...{ extras: { onError: 'continueErrorOutput' }, wiredBackBy },
		} as const);

		expect(run.getRuns().length).toBeGreaterThan(1);
		expect(charges()).toEqual([1001, 1001]);
	});
});

describe('the same rows in two executions of one workflow', () => {
	let workflow: ReturnType<typeof buildWorkflow>;
	let establishedAt: number;
	beforeEach(() => {
		workflow = buildWorkflow({ parameters: payEach() });
		establishedAt = bench.clock.now();
	});

	it.each([1, 0])('are all paid, established %d ms apart', async (apart) => {
		await Promise.all([
			bench.start(workflow, TWINS, { establishedAt }),
			bench.start(workflow, TWINS, { establishedAt: establishedAt + apart }),
		]);
		expect(bench.paid).toEqual([1001, 1001, 1001, 1001]);
		expect(bench.keys).toHaveLength(4);
	});

	it('are paid once more by neither retry of two of the same millisecond', async () => {
		const settings = { establishedAt, lost: 'dropAfter' } as const;
		const first = await bench.start(workflow, TWINS, settings);
		const second = await bench.start(workflow, TWINS, settings);

		const retried = [await bench.retry(first), await bench.retry(second)];

		bench.expectPaid([1001, 1001, 1001, 1001], ...retried);
		expect(new Set(retried.flatMap(({ ids }) => ids)).size).toBe(4);
	});

	it.each(['retry', 'retryAfterKill'] as const)(
		'that failed in the same millisecond before they paid are all paid by their retries (%s)',
		async (again) => {
			workflow.nodes.Before!.type = FAILING_NODE;
			const failed: Execution[] = [];
			for (let count = 0; count < 2; count += 1) {
				failed.push(await bench.start(workflow, [SAME], { establishedAt }));
			}
			workflow.nodes.Before!.type = PASS_NODE;
			expect(bench.posts).toBe(0);

			const retried = [await bench[again](failed[0]!), await bench[again](failed[1]!)];

			bench.expectPaid([1001, 1001], ...retried);
			expect(new Set(retried.flatMap(({ ids }) => ids)).size).toBe(2);
			expect((await bench[again](failed[0]!)).ids).toEqual(retried[0]?.ids);
			expect(bench.paid).toEqual([1001, 1001]);
		},
	);
});
