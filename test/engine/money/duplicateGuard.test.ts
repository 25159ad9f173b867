/** Looking for what was paid already, where the idempotency key alone cannot show it. */
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { continueOnFail, DOUBTS, useMoney } from '../support/money';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE, HOUR, MINUTE } from '../support/references';
import { restart } from '../support/restart';
import { CPF, EMAIL } from '../support/values';
import { RETRY_ON_FAIL, type Parameters } from '../support/workflow';

const bench = useMoney();
const GUARDED = payEach({ duplicateGuard: 'always', maxConcurrency: 1 });
const [ONE = {}] = TWO;

const pay = async (settings: RunSettings = {}, rows: IDataObject[] = TWO) =>
	await bench.run(GUARDED, rows, settings);
const lookUps = () => bench.requests('GET');
/** Of these withdrawals each item is a duplicate. */
const expectDuplicates = ({ errors }: Execution, ids: string[], effect = 'none') =>
	expect(errors).toMatchObject(
		ids.map((id) => ({ code: 'POSSIBLE_DUPLICATE', effect, withdrawalIds: [id] })),
	);

describe('with the option', () => {
	it('pays what was not paid before', async () => {
		const run = await pay();

		expect(run.json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		bench.expectPaid([1001, 2002], run);
		const [lookUp, ...others] = lookUps().map(({ url }) => url);
		expect(lookUp).toMatch(/^\/v1\/withdrawals\?page=1&limit=\d\d$/);
		expect(others).toEqual([]);
	});

	it('stops in another execution, with the ids, before anything is sent', async () => {
		const { ids } = await pay();
		const again = await pay(CONTINUE);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(again.posts).toBe(0);
		for (const item of again.json) expect(item).not.toHaveProperty('id');
		expectDuplicates(again, ids);
		expect(again.errors).toMatchObject([{ retryable: false }, { retryable: false }]);
	});

	it('compares 12,000 withdrawals of the last 20 hours, down to the oldest', async () => {
		bench.assume('listOrder');
		// What is seeded counts, and at night the limit is lower.
		bench.sandbox.account.nightLimitCents = bench.sandbox.account.dayLimitCents;
		const now = bench.clock.now();
		const count = 12_000;
		const spacing = (20 * HOUR) / count;
		const seed = (index: number, pixKey: string) =>
			bench.sandbox.seed.withdrawal({
				...{ amountCents: 1001, pixKey, status: 'COMPLETED' },
				createdAt: now - index * spacing,
			});
		for (let index = 0; index < count; index += 1) seed(index, `payee-${index}@example.com`);
		const oldest = seed(count, CPF);

		const { errors, json, posts } = await pay(CONTINUE);

		expect(errors[0]).toMatchObject({ code: 'POSSIBLE_DUPLICATE', withdrawalIds: [oldest.id] });
		expect(json[1]?.netAmount).toBe(20.02);
		expect(posts).toBe(1);
	}, 90_000);

	it('pays equal items of one execution: only other executions count', async () => {
		const run = await bench.run(payEach({ duplicateGuard: 'always' }), [...TWO, ONE]);
		bench.expectPaid([1001, 1001, 2002], run);
	});

	it('stops one of two executions that start at the same instant', async () => {
		const runs = await Promise.all([pay(), pay()]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(runs.filter(({ error }) => error === undefined)).toHaveLength(1);
	});

	it('does not take the first attempt of the same item for a duplicate', async () => {
		// Five responses are lost, so that the node fails and n8n runs it again.
		bench.lose('dropAfter', undefined, 5);
		bench.expectPaid([1001, 2002], await pay({ extras: RETRY_ON_FAIL }));
	});

	it('stops a retry after kill -9 at its own payouts, and names them', async () => {
		const killed = await pay(CONTINUE);
		expectDuplicates(await bench.retryAfterKill(killed), bench.idsPaid, 'unknown');
		expect(bench.paid).toEqual([1001, 2002]);
	});

	describe('in a retry of an execution that stopped at its first item', () => {
		let stopped: Execution;
		beforeEach(async () => {
			bench.strike('10.01', { kind: 'error', code: 'INSUFFICIENT_BALANCE', times: 1 });
			stopped = await pay();
			expect(stopped.error).toBeDefined();
			expect(bench.paid).toEqual([]);
		});

		it('pays what no execution has paid', async () => {
			bench.expectPaid([1001, 2002], await bench.retry(stopped));
		});

		it.each<[string, () => Promise<unknown>]>([
			['finds what another execution has paid since, also of items that were never started', pay],
			// What n8n has of a retry that was killed is what it began with.
			['pays nothing twice that a retry has paid that was killed', () => bench.retry(stopped)],
		])('%s', async (_what, payBefore) => {
			await payBefore();
			continueOnFail(stopped);

			expectDuplicates(await bench.retry(stopped), bench.idsPaid);

			expect(bench.paid).toEqual([1001, 2002]);
		});
	});

	it('knows what this process has paid in the last two minutes, where the list does not show it yet', async () => {
		const { ids } = await pay();
		bench.showList([]);
		expectDuplicates(await pay(CONTINUE), ids);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('waits until a lost request has arrived, and the list shows what it paid', async () => {
		bench.lose('dropAfter', undefined, 10);
		await pay(CONTINUE);
		// It arrived after two minutes at most, and the list needs two more.
		bench.clock.advance(3.9 * MINUTE);
		bench.showList([]);

		expect((await pay(CONTINUE)).codes).toEqual(DOUBTS);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('calls none of two equal rows a duplicate while the answer of one may still be missing', async () => {
		const twins = [ONE, ONE];
		// One is paid, the other is still under way.
		bench.lose('dropAfter', undefined, 5);
		bench.lose('dropBefore', undefined, 5);
		await pay(CONTINUE, twins);
		expect(bench.paid).toEqual([1001]);

		const again = await pay(CONTINUE, twins);

		expect(again.codes).toEqual(DOUBTS);
		expect(again.errors).toMatchObject([{ effect: 'unknown' }, { effect: 'unknown' }]);
		bench.clock.advance(4.5 * MINUTE + 1);
		const later = await pay(CONTINUE, twins);
		expect(later.codes).toEqual(['POSSIBLE_DUPLICATE', 'POSSIBLE_DUPLICATE']);
	});

	it('does not say that equal rows are all paid where fewer withdrawals are found', async () => {
		const three = [ONE, ONE, ONE];
		bench.strike('', { kind: 'error', code: 'INSUFFICIENT_BALANCE', skip: 2, times: 1 });
		await pay({}, three);

		const { error } = await pay({}, three);

		expect(error?.description).toContain('3 were not paid, as there are equal payouts');
		expect(error?.description).not.toContain('Every row is paid');
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it('does not say that every row is paid where the withdrawals are those of others', async () => {
		for (const pixKey of [CPF, EMAIL]) bench.sandbox.seed.withdrawal({ pixKey, amountCents: 1001 });

		const { error } = await pay({}, [ONE, { ...ONE, pixKey: EMAIL }]);

		expect(error?.description).not.toContain('Every row is paid');
		expect(error?.description).not.toContain('had been paid before');
	});

	it.each([
		['automatic', { mode: 'manual' }],
		['always', {}],
	] as const)(
		'pays nothing where rows are missing in the list: %s',
		async (duplicateGuard, how) => {
			const credential = bench.liveCredential;
			await pay({ credential });
			restart();
			bench.showList([], 2);

			const settings = { ...how, ...CONTINUE, credential };
			const { errors } = await bench.payTwo(settings, { duplicateGuard });

			const incomplete = { code: 'INCOMPLETE_LIST', effect: 'none' };
			expect(errors).toMatchObject([incomplete, incomplete]);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('looks back 24 hours', async () => {
		await pay();
		bench.clock.advance(24 * HOUR - 1000);
		expect((await pay()).error?.message).toContain('so it was not paid again');
		// The clocks of two machines may differ by a minute.
		bench.clock.advance(62_000);
		bench.expectPaid([1001, 1001, 2002, 2002], await pay());
	});

	it('pays nothing when it cannot look, and says why', async () => {
		const apiKey = bench.keyWith('withdrawals:write');

		const { error, posts } = await pay({ credential: { apiKey } });

		expect(error?.message).toMatch(
			/^Row 1: Nothing was paid, because the check for duplicates failed: /,
		);
		expect(error?.description).toContain('create a key with the scope withdrawals:read');
		expect(posts).toBe(0);
	});

	it('does not send to the list what the user adds to the payout', async () => {
		const page = { parameter: [{ name: 'page', value: '7' }] } as never;
		await bench.payTwo({}, { duplicateGuard: 'always', additionalQueryParameters: page });

		expect(lookUps().every(({ url }) => !url.includes('page=7'))).toBe(true);
		expect(bench.requests('POST').every(({ url }) => url.endsWith('?page=7'))).toBe(true);
	});
});

it('without the option looks up nothing', async () => {
	await bench.payTwo();
	expect(lookUps()).toEqual([]);
});

describe('in a sub-workflow', () => {
	/** The calling workflow calls it, and is retried. */
	const callTwice = async (options: Parameters = {}) => [
		await bench.payTwo({ mode: 'integrated', parentExecutionId: '7' }, options),
		await bench.payTwo({ mode: 'integrated', parentExecutionId: '8' }, options),
	];

	it('pays when it is called for the first time, and not again when the calling workflow is retried', async () => {
		const [first, again] = await callTwice();
		bench.expectPaid([1001, 2002], first!);
		expect(again?.error?.description).toContain('fill in Reference');
	});

	it("trusts the user's own key, which is the same in every call", async () => {
		const [, again] = await callTwice({ idempotencyKey: '={{ "invoice-" + $json.amount }}' });

		expect(again?.json).toMatchObject([{ alreadyPaid: true }, { alreadyPaid: true }]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(lookUps().filter(({ url }) => url.includes('?'))).toEqual([]);
	});
});

describe('in a retried execution of which n8n has kept nothing', () => {
	const runOnOldN8n = async (settings: RunSettings = {}, options: Parameters = {}) =>
		await bench.onOldN8n(async () => await bench.payTwo(settings, options));
	const retryOnOldN8n = async (killed: Execution) =>
		await bench.onOldN8n(async () => await bench.retryAfterKill(killed, { establishedAt: null }));

	it('does not pay again what was paid, and says that it may be this', async () => {
		const { error } = await retryOnOldN8n(await runOnOldN8n());

		expect(bench.paid).toEqual([1001, 2002]);
		expect(error?.description).toContain('its first attempt may have paid');
		expect(error?.description).toMatch(/\(ID /);
	});

	it('does not pay again after a week either', async () => {
		const killed = await runOnOldN8n();
		bench.clock.advance(7 * 24 * HOUR);
		await retryOnOldN8n(killed);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('pays what was not paid', async () => {
		const killed = await runOnOldN8n({ lost: 'dropBefore' });
		bench.expectPaid([1001, 2002], await retryOnOldN8n(killed));
	});

	it('pays when the user has looked and allows it', async () => {
		const killed = await runOnOldN8n({}, { allowRetryAfter24Hours: true });
		bench.expectPaid([1001, 1001, 2002, 2002], await retryOnOldN8n(killed));
	});
});
