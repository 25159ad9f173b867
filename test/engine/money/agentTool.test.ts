/** The node as a tool of an agent: it may be called again and again, and pays once. */
import { agentWorkflow, getAnswers, type AgentKind } from '../support/agent';
import { useBench } from '../support/harness';
import { TRIGGER_NODE } from '../support/nodeTypes';
import { payEach, TWO } from '../support/payouts';
import { RETRY_ON_FAIL, type NodeExtras, type Parameters } from '../support/workflow';

const bench = useBench();
const HOUR = 60 * 60 * 1000;
const [FIRST, SECOND] = TWO as [(typeof TWO)[0], (typeof TWO)[0]];

/** As "Let the model define this parameter" writes it. */
const chosenByAgent: Parameters = {
	amount: "={{ $fromAI('amount', 'In reais', 'number') }}",
	pixKey: "={{ $fromAI('pixKey', 'Where it goes', 'string') }}",
};
const tool = (kind: AgentKind, options: Parameters = {}, extras: NodeExtras = {}) =>
	agentWorkflow(kind, payEach(options, chosenByAgent), { extras });

/** The look-up does not show yet what was paid, as where two processes pay in the same instant. */
const seeNothing = () => bench.showList([]);

describe.each<AgentKind>(['requests', 'inside'])('an agent whose tools run: %s', (kind) => {
	it('pays what it asks for, once each, and gets the withdrawals', async () => {
		const execution = await bench.start(tool(kind), [{ rounds: [[FIRST], [SECOND]] }]);

		expect(execution.error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002]);
		const ids = bench.sandbox.books.withdrawals.map(({ id }) => id);
		getAnswers(execution).forEach((answer, index) => expect(answer).toContain(ids[index]));
	});

	it('pays no PIX code: whoever approves would not see the amount', async () => {
		const code =
			'00020126540014br.gov.bcb.pix0117maria@example.com0211Pedido 10425204000053039865406149.905802BR5911MARIA SILVA6009SAO PAULO62070503***6304D4A0';
		const rounds = [[{ amount: 149.9, pixKey: code }], [FIRST]];

		const execution = await bench.start(tool(kind), [{ rounds }]);

		expect(bench.paid).toEqual([1001]);
		expect(getAnswers(execution)[0]).toContain('Check the code with Withdrawal > Check Batch');
	});

	it('pays once when it calls again with the same, and says so with the id', async () => {
		const execution = await bench.start(tool(kind), [{ rounds: [[FIRST], [SECOND], [FIRST]] }]);

		expect(bench.paid).toEqual([1001, 2002]);
		const repeated = getAnswers(execution)[2];
		expect(repeated).toContain('so it was not paid again');
		expect(repeated).toContain(bench.sandbox.books.withdrawals[0]!.id);
		expect(repeated).toContain('pay it in a workflow without an agent');
	});

	it('pays once when it asks for the same twice at a time', async () => {
		const execution = await bench.start(tool(kind), [{ rounds: [[FIRST, FIRST]] }]);

		expect(bench.paid).toEqual([1001]);
		expect(
			getAnswers(execution).filter((answer) => answer.includes('not paid again')),
		).toHaveLength(1);
	});

	it('pays once what it asks for under two references, before the first payment shows', async () => {
		seeNothing();
		const named = payEach(
			{},
			{ ...chosenByAgent, reference: "={{ $fromAI('reference', 'Name') }}" },
		);
		const rounds = [
			[{ ...FIRST, reference: 'A' }],
			[
				{ ...FIRST, reference: 'B' },
				{ ...SECOND, reference: 'C' },
			],
		];

		const execution = await bench.start(agentWorkflow(kind, named), [{ rounds }]);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(getAnswers(execution)[1]).toContain('so it was not paid again');
	});

	it('pays once when it calls again before the first payment shows', async () => {
		seeNothing();
		await bench.start(tool(kind), [{ rounds: [[FIRST], [SECOND], [FIRST]] }]);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.keys).toHaveLength(2);
	});

	it('pays once when it is called again in another execution, and again after 24 hours', async () => {
		const workflow = tool(kind);
		await bench.start(workflow, [{ rounds: [[FIRST]] }]);
		await bench.start(workflow, [{ rounds: [[FIRST]] }]);
		expect(bench.paid).toEqual([1001]);

		bench.clock.advance(24 * HOUR + 61_000);
		await bench.start(workflow, [{ rounds: [[FIRST]] }]);
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('pays once with any key that the agent makes up for each call', async () => {
		const options = { idempotencyKey: "={{ $fromAI('key', '', 'string') }}" };
		const execution = await bench.start(tool(kind, options), [
			{ rounds: [[{ ...FIRST, key: 'invoice-1' }], [{ ...FIRST, key: 'invoice-2' }]] },
		]);

		expect(bench.paid).toEqual([1001]);
		expect(getAnswers(execution)[1]).toContain('not paid again');
	});

	it('pays once when it repeats a call whose outcome was reported as unknown', async () => {
		bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter', times: 5 });
		const execution = await bench.start(tool(kind), [{ rounds: [[FIRST], [FIRST]] }]);

		const [unknown, repeated] = getAnswers(execution);
		expect(unknown).toContain('It is not known whether this took effect');
		expect(unknown).toContain('Do not repeat it under another key');
		expect(repeated).toContain(bench.sandbox.books.withdrawals[0]!.id);
		expect(repeated).not.toContain('"error"');
		expect(repeated).toContain('"alreadyPaid":true');
		expect(bench.paid).toEqual([1001]);
		expect(bench.keys).toHaveLength(1);
	});

	it('pays once with Retry On Fail', async () => {
		bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter', times: 5 });
		const execution = await bench.start(tool(kind, {}, RETRY_ON_FAIL), [{ rounds: [[FIRST]] }]);

		expect(getAnswers(execution)[0]).toContain(bench.sandbox.books.withdrawals[0]!.id);
		expect(bench.paid).toEqual([1001]);
		expect(bench.keys).toHaveLength(1);
	});

	it('pays once when the execution is retried after kill -9 and the agent goes another way', async () => {
		const workflow = tool(kind);
		const killed = await bench.start(workflow, [{ rounds: [[FIRST], [SECOND]] }]);
		killed.items[0]!.json.rounds = [[SECOND], [FIRST]] as never;

		await bench.retryAfterKill(killed);

		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('pays nothing when it cannot look', async () => {
		const apiKey = bench.keyWith('withdrawals:write');
		const execution = await bench.start(tool(kind), [{ rounds: [[FIRST], [SECOND]] }], {
			credential: { apiKey },
		});

		expect(bench.paid).toEqual([]);
		for (const answer of getAnswers(execution)) {
			expect(answer).toContain('Nothing was paid, because the check for duplicates failed');
			expect(answer).toContain('Give the key the scope withdrawals:read');
		}
	});

	it('shares its keys with the copies of the delivery that woke the agent', async () => {
		const workflow = agentWorkflow(kind, payEach({}, chosenByAgent), { startType: TRIGGER_NODE });
		const event = {
			deliveryId: 'delivery-1',
			receivedAt: new Date(bench.clock.now()).toISOString(),
			rounds: [[FIRST], [SECOND]],
		};
		seeNothing();
		const first = await bench.start(workflow, [event]);
		const copy = await bench.start(workflow, [event]);

		getAnswers(copy).forEach((answer, index) => {
			const [id] = /[0-9a-f-]{36}/.exec(getAnswers(first)[index]!)!;
			expect(answer).toContain(id);
		});
		expect(bench.paid).toEqual([1001, 2002]);
	});
});
