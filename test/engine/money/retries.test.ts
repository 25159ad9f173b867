import { useBench } from '../support/harness';
import { chargeEach, payEach, TWO } from '../support/payouts';
import { NODE } from '../support/names';
import { CNPJ, CPF, PHONE } from '../support/values';
import { changeOptions, RETRY_ON_FAIL, type Parameters } from '../support/workflow';
import { CONTINUE, HOUR } from '../support/references';

const bench = useBench();
const THREE = [...TWO, { amount: 30.03, pixKey: CPF }];

/** Nothing that is paid gets a response, for as long as this lasts. */
const loseAllAnswers = () => bench.lose('dropAfter');

/** The item with this amount never reaches the server. */
const loseItem = (amount: number) =>
	bench.lose('dropBefore', (body) => body.includes(String(amount)));

describe('Retry On Fail', () => {
	it('pays once although every try of the node is lost but the last', async () => {
		bench.sandbox.faults.add({ method: 'POST', times: 20, kind: 'dropAfter' });

		const { error, json } = await bench.run(payEach(), TWO, { extras: RETRY_ON_FAIL });

		expect(error).toBeUndefined();
		expect(json).toHaveLength(2);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.keys).toHaveLength(2);
		expect(bench.posts).toBe(22);
	});

	it('pays the other items, and none twice', async () => {
		const clear = loseItem(20.02);
		let seen = 0;
		bench.sandbox.faults.add({
			kind: 'delay',
			ms: 0,
			times: Infinity,
			when: ({ rawBody }) => {
				if (rawBody.includes('20.02')) seen += 1;
				if (seen === 6) clear();
				return false;
			},
		});

		const run = await bench.run(payEach({ maxConcurrency: 1 }), THREE, {
			extras: RETRY_ON_FAIL,
		});

		bench.expectPaid([1001, 2002, 3003], run);
	});

	it('pays once together with Continue On Fail, where n8n runs the node again for its first item', async () => {
		bench.sandbox.faults.add({ method: 'POST', times: 10, kind: 'dropAfter' });

		const { json } = await bench.run(payEach(), TWO, {
			extras: { ...RETRY_ON_FAIL, onError: 'continueRegularOutput' },
		});

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('keeps to the key that holds a refusal: the next one is for the retry of the execution', async () => {
		bench.assume('storedFailures');
		bench.refuseNext(2);

		const failed = await bench.run(payEach(), TWO, { extras: RETRY_ON_FAIL });

		expect(failed.error).toMatchObject({ effect: 'none' });
		expect(bench.paid).toEqual([]);
		expect(bench.keys).toHaveLength(2);
		bench.sandbox.faults.add({ method: 'POST', times: 20, kind: 'dropAfter' });

		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002], retried);
		expect(bench.keys).toHaveLength(4);
	});
});

describe('what an error says of items that it did not come to', () => {
	const SPARING = payEach({ maxConcurrency: 1 });
	const MAYBE_DONE = '2 not started; an earlier attempt may have done them (rows 2-3)';

	it('in the first attempt: that they were not started', async () => {
		loseItem(10.01);
		const { error } = await bench.run(SPARING, THREE);
		expect(error?.description).toContain('2 not started (rows 2-3).');
	});

	it('in a retried execution: that the earlier one may have paid them', async () => {
		const failed = await bench.run(payEach(), THREE, { lost: { '10.01': 'dropAfter' } });
		loseItem(10.01);
		changeOptions(failed.workflow, { maxConcurrency: 1 });

		const { error } = await bench.retry(failed);

		expect(error?.description).toContain('not started; an earlier attempt may have done them');
	});

	it('after a kill: the same', async () => {
		const killed = await bench.run(payEach({ maxConcurrency: 3 }), THREE, {
			...CONTINUE,
			lost: { '10.01': 'dropBefore' },
		});
		loseItem(10.01);
		killed.workflow.nodes[NODE]!.onError = 'stopWorkflow';
		changeOptions(killed.workflow, { maxConcurrency: 1 });

		const { error } = await bench.retryAfterKill(killed);

		expect(bench.paid).toEqual([2002, 3003]);
		expect(error?.description).toContain(MAYBE_DONE);
	});
});

describe('the retry of a failed execution', () => {
	it('pays nothing again whose response was lost', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: 'dropAfter' });
		expect(failed.error).toBeDefined();
		expect(bench.paid).toEqual([1001, 2002]);

		const { error, json, id } = await bench.retry(failed);

		expect(id).not.toBe(failed.id);
		expect(error).toBeUndefined();
		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.keys).toHaveLength(2);
	});

	it('pays only what was not paid', async () => {
		const failed = await bench.run(payEach({ maxConcurrency: 1 }), THREE, {
			lost: { '20.02': 'dropBefore' },
		});
		expect(bench.paid).toEqual([1001]);

		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002, 3003], retried);
	});

	it('continues with the key that was in use after a stored refusal', async () => {
		bench.assume('storedFailures');
		bench.refuseNext(2);
		const refused = await bench.run(payEach(), TWO);
		const clear = loseAllAnswers();
		const failed = await bench.retry(refused);
		const before = bench.posts;

		clear();
		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002], retried);
		expect(bench.posts).toBe(before + 2);
		expect(bench.keys).toHaveLength(4);
	});

	it('pays once when it is retried twice at once, and only one of them says that it has paid', async () => {
		const failed = await bench.run(payEach(), TWO, { ...bench.begunNow, lost: 'dropBefore' });

		const retried = await Promise.all([bench.retry(failed), bench.retry(failed)]);

		expect(bench.paid).toEqual([1001, 2002]);
		for (const index of [0, 1]) {
			const told = retried.map(({ json }) => json[index]);
			expect(new Set(told.map((item) => item?.id)).size).toBe(1);
			expect(told.filter((item) => item?.alreadyPaid === true)).toHaveLength(1);
		}
	});

	it('pays once when the retry fails as well and is retried', async () => {
		const clear = loseAllAnswers();
		const failed = await bench.run(payEach(), TWO);
		const failedAgain = await bench.retry(failed);
		expect(failedAgain.error).toBeDefined();

		clear();
		const again = await bench.retry(failedAgain);

		bench.expectPaid([1001, 2002], again);
	});

	it('pays once inside a loop', async () => {
		const failed = await bench.run(payEach(), THREE, {
			isLooped: true,
			lost: { '30.03': 'dropBefore' },
		});
		expect(bench.paid).toEqual([1001, 2002]);

		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002, 3003], retried);
	});

	it('works on an n8n that does not say when the execution was established', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: 'dropAfter' });

		const run = await bench.onOldN8n(async () => await bench.retry(failed));

		bench.expectPaid([1001, 2002], run);
	});
});

describe('the retry of an execution in which n8n was killed', () => {
	it('pays nothing again', async () => {
		const killed = await bench.run(payEach(), TWO);
		bench.clock.advance(60_000);

		const { error, ids, paidBefore } = await bench.retryAfterKill(killed);

		expect(error).toBeUndefined();
		expect(ids).toEqual(bench.idsPaid);
		expect(paidBefore).toEqual([true, true]);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.keys).toHaveLength(2);
	});

	it.each([3_000, 9_000, 11_000])(
		'says of equal rows that they were paid before, also %d ms after they were',
		async (ms) => {
			const killed = await bench.run(payEach(), [...TWO, ...TWO]);
			bench.clock.advance(ms);

			const { paidBefore } = await bench.retryAfterKill(killed);

			expect(paidBefore).toEqual([true, true, true, true]);
			expect(bench.paid).toEqual([1001, 1001, 2002, 2002]);
		},
	);

	it('pays only what was not paid', async () => {
		const killed = await bench.run(payEach({ maxConcurrency: 1 }), THREE, {
			lost: { '20.02': 'dropBefore' },
		});

		const retried = await bench.retryAfterKill(killed);

		bench.expectPaid([1001, 2002, 3003], retried);
	});

	it('pays nothing again when it is killed a second time', async () => {
		const killed = await bench.run(payEach(), TWO);

		await bench.retryAfterKill(await bench.retryAfterKill(killed));

		expect(bench.paid).toEqual([1001, 2002]);
	});

	it.each([
		'WITHDRAWAL_TEMPORARILY_UNAVAILABLE',
		'WITHDRAWAL_PROCESSING_FAILED',
		'SERVICE_UNAVAILABLE',
	])('pays nothing again after %s', async (code) => {
		bench.sandbox.faults.add({ method: 'POST', times: 2, kind: 'error', code });
		const killed = await bench.run(payEach(), TWO);

		const retried = await bench.retryAfterKill(killed);

		bench.expectPaid([1001, 2002], retried);
	});

	it('pays nothing again under the key of a retry that was killed', async () => {
		bench.assume('storedFailures');
		bench.refuseNext(2);
		const refused = await bench.run(payEach(), TWO);
		// What n8n has of a retry that was killed is what it began with.
		await bench.retry(refused);
		expect(bench.paid).toEqual([1001, 2002]);

		const { error, ids } = await bench.retry(refused);

		expect(error).toBeUndefined();
		expect(ids).toEqual(bench.idsPaid);
		expect(bench.paid).toEqual([1001, 2002]);
		expect(bench.keys).toHaveLength(4);
	});

	it('creates no boleto again after a stored 502', async () => {
		bench.refuseNext(2, 'PROVIDER_TEMPORARILY_UNAVAILABLE');
		const killed = await bench.run(chargeEach('BOLETO'), [{ amount: 10.01 }, { amount: 20.05 }]);

		const { error } = await bench.retryAfterKill(killed);

		expect(error).toBeUndefined();
		expect(bench.sandbox.books.payments).toHaveLength(2);
	});

	it('pays nothing again in a loop, where n8n continues counting the runs', async () => {
		const rows = [...TWO, { amount: 30.03, pixKey: PHONE }];
		const killed = await bench.run(payEach(), rows, { isLooped: true });
		expect(bench.paid).toEqual([1001, 2002, 3003]);

		const retried = await bench.retryAfterKill(killed);

		// The run that n8n reconstructed, and the three of the retry.
		expect(retried.getRuns()).toHaveLength(4);
		expect(retried.error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it('pays nothing again in a loop if the retry failed, and its own retry was killed: n8n then counts a run less', async () => {
		const arrives = loseItem(10.01);
		const rows = [...TWO, { amount: 30.03, pixKey: PHONE }, { amount: 40.04, pixKey: CNPJ }];
		const killed = await bench.run(payEach({ maxConcurrency: 1 }), rows, {
			isLooped: true,
			batchSize: 2,
		});
		arrives();
		const failed = await bench.retryAfterKill(killed, { lost: { '20.02': 'dropBefore' } });
		expect(failed.error).toBeDefined();
		expect(bench.paid).toEqual([1001]);

		const { error, ids } = await bench.retryAfterKilledRetry(failed);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002, 3003, 4004]);
		expect(ids).toEqual(bench.idsPaid.slice(2));
	});

	it('pays nothing again in a loop, where a later round paid the same recipient: that may be a corrected row', async () => {
		const killed = await bench.run(payEach(), THREE, { isLooped: true });
		expect(bench.paid).toEqual([1001, 2002, 3003]);

		const { error } = await bench.retryAfterKill(killed);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(error?.description).toContain(`(ID ${bench.idsPaid[2]})`);
		expect(bench.paid).toEqual([1001, 2002, 3003]);
	});

	it.each([
		[10.01, 0],
		[20.02, 1],
		[30.03, 2],
	])('pays the rest of a loop that stood at the item of %d', async (amount, paid) => {
		const killed = await bench.run(payEach(), THREE, {
			isLooped: true,
			lost: { [amount]: 'dropBefore' },
		});
		expect(bench.paid).toHaveLength(paid);

		const retried = await bench.retryAfterKill(killed);

		bench.expectPaid([1001, 2002, 3003], retried);
	});

	describe('creates no other record where nothing shows whether the first attempt did', () => {
		const charge: Parameters = {
			resource: 'payment',
			operation: 'create',
			amount: '={{ $json.amount }}',
			methods: ['PIX'],
			customer: { name: 'Maria Exemplo' },
		};

		it('on an n8n that does not say when the execution was established', async () => {
			const killed = await bench.run(charge, TWO);
			const before = bench.requests().length;
			expect(bench.sandbox.books.payments).toHaveLength(2);

			const { error } = await bench.onOldN8n(async () => await bench.retryAfterKill(killed));

			expect(bench.requests()).toHaveLength(before);
			expect(error?.message).toBe(
				'Row 1: This is a retried execution, and it is not known whether its first attempt already sent this',
			);
			expect(error?.description).toContain('Nothing was sent.');
		});

		it('where n8n was renewed in between and established the retry itself', async () => {
			const killed = await bench.onOldN8n(async () => await bench.run(charge, TWO));
			const before = bench.requests().length;

			const { error } = await bench.retryAfterKill(killed, { establishedAt: null });

			expect(bench.requests()).toHaveLength(before);
			expect(error?.description).toContain('Nothing was sent.');
			expect(bench.sandbox.books.payments).toHaveLength(2);
		});
	});
});

describe('a key that the server has forgotten', () => {
	it('is not sent again where the list shows the same: the error names what it shows', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: 'dropAfter' });
		bench.clock.advance(24 * HOUR);

		const { error, posts } = await bench.retry(failed);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(error?.description).toContain(`(ID ${bench.idsPaid[0]})`);
		expect(posts).toBe(0);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is sent again where the list shows that nothing was paid', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: { '20.02': 'dropBefore' } });

		bench.clock.advance(24 * HOUR);
		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002], retried);
	});

	it('stays in doubt where the list cannot be read', async () => {
		const apiKey = bench.keyWith('withdrawals:write');
		const failed = await bench.run(payEach(), TWO, { credential: { apiKey }, lost: 'dropAfter' });
		bench.clock.advance(24 * HOUR);

		const { error, posts } = await bench.retry(failed);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(error?.description).toContain('withdrawals:read');
		expect(posts).toBe(0);
	});

	it('is sent again a little earlier', async () => {
		const failed = await bench.run(payEach(), TWO, { lost: 'dropAfter' });

		bench.clock.advance(24 * HOUR - 11 * 60_000);
		const retried = await bench.retry(failed);

		bench.expectPaid([1001, 2002], retried);
	});

	it.each([1, 25])('never pays again what was paid, %d hours later', async (hours) => {
		const failed = await bench.run(payEach({ maxConcurrency: 1 }), THREE, {
			lost: { '20.02': 'dropBefore' },
		});
		bench.clock.advance(hours * HOUR);
		changeOptions(failed.workflow, { allowRetryAfter24Hours: true });
		const before = bench.requests('POST').filter(({ rawBody }) => rawBody.includes('10.01'));

		const { error, json } = await bench.retry(failed);

		expect(error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002, 3003]);
		expect(json[0]).toMatchObject({ netAmount: 10.01, alreadyPaid: true });
		expect(bench.requests('POST').filter(({ rawBody }) => rawBody.includes('10.01'))).toHaveLength(
			before.length,
		);
	});

	it('is looked up after a kill and 24 hours', async () => {
		const killed = await bench.run(payEach(), TWO, {
			...{ ...bench.begunNow, ...CONTINUE },
		});
		bench.clock.advance(25 * HOUR);

		const { posts, errors } = await bench.retryAfterKill(killed);

		expect(errors).toMatchObject(
			bench.idsPaid.map((id) => ({ code: 'PAYOUT_IN_DOUBT', withdrawalIds: [id] })),
		);
		expect(posts).toBe(0);
	});

	it('is paid after a kill and 24 hours where the list shows nothing', async () => {
		const killed = await bench.run(payEach(), TWO, { ...bench.begunNow, lost: 'dropBefore' });

		bench.clock.advance(25 * HOUR);
		const retried = await bench.retryAfterKill(killed);

		bench.expectPaid([1001, 2002], retried);
	});

	it('does not keep a first attempt from being sent in an execution that waited for days', async () => {
		const run = await bench.run(payEach(), TWO, {
			establishedAt: bench.clock.now() - 72 * HOUR,
		});

		bench.expectPaid([1001, 2002], run);
	});

	it('counts from the first use, not from the last', async () => {
		const clear = loseAllAnswers();
		const failed = await bench.run(payEach(), TWO);
		bench.clock.advance(20 * HOUR);
		const failedAgain = await bench.retry(failed);
		clear();
		bench.clock.advance(20 * HOUR);

		const { error, posts } = await bench.retry(failedAgain);

		expect(error?.message).toContain('It is not known whether an earlier attempt paid');
		expect(posts).toBe(0);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('of a charge is refused, as there is no list to look it up in for sure', async () => {
		const failed = await bench.run(chargeEach('PIX'), TWO, { lost: 'dropAfter' });
		const before = bench.requests().length;

		bench.clock.advance(24 * HOUR);
		const { error } = await bench.retry(failed);

		expect(bench.requests()).toHaveLength(before);
		expect(error?.message).toMatch(/^Row 1: This was first sent on .*for 24 hours only$/);
	});
});
