/**
 * n8n is killed while it pays, started again, and the crashed execution is retried: as n8n's own
 * "Retry execution" does it. Afterwards the books must show every payout exactly once.
 */
import { getItems } from '../../dev/n8n/rest/executionData';
import { isN8nFrom } from '../../dev/n8n/paths';
import type { WorkflowDefinition } from '../../dev/n8n/rest/rest';
import { waitFor } from '../../dev/n8n/process/waitFor';
import {
	brlPayments,
	loopWorkflow,
	payEachItem,
	webhookStart,
	buildWorkflow,
} from '../../dev/n8n/rest/workflow';
import { booked, intended, makePayouts, type Payout } from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

/** Before n8n 2.20 nothing of an execution that was killed shows when it was established. */
const isTraceLeft = isN8nFrom('2.20');
const describeWithTrace = isTraceLeft ? describe : describe.skip;
const describeWithoutTrace = isTraceLeft ? describe.skip : describe;

const WITHDRAWALS = { method: 'POST', path: '/v1/withdrawals' } as const;

/** Slow enough that a kill falls between two payouts, by counting and not by luck. */
function slowDown(ms: number): void {
	world.sandbox.faults.add({ ...WITHDRAWALS, kind: 'delay', ms, times: Infinity });
}

const sentRequests = () => world.sandbox.requests.filter(({ method }) => method === 'POST');

interface Crash {
	workflow: (path: string) => WorkflowDefinition;
	payouts: Payout[];
	/** n8n is killed as soon as this is true. */
	killWhen: () => boolean;
}

let run = 0;

/** Starts, kills, restarts, retries; returns the retried execution. */
async function crashAndRetry({ workflow, payouts, killWhen }: Crash) {
	const path = `crash-${(run += 1)}`;
	const workflowId = await world.listen(workflow(path));
	const executionId = await world.trigger(workflowId, path, { items: payouts });
	await waitFor(killWhen, { what: 'the moment to kill n8n', pollMs: 5, timeoutMs: 30_000 });
	await world.n8n.kill9();

	// The kill must have come in the middle: neither before the first payout nor after the last.
	const { length: done } = world.sandbox.books.withdrawals;
	expect(done).toBeLessThan(payouts.length);
	await world.startN8n();
	const crashed = await world.client.waitForExecution(executionId);
	expect(crashed.status).toBe('crashed');

	world.sandbox.faults.clear();
	return await world.client.retryExecution(crashed);
}

const inOneGo = (path: string) => buildWorkflow(path, [...webhookStart(path), payEachItem()]);

describeWithTrace('kill -9 and retry of the crashed execution', () => {
	it('pays each of thirty payouts once when it falls into the middle of a batch', async () => {
		// More than the node ever has under way at the same time.
		const payouts = makePayouts(30);
		slowDown(300);
		const retried = await crashAndRetry({
			workflow: inOneGo,
			payouts,
			killWhen: () => world.sandbox.books.withdrawals.length >= 4 && sentRequests().length >= 6,
		});
		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('pays each once inside a loop', async () => {
		const payouts = makePayouts(8);
		slowDown(150);
		const retried = await crashAndRetry({
			workflow: (path) => loopWorkflow(path, webhookStart(path), 2, payEachItem()),
			payouts,
			// In the third round: the run index matters only then.
			killWhen: () => world.sandbox.books.withdrawals.length >= 4 && sentRequests().length >= 5,
		});
		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('pays each once when the retry is killed as well', async () => {
		const payouts = makePayouts(48);
		const path = 'crash-twice';
		const workflowId = await world.listen(inOneGo(path));
		const killAt = async (count: number) => {
			await waitFor(() => world.sandbox.books.withdrawals.length >= count, {
				what: 'the moment to kill n8n',
				pollMs: 5,
			});
			await world.crashAndRestart();
		};
		slowDown(400);
		const first = await world.trigger(workflowId, path, { items: payouts });
		await killAt(2);
		const crashed = await world.client.waitForExecution(first);
		// n8n responds to a retry when it has ended, before which this n8n is killed.
		const retry = world.client.retryExecution(crashed).catch(() => undefined);
		// What was under way at the first kill has been booked since.
		await killAt(world.sandbox.books.withdrawals.length + 6);
		await retry;
		expect(world.sandbox.books.withdrawals.length).toBeLessThan(payouts.length);

		const [latest] = await world.client.listExecutions(workflowId);
		expect(latest).toMatchObject({ mode: 'retry' });
		expect((await world.client.waitForExecution(latest!.id)).status).toBe('crashed');
		world.sandbox.faults.clear();
		const retried = await world.client.retryExecution(latest!);
		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});

	it('pays each once inside a loop when the retry fails, and its own retry is killed as well', async () => {
		const payouts = makePayouts(6);
		const path = 'crash-loop';
		const pay = payEachItem({}, { maxConcurrency: 1 });
		const { nodes, ...workflow } = loopWorkflow(path, webhookStart(path), 3, pay);
		// The run that n8n reconstructs stays for the first retry if another node stands behind this one.
		const workflowId = await world.listen({ ...workflow, nodes: nodes.reverse() });
		const killInNextRequest = async () => {
			const { length } = sentRequests();
			await waitFor(() => sentRequests().length > length, {
				what: 'the moment to kill n8n',
				pollMs: 5,
			});
			await world.crashAndRestart();
			world.sandbox.faults.clear();
		};
		slowDown(1_000);
		const first = await world.trigger(workflowId, path, { items: payouts });
		await killInNextRequest();
		world.sandbox.faults.add({
			...WITHDRAWALS,
			kind: 'dropBefore',
			times: Infinity,
			when: ({ rawBody }) => rawBody.includes(payouts[1]!.pixKey),
		});
		const failed = await world.client.retryExecution(await world.client.waitForExecution(first));
		expect(failed.status).toBe('error');
		world.sandbox.faults.clear();
		slowDown(1_000);
		// n8n responds to a retry when it has ended, before which this n8n is killed.
		const retry = world.client.retryExecution(failed).catch(() => undefined);
		await killInNextRequest();
		await retry;
		const [latest] = await world.client.listExecutions(workflowId);
		const killed = await world.client.waitForExecution(latest!.id);
		expect(killed).toMatchObject({ mode: 'retry', status: 'crashed' });

		const retried = await world.client.retryExecution(killed);

		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	});
});

describeWithoutTrace('kill -9 and retry, on an n8n that keeps nothing of what was killed', () => {
	const WITHOUT_CONTINUE = {};
	const WITH_CONTINUE = { onError: 'continueRegularOutput' } as const;

	const inOneGoWith = (extras: typeof WITHOUT_CONTINUE | typeof WITH_CONTINUE) => (path: string) =>
		buildWorkflow(path, [...webhookStart(path), payEachItem(extras)]);

	/** What was paid when n8n was killed; a request that was under way may still have arrived. */
	let paidBeforeRetry: string[];
	const killAfterFour = () => {
		paidBeforeRetry = booked(world.sandbox.books.withdrawals);
		return paidBeforeRetry.length >= 4;
	};

	it('pays nobody twice: it looks up what was paid, and stops those items', async () => {
		const payouts = makePayouts(30);
		slowDown(300);
		const retried = await crashAndRetry({
			workflow: inOneGoWith(WITHOUT_CONTINUE),
			payouts,
			killWhen: killAfterFour,
		});
		expect(retried.status).toBe('error');
		expect(retried.data.resultData.error?.message).toContain('so it was not paid again');
		const books = booked(world.sandbox.books.withdrawals);
		expect(books).toEqual([...new Set(books)]);
		expect(intended(payouts)).toEqual(expect.arrayContaining(books));
	});

	it('pays each once with Continue On Fail, and says which were paid before', async () => {
		const payouts = makePayouts(30);
		slowDown(300);
		const retried = await crashAndRetry({
			workflow: inOneGoWith(WITH_CONTINUE),
			payouts,
			killWhen: killAfterFour,
		});
		expect(retried.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
		const items = getItems(retried, 'Pay');
		expect(items).toHaveLength(payouts.length);
		const refused = items.filter(({ json }) => 'error' in json);
		expect(refused.length).toBeGreaterThanOrEqual(paidBeforeRetry.length);
		for (const { json } of refused) {
			expect(json.error).toMatchObject({ code: 'POSSIBLE_DUPLICATE' });
		}
	});

	it('refuses what it cannot look up: nobody is charged twice', async () => {
		const charges = makePayouts(20);
		world.sandbox.faults.add({
			method: 'POST',
			path: '/v1/payments',
			kind: 'delay',
			ms: 300,
			times: Infinity,
		});
		const charge = brlPayments('Charge', 'payment', 'create', {
			...{ chargeBy: 'amount', amount: '={{ $json.amount }}', methods: ['PIX'], mode: 'headless' },
			...{ additionalFields: {}, options: {} },
		});
		const path = 'crash-charges';
		const workflowId = await world.listen(buildWorkflow(path, [...webhookStart(path), charge]));
		const executionId = await world.trigger(workflowId, path, { items: charges });
		await waitFor(() => world.sandbox.books.payments.length >= 4, {
			what: 'the moment to kill n8n',
			pollMs: 5,
		});
		await world.crashAndRestart();
		const { length: before } = world.sandbox.books.payments;
		expect(before).toBeLessThan(charges.length);

		const retried = await world.client.retryExecution(
			await world.client.waitForExecution(executionId),
		);

		expect(retried.data.resultData.error?.message).toContain(
			'it is not known whether its first attempt already sent this',
		);
		expect(world.sandbox.books.payments).toHaveLength(before);
	});
});
