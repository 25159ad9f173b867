/**
 * A burst of deliveries with copies arrives at two webhook processes, and a worker is killed while the payouts
 * behind them are made. Afterwards the books and n8n's log must tell the same story. Only with `QUEUE_BURST=60`, or more: it depends on when the worker dies, and has once shown a payout
 * that was made twice, before payouts without a reference were written down.
 */
import type { INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../../dev/n8n/process/waitFor';
import { WORKERS } from '../../../dev/n8n/queue/cluster';
import { payEachItem } from '../../../dev/n8n/rest/workflow';
import { paymentPaid, type Delivery } from '../support/deliveries';
import { Listener } from '../support/listener';
import { Sender } from '../support/sender';
import { LEAVE_ALONE, useQueueWorld } from './support/queueWorld';

const COUNT = Number(process.env.QUEUE_BURST ?? 0);
const LONG_MS = 15 * 60_000;
const STILL_MS = 15_000;

const world = useQueueWorld({
	...LEAVE_ALONE,
	N8N_LOG_LEVEL: 'info',
	N8N_LOG_FORMAT: 'json',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
});

type Counted = 'done' | 'before' | 'inDoubt' | 'refused' | 'notStarted' | 'total';
type RunLine = Record<Counted, number> & { executionId: string; workflowId: string };

/** The summaries of runs in the log. */
const runLines = async (workflowId: string): Promise<RunLine[]> =>
	(await world.workerLogs())
		.filter((line) => line.startsWith('{') && line.includes('BRL Payments withdrawal.create'))
		.map((line) => (JSON.parse(line) as { metadata: RunLine }).metadata)
		.filter((metadata) => metadata.workflowId === workflowId && 'done' in metadata);

/** As a person does who looks at the list: stops what only seems to run, and retries what did not succeed. */
async function retryUnfinished(workflowId: string): Promise<void> {
	for (const [id, status] of await world.settle(workflowId, STILL_MS)) {
		if (status === 'success') continue;
		const path = `/rest/executions/${id}`;
		if (['new', 'running'].includes(status)) await world.client.request('POST', `${path}/stop`, {});
		await world.client.request('POST', `${path}/retry`, { loadWorkflow: false });
	}
	await world.settle(workflowId, STILL_MS);
}

/** The delivery as the service renders it for a retry, without the ID that it had first. */
const renderedAgain = ({ id, body }: Delivery): Delivery =>
	paymentPaid({ ...(JSON.parse(String(body)) as object), txId: undefined }, id);

it.runIf(COUNT > 0).each<[string, INodeParameters]>([
	['without references', {}],
	['with references', { reference: '={{ $json.paymentId }} {{ $json.status }}' }],
])(
	`${COUNT} deliveries at once %s, with copies and a dead worker: all books agree`,
	async (_, more) => {
		const payout = { amount: '={{ $json.amount }}', pixKey: '={{ $json.paymentId }}', ...more };
		const listener = await Listener.open(world, { after: [payEachItem({}, {}, payout)] });
		const { workflowId, path } = listener;
		const deliveries = Array.from({ length: COUNT }, (_each, index) =>
			paymentPaid({ amount: 20 + index / 100 }),
		);
		const earlier = world.sandbox.books.withdrawals.length;
		const booked = () => world.sandbox.books.withdrawals.slice(earlier);
		const [one, other] = world.cluster.webhooks.map(
			({ url }) => new Sender(() => `${url}/${path}`),
		);

		// A tenth comes twice at once, and a fifth is repeated when the first attempts are through.
		const atOnce = deliveries.filter((_each, index) => index % 10 === 0);
		const sent = Promise.all([
			...deliveries.map(async (delivery) => await one!.send(delivery)),
			...atOnce.map(async (delivery) => await other!.send(delivery)),
		]);
		await waitFor(() => booked().length >= COUNT / 3, {
			...{ what: 'a third of the payouts', timeoutMs: LONG_MS, pollMs: 5 },
		});
		const [victim] = WORKERS;
		await world.cluster.member(victim).kill9();
		expect(booked().length).toBeLessThan(COUNT);
		const outcomes = new Set(await sent);
		const repeated = deliveries.filter((_each, index) => index % 5 === 1).map(renderedAgain);
		for (const delivery of repeated) outcomes.add(await other!.send(delivery));
		expect(outcomes).toEqual(new Set(['accepted']));
		await world.cluster.startMember(victim, LEAVE_ALONE);
		await retryUnfinished(workflowId);

		const cents = booked().map(({ amountCents }) => amountCents);
		const lines = await runLines(workflowId);
		process.stdout.write(`${COUNT} deliveries: ${cents.length} payouts, ${lines.length} runs\n`);
		expect(cents.sort()).toEqual(deliveries.map((_each, index) => 2_000 + index).sort());
		// Each line is about one row; what a killed worker has paid is said by the retry to be paid before.
		for (const { done, before, inDoubt, refused, notStarted } of lines) {
			expect(done + before + inDoubt + refused + notStarted).toBe(1);
		}
		expect(lines.filter(({ done }) => done === 1).length).toBeLessThanOrEqual(COUNT);
		expect(lines.length).toBeGreaterThanOrEqual(COUNT);
	},
	LONG_MS,
);
