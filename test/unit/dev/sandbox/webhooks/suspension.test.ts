import type { Delivery, Endpoint, EndpointSettings } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, HOUR, Receiver, SECOND, until, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();
beforeEach(() => {
	receiver.answer = 503;
});

const register = (settings: Partial<EndpointSettings> = {}): Endpoint =>
	bench.sandbox.webhooks.register({ url: receiver.url, ...settings });

async function emit(): Promise<Delivery> {
	const [delivery] = bench.sandbox.webhooks.emit('PAYMENT_PAID', { txId: 'PAY1' });
	await bench.sandbox.webhooks.quiet();
	return delivery as Delivery;
}

describe('the circuit', () => {
	beforeEach(() => {
		bench.sandbox.account.webhookBreakAfter = 2;
		bench.sandbox.account.webhookBreakPauseMs = 60 * SECOND;
	});

	test('defers deliveries without consuming attempts, then tries one, then lets all through', async () => {
		const endpoint = register();
		const first = await emit();
		const second = await emit();
		expect(endpoint.circuit).toBe('OPEN');
		const third = await emit();
		expect(third).toMatchObject({ status: 'PENDING', attempts: [] });
		expect(third.nextAttemptAt).toBe(bench.clock.now() + 60 * SECOND);
		await advance(bench, 59 * SECOND);
		expect(receiver.received).toHaveLength(2);
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

	test('that a late success closed stays closed as long as it should when it opens again', async () => {
		const endpoint = register();
		const releases: Array<(status: number) => void> = [];
		receiver.answer = (response) =>
			void releases.push((status) => response.writeHead(status).end());
		for (let i = 0; i < 3; i++) bench.sandbox.webhooks.emit('PAYMENT_PAID', {});
		await until(() => releases.length === 3);
		releases.splice(0, 2).forEach((release) => release(404));
		await until(() => endpoint.circuit === 'OPEN');
		releases.splice(0, 1).forEach((release) => release(200));
		await until(() => endpoint.circuit === 'CLOSED');

		await advance(bench, 50 * SECOND);
		receiver.answer = 404;
		await emit();
		await emit();
		const waiting = await emit();
		// The pause of the first opening would end now.
		await advance(bench, 10 * SECOND);
		expect([endpoint.circuit, waiting.attempts.length]).toEqual(['OPEN', 0]);
		await advance(bench, 50 * SECOND);
		expect(waiting.attempts).toHaveLength(1);
	});

	test('is one endpoint’s own', async () => {
		const other = await Receiver.start();
		register({ events: ['PAYMENT_PAID'] });
		register({ url: other.url, events: ['PAYMENT_PAID'] });
		for (let i = 0; i < 4; i++) await emit();
		expect(receiver.received).toHaveLength(2);
		expect(other.received).toHaveLength(4);
		await other.close();
	});
});

describe('suspension', () => {
	/** Suspends an endpoint with one delivery that waits for its retry. */
	async function suspended(): Promise<{ endpoint: Endpoint; queued: Delivery }> {
		const endpoint = register({ suspendAfter: 2 });
		const queued = await emit();
		await emit();
		return { endpoint, queued };
	}

	test('fails what is queued; what comes later fails too, without an attempt', async () => {
		const { endpoint, queued } = await suspended();
		expect(endpoint).toMatchObject({ status: 'SUSPENDED', consecutiveFailures: 2 });
		expect(queued).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
		const later = await emit();
		expect(later).toMatchObject({ status: 'FAILED', attempts: [], nextAttemptAt: null });
		await advance(bench, 72 * HOUR);
		expect(receiver.received).toHaveLength(2);
	});

	test('what is under way is settled by its response, and not tried again', async () => {
		const endpoint = register({ suspendAfter: 2 });
		const { webhooks } = bench.sandbox;
		const releases: Array<(status: number) => void> = [];
		receiver.answer = (response) =>
			void releases.push((status) => response.writeHead(status).end());
		const sent = [1, 2, 3, 4].flatMap(() => webhooks.emit('PAYMENT_PAID', {}));
		await until(() => releases.length === 4);
		releases.splice(0, 2).forEach((release) => release(503));
		await until(() => endpoint.status !== 'ACTIVE');
		releases[0]?.(200);
		releases[1]?.(503);
		await webhooks.idle();
		expect(sent.map(({ status }) => status).sort()).toEqual([
			'DELIVERED',
			'FAILED',
			'FAILED',
			'FAILED',
		]);
		expect(endpoint.status).toBe('SUSPENDED');
	});

	test('reactivation sends a webhook.test and enables only after 2xx', async () => {
		const { endpoint } = await suspended();
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
		const probe = receiver.received.at(-1);
		expect(probe?.headers).toMatchObject({
			'x-webhook-event': 'webhook.test',
			'x-webhook-signature': expect.stringMatching(/^v1=/),
		});
		expect(probe?.json).toEqual({
			data: { message: expect.any(String), webhookConfigId: endpoint.id },
		});
	});

	test('a probe that reaches no receiver observed no status', async () => {
		const { endpoint } = await suspended();
		receiver.answer = (response) => void response.socket?.destroy();
		expect(await bench.sandbox.webhooks.reactivate(endpoint.id)).toMatchObject({
			ok: false,
			observedStatus: null,
		});
	});

	test('nothing is sent again on its own afterwards; new events are', async () => {
		const { endpoint } = await suspended();
		receiver.answer = 200;
		await bench.sandbox.webhooks.reactivate(endpoint.id);
		receiver.received.length = 0;
		await advance(bench, 72 * HOUR);
		expect(receiver.received).toHaveLength(0);
		expect((await emit()).status).toBe('DELIVERED');
	});

	test('suspended again, it takes as many failures as before', async () => {
		const { endpoint } = await suspended();
		receiver.answer = 200;
		await bench.sandbox.webhooks.reactivate(endpoint.id);
		receiver.answer = 503;
		await emit();
		expect(endpoint.status).toBe('ACTIVE');
		await emit();
		expect(endpoint.status).toBe('SUSPENDED');
	});

	test('only a suspended endpoint can be reactivated, and none while two others are active', async () => {
		const { webhooks } = bench.sandbox;
		const { endpoint } = await suspended();
		const others = [register(), register()];
		await expect(webhooks.reactivate(endpoint.id)).rejects.toMatchObject({
			code: 'VALIDATION_ERROR',
		});
		await expect(webhooks.reactivate(others[0]?.id ?? '')).rejects.toMatchObject({
			code: 'INVALID_STATUS',
		});
	});

	test('nothing can be sent by hand to a suspended endpoint', async () => {
		const { endpoint, queued } = await suspended();
		const { webhooks } = bench.sandbox;
		for (const send of [
			() => webhooks.sendTest(endpoint.id),
			() => webhooks.replay(queued.id),
			() => webhooks.resend(queued.id),
		]) {
			expect(send).toThrow(expect.objectContaining({ code: 'INVALID_STATUS' }));
		}
	});

	test('a sustained failure rate suspends too', async () => {
		const { account } = bench.sandbox;
		Object.assign(account, { webhookFailureRate: 0.5, webhookFailureRateAttempts: 4 });
		const endpoint = register();
		for (const status of [200, 404, 200]) {
			receiver.answer = status;
			await emit();
		}
		expect(endpoint.status).toBe('ACTIVE');
		receiver.answer = 404;
		await emit();
		expect(endpoint.status).toBe('SUSPENDED');
	});
});
