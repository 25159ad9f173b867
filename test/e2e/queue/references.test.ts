/**
 * Two workers pay the same references at the same time. `REFERENCE_ROUNDS=20` repeats the measurement of
 * docs/queue-mode.md; `REDIS_AWAY=30` adds what happens without Redis for so many seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { getItems, getRuns } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { buildWorkflow, payEachItem, webhookStart } from '../../../dev/n8n/rest/workflow';
import { AWKWARD_REFERENCES, booked, intended, makeInvoices } from '../support/payouts';
import { useQueueWorld } from './support/queueWorld';

const ROUNDS = Number(process.env.REFERENCE_ROUNDS ?? 2);
const REFERENCES = 200;
const LONG_MS = 10 * 60_000;
const REDIS_AWAY_SECONDS = Number(process.env.REDIS_AWAY ?? 0);
/** The batch is still in its middle when the processes of n8n end. */
const SLOW = {
	method: 'POST',
	path: '/v1/withdrawals',
	kind: 'delay',
	ms: 5_000,
	times: Infinity,
} as const;

// One execution at a time on each worker: the second of two goes to the other worker.
const world = useQueueWorld({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' });

/** Some begin alike, and some with what databases or n8n's expressions may take for something else. */
const invoicesOf = (list: string) =>
	makeInvoices(
		Array.from({ length: REFERENCES }, (_, index) => {
			const beginning = AWKWARD_REFERENCES[index % AWKWARD_REFERENCES.length];
			return `${beginning} ${list} ${index}`;
		}),
	);

const COPIES = ['copy-1', 'copy-2'] as const;
const workflowIds: Partial<Record<(typeof COPIES)[number], string>> = {};

beforeAll(async () => {
	for (const path of COPIES) {
		const pay = payEachItem({}, {}, { reference: '={{ $json.invoice }}' });
		workflowIds[path] = await world.listen(buildWorkflow(path, [...webhookStart(path), pay]));
	}
}, LONG_MS);

describe.each(Array.from({ length: ROUNDS }, (_value, index) => index + 1))('round %i', (round) => {
	it(
		'pays each reference once, and never do both say that it was new',
		async () => {
			const payouts = invoicesOf(`round ${round}`);
			// From both ends: each worker is the first one at half of the references.
			const lists = [payouts, payouts.toReversed()];
			const ids = await Promise.all(
				COPIES.map(
					async (path, index) =>
						await world.trigger(workflowIds[path]!, path, { items: lists[index]! }),
				),
			);
			const executions = await Promise.all(
				ids.map(async (id) => await world.client.waitForExecution(id, LONG_MS)),
			);
			const workers = await Promise.all(ids.map(async (id) => await world.getWorker(id)));
			const outputs = executions.map((execution) =>
				getItems(execution, 'Pay').map(({ json }) => json),
			);
			const saidNew = outputs.map((items) =>
				items.flatMap(({ alreadyPaid, reference }) => (alreadyPaid === false ? [reference] : [])),
			);
			const { withdrawals } = world.sandbox.books;
			const sent = world.sandbox.requests.filter(({ method }) => method === 'POST').length;
			const seconds = executions.map((execution) =>
				Math.round((getRuns(execution, 'Pay')[0]!.executionTime ?? 0) / 1_000),
			);
			const told = { round, sent, saidNew: saidNew.map(({ length }) => length), seconds };
			process.stdout.write(`${JSON.stringify(told)}\n`);

			expect([...workers].sort()).toEqual(['worker-1', 'worker-2']);
			expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
			expect(booked(withdrawals)).toEqual(intended(payouts));
			// If each sees the other before it sends, neither says so: the service does not tell who was first.
			expect(new Set(saidNew.flat()).size).toBe(saidNew.flat().length);
			// Both were at work at the same time: what one had paid before the other began is never sent again.
			expect(sent).toBeGreaterThan(REFERENCES);
			const [first, second] = outputs.map((items) => items.map(({ id }) => id));
			expect(new Set(first).size).toBe(REFERENCES);
			expect(second!.toReversed()).toEqual(first);
		},
		LONG_MS,
	);
});

it.runIf(REDIS_AWAY_SECONDS > 0)(
	'after Redis was away, the list is run again and each reference is paid once',
	async () => {
		const payouts = invoicesOf('away');
		const start = async () =>
			await world.trigger(workflowIds['copy-1']!, 'copy-1', { items: payouts });
		world.sandbox.faults.add(SLOW);
		const id = await start();
		await waitFor(() => world.sandbox.books.withdrawals.length > 10, { what: 'the middle' });
		const members = [world.cluster.main, ...world.cluster.webhooks, ...world.cluster.workers];
		const ended: string[] = [];
		for (const member of members) {
			void member.exited.then((code) => ended.push(`${member.role}: ${code}`));
		}
		await world.cluster.redis.kill9();
		await sleep(REDIS_AWAY_SECONDS * 1_000);
		await waitFor(() => ended.length === members.length, { what: `all to end: ${ended.join()}` });
		const before = world.sandbox.books.withdrawals.length;
		world.sandbox.faults.clear();
		await world.cluster.redis.start();
		for (const name of ['main', 'webhook-1', 'webhook-2', 'worker-1', 'worker-2'] as const) {
			await world.cluster.startMember(name);
		}
		await world.client.login(world.owner);
		const { status } = await world.client.getExecution(id);
		process.stdout.write(`${JSON.stringify({ ended, paidBefore: before, status })}\n`);

		const again = await world.client.waitForExecution(await start(), LONG_MS);
		expect(ended).toHaveLength(5);
		// Its worker has come back with its folder.
		expect(status).toBe('crashed');
		expect(before).toBeLessThan(REFERENCES);
		expect(again.status).toBe('success');
		expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(payouts));
	},
	LONG_MS,
);
