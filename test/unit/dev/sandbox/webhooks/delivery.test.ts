import { type Delivery, type Endpoint, type EndpointSettings } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, HOUR, SECOND, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();
beforeEach(() => {
	// One rule at a time: the circuit has separate tests.
	bench.sandbox.account.webhookBreakAfter = 1_000;
});

const register = (settings: Partial<EndpointSettings> = {}): Endpoint =>
	bench.sandbox.webhooks.register({ url: receiver.url, ...settings });

const emit = (body: object = { txId: 'PAY1' }): Delivery => {
	const [delivery] = bench.sandbox.webhooks.emit('PAYMENT_PAID', body);
	if (!delivery) throw new Error('Nobody wanted the event');
	return delivery;
};

const quiet = (): Promise<void> => bench.sandbox.webhooks.quiet();

/** Continues from each planned attempt to the next until there is none. */
async function runOut(delivery: Delivery): Promise<void> {
	await quiet();
	for (let step = 0; delivery.nextAttemptAt !== null; step++) {
		if (step === 100) throw new Error('It never ends');
		await advance(bench, delivery.nextAttemptAt - bench.clock.now());
	}
}

test('an accepted delivery is sent once, as POST, with its event and id in headers', async () => {
	const { id } = register();
	const delivery = emit();
	expect(delivery).toMatchObject({ endpointId: id, status: 'PENDING', kind: 'event' });
	await bench.sandbox.webhooks.idle();
	expect(receiver.received).toHaveLength(1);
	expect(receiver.received[0]).toMatchObject({
		method: 'POST',
		url: '/hook',
		raw: '{"txId":"PAY1"}',
		headers: { 'x-webhook-event': 'PAYMENT_PAID', 'x-webhook-delivery-id': delivery.id },
	});
	expect(delivery).toMatchObject({
		status: 'DELIVERED',
		nextAttemptAt: null,
		attempts: [{ at: bench.clock.now(), status: 200 }],
	});
});

test('retries follow 5 s, doubling, with jitter, under the same id, until accepted', async () => {
	register();
	receiver.answer = 503;
	const delivery = emit();
	await quiet();
	for (const seconds of [5, 10, 20]) {
		const before = delivery.attempts.length;
		await advance(bench, seconds * 900 - 1);
		expect(delivery.attempts).toHaveLength(before);
		const due = (delivery.nextAttemptAt as number) - bench.clock.now();
		expect(due).toBeLessThanOrEqual(seconds * 200 + 1);
		await advance(bench, due);
		expect(delivery.attempts).toHaveLength(before + 1);
	}
	receiver.answer = 200;
	await runOut(delivery);
	expect(delivery.attempts.map(({ status }) => status)).toEqual([503, 503, 503, 503, 200]);
	expect(delivery.status).toBe('DELIVERED');
	const ids = receiver.received.map(({ headers }) => headers['x-webhook-delivery-id']);
	expect(new Set(ids)).toEqual(new Set([delivery.id]));
});

test.each([400, 401, 404, 422])('%i is final', async (status) => {
	register();
	receiver.answer = status;
	const delivery = emit();
	await bench.sandbox.webhooks.idle();
	expect(delivery).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
	await advance(bench, 72 * HOUR);
	expect(receiver.received).toHaveLength(1);
});

test.each([408, 429, 500])('%i is tried again', async (status) => {
	register();
	receiver.answer = status;
	const delivery = emit();
	await quiet();
	receiver.answer = 200;
	await advance(bench, 6 * SECOND);
	expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ status }, { status: 200 }] });
});

test('a redirect is not followed; it is a failure that is tried again', async () => {
	register();
	receiver.answer = (response) => response.writeHead(307, { location: '/elsewhere' }).end();
	const delivery = emit();
	await quiet();
	expect(receiver.received.map(({ url }) => url)).toEqual(['/hook']);
	expect(delivery).toMatchObject({ status: 'PENDING', attempts: [{ status: 307 }] });
});

test('an endpoint that does not respond in time has failed, and is tried again', async () => {
	expect(bench.sandbox.account.webhookTimeoutMs).toBe(10_000);
	bench.sandbox.account.webhookTimeoutMs = 50;
	register();
	receiver.answer = () => undefined;
	const delivery = emit();
	await quiet();
	expect(delivery.attempts).toMatchObject([{ status: null }]);
	expect(delivery.status).toBe('PENDING');
});

test('after 24 attempts the delivery has failed, within 72 hours', async () => {
	register();
	receiver.answer = 503;
	const start = bench.clock.now();
	const delivery = emit();
	await runOut(delivery);
	expect(delivery.status).toBe('FAILED');
	expect(bench.clock.now() - start).toBeLessThanOrEqual(72 * HOUR);
	expect(delivery.attempts).toHaveLength(24);
	const times = delivery.attempts.map(({ at }) => at);
	const pauses = times.slice(1).map((time, index) => time - times[index]!);
	expect(Math.max(...pauses)).toBe(6 * HOUR);
	expect(receiver.received).toHaveLength(delivery.attempts.length);
});

test('after 72 hours a delivery has failed, although it had attempts left', async () => {
	const { account } = bench.sandbox;
	account.webhookBreakAfter = 1;
	account.webhookBreakPauseMs = 72 * HOUR;
	register();
	receiver.answer = 503;
	const delivery = emit();
	await quiet();
	await advance(bench, 72 * HOUR - 1);
	expect(delivery).toMatchObject({ status: 'PENDING', attempts: [{ status: 503 }] });
	await advance(bench, 1);
	expect(delivery).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
	expect(delivery.attempts).toHaveLength(1);
	await advance(bench, 72 * HOUR);
	expect(receiver.received).toHaveLength(1);
});

test('a response that is cut after its status is a response', async () => {
	register();
	receiver.answer = (response) => {
		response.writeHead(200, { 'content-length': 100 });
		response.write('half', () => response.socket?.destroy());
	};
	const delivery = emit();
	await bench.sandbox.webhooks.idle();
	expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ status: 200 }] });
});

test('a lost connection is tried again', async () => {
	register();
	receiver.answer = (response) => void response.socket?.destroy();
	const delivery = emit();
	await quiet();
	expect(delivery.attempts).toMatchObject([{ status: null }]);
	receiver.answer = 200;
	await advance(bench, 6 * SECOND);
	expect(delivery.status).toBe('DELIVERED');
});
