/**
 * A burst of deliveries with copies arrives at two webhook processes, and a worker is killed while the payouts
 * behind them are made. Afterwards the books, n8n's log and the custom data of the executions must tell the
 * same story. Only with `QUEUE_BURST=60`, or more: it depends on when the worker dies, and has shown once that
 * one of 60 payouts without a reference was made twice (docs/queue-mode.md).
 */
import { readFile } from 'node:fs/promises';

import type { INodeParameters } from 'n8n-workflow';

import { waitFor } from '../../../dev/n8n/process/waitFor';
import { WORKERS } from '../../../dev/n8n/queue/cluster';
import { payEachItem } from '../../../dev/n8n/rest/workflow';
import { paymentPaid, type Delivery } from '../support/deliveries';
import { Listener } from '../support/listener';
import { Sender } from '../support/sender';
import { useQueueWorld } from './support/queueWorld';

const COUNT = Number(process.env.QUEUE_BURST ?? 0);
const LONG_MS = 15 * 60_000;

/** As docs/queue-mode.md advises: n8n leaves the execution of a dead worker alone. */
const LATE = { QUEUE_WORKER_STALLED_INTERVAL: String(24 * 60 * 60_000) };
const world = useQueueWorld({
	...LATE,
	N8N_LOG_LEVEL: 'info',
	N8N_LOG_FORMAT: 'json',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
});

interface RunLine {
	readonly executionId: string;
	readonly done: number;
	readonly doneBefore: number;
	readonly inDoubt: number;
	readonly refused: number;
	readonly notStarted: number;
	readonly total: number;
}

/** The lines of runs in the logs of all workers, also of the one that was killed. */
async function runLines(workflowId: string): Promise<RunLine[]> {
	const logs = await Promise.all(
		WORKERS.map(async (worker) => await readFile(world.cluster.member(worker).logFile, 'utf8')),
	);
	return logs
		.flatMap((text) => text.split('\n'))
		.filter((line) => line.startsWith('{') && line.includes('BRL Payments withdrawal.create'))
		.map((line) => (JSON.parse(line) as { metadata: RunLine & { workflowId: string } }).metadata)
		.filter((metadata) => metadata.workflowId === workflowId && 'done' in metadata);
}

async function codesOf(workflowId: string): Promise<Record<string, number>> {
	const logs = await Promise.all(
		WORKERS.map(async (worker) => await readFile(world.cluster.member(worker).logFile, 'utf8')),
	);
	const counts: Record<string, number> = {};
	for (const line of logs.flatMap((text) => text.split('\n'))) {
		const [, code] = /is (?:refused|in doubt) \((\w+)\)/.exec(line) ?? [];
		if (code && line.includes(workflowId)) counts[code] = (counts[code] ?? 0) + 1;
	}
	return counts;
}

/** The custom data of each execution of the workflow. */
async function customData(workflowId: string): Promise<Map<string, Record<string, string>>> {
	const rows = await world.cluster.postgres.query(
		`SELECT m."executionId", m.key, m.value FROM execution_metadata m
		JOIN execution_entity e ON e.id = m."executionId" WHERE e."workflowId" = '${workflowId}'`,
	);
	const found = new Map<string, Record<string, string>>();
	for (const row of rows) {
		const [id = '', key = '', value = ''] = row.split('|');
		found.set(id, { ...found.get(id), [key]: value });
	}
	return found;
}

async function statuses(workflowId: string): Promise<Map<string, string>> {
	const rows = await world.cluster.postgres.query(
		`SELECT id, status FROM execution_entity
			WHERE "workflowId" = '${workflowId}' AND mode <> 'integrated'`,
	);
	return new Map(rows.map((row) => row.split('|') as [string, string]));
}

/** Nothing changes for so long: what is still at work then will not end. */
const STILL_MS = 15_000;

/** Once no worker is at work any more: what a dead one had just taken, n8n calls queued or running ever after. */
async function settle(workflowId: string): Promise<Map<string, string>> {
	let before = '';
	let since = Date.now();
	return await waitFor(
		async () => {
			const found = await statuses(workflowId);
			const now = [...found].join();
			if (now !== before) since = Date.now();
			before = now;
			const isAtWork = [...found.values()].some((each) => ['new', 'running'].includes(each));
			return found.size > 0 && (!isAtWork || Date.now() - since > STILL_MS) && found;
		},
		{ what: 'all executions to end', timeoutMs: LONG_MS, pollMs: 500 },
	);
}

/** As a person does who looks at the list: stops what only seems to run, and retries what did not succeed. */
async function retryUnfinished(workflowId: string): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const [id, status] of await settle(workflowId)) {
		counts[status] = (counts[status] ?? 0) + 1;
		if (status === 'success') continue;
		const path = `/rest/executions/${id}`;
		if (['new', 'running'].includes(status)) await world.client.request('POST', `${path}/stop`, {});
		await world.client.request('POST', `${path}/retry`, { loadWorkflow: false });
	}
	return counts;
}

/** The delivery as the service renders it for a retry, without the ID that it had first. */
const renderedAgain = ({ id, body }: Delivery): Delivery =>
	paymentPaid({ ...(JSON.parse(String(body)) as object), txId: undefined }, id);

const BY_REFERENCE = { reference: '={{ $json.paymentId }} {{ $json.status }}' };

const itIfAsked = COUNT > 0 ? it : it.skip;

itIfAsked.each<[string, INodeParameters]>([
	['without references', {}],
	['with references', BY_REFERENCE],
])(
	`${COUNT} deliveries at once %s, with copies and a dead worker: all books agree`,
	async (_, more) => {
		const listener = await Listener.open(world, {
			after: [
				payEachItem(
					{},
					{},
					{ amount: '={{ $json.amount }}', pixKey: '={{ $json.paymentId }}', ...more },
				),
			],
		});
		const { workflowId, path } = listener;
		const deliveries = Array.from({ length: COUNT }, (_each, index) =>
			paymentPaid({ amount: 20 + index / 100 }),
		);
		const before = world.sandbox.books.withdrawals.length;
		const booked = () => world.sandbox.books.withdrawals.slice(before);
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
			what: 'a third of the payouts',
			timeoutMs: LONG_MS,
			pollMs: 5,
		});
		const [victim] = WORKERS;
		await world.cluster.member(victim).kill9();
		expect(booked().length).toBeLessThan(COUNT);
		const outcomes = new Set(await sent);
		const repeated = deliveries.filter((_each, index) => index % 5 === 1).map(renderedAgain);
		for (const delivery of repeated) outcomes.add(await other!.send(delivery));
		expect(outcomes).toEqual(new Set(['accepted']));
		await world.cluster.startMember(victim, LATE);

		const ended = await retryUnfinished(workflowId);
		const final = await settle(workflowId);

		const lines = await runLines(workflowId);
		const data = await customData(workflowId);
		const sum = (read: (line: RunLine) => number) =>
			lines.reduce((all, line) => all + read(line), 0);
		const cents = booked().map(({ amountCents }) => amountCents);
		process.stdout.write(
			`${JSON.stringify({
				deliveries: COUNT,
				executions: final.size,
				ended,
				final: [...final.values()].filter((each) => each !== 'success'),
				withdrawals: cents.length,
				lines: lines.length,
				paid: sum(({ done }) => done),
				paidBefore: sum(({ doneBefore }) => doneBefore),
				total: sum(({ total }) => total),
				codes: await codesOf(workflowId),
				booked: cents.reduce((all, each) => all + each, 0) / 100,
			})}\n`,
		);
		expect(cents.sort()).toEqual(deliveries.map((_each, index) => 2_000 + index).sort());
		// Each line is about one row; what a killed worker has paid is said by the retry to be paid before.
		for (const { done, doneBefore, inDoubt, refused, notStarted } of lines) {
			expect(done + doneBefore + inDoubt + refused + notStarted).toBe(1);
		}
		expect(sum(({ done }) => done)).toBeLessThanOrEqual(COUNT);
		expect(lines.length).toBeGreaterThanOrEqual(COUNT);
		const counts = lines.map(({ executionId, done, doneBefore }) => [
			executionId,
			String(done),
			String(doneBefore),
		]);
		const told = [...data].map(([id, each]) => [
			id,
			each.brlpay_paid ?? '0',
			each.brlpay_paid_before ?? '0',
		]);
		expect(told.sort()).toEqual(counts.sort());
	},
	LONG_MS,
);
