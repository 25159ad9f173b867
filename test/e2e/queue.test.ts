/**
 * n8n in queue mode, with two webhook processes and two workers, PostgreSQL and Redis: copies and lists that arrive
 * at both, and parts of it that are killed while a batch is being paid. The books must show each payout once.
 */
import { chunk } from 'lodash';
import { waitFor } from '../../dev/n8n/process/waitFor';
import type { Worker } from '../../dev/n8n/queue/cluster';
import { getItems } from '../../dev/n8n/rest/executionData';
import { buildWorkflow, payEachItem, webhookStart } from '../../dev/n8n/rest/workflow';
import { effectNode, useCounter } from './support/counter';
import { deliver, paymentPaid } from './support/deliveries';
import { Listener } from './support/listener';
import {
	AWKWARD_REFERENCES,
	booked,
	intended,
	makeInvoices,
	makePayouts,
	type Payout,
} from './support/payouts';
import { useQueueWorld } from './support/queueWorld';

// One execution at a time on each worker: the second of two goes to the other worker.
const world = useQueueWorld({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });
const counter = useCounter();

const paid = () => booked(world.sandbox.books.withdrawals);

it('copies of deliveries that arrive at two webhook processes, which share no memory, have one effect', async () => {
	const { path, workflowId } = await Listener.open(world, { after: [effectNode(counter)] });
	const deliveries = Array.from({ length: 5 }, () => paymentPaid());
	for (const { url } of world.cluster.webhooks) {
		for (const delivery of deliveries) {
			expect(await deliver(`${url}/${path}`, delivery)).toMatchObject({ status: 200 });
		}
		await world.settle(workflowId);
	}
	expect(counter.deliveryIds).toEqual(deliveries.map(({ id }) => id).sort());
	// The second process has no memory of the first: it is the database that knew the copies.
	expect((await world.settle(workflowId)).size).toBe(2 * deliveries.length);
});

it('a burst of deliveries, each twice at once, pays each event once without a reference', async () => {
	const count = Number(process.env.QUEUE_BURST ?? 60);
	const pay = payEachItem(
		{},
		{},
		{ amount: '12.34', pixKey: '52998224725', description: '={{ $json.body.txId }}' },
	);
	const { path, workflowId } = await Listener.open(world, { after: [pay] });
	const deliveries = Array.from({ length: count }, () => paymentPaid());

	for (const burst of chunk(deliveries, 10)) {
		const taken = burst.flatMap((delivery) =>
			world.cluster.webhooks.map(async ({ url }) => {
				// As the service does: again, until it is taken.
				const send = async () => await deliver(`${url}/${path}`, delivery).catch(() => undefined);
				const isTaken = async () => (await send())?.status === 200;
				await waitFor(isTaken, { what: 'a delivery to be taken', timeoutMs: 300_000 });
			}),
		);
		await Promise.all(taken);
	}
	const ended = await world.settle(workflowId);

	// Of an event that nobody is paid for, an execution has to say so.
	const failed = [...ended].filter(([, status]) => status !== 'success');
	const executions = await Promise.all(
		failed.map(async ([id]) => await world.client.getExecution(id)),
	);
	expect.soft(executions.map(({ data }) => data.resultData.error)).toEqual([]);
	// Some copies start an execution of their own (docs/operating.md); all of them pay the same order.
	const paidFor = world.sandbox.books.withdrawals.map(({ description }) => description);
	const events = deliveries.map(({ body }) => (JSON.parse(String(body)) as { txId: string }).txId);
	expect(paidFor.sort()).toEqual(events.sort());
}, 600_000);

it('two workers that pay the same references at the same time pay each once, and never do both say that it was new', async () => {
	const count = Number(process.env.REFERENCES ?? 200);
	/** Some begin alike, and some with what databases or n8n's expressions may take for something else. */
	const payouts = makeInvoices(
		Array.from(
			{ length: count },
			(_, index) => `${AWKWARD_REFERENCES[index % AWKWARD_REFERENCES.length]} ${index}`,
		),
	);
	// From both ends: each worker is the first one at half of the references.
	const lists = { 'copy-1': payouts, 'copy-2': payouts.toReversed() };
	const workflows: Record<string, string> = {};
	for (const path of Object.keys(lists)) {
		const pay = payEachItem({}, {}, { reference: '={{ $json.invoice }}' });
		workflows[path] = await world.listen(buildWorkflow(path, [...webhookStart(path), pay]));
	}
	const ids = await Promise.all(
		Object.entries(lists).map(
			async ([path, items]) => await world.trigger(workflows[path]!, path, { items }),
		),
	);
	const executions = await Promise.all(
		ids.map(async (id) => await world.client.waitForExecution(id, 600_000)),
	);
	const workers = await Promise.all(ids.map(async (id) => await world.getWorker(id)));
	const outputs = executions.map((one) => getItems(one, 'Pay').map(({ json }) => json));
	const saidNew = outputs.flatMap((items) =>
		items.flatMap(({ alreadyPaid, reference }) => (alreadyPaid === false ? [reference] : [])),
	);
	const sent = world.sandbox.requests.filter(({ method }) => method === 'POST').length;

	expect([...workers].sort()).toEqual(['worker-1', 'worker-2']);
	expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
	expect(paid()).toEqual(intended(payouts));
	// If each sees the other before it sends, neither says so: the service does not tell who was first.
	expect(new Set(saidNew).size).toBe(saidNew.length);
	// Both were at work at the same time: what one had paid before the other began is never sent again.
	expect(sent).toBeGreaterThan(count);
	const [first, second] = outputs.map((items) => items.map(({ id }) => id));
	expect(new Set(first).size).toBe(count);
	expect(second!.toReversed()).toEqual(first);
}, 600_000);

/** More than are paid and, at Max Concurrency, under way at the time of the kill, however late it comes. */
const BATCH = 40;
/** This many are paid when the worker is looked for to be killed. */
const PAID_BEFORE = 4;

let run = 0;

interface Batch {
	workflowId: string;
	path: string;
	payouts: Payout[];
}

async function openBatch(): Promise<Batch> {
	const path = `batch-${(run += 1)}`;
	const nodes = [...webhookStart(path), payEachItem()];
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

// n8n leaves the execution of a dead worker alone, as docs/operating.md advises and the demo has it.
it('a worker is killed in mid-batch: a retry pays each once', async () => {
	const batch = await openBatch();
	const { executionId, victim } = await killInMidBatch(batch);
	await world.cluster.startMember(victim);
	const ended = await world.client.waitForExecution(executionId);
	expect(ended.status).toBe('crashed');
	expect(paid()).not.toEqual(intended(batch.payouts));

	world.sandbox.faults.clear();
	await world.client.retryExecution(ended);
	expect(paid()).toEqual(intended(batch.payouts));
});

it.each(['redis', 'postgres'] as const)(
	'%s is killed in mid-batch and started again: each is paid once',
	async (server) => {
		const batch = await openBatch();
		await beginToPay(batch);
		await world.cluster[server].kill9();
		await untilQuiet();
		await world.cluster[server].start();
		await world.cluster.untilReady();
		const all = intended(batch.payouts);
		await waitFor(() => paid().length >= all.length, {
			...{ what: 'the batch to be paid', timeoutMs: 120_000 },
		});
		await untilQuiet();
		expect(paid()).toEqual(all);
	},
);
