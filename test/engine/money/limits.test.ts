/** Limits that people set on Withdrawal > Create. */
import type { IDataObject } from 'n8n-workflow';
import { agentWorkflow, chosenByAgent, getAnswers } from '../support/agent';
import { FINE, usePayouts } from '../support/money';
import { INVOICES, TWO, payEach, payReferenced, referenced } from '../support/payouts';
import { CPF, EMAIL, PHONE } from '../support/values';
import { CONTINUE, changeOptions, type Parameters } from '../support/workflow';

const bench = usePayouts();
const ITEM = { whenOverLimit: 'refuseItem' };
const [ONE = {}, OTHER = {}] = TWO;

describe.each<[string, Parameters]>([
	['largestAmount', { largestAmount: '15,00' }],
	['allowedPixKeys', { allowedPixKeys: `${CPF}\n+5511987654321` }],
	['largestTotal', { largestTotal: '15,00' }],
])('%s', (_name, limit) => {
	it('refuses the whole run, before anything is sent', async () => {
		const { codes } = await bench.payTwo(CONTINUE, limit);
		expect(codes).toEqual(['OVER_LIMIT', 'OVER_LIMIT']);
		expect(bench.requests()).toEqual([]);
	});

	it('refuses only the item, where the user wants that', async () => {
		const { errors } = await bench.payTwo(CONTINUE, { ...limit, ...ITEM });
		expect(errors).toMatchObject([undefined, { code: 'OVER_LIMIT', effect: 'none' }]);
		expect(bench.paid).toEqual([1001]);
	});

	it('pays the others and fails once, with On Error = Stop', async () => {
		const { error } = await bench.run(payEach({ ...limit, ...ITEM }), [OTHER, ONE]);
		expect(error?.description).toContain('1 refused');
		expect(bench.paid).toEqual([1001]);
	});
});

it('counts all rounds of a loop', async () => {
	const limited = payEach({ largestTotal: '25,00', ...ITEM });
	const rows = [1, 2, 3].map((row) => ({ ...ONE, row }));
	const { codes } = await bench.run(limited, rows, { isLooped: true, ...CONTINUE });
	expect(codes).toEqual(['OVER_LIMIT']);
	expect(bench.paid).toEqual([1001, 1001]);
});

it.each(['retry', 'retryAfterKill'] as const)(
	'counts what an earlier attempt of the execution has paid: %s',
	async (how) => {
		const refused = bench.fail('INSUFFICIENT_BALANCE', '20.02');
		const parameters = payEach({ largestTotal: '30,03', maxConcurrency: 1 });
		const failed = await bench.run(parameters, TWO, bench.begunNow);
		refused();
		changeOptions(failed.workflow, { largestTotal: '30,02', ...ITEM });

		const { error } = await bench[how](failed);

		expect(error?.message).toContain('the total of this execution to R$ 30,03');
		expect(bench.paid).toEqual([1001]);
	},
);

describe('with references', () => {
	const SECOND = INVOICES.slice(1);
	const limited = (largestTotal: string) => referenced({ largestTotal, ...ITEM });

	it('does not count what was paid before', async () => {
		const workflow = limited('20,02');
		for (const rows of [SECOND, SECOND, [...SECOND, INVOICES[0]!]]) {
			expect((await bench.start(workflow, rows)).error).toBeUndefined();
		}
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('names the row over a limit as people count, also behind one that was paid before', async () => {
		const third = { ...INVOICES[0], amount: '30,03', invoice: 'NF-3' };
		await bench.start(referenced(), INVOICES.slice(0, 1));

		const workflow = referenced({ largestAmount: '25,00' });
		const { errors } = await bench.start(workflow, [...INVOICES, third], CONTINUE);

		expect(errors[0]).toBeUndefined();
		expect(errors[1]?.message).toContain('because row 3 is over a limit');
		expect(bench.paid).toEqual([1001]);
	});

	it('counts what was lost once, in the next execution', async () => {
		const workflow = limited('20,02');
		await bench.start(workflow, SECOND, { lost: 'dropBefore' });
		expect((await bench.start(workflow, SECOND)).codes).toEqual([undefined]);
		expect(bench.paid).toEqual([2002]);
	});

	it('counts what was lost once, in the retry of the execution', async () => {
		const parameters = payReferenced({ largestTotal: '20,02', ...ITEM });
		const failed = await bench.run(parameters, SECOND, { lost: 'dropBefore' });
		bench.expectPaid([2002], await bench.retry(failed));
	});

	it('does not say of what an earlier attempt may have paid that it had no effect', async () => {
		const workflow = limited('20,02');
		await bench.start(workflow, SECOND, { lost: 'dropAfter' });
		changeOptions(workflow, { largestTotal: '15,00', ...ITEM });

		const { errors } = await bench.start(workflow, SECOND);

		expect(errors).toMatchObject([{ code: 'OVER_LIMIT', effect: 'unknown' }]);
		expect(errors[0]?.description).toContain('An earlier attempt may have paid it');
		expect(bench.paid).toEqual([2002]);
	});

	it('stops what the bank has refused and would be paid once more', async () => {
		bench.sandbox.dialect.withdrawalTransitions.last = 'returnable';
		const workflow = limited('30,03');
		expect((await bench.start(workflow, INVOICES)).codes).toEqual(FINE);
		bench.bankRefusesAll();
		changeOptions(workflow, { largestTotal: '15,00', ...ITEM });

		expect((await bench.start(workflow, INVOICES)).codes).toEqual([undefined, 'OVER_LIMIT']);
		expect(bench.paid).toEqual([1001, 1001, 2002]);
	});
});

describe.each(['requests', 'inside'] as const)('with an agent whose tools run: %s', (kind) => {
	const ask = async (rounds: IDataObject[][], options: Parameters, tool: Parameters = {}) =>
		getAnswers(
			await bench.start(agentWorkflow(kind, payEach(options, { ...chosenByAgent, ...tool })), [
				{ rounds },
			]),
		);
	const call = (amount: number, pixKey = EMAIL) => ({ amount, pixKey });

	it('stops what is over, and counts all its calls', async () => {
		const answers = await ask([[call(20.02)], [call(10.01, CPF)], [call(10.01)], [call(10.02)]], {
			largestAmount: '15,00',
			largestTotal: '21,00',
		});
		expect(answers[0]).toContain('exceeds Largest Amount');
		expect(answers[3]).toContain('Largest Total');
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('counts what other calls of the same turn are about to pay', async () => {
		const calls = [CPF, EMAIL, PHONE].map((pixKey) => call(10.01, pixKey));
		const answers = await ask([calls, calls.slice(0, 1)], { largestTotal: '25,00' });
		expect(answers[2]).toContain('Largest Total');
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('gives back what was reserved for a payout without effect', async () => {
		bench.refuseNext(1, 'BLOCKLIST_DENIED');
		await ask([[call(10.01, CPF)], [call(10.01)]], { largestTotal: '15,00' });
		expect(bench.paid).toEqual([1001]);
	});

	it.each(['largestAmount', 'largestTotal', 'allowedPixKeys'])(
		'takes no %s from the agent, neither for the tool nor among its options',
		async (name) => {
			const limit = { [name]: "={{ $fromAI('limit', '', 'string') }}" };
			const rounds = [[{ ...ONE, limit: '1000000' }]];
			await ask(rounds, {}, limit);
			await ask(rounds, limit);
			expect(bench.paid).toEqual([]);
		},
	);
});
