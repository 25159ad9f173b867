/**
 * n8n ends, crashes or fails around a delivery, or makes it wait. Whatever happens, its event has its effect once:
 * when the sender tries again, or when the user retries what n8n lists as crashed or failed.
 */
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { getRuns } from '../../../dev/n8n/rest/executionData';
import { effectNode, useCounter } from '../support/counter';
import { whileInsertsFail } from '../support/database';
import { deliver, paymentPaid, post, signedHeaders, type Delivery } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();
const counter = useCounter();

let listener: Listener;
let delivery: Delivery;
beforeEach(async () => {
	listener = await Listener.open(world, { after: [effectNode(counter)] });
	delivery = paymentPaid();
});

const ACCEPTED = { status: 200 };
const deliverIt = async () => await deliver(listener.url, delivery);

const effectsToBe = async (count: number) =>
	await waitFor(() => counter.effects.length >= count, { what: `${count} effect(s)` });

const retry = async (id: string) =>
	await world.client.retryExecution({ id, workflowId: listener.workflowId });

/** Delivers, and kills n8n while the workflow is at work. */
async function killAtWork(): Promise<void> {
	counter.hold();
	expect(await deliverIt()).toMatchObject(ACCEPTED);
	await waitFor(() => counter.waiting === 1, { what: 'the execution to be at work' });
	await world.n8n.kill9();
	counter.release();
}

it('a delivery whose execution could not be started is accepted when it comes again, and copies start nothing', async () => {
	await whileInsertsFail(world, 'execution_entity', async () => {
		expect((await deliverIt()).status).toBeGreaterThanOrEqual(500);
		expect((await deliverIt()).status).toBeGreaterThanOrEqual(500);
	});
	expect(await listener.executions()).toEqual([]);
	expect(await deliverIt()).toMatchObject(ACCEPTED);
	await effectsToBe(1);
	expect(await deliverIt()).toMatchObject(ACCEPTED);
	expect(await listener.emittedIds()).toEqual([delivery.id]);
	expect(counter.deliveryIds).toEqual([delivery.id]);
});

describe('a delivery that n8n was killed before responding to', () => {
	it('is accepted once when it comes again, if its execution had not begun', async () => {
		// The response gets lost when n8n is killed.
		const lost = deliverIt().catch(() => undefined);
		await world.n8n.kill9();
		await lost;
		await world.startN8n();

		expect(await deliverIt()).toMatchObject(ACCEPTED);
		const executions = await listener.executions();
		for (const { id } of executions.filter(({ status }) => status === 'crashed')) await retry(id);
		await effectsToBe(1);
		await listener.executions();
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});

	it('has its effect once when it comes again and its crashed execution is retried too', async () => {
		// Killed after the execution was saved and before the trigger had remembered the delivery.
		await whileInsertsFail(world, 'processed_data', killAtWork);
		await world.startN8n();

		expect(await deliverIt()).toMatchObject(ACCEPTED);
		await effectsToBe(1);
		const [crashed] = await listener.executions();
		expect(crashed).toMatchObject({ status: 'crashed' });
		const retried = await retry(crashed!.id);
		expect(retried.status).toBe('success');
		expect(getRuns(retried, TRIGGER).at(-1)?.data?.main).toEqual([[]]);
		expect(counter.deliveryIds).toEqual([delivery.id]);
	});
});

it('an execution that is retried after a crash is no copy of itself, and has the only effect', async () => {
	await killAtWork();
	await world.startN8n();
	// Remembered before the crash: a copy that comes in the meantime starts nothing.
	expect(await deliverIt()).toMatchObject(ACCEPTED);

	const [crashed] = await listener.executions();
	expect(crashed).toMatchObject({ status: 'crashed' });
	expect((await retry(crashed!.id)).status).toBe('success');
	expect(counter.deliveryIds).toEqual([delivery.id]);
});

describe('with a limit of concurrent executions', () => {
	const EVENTS = 10;
	const ROUNDS = 3;
	/** Shorter than the sender's own patience of 10 s, so that the test is over sooner. */
	const PATIENCE_MS = 6_000;

	// n8n stores an execution at once, and responds when a slot is free: long after the sender has hung up.
	beforeAll(async () => await world.restartWith({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' }));

	it('one execution continues for each event, whichever sender hangs up', async () => {
		const deliveries = Array.from({ length: EVENTS }, () => paymentPaid());
		// The workflow is at work and both slots are taken until all attempts are made.
		counter.hold();
		const statuses: Record<number, number> = {};
		const attempt = async (each: Delivery) => {
			const signal = AbortSignal.timeout(PATIENCE_MS);
			const status = await post(listener.url, signedHeaders(each), each.body, { signal }).then(
				(answer) => answer.status,
				() => 0,
			);
			statuses[status] = (statuses[status] ?? 0) + 1;
		};
		for (let round = 0; round < ROUNDS; round += 1) await Promise.all(deliveries.map(attempt));
		// Two were accepted, with 200 each time. The others were let in once and not again.
		expect(statuses).toEqual({
			0: EVENTS - 2,
			200: 2 * ROUNDS,
			503: (EVENTS - 2) * (ROUNDS - 1),
		});

		counter.serve();
		await waitFor(() => counter.effects.length >= EVENTS, {
			...{ what: 'all effects', timeoutMs: 60_000 },
		});
		// A client that tries again learns that it was accepted.
		for (const each of deliveries) {
			expect(await deliver(listener.url, each)).toMatchObject(ACCEPTED);
		}
		const emitted = await listener.emitted();
		expect(emitted.map(({ length }) => length)).toEqual(deliveries.map(() => 1));
		expect(counter.deliveryIds).toEqual(deliveries.map(({ id }) => id).sort());
	});
});
