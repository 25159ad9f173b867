import { logged } from '../support/container';
import { useBench } from '../support/harness';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { CPF, EMAIL, UUID } from '../support/values';
import { CONTINUE, operation } from '../support/workflow';

const bench = useBench();

/** What the node itself wrote to the log of n8n: messages and metadata. */
const linesOfNode = () => {
	const isOurs = (part: unknown) => typeof part === 'string' && part.startsWith('BRL Payments ');
	return logged.flatMap((part, index) =>
		isOurs(part) ? [[part, logged[index + 1]] as const] : [],
	);
};

describe('an operator', () => {
	it('reads what a run has paid', async () => {
		const run = await bench.run(payEach(), TWO);

		expect(linesOfNode()).toEqual([
			[
				expect.stringContaining(
					`BRL Payments withdrawal.create: 2 paid (30.03 BRL), 0 paid before, 0 in doubt, 0 refused, 0 not started, in execution ${run.id} of workflow `,
				),
				expect.objectContaining({ done: 2, total: 30.03, executionId: run.id }),
			],
		]);
	});

	it('reads of a payout in doubt and of a refused one, also where the run fails', async () => {
		const run = await bench.run(payEach(), TWO, { lost: 'dropAfter' });

		expect(run.error).toBeDefined();
		expect(linesOfNode().join()).toContain(
			'BRL Payments withdrawal.create: row 1 is in doubt (CONNECTION_LOST), in execution ',
		);
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
