/**
 * A worker is killed, or Redis or PostgreSQL goes away, while a batch is being paid. Afterwards the
 * books must show every payout exactly once.
 */
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';
import pLimit from 'p-limit';

import { waitFor } from '../../../dev/n8n/process/waitFor';
import { payEachItem, webhookStart, buildWorkflow } from '../../../dev/n8n/rest/workflow';
import type { Worker } from '../../../dev/n8n/queue/cluster';
import { effectNode, useCounter } from '../support/counter';
import { paymentPaid, type Delivery } from '../support/deliveries';
import { Listener } from '../support/listener';
import { booked, intended, makePayouts, type Payout } from '../support/payouts';
import { Sender } from '../support/sender';
import { LEAVE_ALONE, useQueueWorld } from './support/queueWorld';

const LONG_MS = 10 * 60_000;
/** Nothing ends for so long: what is still at work then will not end. */
const STILL_MS = 20_000;

/** More than are paid and, at Max Concurrency, under way at the time of the kill, however late it comes. */
const BATCH = 40;
/** This many are paid when the worker is looked for to be killed. */
const PAID_BEFORE = 4;

/** n8n's own settings, in seconds instead of minutes: how soon the death of a worker is noticed. */
const SOON = {
	QUEUE_WORKER_LOCK_DURATION: '3000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

const world = useQueueWorld(SOON);
const counter = useCounter();

const paid = () => booked(world.sandbox.books.withdrawals);

let run = 0;

interface Batch {
	workflowId: string;
	path: string;
	payouts: Payout[];
}

async function openBatch(parameters: INodeParameters = {}): Promise<Batch> {
	const path = `batch-${(run += 1)}`;
	const nodes = [...webhookStart(path), payEachItem({}, {}, parameters)];
	const workflowId = await world.listen(buildWorkflow(path, nodes));
	return { workflowId, path, payouts: makePayouts(BATCH) };
}

/** Starts the batch and waits until it is in its middle; returns the id of the execution. */
async function beginToPay({ workflowId, path, payouts }: Batch): Promise<string> {
	world.sandbox.faults.add({
		method: 'POST',
		path: '/v1/withdrawals',
		kind: 'delay',
		// The rest is sent some rounds later: time to find and kill the worker on a slow machine.
		ms: 1_000,
		times: Infinity,
	});
	const executionId = await world.trigger(workflowId, path, { items: payouts });
	await waitFor(() => world.sandbox.books.withdrawals.length >= PAID_BEFORE, {
		what: 'the middle of the batch',
		pollMs: 5,
	});
	return executionId;
}

/** Kills the worker in the middle of the batch; returns the execution and the worker that died. */
async function killInMidBatch(batch: Batch): Promise<{ executionId: string; victim: Worker }> {
	const executionId = await beginToPay(batch);
	const victim = await world.getWorker(executionId);
	await world.cluster.member(victim).kill9();
	expect(world.sandbox.books.withdrawals.length).toBeLessThan(BATCH);
	return { executionId, victim };
}

/** Until the requests that were under way have reached the books as well. */
async function untilQuiet(): Promise<void> {
	await waitFor(() => world.sandbox.requests.every(({ status }) => status !== undefined), {
		what: 'the requests under way to end',
	});
}

describe("a worker is killed in mid-batch, with n8n's own settings", () => {
	it('a retry does nothing; references pay each once in a new execution', async () => {
		const batch = await openBatch({ reference: '={{ $json.pixKey }}' });
		const { executionId, victim } = await killInMidBatch(batch);
		const lost = await world.client.waitForExecution(executionId);
		expect(lost.status).toBe('error');
		await untilQuiet();
		const before = paid();
		// n8n has thrown away what it was to do.
		await world.client.retryExecution(lost);
		expect(paid()).toEqual(before);
		expect(before).not.toEqual(intended(batch.payouts));

		world.sandbox.faults.clear();
		const again = await world.trigger(batch.workflowId, batch.path, { items: batch.payouts });
		expect((await world.client.waitForExecution(again)).status).toBe('success');
		expect(paid()).toEqual(intended(batch.payouts));
		await world.cluster.startMember(victim);
		// n8n notices after up to 90 s that a worker is dead.
	}, 300_000);

	it('each is paid once where the job is taken over under its own execution id', async () => {
		await world.restartWorkers({
			NODE_OPTIONS: `--require ${join(__dirname, 'support', 'takeOver.cjs')}`,
			EXAMPLE_BULL: join(world.host.folder, 'node_modules', 'bull'),
		});
		const batch = await openBatch();
		const { executionId, victim } = await killInMidBatch(batch);
		const taken = await world.client.waitForExecution(executionId);
		expect(taken.status).toBe('success');
		expect(await world.getWorkers(executionId)).toHaveLength(2);
		const executions = await world.client.listExecutions(batch.workflowId);
		expect(executions.map(({ id }) => id)).toEqual([executionId]);
		expect(paid()).toEqual(intended(batch.payouts));
		await world.cluster.startMember(victim);
	});
});

describe('a worker is killed in mid-batch, and n8n leaves its execution alone', () => {
	beforeAll(async () => await world.restartWorkers(LEAVE_ALONE));

	it.each(['comes back', 'stays away'])(
		'when that worker %s, a retry pays each once',
		async (then) => {
			const batch = await openBatch();
			const { executionId, victim } = await killInMidBatch(batch);
			if (then === 'comes back') {
				await world.cluster.startMember(victim, LEAVE_ALONE);
			} else {
				await untilQuiet();
				// By hand, in the list of executions.
				await world.client.request('POST', `/rest/executions/${executionId}/stop`, {});
			}
			const ended = await world.client.waitForExecution(executionId);
			expect(ended.status).toBe(then === 'comes back' ? 'crashed' : 'canceled');
			expect(paid()).not.toEqual(intended(batch.payouts));

			world.sandbox.faults.clear();
			await world.client.retryExecution(ended);
			expect(paid()).toEqual(intended(batch.payouts));
			if (then === 'stays away') await world.cluster.startMember(victim, LEAVE_ALONE);
		},
	);
});

describe.each(['redis', 'postgres'] as const)('%s is killed and started again', (server) => {
	it('in mid-batch: each is paid once', async () => {
		const batch = await openBatch();
		const executionId = await beginToPay(batch);
		await world.cluster[server].kill9();
		await untilQuiet();
		await world.cluster[server].start();
		await world.cluster.untilReady();
		const all = intended(batch.payouts);
		await waitFor(() => paid().length >= all.length, {
			what: 'the batch to be paid',
			timeoutMs: 120_000,
		});
		await untilQuiet();
		expect(paid()).toEqual(all);
		// Without its database n8n may not note the end, and calls the execution running ever after.
		const { status } = await world.client.getExecution(executionId);
		process.stdout.write(`${server} killed in mid-batch: the execution is "${status}"\n`);
	});

	it(
		'amid deliveries: none has its effect twice, and none that was accepted vanishes unseen',
		async () => {
			const listener = await Listener.open(world, { after: [effectNode(counter)] });
			const deliveries = Array.from({ length: 30 }, () => paymentPaid());
			const sender = new Sender(() => listener.url);
			const limit = pLimit(4);
			let accepted = 0;
			const send = async (delivery: Delivery) => {
				const outcome = await sender.send(delivery);
				if (outcome === 'accepted') accepted += 1;
				return outcome;
			};
			const traffic = Promise.all(deliveries.map((each) => limit(async () => await send(each))));
			await waitFor(() => accepted >= 10, { what: 'a third of the deliveries' });
			await world.cluster[server].kill9();
			await world.cluster[server].start();
			expect(new Set(await traffic)).toEqual(new Set(['accepted']));
			await world.cluster.untilReady();
			const statuses = [...(await world.settle(listener.workflowId, STILL_MS)).values()];
			const done = new Set(counter.deliveryIds);
			for (const { id, status } of await world.client.listExecutions(listener.workflowId)) {
				if (status !== 'error') continue;
				const path = `/rest/executions/${id}/retry`;
				await world.client.request('POST', path, { loadWorkflow: false }).catch(() => undefined);
			}
			await world.settle(listener.workflowId, STILL_MS);
			const had = { killed: server, deliveries: deliveries.length, effects: done.size };
			process.stdout.write(
				`${JSON.stringify({ ...had, afterRetries: counter.effects.length, statuses: statuses.sort() })}\n`,
			);
			expect(counter.effects).toHaveLength(new Set(counter.deliveryIds).size);
			// What n8n itself loses is in its list: failed, or running forever.
			expect(statuses.length).toBeGreaterThanOrEqual(deliveries.length);
			const unfinished = statuses.filter((status) => status !== 'success').length;
			expect(done.size + unfinished).toBeGreaterThanOrEqual(deliveries.length);
			if (server === 'redis') expect(done.size).toBe(deliveries.length);
		},
		LONG_MS,
	);
});
