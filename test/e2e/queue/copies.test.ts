/**
 * Copies of a delivery arrive at two webhook processes, which share no memory. `QUEUE_DELIVERIES=1000`
 * repeats the measurement of docs/queue-mode.md.
 */
import pLimit from 'p-limit';

import { ONCE_EXAMPLE, REDIS_EXAMPLE } from '../../../dev/demo/examples';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { effectNode, useCounter } from '../support/counter';
import { deliver, paymentPaid, type Delivery } from '../support/deliveries';
import { Listener } from '../support/listener';
import { openOnceExample } from './support/onceExample';
import { useQueueWorld } from './support/queueWorld';

const COUNT = Number(process.env.QUEUE_DELIVERIES ?? 100);
/** This many deliveries are sent at the same time, each as two copies. */
const CONCURRENCY = 4;
const LONG_MS = 15 * 60_000;

const world = useQueueWorld();
const counter = useCounter();

/** The addresses of one trigger at each of the webhook processes. */
const getAddresses = (path: string) => world.cluster.webhooks.map(({ url }) => `${url}/${path}`);
const manyDeliveries = (count: number) => Array.from({ length: count }, () => paymentPaid());
const getIds = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id).sort();

/** Each delivery as two copies, sent to the two processes in the same instant, and accepted. */
async function sendTwice(path: string, deliveries: readonly Delivery[]): Promise<void> {
	const limit = pLimit(CONCURRENCY);
	const statuses = await Promise.all(
		deliveries.map((delivery) =>
			limit(async () => {
				const copies = getAddresses(path).map((url) => deliver(url, delivery));
				return (await Promise.all(copies)).map(({ status }) => status);
			}),
		),
	);
	expect(new Set(statuses.flat())).toEqual(new Set([200]));
}

/** What slips through is reported, not promised: docs/queue-mode.md says what to do about it. */
function report(what: string, executions: ReadonlyMap<string, string>): void {
	const slippedThrough = counter.effects.length - COUNT;
	const found = { what, deliveries: COUNT, executions: executions.size, slippedThrough };
	process.stdout.write(`${JSON.stringify(found)}\n`);
}

it('copies that come one after the other have one effect', async () => {
	const listener = await Listener.open(world, { after: [effectNode(counter)] });
	const deliveries = manyDeliveries(5);
	for (const url of getAddresses(listener.path)) {
		for (const delivery of deliveries) {
			expect(await deliver(url, delivery)).toMatchObject({ status: 200 });
		}
		await world.settle(listener.workflowId);
	}
	expect(counter.deliveryIds).toEqual(getIds(deliveries));
	// The second process has no memory of the first: it is the database that knew the copies.
	expect((await world.settle(listener.workflowId)).size).toBe(2 * deliveries.length);
});

it(
	`none of ${COUNT} deliveries is lost when two copies of each come in the same instant`,
	async () => {
		const listener = await Listener.open(world, { after: [effectNode(counter)] });
		const deliveries = manyDeliveries(COUNT);
		await sendTwice(listener.path, deliveries);
		report('built-in memory', await world.settle(listener.workflowId));
		expect([...new Set(counter.deliveryIds)]).toEqual(getIds(deliveries));
	},
	LONG_MS,
);

describe.each([REDIS_EXAMPLE, ONCE_EXAMPLE])('with the example %s', (file) => {
	it.each([true, false])(
		`exactly ${COUNT} deliveries continue if Deduplicate of the trigger is %s`,
		async (deduplicate) => {
			const { path, workflowId } = await openOnceExample(world, counter, file, { deduplicate });
			const deliveries = manyDeliveries(COUNT);
			await sendTwice(path, deliveries);
			report(`${file}, deduplicate ${deduplicate}`, await world.settle(workflowId));
			expect(counter.deliveryIds).toEqual(getIds(deliveries));
		},
		LONG_MS,
	);

	it('a run that was killed after it was counted continues when it is retried', async () => {
		const { path, workflowId } = await openOnceExample(world, counter, file);
		const known = (await world.client.listExecutions(workflowId)).length;
		const delivery = paymentPaid();
		const [first, second] = getAddresses(path) as [string, string];
		counter.hold();
		await deliver(first, delivery);
		await waitFor(() => counter.waiting === 1, { what: 'the run to be at its work' });
		const [begun, ...others] = await world.client.listExecutions(workflowId);
		expect(others).toHaveLength(known);
		const victim = await world.getWorker(begun!.id);
		await world.cluster.member(victim).kill9();
		counter.release();
		await world.cluster.startMember(victim);
		// A copy that comes in the meantime stays one.
		await deliver(second, delivery);
		await world.settle(workflowId);
		expect(counter.effects).toEqual([]);

		const retried = await world.client.retryExecution(begun!);
		expect(retried.status).toBe('success');
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});
});
