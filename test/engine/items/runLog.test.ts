import { logged } from '../support/container';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';

const bench = useBench();

beforeEach(() => {
	logged.length = 0;
});

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
				'BRL Payments withdrawal.create: 2 paid, 0 paid before, 0 in doubt, 0 refused, 0 not started',
				expect.objectContaining({ done: 2, total: 30.03, executionId: run.id }),
			],
		]);
		expect(run.data.resultData.metadata).toEqual({ brlpay_paid: '2' });
	});

	it('reads of a payout in doubt and of a refused one, also where the run fails', async () => {
		bench.sandbox.faults.add({
			path: '/v1/withdrawals',
			method: 'POST',
			kind: 'dropAfter',
			times: Infinity,
		});

		const run = await bench.run(payEach(), TWO);

		expect(run.error).toBeDefined();
		expect(linesOfNode().map(([message]) => message)).toContain(
			'BRL Payments withdrawal.create: row 1 is in doubt (CONNECTION_LOST)',
		);
		expect(run.data.resultData.metadata).toMatchObject({ brlpay_in_doubt: expect.any(String) });
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
		await bench.run({ resource: 'withdrawal', operation: 'getAll', returnAll: true }, TWO);

		expect(linesOfNode()).toEqual([]);
	});
});
