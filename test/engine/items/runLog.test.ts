import { logged } from '../support/container';
import { useBench } from '../support/harness';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { CONTINUE } from '../support/references';
import { CPF, EMAIL, UUID } from '../support/values';
import { operation, RETRY_ON_FAIL } from '../support/workflow';

const bench = useBench();

/** What the node itself wrote to the log of n8n: messages and metadata. */
const linesOfNode = () => {
	const isOurs = (part: unknown) => typeof part === 'string' && part.startsWith('BRL Payments ');
	return logged.flatMap((part, index) =>
		isOurs(part) ? [[part, logged[index + 1]] as const] : [],
	);
};

describe('an operator', () => {
	it('reads what a run has paid, in the log and in the custom data of the execution', async () => {
		const run = await bench.run(payEach(), TWO);

		expect(linesOfNode()).toEqual([
			[
				expect.stringContaining(
					`BRL Payments withdrawal.create: 2 paid (30.03 BRL), 0 paid before, 0 in doubt, 0 refused, 0 not started, in execution ${run.id} of workflow `,
				),
				expect.objectContaining({ done: 2, total: 30.03, executionId: run.id }),
			],
		]);
		expect(run.customData).toEqual({
			brlpay_paid: '2',
			brlpay_result: 'paid',
			brlpay_execution: run.id,
		});
	});

	it('reads of a payout in doubt and of a refused one, also where the run fails', async () => {
		const run = await bench.run(payEach(), TWO, { lost: 'dropAfter' });

		expect(run.error).toBeDefined();
		expect(linesOfNode().join()).toContain(
			'BRL Payments withdrawal.create: row 1 is in doubt (CONNECTION_LOST), in execution ',
		);
		expect(run.customData).toMatchObject({
			brlpay_in_doubt: expect.any(String),
			brlpay_result: 'in doubt',
		});
	});

	it('finds an execution in which something was refused, whatever the rounds after it paid', async () => {
		bench.sandbox.account.blocklist = [TWO[0]?.pixKey as string];

		const run = await bench.run(payEach(), TWO, { ...CONTINUE, isLooped: true });

		expect(run.customData).toEqual({
			brlpay_paid: '1',
			brlpay_not_paid: '1',
			brlpay_result: 'not all paid',
			brlpay_execution: run.id,
		});
	});

	it('counts each payout once, however often Retry On Fail tries the node', async () => {
		bench.lose('dropAfter', undefined, 20);
		bench.clock.advance(60_000);

		const run = await bench.run(payEach(), TWO, { extras: RETRY_ON_FAIL });

		expect(bench.paid).toEqual([1001, 2002]);
		expect(linesOfNode().filter(([message]) => /: \d+ paid/.test(String(message)))).toHaveLength(3);
		expect(run.customData).toEqual({
			brlpay_paid_before: '2',
			brlpay_in_doubt: '0',
			brlpay_result: 'paid',
			brlpay_execution: run.id,
		});
	});

	it('reads how far the payouts of an execution were that a person has stopped', async () => {
		const items = [...TWO, { amount: 30.03, pixKey: CPF }];

		const run = await bench.runStopped('20.02', payEach({ maxConcurrency: 1 }), items);

		expect(run.customData).toEqual({
			brlpay_paid: '1',
			brlpay_in_doubt: '1',
			brlpay_not_started: '1',
			brlpay_result: 'in doubt',
			brlpay_execution: run.id,
		});
	});

	it('never reads twice that one payout was paid now, however often its execution is retried', async () => {
		const failed = await bench.run(payEach(), TWO, { ...bench.begunNow, lost: 'dropBefore' });
		bench.clock.advance(60_000);
		const { customData: first } = await bench.retry(failed);
		bench.clock.advance(60_000);
		const { customData: second } = await bench.retry(failed);

		expect(bench.paid).toEqual([1001, 2002]);
		// Nobody knows whether the first retry has paid, or what was lost before it.
		for (const customData of [first, second]) {
			expect(customData).toMatchObject({ brlpay_paid_before: '2' });
			expect(customData).not.toHaveProperty('brlpay_paid');
		}
	});

	it.each([
		['charges', chargeEach('PIX'), 'payment.create: 2 done'],
		// Of payments that the service does not have.
		[
			'refunds',
			operation('payment.refund', { paymentId: UUID }),
			'payment.refund: 0 done, 0 done before, 0 in doubt, 2 refused',
		],
	])('reads one line of %s, and none of their data', async (_kind, parameters, said) => {
		await bench.run(parameters, [{ amount: 10.01 }, { amount: 20.02 }], CONTINUE);

		const [[message, metadata]] = linesOfNode() as [[string, Record<string, unknown>]];
		expect(message).toContain(said);
		expect(metadata).toMatchObject({ operation: message.split(' ')[2]?.slice(0, -1) });
		for (const personal of [EMAIL, CPF, 'Maria']) {
			expect(JSON.stringify(linesOfNode())).not.toContain(personal);
		}
	});

	it('reads nothing that a row says', async () => {
		const references = TWO.map((item) => ({ ...item, invoice: `NF ${item.pixKey as string}` }));

		await bench.run(payEach({}, { reference: '={{ $json.invoice }}' }), references);

		expect(linesOfNode()).toHaveLength(1);
		const text = JSON.stringify(linesOfNode());
		for (const { pixKey } of TWO) expect(text).not.toContain(pixKey as string);
		expect(text).not.toContain('NF ');
	});

	it('reads nothing of what only reads', async () => {
		await bench.run(operation('withdrawal.getAll', { returnAll: true }), TWO);

		expect(linesOfNode()).toEqual([]);
	});
});
