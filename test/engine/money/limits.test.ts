/** Limits that people set on Withdrawal > Create. */
import { agentWorkflow, getAnswers } from '../support/agent';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE, INVOICES, payReferenced, usePayouts } from '../support/references';
import { NODE } from '../support/names';
import { CPF, EMAIL, PHONE } from '../support/values';
import { buildWorkflow, changeOptions, type Parameters } from '../support/workflow';

const bench = usePayouts();
const ITEM = { whenOverLimit: 'refuseItem' };

describe.each<[string, Parameters]>([
	['largestAmount', { largestAmount: '15,00' }],
	['allowedPixKeys', { allowedPixKeys: `${CPF}\n+5511987654321` }],
	['largestTotal', { largestTotal: '15,00' }],
])('%s', (_name, limit) => {
	it('refuses the whole run, before anything is sent', async () => {
		const execution = await bench.run(payEach(limit), TWO, CONTINUE);

		expect(execution.codes).toEqual(['OVER_LIMIT', 'OVER_LIMIT']);
		expect(bench.requests()).toEqual([]);
	});

	it('refuses only the item, where the user wants that', async () => {
		const execution = await bench.run(payEach({ ...limit, ...ITEM }), TWO, CONTINUE);

		expect(execution.codes).toEqual([undefined, 'OVER_LIMIT']);
		expect(bench.paid).toEqual([1001]);
	});

	it('pays the others and fails once, with On Error = Stop', async () => {
		const { error } = await bench.run(payEach({ ...limit, ...ITEM }), [TWO[1]!, TWO[0]!]);

		expect(error).toBeDefined();
		expect(error?.description).toContain('1 failed without effect');
		expect(bench.paid).toEqual([1001]);
	});
});

it('allows what is within', async () => {
	const within = {
		largestAmount: '20,02',
		largestTotal: '30,03',
		allowedPixKeys: `${CPF}\n${EMAIL}`,
	};
	const run = await bench.run(payEach(within), TWO);

	bench.expectPaid([1001, 2002], run);
});

it.each<[string, Parameters]>([
	['an expression', { largestAmount: '={{ $json.amount }}' }],
	['an expression that lost its =', { largestAmount: '{{ $json.amount }}' }],
	['nothing', { largestTotal: '' }],
	['words', { largestTotal: 'a lot' }],
	['an expression for keys', { allowedPixKeys: '={{ $json.pixKey }}' }],
	['no keys', { allowedPixKeys: ' \n' }],
])('that contains %s refuses everything', async (_what, limit) => {
	const { error } = await bench.run(payEach({ ...limit, ...ITEM }), TWO);

	expect(error?.name).toBe('NodeOperationError');
	expect(bench.requests()).toEqual([]);
});

it('counts all rounds of a loop', async () => {
	const { json } = await bench.run(
		payEach({ largestTotal: '25,00', ...ITEM }),
		[TWO[0]!, TWO[0]!, TWO[0]!],
		{ isLooped: true, ...CONTINUE },
	);

	expect(json).toMatchObject([{ error: { code: 'OVER_LIMIT' } }]);
	expect(bench.paid).toEqual([1001, 1001]);
});

describe('with references', () => {
	const limited = (largestTotal: string) =>
		buildWorkflow({
			parameters: payReferenced({ largestTotal, ...ITEM }),
			...CONTINUE,
		});

	it('does not count what was paid before', async () => {
		const workflow = limited('20,02');
		const first = await bench.start(workflow, [INVOICES[1]!]);

		const again = await bench.start(workflow, [INVOICES[1]!]);
		const more = await bench.start(workflow, [INVOICES[1]!, INVOICES[0]!]);

		expect(first.codes).toEqual([undefined]);
		expect(again.codes).toEqual([undefined]);
		expect(more.codes).toEqual([undefined, undefined]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('counts what was lost once, in the next execution', async () => {
		const workflow = limited('20,02');
		await bench.start(workflow, [INVOICES[1]!], { lost: 'dropBefore' });

		const again = await bench.start(workflow, [INVOICES[1]!]);

		expect(again.codes).toEqual([undefined]);
		expect(bench.paid).toEqual([2002]);
	});

	it('counts what was lost once, in the retry of the execution', async () => {
		const limited = payReferenced({ largestTotal: '20,02', whenOverLimit: 'refuseItem' });
		const failed = await bench.run(limited, [INVOICES[1]!], { lost: 'dropBefore' });

		const { error } = await bench.retry(failed);

		expect(error?.message).toBeUndefined();
		expect(bench.paid).toEqual([2002]);
	});

	it('does not say of what an earlier attempt may have paid that it had no effect', async () => {
		const workflow = limited('20,02');
		await bench.start(workflow, [INVOICES[1]!], { lost: 'dropAfter' });
		changeOptions(workflow, { largestTotal: '15,00', ...ITEM });

		const again = await bench.start(workflow, [INVOICES[1]!]);

		expect(again.json).toMatchObject([{ error: { code: 'OVER_LIMIT', effect: 'unknown' } }]);
		expect(again.json[0]?.error.description).toContain('An earlier attempt may have paid it');
		expect(bench.paid).toEqual([2002]);
	});

	it('stops a row that was changed after it was lost on the way', async () => {
		const options = { largestAmount: '25,00' };
		const failed = await bench.run(payEach(options), TWO, {
			establishedAt: bench.clock.now(),
			lost: 'dropBefore',
		});
		const node = failed.workflow.nodes[NODE]!;
		node.parameters = { ...node.parameters, amount: '={{ $json.amount + 950 }}' };
		bench.clock.advance(10 * 60_000);

		const again = await bench.retry(failed);

		expect(again.error?.message).toContain('exceeds Largest Amount');
		expect(bench.paid).toEqual([]);
	});

	it('stops what the bank has refused and would be paid once more', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		const workflow = limited('30,03');
		await bench.start(workflow, INVOICES);
		bench.bankRefusesAll();
		changeOptions(workflow, { largestTotal: '15,00', ...ITEM });

		const again = await bench.start(workflow, INVOICES);

		expect(again.codes).toEqual([undefined, 'OVER_LIMIT']);
		expect(bench.paid).toEqual([1001, 1001, 2002]);
	});
});

describe.each(['requests', 'inside'] as const)('with an agent whose tools run: %s', (kind) => {
	const chosenByAgent: Parameters = {
		amount: "={{ $fromAI('amount', 'In reais', 'number') }}",
		pixKey: "={{ $fromAI('pixKey', 'Where it goes', 'string') }}",
	};

	it('stops what is over, and counts all its calls', async () => {
		const workflow = agentWorkflow(
			kind,
			payEach({ largestAmount: '15,00', largestTotal: '21,00' }, chosenByAgent),
		);
		const execution = await bench.start(workflow, [
			{
				rounds: [
					[{ amount: 20.02, pixKey: EMAIL }],
					[{ amount: 10.01, pixKey: CPF }],
					[{ amount: 10.01, pixKey: EMAIL }],
					[{ amount: 10.02, pixKey: EMAIL }],
				],
			},
		]);

		const answers = getAnswers(execution);
		expect(answers[0]).toContain('exceeds Largest Amount');
		expect(answers[3]).toContain('Largest Total');
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('counts what other calls of the same turn are about to pay', async () => {
		const workflow = agentWorkflow(kind, payEach({ largestTotal: '25,00' }, chosenByAgent));
		const calls = [CPF, EMAIL, PHONE].map((pixKey) => ({ amount: 10.01, pixKey }));
		const execution = await bench.start(workflow, [{ rounds: [calls, calls.slice(0, 1)] }]);

		expect(getAnswers(execution)[2]).toContain('Largest Total');
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('gives back what was reserved for a payout without effect', async () => {
		bench.refuseNext(1, 'BLOCKLIST_DENIED');
		const workflow = agentWorkflow(kind, payEach({ largestTotal: '15,00' }, chosenByAgent));
		await bench.start(workflow, [
			{ rounds: [[{ amount: 10.01, pixKey: CPF }], [{ amount: 10.01, pixKey: EMAIL }]] },
		]);

		expect(bench.paid).toEqual([1001]);
	});

	it('keeps to the limits of the tool and those of its options', async () => {
		const limits = { largestAmount: '15,00', allowedPixKeys: CPF, largestTotal: '' };
		const options = { allowedPixKeys: `${CPF}\n${EMAIL}`, largestAmount: '30,00' };
		const workflow = agentWorkflow(kind, payEach(options, { ...chosenByAgent, ...limits }));
		const execution = await bench.start(workflow, [
			{
				rounds: [
					[{ amount: 20.02, pixKey: CPF }],
					[{ amount: 10.01, pixKey: EMAIL }],
					[{ amount: 10.02, pixKey: CPF }],
				],
			},
		]);

		const answers = getAnswers(execution);
		expect(answers[0]).toContain('exceeds Largest Amount');
		expect(answers[1]).toContain('not in Allowed PIX Keys');
		expect(bench.paid).toEqual([1002]);
	});

	it.each(['largestAmount', 'largestTotal', 'allowedPixKeys'])(
		'takes no %s of the tool from the agent',
		async (name) => {
			const limit = { [name]: "={{ $fromAI('limit', '', 'string') }}" };
			const workflow = agentWorkflow(kind, payEach({}, { ...chosenByAgent, ...limit }));
			await bench.start(workflow, [{ rounds: [[{ ...TWO[0], limit: '1000000' }]] }]);

			expect(bench.paid).toEqual([]);
		},
	);

	it('takes no limit from the agent', async () => {
		const workflow = agentWorkflow(
			kind,
			payEach({ largestAmount: "={{ $fromAI('limit', '', 'string') }}" }, chosenByAgent),
		);
		await bench.start(workflow, [{ rounds: [[{ ...TWO[0], limit: '1000000' }]] }]);

		expect(bench.paid).toEqual([]);
	});
});
