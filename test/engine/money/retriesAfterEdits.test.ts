import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CPF, EMAIL, PHONE } from '../support/values';
import type { Execution } from '../support/execution';
import { NODE } from '../support/names';
import { withWaysOut } from '../../support/dialect';
import { type Parameters } from '../support/workflow';

const bench = useBench();
const HOUR = 60 * 60 * 1000;
const ROWS: IDataObject[] = [
	{ amount: 10.01, pixKey: CPF },
	{ amount: 20.02, pixKey: EMAIL },
	{ amount: 30.03, pixKey: PHONE },
];
const ONE = [ROWS[0]!];
const REFERENCED = { reference: '={{ "NF-" + $json.amount }}' };
const edit = (execution: Execution, parameters: INodeParameters) => {
	const node = execution.workflow.nodes[NODE]!;
	node.parameters = withWaysOut({
		...node.parameters,
		...parameters,
	} as Parameters) as never;
};
/** The clock of these tests may be ahead of the one that n8n reads. */
const begunNow = () => ({ establishedAt: bench.clock.now() });

describe('F2: a reference is filled in before the retry', () => {
	it('after a kill', async () => {
		const killed = await bench.run(payEach(), ROWS, begunNow());
		edit(killed, REFERENCED);

		await bench.retryAfterKill(killed);

		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('after a retry of the first execution has paid', async () => {
		bench.sandbox.faults.add({ kind: 'error', code: 'INSUFFICIENT_BALANCE' });
		const first = await bench.run(payEach(), ONE, begunNow());
		expect((await bench.retry(first)).error).toBeUndefined();
		edit(first, REFERENCED);

		await bench.retry(first);

		expect(bench.paid).toEqual([1001]);
	});
});

describe('F3: other amounts', () => {
	it('a retry of the first execution has paid, then amounts are changed and it is retried again', async () => {
		bench.sandbox.faults.add({ kind: 'error', code: 'INSUFFICIENT_BALANCE' });
		const first = await bench.run(payEach(), ONE, begunNow());
		expect((await bench.retry(first)).error).toBeUndefined();
		edit(first, { amount: '={{ $json.amount + 1 }}' });

		await bench.retry(first);

		expect(bench.paid).toEqual([1001]);
	});

	it.each([1, 25])('after a kill, %d hours later', async (hours) => {
		const killed = await bench.run(payEach(), ROWS, begunNow());
		bench.clock.advance(hours * HOUR);
		edit(killed, { amount: '={{ $json.amount + 1 }}' });

		await bench.retryAfterKill(killed);

		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});
});

describe('F4: a reference that was filled in for a retry', () => {
	it('is in the ledger once it is paid', async () => {
		const clear = bench.sandbox.faults.add({
			method: 'POST',
			times: Infinity,
			kind: 'dropBefore',
		});
		const failed = await bench.run(payEach(), ONE, begunNow());
		clear();
		edit(failed, REFERENCED);
		const { error } = await bench.retry(failed);
		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001]);
		bench.clock.advance(25 * HOUR);

		const next = await bench.run(payEach({}, REFERENCED), ONE);

		expect(next.error).toBeUndefined();
		expect(bench.paid).toEqual([1001]);
	});
});

it('F5: OVER_LIMIT after a retry of the first execution has paid does not claim `effect: none`', async () => {
	bench.sandbox.faults.add({ kind: 'error', code: 'INSUFFICIENT_BALANCE' });
	const first = await bench.run(payEach(), ONE, begunNow());
	expect((await bench.retry(first)).error).toBeUndefined();
	edit(first, { options: { largestAmount: '1,00' } as never });

	const { error } = await bench.retry(first);

	expect(error).toMatchObject({ effect: 'unknown' });
});
