/**
 * n8n with a limit of concurrent executions: it stores an execution at once and responds when a slot
 * is free, long after the sender has hung up. Each event still takes effect once.
 */
import { getRuns } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { effectNode, useCounter } from '../support/counter';
import { deliver, paymentPaid, post, signedHeaders } from '../support/deliveries';
import { Listener, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';

const EVENTS = 10;
/** Shorter than the sender's own patience of 10 s, so that the test is over sooner. */
const PATIENCE_MS = 6_000;
const ROUNDS = 3;

const world = useWorld({ N8N_CONCURRENCY_PRODUCTION_LIMIT: '2' });
const counter = useCounter();

it('starts one execution that continues for each event, whichever sender hangs up', async () => {
	const listener = await Listener.open(world, { after: [effectNode(counter)] });
	const deliveries = Array.from({ length: EVENTS }, () => paymentPaid());
	// The workflow is at work and both slots are taken until all attempts are made.
	counter.hold();

	const statuses = new Map<number, number>();
	const attempt = async (delivery: (typeof deliveries)[number]) => {
		const signal = AbortSignal.timeout(PATIENCE_MS);
		const status = await post(listener.url, signedHeaders(delivery), delivery.body, {
			signal,
		}).then(
			(answer) => answer.status,
			() => 0,
		);
		statuses.set(status, (statuses.get(status) ?? 0) + 1);
	};
	for (let round = 0; round < ROUNDS; round += 1) {
		await Promise.all(deliveries.map(attempt));
	}
	// Two were accepted, with 200 each time. The others were let in once and not again.
	expect(Object.fromEntries(statuses)).toEqual({
		0: EVENTS - 2,
		200: 2 * ROUNDS,
		503: (EVENTS - 2) * (ROUNDS - 1),
	});

	counter.serve();
	await waitFor(() => counter.effects.length >= EVENTS, { what: 'all effects', timeoutMs: 60_000 });
	// A client that tries again learns that it was accepted.
	for (const delivery of deliveries) {
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
	}
	const executions = await listener.executions();
	expect(executions).toHaveLength(EVENTS);
	for (const { id } of executions) {
		const execution = await world.client.getExecution(id);
		expect(getRuns(execution, TRIGGER).at(-1)?.data?.main?.[0]).toHaveLength(1);
	}
	expect(counter.deliveryIds).toEqual(deliveries.map(({ id }) => id).sort());
});
