/** Events by polling, and both ways, in a real n8n that is killed around polls. Each event has its effect once. */
import { setTimeout as sleep } from 'node:timers/promises';

import { waitFor } from '../../../dev/n8n/process/waitFor';
import { batchEffectNode, useCounter } from '../support/counter';
import { SECRET } from '../support/deliveries';
import { Listener, POLL_EVERY_2_SECONDS } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();
const counter = useCounter();

const MINUTE_MS = 60_000;
/** What a poll has found, and n8n has dropped before it was an execution, is emitted again after five. */
const PATIENCE_MS = 6 * MINUTE_MS;

const opened: Listener[] = [];

async function open(receiveBy: 'polling' | 'both'): Promise<Listener> {
	const listener = await Listener.open(world, {
		events: ['PAYMENT_PAID'],
		parameters: { receiveBy, pollTimes: POLL_EVERY_2_SECONDS },
		after: [batchEffectNode(counter)],
	});
	opened.push(listener);
	return listener;
}

/** A workflow that still polled would have its effects in the next test, too. */
afterEach(async () => {
	for (const { workflowId } of opened.splice(0)) {
		await world.client.request('POST', `/rest/workflows/${workflowId}/deactivate`, {});
	}
});

/**
 * n8n 2.40.7 may end while it starts after a kill, over an execution that had not begun ("Cannot read
 * properties of null (reading 'getTime')"). What keeps it running starts it again, and then it stays.
 */
async function crashAndRestart(): Promise<void> {
	await world.n8n.kill9();
	await world.startN8n().catch(async () => await world.startN8n());
}

/** Live payments that wait to be paid. */
const seedPayments = (count: number) =>
	Array.from({ length: count }, () =>
		world.sandbox.seed.payment({ environment: 'PRODUCTION', createdAt: Date.now() - MINUTE_MS }),
	);
const pay = ({ id }: { id: string }) => world.sandbox.setPaymentStatus(id, 'PAID');

const effects = () => counter.effects.flatMap(({ events }) => events ?? []);
const effectsToBe = async (count: number) =>
	await waitFor(() => new Set(effects()).size >= count, {
		what: `${count} effects`,
		timeoutMs: 60_000,
	});
const paidEvents = (payments: Array<{ id: string }>) =>
	payments.map(({ id }) => `PAYMENT_PAID ${id}`).sort();

/** What a user does about executions that have failed: retry those that had no effect yet. */
async function retryFailed(listener: Listener): Promise<void> {
	const executions = await listener.executions();
	const originals = new Map(executions.map(({ id, retryOf }) => [id, retryOf]));
	// A retry that has had the effect, or has failed too, speaks for the execution that it retries.
	const findFirst = (id: string): string => {
		const original = originals.get(id);
		return original ? findFirst(original) : id;
	};
	const done = new Set(counter.effects.map(({ executionId }) => findFirst(executionId)));
	const failed = executions.filter(({ status }) => status !== 'success');
	for (const { id } of failed) {
		if (done.has(findFirst(id))) continue;
		done.add(findFirst(id));
		await world.client.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
	}
}

/** Retries what fails until each payment had its effect. */
async function untilDone(listener: Listener, payments: Array<{ id: string }>): Promise<void> {
	const missing = () => paidEvents(payments).filter((event) => !effects().includes(event));
	const isDone = async () => {
		await retryFailed(listener);
		return missing().length === 0;
	};
	await waitFor(isDone, {
		...{ what: `all effects: ${missing().join()}`, timeoutMs: PATIENCE_MS, pollMs: 2_000 },
	});
}

/** The events that had more than one effect, with the executions that had it. */
async function findRepeated(listener: Listener): Promise<unknown[]> {
	const executions = await listener.executions();
	return [...new Set(effects())].flatMap((event) => {
		const had = counter.effects.filter(({ events }) => events?.includes(event));
		const by = had.map(({ executionId }) => executions.find(({ id }) => id === executionId));
		return had.length > 1 ? [{ event, by }] : [];
	});
}

/** A few polls, in which nothing more may come. */
const somePolls = async () => await sleep(5_000);

it('starts the workflow with what changes, and starts nothing otherwise', async () => {
	const [before, after] = seedPayments(2);
	pay(before!);
	const listener = await open('polling');
	await somePolls();
	expect(await listener.executions()).toEqual([]);

	pay(after!);
	await effectsToBe(1);
	await somePolls();
	expect(effects()).toEqual(paidEvents([after!]));
	expect(await listener.executions()).toHaveLength(1);
	expect((await listener.emitted()).flat()[0]?.json).toMatchObject({
		event: 'PAYMENT_PAID',
		source: 'polling',
		paymentId: after!.id,
	});
	// No webhook is registered.
	const response = await fetch(listener.url, { method: 'POST', body: '{}' });
	expect(response.status).toBe(404);
});

it(
	'emits each of 90 changes once with both ways on, no endpoint for a while and three kills',
	async () => {
		const payments = seedPayments(90);
		const listener = await open('both');
		const { webhooks } = world.sandbox;
		const register = () =>
			webhooks.register({ url: listener.url, secret: SECRET, events: ['PAYMENT_PAID'] });
		const { id: endpoint } = register();
		for (const [index, payment] of payments.entries()) {
			// Without the endpoint, only polls find anything.
			if (index === 30) webhooks.remove(endpoint);
			if (index === 60) register();
			pay(payment);
			await sleep(200);
			// In the middle of what n8n is doing about them, at another time of a poll in each round.
			if (index % 30 === 17) {
				await sleep(23 * index);
				await crashAndRestart();
				await retryFailed(listener);
			}
		}
		await untilDone(listener, payments);
		await somePolls();
		expect(await findRepeated(listener)).toEqual([]);
		expect(effects().sort()).toEqual(paidEvents(payments));
	},
	2 * PATIENCE_MS,
);
