/**
 * Copies of a delivery arrive at two webhook processes, which share no memory. `QUEUE_DELIVERIES=1000`
 * repeats the measurement of docs/queue-mode.md.
 */
import pLimit from 'p-limit';

import { ONCE_EXAMPLE, REDIS_EXAMPLE } from '../../../dev/demo/examples';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { brlPayments } from '../../../dev/n8n/rest/workflow';
import { effectNode, useCounter } from '../support/counter';
import { deliver, paymentPaid, type Delivery } from '../support/deliveries';
import { Listener } from '../support/listener';
import { useQueueWorld } from './support/queueWorld';
import { openOnceExample } from './support/onceExample';

const COUNT = Number(process.env.QUEUE_DELIVERIES ?? 100);
/** This many deliveries are sent at the same time, each as two copies. */
const CONCURRENCY = 4;
const LONG_MS = 15 * 60_000;

const world = useQueueWorld();
const counter = useCounter();

/** The addresses of one trigger at each of the webhook processes. */
const getAddresses = (path: string) => world.cluster.webhooks.map(({ url }) => `${url}/${path}`);

const manyDeliveries = (count: number) => Array.from({ length: count }, () => paymentPaid());

/** Waits until no execution is running any more; returns how many there were. */
async function settle(workflowId: string): Promise<number> {
	const counts = `SELECT count(*) FILTER (WHERE status IN ('new', 'running')), count(*)
		FROM execution_entity WHERE "workflowId" = '${workflowId}'`;
	return await waitFor(
		async () => {
			const [row = ''] = await world.cluster.postgres.query(counts);
			const [atWork, all] = row.split('|').map(Number);
			return atWork === 0 && all;
		},
		{ what: 'all executions to end', timeoutMs: LONG_MS, pollMs: 500 },
	);
}

/** Each delivery as two copies, sent to the two processes in the same instant. Returns all responses. */
async function sendTwice(path: string, deliveries: readonly Delivery[]): Promise<number[]> {
	const addresses = getAddresses(path);
	const limit = pLimit(CONCURRENCY);
	const answers = await Promise.all(
		deliveries.map(
			async (delivery) =>
				await limit(
					async () =>
						await Promise.all(addresses.map(async (url) => (await deliver(url, delivery)).status)),
				),
		),
	);
	return answers.flat();
}

const getIds = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id).sort();

function report(what: string, executions: number, deliveries: number): void {
	const { length: effects } = counter.effects;
	process.stdout.write(
		`${JSON.stringify({ what, deliveries, copiesSent: 2 * deliveries, executions, effects, slippedThrough: effects - deliveries })}\n`,
	);
}

it('copies that come one after the other have one effect', async () => {
	const listener = await Listener.open(world, { after: [effectNode(counter)] });
	const deliveries = manyDeliveries(5);
	for (const url of getAddresses(listener.path)) {
		for (const delivery of deliveries) {
			expect(await deliver(url, delivery)).toMatchObject({ status: 200 });
		}
		await settle(listener.workflowId);
	}
	expect(counter.deliveryIds).toEqual(getIds(deliveries));
	// The second process has no memory of the first: it is the database that knew the copies.
	expect(await settle(listener.workflowId)).toBe(2 * deliveries.length);
});

it(
	`none of ${COUNT} deliveries is lost when two copies of each come in the same instant`,
	async () => {
		const listener = await Listener.open(world, { after: [effectNode(counter)] });
		const deliveries = manyDeliveries(COUNT);
		const answers = await sendTwice(listener.path, deliveries);
		expect(new Set(answers)).toEqual(new Set([200]));
		const executions = await settle(listener.workflowId);
		report('built-in memory', executions, COUNT);
		// How many slip through is reported, not promised: docs/queue-mode.md says what to do about them.
		expect([...new Set(counter.deliveryIds)]).toEqual(getIds(deliveries));
	},
	LONG_MS,
);

it('copies pay once although deduplication is turned off', async () => {
	const listener = await Listener.open(world, {
		options: { deduplicate: false },
		// The same for every delivery: payouts are distinguished by their ids.
		after: [
			brlPayments('Pay', 'withdrawal', 'create', {
				amount: '25,90',
				pixKey: 'payee@example.com',
				description: '={{ $json.deliveryId }}',
				options: {},
			}),
		],
	});
	const deliveries = manyDeliveries(10);
	await sendTwice(listener.path, deliveries);
	await sendTwice(listener.path, deliveries);
	expect(await settle(listener.workflowId)).toBe(4 * deliveries.length);
	const paid = world.sandbox.books.withdrawals.map(({ description }) => description);
	expect(paid.sort()).toEqual(getIds(deliveries));
});

describe.each([REDIS_EXAMPLE, ONCE_EXAMPLE])('with the example %s', (file) => {
	let workflowId: string;
	let path: string;
	beforeAll(async () => {
		({ workflowId, path } = await openOnceExample(world, counter, file));
	});

	it(
		`exactly ${COUNT} deliveries continue`,
		async () => {
			const deliveries = manyDeliveries(COUNT);
			const answers = await sendTwice(path, deliveries);
			expect(new Set(answers)).toEqual(new Set([200]));
			const executions = await settle(workflowId);
			report(file, executions, COUNT);
			expect(counter.deliveryIds).toEqual(getIds(deliveries));
		},
		LONG_MS,
	);

	it(
		'exactly one copy continues also where the trigger lets all of them through',
		async () => {
			const open = await openOnceExample(world, counter, file, { deduplicate: false });
			const deliveries = manyDeliveries(COUNT);
			await sendTwice(open.path, deliveries);
			report(`${file}, all copies`, await settle(open.workflowId), COUNT);
			expect(counter.deliveryIds).toEqual(getIds(deliveries));
		},
		LONG_MS,
	);

	it('a run that was killed after it was counted continues when it is retried', async () => {
		const delivery = paymentPaid();
		const [first, second] = getAddresses(path) as [string, string];
		counter.hold();
		await deliver(first, delivery);
		await waitFor(() => counter.waiting === 1, { what: 'the run to be at its work' });
		const [begun] = await world.client.listExecutions(workflowId);
		const victim = await world.getWorker(begun!.id);
		await world.cluster.member(victim).kill9();
		counter.release();
		await world.cluster.startMember(victim);
		// A copy that comes in the meantime stays one.
		await deliver(second, delivery);
		await settle(workflowId);
		expect(counter.effects).toEqual([]);

		const retried = await world.client.retryExecution(begun!);
		expect(retried.status).toBe('success');
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});
});
