/** The node as a tool of an agent: it may be called again and again, and pays once. */
import type { IDataObject } from 'n8n-workflow';
import { agentWorkflow, chosenByAgent, getAnswers, type AgentKind } from '../support/agent';
import type { RunSettings } from '../support/harness';
import { usePayouts } from '../support/money';
import { payEach, TWO } from '../support/payouts';
import { HOUR, MINUTE } from '../support/values';
import type { NodeExtras, Parameters } from '../support/workflow';
import { TRIGGER_NODE } from '../support/nodeTypes';

const bench = usePayouts();
const [FIRST, SECOND] = TWO as [IDataObject, IDataObject];

describe.each<AgentKind>(['requests', 'inside'])('an agent whose tools run: %s', (kind) => {
	const tool = (options: Parameters = {}, extras: NodeExtras = {}) =>
		agentWorkflow(kind, payEach(options, chosenByAgent), { extras });
	/** An agent makes these calls in each of its rounds. @returns what it is answered */
	const ask = async (
		rounds: IDataObject[][],
		workflow = tool(),
		settings: RunSettings = {},
	): Promise<string[]> => {
		const execution = await bench.start(workflow, [{ rounds }], settings);
		expect(execution.error).toBeUndefined();
		return getAnswers(execution);
	};

	it('pays no PIX code: whoever approves would not see the amount', async () => {
		const pixKey =
			'00020126540014br.gov.bcb.pix0117maria@example.com0211Pedido 10425204000053039865406149.905802BR5911MARIA SILVA6009SAO PAULO62070503***6304D4A0';
		const [answer] = await ask([[{ amount: 149.9, pixKey }], [FIRST]]);
		expect(bench.paid).toEqual([1001]);
		expect(answer).toContain('Check the code with Withdrawal > Check Batch');
	});

	it('pays once when it calls again with the same, and gets the same withdrawal', async () => {
		const [, , repeated] = await ask([[FIRST], [SECOND], [FIRST]]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(repeated).toContain(bench.idsPaid[0]);
		expect(repeated).toContain('"alreadyPaid":true');
	});

	it('pays once when it asks for the same twice at a time', async () => {
		const answers = await ask([[FIRST, FIRST]]);
		expect(bench.paid).toEqual([1001]);
		for (const answer of answers) expect(answer).toContain(bench.idsPaid[0]);
	});

	it('pays once what it asks for under two references', async () => {
		const reference = "={{ $fromAI('reference', 'Name') }}";
		const rounds = [
			[{ ...FIRST, reference: 'A' }],
			[
				{ ...FIRST, reference: 'B' },
				{ ...SECOND, reference: 'C' },
			],
		];

		const answers = await ask(
			rounds,
			agentWorkflow(kind, payEach({}, { ...chosenByAgent, reference })),
		);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(answers[1]).toContain('so it was not paid again');
	});

	it('pays once when it is called again in another execution, and again after 24 hours', async () => {
		await ask([[FIRST]]);
		const [repeated] = await ask([[FIRST]]);
		expect(repeated).toContain('so it was not paid again');
		expect(repeated).toContain(bench.idsPaid[0]);
		expect(repeated).toContain('pay it in a workflow without an agent');
		expect(bench.paid).toEqual([1001]);
		bench.clock.advance(24 * HOUR + MINUTE + 1_000);
		await ask([[FIRST]]);
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('pays once when it repeats a call whose outcome was reported as unknown', async () => {
		bench.lose('dropAfter', undefined, 5);

		const [unknown, repeated] = await ask([[FIRST], [FIRST]]);

		expect(unknown).toContain('It is not known whether this took effect');
		expect(repeated).toContain(bench.idsPaid[0]);
		expect(repeated).not.toContain('"error"');
		expect(repeated).toContain('"alreadyPaid":true');
		expect(bench.paid).toEqual([1001]);
		expect(bench.keys).toHaveLength(1);
	});

	it.each(['dropBefore', 'dropAfter'] as const)(
		'pays once when a person settles what got no answer, as both errors say: %s',
		async (lost) => {
			const end = bench.lose(lost);
			const [unknown] = await ask([[FIRST]]);
			end();
			bench.clock.advance(6 * MINUTE);
			const [stopped] = await ask([[FIRST]]);

			for (const answer of [unknown, stopped]) {
				expect(answer).toContain('look it up at the service');
				expect(answer).toContain('Then ask the agent for it again.');
				expect(answer).not.toContain('etry');
			}
			const [, name = ''] = /with the reference \\?"(auto-[\w-]{16})/.exec(stopped!) ?? [];
			const [id] = bench.idsPaid;
			await bench.settle(name, id ? 'paid' : 'notPaid', id);
			await ask([[FIRST]]);

			expect(bench.paid).toEqual([1001]);
		},
	);

	it('pays once when the execution is retried after kill -9 and the agent goes another way', async () => {
		const killed = await bench.start(tool(), [{ rounds: [[FIRST], [SECOND]] }]);
		killed.items[0]!.json.rounds = [[SECOND], [FIRST]] as never;
		await bench.retryAfterKill(killed);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('shares its keys with the copies of the delivery that woke the agent', async () => {
		const workflow = agentWorkflow(kind, payEach({}, chosenByAgent), { startType: TRIGGER_NODE });
		const receivedAt = new Date(bench.clock.now()).toISOString();
		const event = { deliveryId: 'delivery-1', receivedAt, rounds: [[FIRST], [SECOND]] };
		const first = getAnswers(await bench.start(workflow, [event]));
		const copy = getAnswers(await bench.start(workflow, [event]));

		copy.forEach((answer, index) => {
			const [id] = /[0-9a-f-]{36}/.exec(first[index]!)!;
			expect(answer).toContain(id);
		});
		expect(bench.paid).toEqual([1001, 2002]);
	});
});
