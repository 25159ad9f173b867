/**
 * Copies of a delivery arrive at two webhook processes, which share no memory. `QUEUE_DELIVERIES=1000`
 * repeats the measurement of the README.
 */
import pLimit from 'p-limit';

import { waitFor } from '../../../demo/n8n/waitFor';
import { effectNode, useCounter } from '../support/counter';
import { deliver, paymentPaid, type Delivery } from '../support/deliveries';
import { Listener } from '../support/listener';
import { useQueueWorld } from './support/queueWorld';
import { openRedisExample } from './support/redisExample';

const COUNT = Number(process.env.QUEUE_DELIVERIES ?? 100);
/** So many deliveries are sent side by side, each as two copies. */
const CONCURRENCY = 4;
const LONG_MS = 15 * 60_000;

const world = useQueueWorld();
const counter = useCounter();

/** The addresses of one trigger at each of the webhook processes. */
const addressesOf = (path: string) => world.cluster.webhooks.map(({ url }) => `${url}/${path}`);

const manyDeliveries = (count: number) => Array.from({ length: count }, () => paymentPaid());

/** Until no execution is at work any more; gives how many there were. */
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

/** Each delivery as two copies, sent to the two processes in the same instant. Gives all answers. */
async function sendTwice(path: string, deliveries: readonly Delivery[]): Promise<number[]> {
	const addresses = addressesOf(path);
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

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id).sort();

function report(what: string, executions: number, deliveries: number): void {
	const { length: effects } = counter.effects;
	process.stdout.write(
		`${JSON.stringify({ what, deliveries, copiesSent: 2 * deliveries, executions, effects, slippedThrough: effects - deliveries })}\n`,
	);
}

it('copies that come one after the other have one effect', async () => {
	const listener = await Listener.open(world, { after: [effectNode(counter)] });
	const deliveries = manyDeliveries(5);
	for (const url of addressesOf(listener.path)) {
		for (const delivery of deliveries) {
			expect(await deliver(url, delivery)).toMatchObject({ status: 200 });
		}
		await settle(listener.workflowId);
	}
	expect(counter.deliveryIds).toEqual(idsOf(deliveries));
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
		// How many slip through is told, not promised: the README says what to do about them.
		expect([...new Set(counter.deliveryIds)]).toEqual(idsOf(deliveries));
	},
	LONG_MS,
);

it(
	`with the Redis example, exactly ${COUNT} deliveries go on`,
	async () => {
		const { workflowId, path } = await openRedisExample(world, counter);
		const deliveries = manyDeliveries(COUNT);
		const answers = await sendTwice(path, deliveries);
		expect(new Set(answers)).toEqual(new Set([200]));
		const executions = await settle(workflowId);
		report('Redis example', executions, COUNT);
		expect(counter.deliveryIds).toEqual(idsOf(deliveries));
	},
	LONG_MS,
);
