import type { Delivery, Endpoint } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, HOUR, SECOND, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();
beforeEach(() => {
	receiver.answer = 503;
});

const register = (suspendAfter?: number): Endpoint =>
	bench.sandbox.webhooks.register({ url: receiver.url, ...(suspendAfter && { suspendAfter }) });

async function emit(): Promise<Delivery> {
	const [delivery] = bench.sandbox.webhooks.emit('PAYMENT_PAID', { txId: 'PAY1' });
	await bench.sandbox.webhooks.quiet();
	return delivery!;
}

test('the circuit defers deliveries without consuming attempts, then tries one, then lets all through', async () => {
	const settings = { webhookBreakAfter: 2, webhookBreakPauseMs: 60 * SECOND };
	Object.assign(bench.sandbox.account, settings);
	const endpoint = register();
	const first = await emit();
	const second = await emit();
	expect(endpoint.circuit).toBe('OPEN');
	const third = await emit();
	expect(third).toMatchObject({ status: 'PENDING', attempts: [] });
	expect(third.nextAttemptAt).toBe(bench.clock.now() + 60 * SECOND);
	await advance(bench, 59 * SECOND);
	expect([first, second, third].map(({ attempts }) => attempts.length)).toEqual([1, 1, 0]);

	// Half open: one request, and its failure closes the door for twice as long.
	await advance(bench, SECOND);
	expect(endpoint.circuit).toBe('OPEN');
	expect(receiver.received).toHaveLength(3);
	await advance(bench, 119 * SECOND);
	expect(receiver.received).toHaveLength(3);

	receiver.answer = 200;
	await advance(bench, SECOND);
	await bench.sandbox.webhooks.idle();
	expect(endpoint).toMatchObject({ circuit: 'CLOSED', consecutiveFailures: 0 });
	expect([first, second, third].every(({ status }) => status === 'DELIVERED')).toBe(true);
	expect(receiver.received).toHaveLength(6);
});

describe('suspension', () => {
	/** Suspends an endpoint with one delivery that waits for its retry. */
	async function suspend(): Promise<{ endpoint: Endpoint; queued: Delivery }> {
		const endpoint = register(2);
		const queued = await emit();
		await emit();
		return { endpoint, queued };
	}

	test('fails what is queued; what comes later fails too, without an attempt', async () => {
		const { endpoint, queued } = await suspend();
		expect(endpoint).toMatchObject({ status: 'SUSPENDED', consecutiveFailures: 2 });
		expect(queued).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
		expect(await emit()).toMatchObject({ status: 'FAILED', attempts: [], nextAttemptAt: null });
		await advance(bench, 72 * HOUR);
		expect(receiver.received).toHaveLength(2);
	});

	test('reactivation sends a webhook.test and enables only after 2xx', async () => {
		const { endpoint } = await suspend();
		const { webhooks } = bench.sandbox;
		expect(await webhooks.reactivate(endpoint.id)).toEqual({
			ok: false,
			code: 'REACTIVATION_PROBE_FAILED',
			observedStatus: 503,
		});
		expect(endpoint.status).toBe('SUSPENDED');
		receiver.answer = 200;
		expect(await webhooks.reactivate(endpoint.id)).toEqual({ ok: true });
		expect(endpoint).toMatchObject({ status: 'ACTIVE', consecutiveFailures: 0, circuit: 'CLOSED' });
		const { headers, json } = receiver.received.at(-1)!;
		expect(headers).toMatchObject({
			'x-webhook-event': 'webhook.test',
			'x-webhook-signature': expect.stringMatching(/^v1=/),
		});
		expect(json).toEqual({ data: { message: expect.any(String), webhookConfigId: endpoint.id } });

		// What failed meanwhile is not sent again on its own; new events are.
		receiver.received.length = 0;
		await advance(bench, 72 * HOUR);
		expect(receiver.received).toHaveLength(0);
		expect((await emit()).status).toBe('DELIVERED');
	});

	test('a sustained failure rate suspends too', async () => {
		const settings = { webhookFailureRate: 0.5, webhookFailureRateAttempts: 4 };
		Object.assign(bench.sandbox.account, settings);
		const endpoint = register();
		const statuses: string[] = [];
		for (receiver.answer of [200, 404, 200, 404]) {
			await emit();
			statuses.push(endpoint.status);
		}
		expect(statuses).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'SUSPENDED']);
	});
});
