import {
	type Delivery,
	type Endpoint,
	type EndpointSettings,
	startSandbox,
} from '../../../../../dev/sandbox';
import { judgeAttempt, retryDelayMs } from '../../../../../dev/sandbox/webhooks/rules';
import { useBench } from '../support';
import { advance, HOUR, Receiver, SECOND, until, useReceiver } from './support';

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

describe('the decisions', () => {
	test.each([
		[1, 5],
		[2, 10],
		[3, 20],
		[10, 2_560],
		[12, 10_240],
	])('after %i failures the pause is %i s, more or less a tenth', (failures, seconds) => {
		expect(retryDelayMs(failures, 0)).toBe(seconds * 900);
		expect(retryDelayMs(failures, 0.5)).toBe(seconds * 1_000);
		expect(retryDelayMs(failures, 1)).toBe(seconds * 1_100);
	});

	test.each([14, 15, 23])('after %i failures it is 6 h, never more', (failures) => {
		expect(retryDelayMs(failures, 0.5)).toBe(6 * HOUR);
		expect(retryDelayMs(failures, 1)).toBe(6 * HOUR);
	});

	const base = { attempts: 1, maxAttempts: 24, tooOld: false, endpointActive: true };
	test.each([
		[200, 'DELIVERED'],
		[204, 'DELIVERED'],
		[299, 'DELIVERED'],
		[301, 'RETRY'],
		[307, 'RETRY'],
		[400, 'FAILED'],
		[401, 'FAILED'],
		[404, 'FAILED'],
		[408, 'RETRY'],
		[410, 'FAILED'],
		[429, 'RETRY'],
		[499, 'FAILED'],
		[500, 'RETRY'],
		[503, 'RETRY'],
		[null, 'RETRY'],
	] as const)('%s leads to %s', (status, verdict) => {
		expect(judgeAttempt({ ...base, status })).toBe(verdict);
	});

	test.each([
		{ attempts: 24 },
		{ attempts: 3, maxAttempts: 3 },
		{ tooOld: true },
		{ endpointActive: false },
	])('no retry with %j, but a success counts even then', (change) => {
		expect(judgeAttempt({ ...base, ...change, status: 503 })).toBe('FAILED');
		expect(judgeAttempt({ ...base, ...change, status: 200 })).toBe('DELIVERED');
	});
});

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
		attempts: [
			{ at: bench.clock.now(), status: 200, answer: 'noted', durationMs: expect.any(Number) },
		],
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
	bench.sandbox.account.webhookTimeoutMs = 50;
	register();
	receiver.answer = () => undefined;
	const delivery = emit();
	await quiet();
	expect(delivery.attempts).toMatchObject([{ status: null, error: 'No answer within 50 ms' }]);
	expect(delivery.status).toBe('PENDING');
});

test('the limit is 10 s', () => {
	expect(bench.sandbox.account.webhookTimeoutMs).toBe(10_000);
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

test('of a long response the beginning is kept', async () => {
	register();
	receiver.answer = (response) => response.writeHead(500).end('x'.repeat(1_000_000));
	const delivery = emit();
	await quiet();
	expect(delivery.attempts[0]?.answer).toHaveLength(2_048);
});

test('a lost connection is tried again', async () => {
	register();
	receiver.answer = (response) => void response.socket?.destroy();
	const delivery = emit();
	await quiet();
	expect(delivery.attempts).toMatchObject([{ status: null, error: expect.any(String) }]);
	receiver.answer = 200;
	await advance(bench, 6 * SECOND);
	expect(delivery.status).toBe('DELIVERED');
});

test('nothing listening is a failure like any other', async () => {
	const gone = await Receiver.start();
	register({ url: gone.url });
	await gone.close();
	const delivery = emit();
	await quiet();
	expect(delivery.attempts[0]?.error).toContain('ECONNREFUSED');
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
	expect(receiver.received).toHaveLength(delivery.attempts.length);
});

test.each([1, 3])('an endpoint may have a smaller budget: %i', async (maxAttempts) => {
	register({ maxAttempts });
	receiver.answer = 503;
	const delivery = emit();
	await runOut(delivery);
	expect(delivery.status).toBe('FAILED');
	expect(receiver.received).toHaveLength(maxAttempts);
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

test('only a limited number of requests are under way at once; none is lost', async () => {
	bench.sandbox.account.webhookConcurrency = 3;
	register();
	const sent = Array.from({ length: 30 }, (_, index) => emit({ txId: `PAY${index}` }));
	const underWay = (): number =>
		sent.filter(({ status, nextAttemptAt }) => status === 'PENDING' && nextAttemptAt === null)
			.length;
	expect(underWay()).toBe(3);
	let most = 0;
	receiver.answer = (response) => {
		most = Math.max(most, underWay());
		response.writeHead(200).end();
	};
	await bench.sandbox.webhooks.idle();
	expect(most).toBe(3);
	expect(new Set(receiver.received.map(({ json }) => json.txId)).size).toBe(30);
});

test('one slow endpoint does not hold up another', async () => {
	const slow = await Receiver.start();
	const held: Array<() => void> = [];
	slow.answer = (response) => void held.push(() => response.writeHead(200).end());
	bench.sandbox.account.webhookConcurrency = 1;
	register({ url: slow.url });
	const quick = register();
	emit();
	emit();
	const sent = (): Delivery[] =>
		bench.sandbox.webhooks.deliveries.filter(({ endpointId }) => endpointId === quick.id);
	await until(() => sent().every(({ status }) => status === 'DELIVERED'));
	expect(slow.received).toHaveLength(1);
	slow.answer = 200;
	for (const release of held) release();
	await bench.sandbox.webhooks.idle();
	expect(slow.received).toHaveLength(2);
	await slow.close();
});

test('a reset cuts what is under way and forgets it; idle does not wait for it', async () => {
	register();
	receiver.answer = () => undefined;
	emit();
	const idle = bench.sandbox.webhooks.idle();
	bench.sandbox.reset();
	await idle;
	expect(bench.sandbox.webhooks.deliveries).toEqual([]);
	expect(bench.sandbox.webhooks.endpoints).toEqual([]);
	await advance(bench, 72 * HOUR);
	expect(bench.sandbox.webhooks.deliveries).toEqual([]);
});

test('speed shortens the pauses between attempts, and shows when they end', async () => {
	const fast = await startSandbox({ speed: 1_000 });
	receiver.answer = 503;
	fast.webhooks.register({ url: receiver.url, maxAttempts: 3 });
	const [delivery] = fast.webhooks.emit('PAYMENT_PAID', { txId: 'PAY1' });
	await fast.webhooks.idle();
	expect(delivery).toMatchObject({ status: 'FAILED' });
	const [first, second, third] = (delivery?.attempts ?? []).map(({ at }) => at);
	// 5 s and 10 s, a thousand times faster; the upper bound only distinguishes them from the real ones.
	expect((second as number) - (first as number)).toBeLessThan(4_000);
	expect((third as number) - (second as number)).toBeLessThan(8_000);
	await fast.close();
});
