/** Looking for what was paid already, where the idempotency key alone cannot show it. */
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { NODE } from '../support/names';
import { restart } from '../support/restart';
import { RETRY_ON_FAIL } from '../support/workflow';
import { CPF } from '../support/values';
import { CONTINUE, HOUR } from '../support/references';

const bench = useBench();
const GUARDED = payEach({ duplicateGuard: 'always', maxConcurrency: 1 });

const createRequests = () => bench.requests('POST');
const lookUps = () => bench.requests('GET');

describe('with the option', () => {
	it('pays what was not paid before', async () => {
		const { error, json } = await bench.run(GUARDED, TWO);

		expect(error).toBeUndefined();
		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		const [lookUp, ...others] = lookUps().map(({ url }) => url);
		expect(lookUp).toMatch(/^\/v1\/withdrawals\?page=1&limit=\d\d$/);
		expect(others).toEqual([]);
	});

	it('stops in another execution, with the ids, before anything is sent', async () => {
		const { json: paid } = await bench.run(GUARDED, TWO);
		const { json, errors } = await bench.run(GUARDED, TWO, CONTINUE);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(createRequests()).toHaveLength(2);
		for (const item of json) expect(item).not.toHaveProperty('id');
		expect(errors).toMatchObject(
			paid.map(({ id }) => ({
				code: 'POSSIBLE_DUPLICATE',
				effect: 'none',
				retryable: false,
				withdrawalIds: [id],
			})),
		);
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

		const { json } = await bench.run(GUARDED, TWO, CONTINUE);

		expect(json[0]?.error).toMatchObject({
			code: 'POSSIBLE_DUPLICATE',
			withdrawalIds: [oldest.id],
		});
		expect(json[1]?.netAmount).toBe(20.02);
		expect(createRequests()).toHaveLength(1);
	}, 90_000);

	it('pays equal items of one execution: only other executions count', async () => {
		const twins = [TWO[0]!, TWO[1]!, TWO[0]!];
		const run = await bench.run(payEach({ duplicateGuard: 'always' }), twins);

		bench.expectPaid([1001, 1001, 2002], run);
	});

	it('stops one of two executions that start at the same instant', async () => {
		const runs = await Promise.all([bench.run(GUARDED, TWO), bench.run(GUARDED, TWO)]);

		expect(bench.paid).toEqual([1001, 2002]);
		expect(runs.filter(({ error }) => error === undefined)).toHaveLength(1);
	});

	it('does not take the first attempt of the same item for a duplicate', async () => {
		// Five responses are lost, so that the node fails and n8n runs it again.
		bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter', times: 5 });

		const run = await bench.run(GUARDED, TWO, { extras: RETRY_ON_FAIL });

		bench.expectPaid([1001, 2002], run);
	});

	it('stops a retry after kill -9 at its own payouts, and names them', async () => {
		const killed = await bench.run(GUARDED, TWO, CONTINUE);

		const { errors } = await bench.retryAfterKill(killed);

		expect(errors).toMatchObject(
			bench.sandbox.books.withdrawals.map(({ id }) => ({
				code: 'POSSIBLE_DUPLICATE',
				effect: 'unknown',
				withdrawalIds: [id],
			})),
		);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	describe('in a retry of an execution that stopped at its first item', () => {
		const stop = (code: string) =>
			bench.sandbox.faults.add({
				kind: 'error',
				code,
				when: ({ rawBody }) => rawBody.includes('10.01'),
			});
		const stoppedAtItem0 = async () => {
			stop('INSUFFICIENT_BALANCE');
			const stopped = await bench.run(GUARDED, TWO);
			expect(stopped.error).toBeDefined();
			expect(bench.paid).toEqual([]);
			return stopped;
		};
		const goOn = (stopped: Awaited<ReturnType<typeof stoppedAtItem0>>) => {
			stopped.workflow.nodes[NODE]!.onError = 'continueRegularOutput';
		};

		it('finds what another execution has paid since, also of items that were never started', async () => {
			const stopped = await stoppedAtItem0();
			await bench.run(GUARDED, TWO);
			goOn(stopped);

			const { errors } = await bench.retry(stopped);

			expect(bench.paid).toEqual([1001, 2002]);
			expect(errors).toMatchObject([
				{ code: 'POSSIBLE_DUPLICATE', effect: 'none' },
				{ code: 'POSSIBLE_DUPLICATE', effect: 'none' },
			]);
		});

		it('pays what no execution has paid', async () => {
			const retried = await bench.retry(await stoppedAtItem0());

			bench.expectPaid([1001, 2002], retried);
		});

		it('pays nothing twice that a retry before it has paid and n8n was killed in', async () => {
			const stopped = await stoppedAtItem0();
			// What n8n has of a retry that was killed is what it began with.
			await bench.retry(stopped);
			goOn(stopped);

			const { errors } = await bench.retry(stopped);

			expect(bench.paid).toEqual([1001, 2002]);
			expect(errors).toMatchObject(
				bench.sandbox.books.withdrawals.map(({ id }) => ({
					code: 'POSSIBLE_DUPLICATE',
					withdrawalIds: [id],
				})),
			);
		});
	});

	describe('where the list does not show yet what was paid', () => {
		it('knows what this process has paid in the last two minutes', async () => {
			const { json: paid } = await bench.run(GUARDED, TWO);
			bench.showList([]);
			const { errors } = await bench.run(GUARDED, TWO, CONTINUE);

			expect(bench.paid).toEqual([1001, 2002]);
			expect(errors).toMatchObject(
				paid.map(({ id }) => ({ code: 'POSSIBLE_DUPLICATE', withdrawalIds: [id] })),
			);
		});
	});

	it('waits until a lost request has arrived, and the list shows what it paid', async () => {
		bench.sandbox.faults.add({ method: 'POST', kind: 'dropAfter', times: 10 });
		await bench.run(GUARDED, TWO, CONTINUE);
		// It arrived after two minutes at most, and the list needs two more.
		bench.clock.advance(3.9 * 60_000);
		bench.showList([]);
		const { codes } = await bench.run(GUARDED, TWO, CONTINUE);

		expect(codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('calls none of two equal rows a duplicate while the answer of one may still be missing', async () => {
		const twins = [TWO[0]!, TWO[0]!];
		const lost = (kind: 'dropAfter' | 'dropBefore', times: number) =>
			bench.sandbox.faults.add({ method: 'POST', kind, times });
		// One is paid, the other is still under way.
		lost('dropAfter', 5);
		lost('dropBefore', 5);
		await bench.run(GUARDED, twins, CONTINUE);
		expect(bench.paid).toEqual([1001]);

		const again = await bench.run(GUARDED, twins, CONTINUE);
		expect(again.errors).toMatchObject([
			{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' },
			{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' },
		]);

		bench.clock.advance(4.5 * 60_000 + 1);
		const later = await bench.run(GUARDED, twins, CONTINUE);
		expect(later.errors).toMatchObject([
			{ code: 'POSSIBLE_DUPLICATE' },
			{ code: 'POSSIBLE_DUPLICATE' },
		]);
	});

	it('does not say that equal rows are all paid where fewer withdrawals are found', async () => {
		const three = [TWO[0]!, TWO[0]!, TWO[0]!];
		const fail = { method: 'POST', kind: 'error', code: 'INSUFFICIENT_BALANCE', skip: 2 } as const;
		bench.sandbox.faults.add(fail);
		await bench.run(GUARDED, three);
		const { error } = await bench.run(GUARDED, three);

		const { description } = error as { description?: string };
		expect(description).toContain('3 were not paid, as there are equal payouts');
		expect(description).not.toContain('Every row is paid');
		expect(bench.paid).toEqual([1001, 1001]);
	});

	it.each([
		['automatic', { mode: 'manual' }],
		['always', {}],
	] as const)(
		'pays nothing where rows are missing in the list: %s',
		async (duplicateGuard, how) => {
			await bench.run(GUARDED, TWO, { credential: bench.liveCredential });
			restart();
			bench.showList([], 2);
			const { errors } = await bench.run(payEach({ duplicateGuard }), TWO, {
				...how,
				credential: bench.liveCredential,
				...CONTINUE,
			});

			expect(errors).toMatchObject([
				{ code: 'INCOMPLETE_LIST', effect: 'none' },
				{ code: 'INCOMPLETE_LIST', effect: 'none' },
			]);
			expect(bench.paid).toEqual([1001, 2002]);
		},
	);

	it('looks back 24 hours', async () => {
		await bench.run(GUARDED, TWO);
		bench.clock.advance(24 * HOUR - 1000);
		expect((await bench.run(GUARDED, TWO)).error?.message).toContain('so it was not paid again');

		// The clocks of two machines may differ by a minute.
		bench.clock.advance(62_000);
		expect((await bench.run(GUARDED, TWO)).error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
	});

	it('pays nothing when it cannot look, and says why', async () => {
		const apiKey = bench.keyWith('withdrawals:write');

		const { error } = await bench.run(GUARDED, TWO, { credential: { apiKey } });

		expect(error?.message).toMatch(
			/^Row 1: Nothing was paid, because the check for duplicates failed: /,
		);
		expect(error?.description).toContain('Give the key the scope withdrawals:read');
		expect(createRequests()).toEqual([]);
	});

	it('does not send to the list what the user adds to the payout', async () => {
		const extra = { parameter: [{ name: 'page', value: '7' }] };
		await bench.run(
			payEach({ duplicateGuard: 'always', additionalQueryParameters: extra as never }),
			TWO,
		);

		expect(lookUps().every(({ url }) => !url.includes('page=7'))).toBe(true);
		expect(createRequests().every(({ url }) => url.endsWith('?page=7'))).toBe(true);
	});
});

describe('without the option', () => {
	it('looks up nothing', async () => {
		await bench.run(payEach(), TWO);

		expect(lookUps()).toEqual([]);
	});
});

describe('in a sub-workflow', () => {
	const CALLED = { mode: 'integrated', parentExecutionId: '7' } as const;

	it('pays when it is called for the first time', async () => {
		const run = await bench.run(payEach(), TWO, CALLED);

		bench.expectPaid([1001, 2002], run);
	});

	it('does not pay again when the calling workflow is retried', async () => {
		await bench.run(payEach(), TWO, CALLED);
		const { error } = await bench.run(payEach(), TWO, { ...CALLED, parentExecutionId: '8' });

		expect(bench.paid).toEqual([1001, 2002]);
		expect(error?.description).toContain('fill in Reference');
	});

	it("trusts the user's own key, which is the same in every call", async () => {
		const own = payEach({ idempotencyKey: '={{ "invoice-" + $json.amount }}' });
		await bench.run(own, TWO, CALLED);
		const { json } = await bench.run(own, TWO, { ...CALLED, parentExecutionId: '8' });

		expect(json).toMatchObject([{ alreadyPaid: true }, { alreadyPaid: true }]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.requests('GET').filter(({ url }) => url.includes('?'))).toEqual([]);
	});
});

describe('in a retried execution of which n8n has kept nothing', () => {
	const runOnOldN8n = async () => await bench.onOldN8n(async () => await bench.run(payEach(), TWO));
	const retryOnOldN8n = async (killed: Awaited<ReturnType<typeof runOnOldN8n>>) =>
		await bench.onOldN8n(async () => await bench.retryAfterKill(killed, { establishedAt: null }));

	it('does not pay again what was paid, and says that it may be this', async () => {
		const killed = await runOnOldN8n();

		const { error } = await retryOnOldN8n(killed);

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
		bench.lose('dropBefore');
		const killed = await runOnOldN8n();
		bench.sandbox.faults.clear();

		const { error } = await retryOnOldN8n(killed);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('pays when the user has looked and allows it', async () => {
		const allowed = payEach({ allowRetryAfter24Hours: true });
		const killed = await bench.onOldN8n(async () => await bench.run(allowed, TWO));

		const { error } = await retryOnOldN8n(killed);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
	});
});
