/** Payouts of other executions in the ledger that may be the same: Duplicate Guard stops, and says what to do. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { BEFORE, continueOnFail, killTables, reviveTables, usePayouts } from '../support/money';
import { INVOICES, payEach, payReferenced, TWO } from '../support/payouts';
import { dataTables, restart } from '../support/ledger';
import { HOUR } from '../support/values';
import { CONTINUE, RETRY_ON_FAIL } from '../support/workflow';

const bench = usePayouts();
const GUARDED = payEach({ duplicateGuard: 'always', maxConcurrency: 1 });

const pay = async (settings: RunSettings = {}, rows: IDataObject[] = TWO) =>
	await bench.run(GUARDED, rows, settings);
/** Of these withdrawals each item is a duplicate. */
const expectDuplicates = ({ errors, posts }: Execution, ids: string[]) => {
	expect(errors).toMatchObject(
		ids.map((id) => ({ code: 'POSSIBLE_DUPLICATE', effect: 'none', withdrawalIds: [id] })),
	);
	expect(posts).toBe(0);
};

describe('with the option', () => {
	it('pays what was not paid before, and asks the service nothing', async () => {
		bench.expectPaid([1001, 2002], await pay());
		expect(bench.requests('GET')).toEqual([]);
	});

	it('stops in another execution, with the ids, before anything is sent', async () => {
		const { ids } = await pay();
		restart();

		const again = await pay(CONTINUE);

		expectDuplicates(again, ids);
		for (const item of again.json) expect(item).not.toHaveProperty('id');
		expect(again.errors).toMatchObject([{ retryable: false }, { retryable: false }]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('stops what got no answer, if another execution has paid it until the retry', async () => {
		const first = await pay({ ...bench.begunNow, lost: 'dropBefore' });
		const { ids } = await bench.run(payEach({ duplicateGuard: 'never' }), TWO);

		const { error, posts } = await bench.retry(first);

		expect(posts).toBe(0);
		expect(error?.message).toContain(`went to this PIX key`);
		expect(error?.description).toContain('An earlier attempt of this execution may have paid it');
		expect(error?.description).toContain(`in 'Not These': ${ids[0]}`);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('stops it still when that execution is retried the day after, and advises no other retry', async () => {
		const { ids } = await pay();
		bench.clock.advance(2 * HOUR);
		const stopped = await pay(bench.begunNow);
		expect(stopped.error?.description).not.toContain('choose Retry');
		bench.clock.advance(25 * HOUR);

		continueOnFail(stopped);
		expectDuplicates(await bench.retry(stopped), ids);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('pays what was refused, and rows of one execution that differ in a field', async () => {
		bench.refuseNext(2, 'INSUFFICIENT_BALANCE');
		await pay(CONTINUE);
		const rows = [...TWO, ...TWO].map((row, line) => ({ ...row, line }));
		bench.expectPaid([1001, 1001, 2002, 2002], await pay({}, rows));
	});

	it('pays nobody twice where two executions have both looked before either has claimed, and each once in the end', async () => {
		let claiming = 0;
		let goOn = () => undefined as void;
		const bothAre = new Promise<void>((resolve) => (goOn = resolve));
		dataTables().onStep = async (operation) => {
			if (operation !== 'insert') return;
			claiming += 1;
			if (claiming === 2) goOn();
			await bothAre;
		};
		const runs = await Promise.all([pay(), pay()]);
		expect(runs.filter(({ error }) => error?.message.includes('may have gone'))).not.toEqual([]);
		await pay();
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([1, 2, 3])(
		'stops in the retry, too, where n8n was killed at call %i of its tables',
		async (call) => {
			await pay();
			let calls = 0;
			killTables(() => (calls += 1) >= call);
			const killed = await pay();
			expect(calls).toBeGreaterThanOrEqual(call);
			reviveTables();

			const { error } = await bench.retryAfterKill(killed);

			expect(error?.message).toContain('went to this PIX key');
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('does not take an earlier attempt of the execution for a duplicate', async () => {
		// Five responses are lost, so that the node fails and n8n runs it again.
		bench.lose('dropAfter', undefined, 5);
		const killed = await pay({ extras: RETRY_ON_FAIL });
		bench.expectPaid([1001, 2002], killed);

		const retried = await bench.retryAfterKill(killed);

		bench.expectPaid([1001, 2002], retried);
		expect(retried.paidBefore).toEqual(BEFORE);
	});

	it('finds in the retry of an execution that stopped what another one has paid since, also what was refused or never started', async () => {
		bench.strike('10.01', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
		const stopped = await pay();
		expect(bench.paid).toEqual([]);
		await pay();
		continueOnFail(stopped);
		expectDuplicates(await bench.retry(stopped), bench.idsPaid);
		expect(bench.paid).toEqual([1001, 2002]);
	});
});

describe('in a called workflow', () => {
	const call = async (
		parentExecutionId: string,
		parameters = payEach(),
		settings: RunSettings = {},
		rows: IDataObject[] = TWO,
	) => await bench.run(parameters, rows, { mode: 'integrated', parentExecutionId, ...settings });
	const NEVER = payEach({ duplicateGuard: 'never' });

	it.each(['automatic', 'always'])('sends nothing without a reference: %s', async (mode) => {
		const refused = await call('7', payEach({ duplicateGuard: mode }), CONTINUE);
		expect(refused.codes).toEqual(['REFERENCE_NEEDED', 'REFERENCE_NEEDED']);
		expect(refused.errors[0]?.description).toContain('Fill in Reference');
		expect((await call('8')).error?.description).not.toContain('to retry its caller');
		expect(bench.requests('POST')).toEqual([]);
	});

	it('pays what is owed once with references, also if a formula changes what was refused', async () => {
		bench.strike('20.02', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
		await call('7', payReferenced(), CONTINUE, INVOICES);
		const [first, second] = INVOICES;

		const again = await call('8', payReferenced(), {}, [first!, { ...second, amount: '20.03' }]);

		bench.expectPaid([1001, 2003], again);
	});

	it('with Never and one item, says that other calls may have paid', async () => {
		bench.strike('10.01', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
		const { error, id } = await call('7', NEVER, {}, [TWO[0]!]);
		expect(error?.description).toContain('Nothing was paid by this call.');
		expect(error?.description).toContain(`Retry the called execution ${id} alone`);
	});

	it('with Never, is retried by itself, and pays the rest', async () => {
		const failed = await call('7', NEVER, { lost: { '20.02': 'dropBefore' } });
		const ALONE = `Retry the called execution ${failed.id} alone: to retry its caller would pay everyone again.`;
		expect(failed.error?.description).toContain(ALONE);
		bench.expectPaid([1001, 2002], await bench.retry(failed));
	});
});
