import { createHmac } from 'node:crypto';
import { type Delivery } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, HOUR, SECOND, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();

const SECRET = 'example-signing-secret';

beforeEach(() => {
	// One rule at a time: the circuit has separate tests.
	bench.sandbox.account.webhookBreakAfter = 1_000;
	bench.sandbox.webhooks.register({ url: receiver.url, secret: SECRET });
});

/** A delivery after its first attempt. */
async function emit(answer: typeof receiver.answer, body: object = {}): Promise<Delivery> {
	receiver.answer = answer;
	const [delivery] = bench.sandbox.webhooks.emit('PAYMENT_PAID', body);
	await bench.sandbox.webhooks.quiet();
	return delivery!;
}

/** Continues from each planned attempt to the next until there is none. */
async function runOut(delivery: Delivery): Promise<void> {
	for (let step = 0; delivery.nextAttemptAt !== null; step++) {
		if (step === 100) throw new Error('It never ends');
		await advance(bench, delivery.nextAttemptAt - bench.clock.now());
	}
}

test('an accepted delivery is sent once, as POST, with its event and id in headers', async () => {
	const delivery = await emit(200, { txId: 'PAY1' });
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

test('it is signed: SHA-256 in hex over timestamp.body as v1=, in seconds', async () => {
	await emit(200, { amount: 10, description: 'Ação {timestamp} {body} €' });
	const { headers, raw } = receiver.received[0]!;
	const timestamp = String(headers['x-webhook-timestamp']);
	const expected = createHmac('sha256', SECRET).update(`${timestamp}.${raw}`).digest('hex');
	expect(timestamp).toMatch(/^\d{10}$/);
	expect(headers['x-webhook-signature']).toBe(`v1=${expected}`);
	expect(headers['content-type']).toBe('application/json');
	// Re-serialising would lose the two decimals, and with them the signature.
	expect(raw).toContain('"amount":10.00');
});

test('every attempt is re-signed: later time, other signature, same id and body', async () => {
	const now = vi.spyOn(Date, 'now').mockReturnValueOnce(1_000_000_000_000);
	await emit(500, { txId: 'PAY1' });
	now.mockRestore();
	receiver.answer = 200;
	await advance(bench, 6 * SECOND);
	const [first, second] = receiver.received.map(({ headers, raw }) => ({
		sent: [headers['x-webhook-delivery-id'], raw],
		timestamp: Number(headers['x-webhook-timestamp']),
		signature: headers['x-webhook-signature'],
	}));
	expect(second!.sent).toEqual(first!.sent);
	expect(second!.timestamp).toBeGreaterThan(first!.timestamp);
	expect(second!.signature).not.toBe(first!.signature);
});

test('retries follow 5 s, doubling, with jitter, under the same id, until accepted', async () => {
	const delivery = await emit(503);
	for (const seconds of [5, 10, 20]) {
		const before = delivery.attempts.length;
		await advance(bench, seconds * 900 - 1);
		expect(delivery.attempts).toHaveLength(before);
		const due = delivery.nextAttemptAt! - bench.clock.now();
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
	const delivery = await emit(status);
	expect(delivery).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
	await advance(bench, 72 * HOUR);
	expect(receiver.received).toHaveLength(1);
});

test.each<[what: string, typeof receiver.answer, status: number | null]>([
	['408', 408, 408],
	['429', 429, 429],
	['500', 500, 500],
	[
		'a redirect, which is not followed',
		(response) => response.writeHead(307, { location: '/elsewhere' }).end(),
		307,
	],
	['a lost connection', (response) => void response.socket?.destroy(), null],
])('%s is tried again', async (_what, answer, status) => {
	const delivery = await emit(answer);
	receiver.answer = 200;
	await advance(bench, 6 * SECOND);
	expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ status }, { status: 200 }] });
	expect(receiver.received.map(({ url }) => url)).toEqual(['/hook', '/hook']);
});

test('an endpoint that does not respond in time has failed, and is tried again', async () => {
	expect(bench.sandbox.account.webhookTimeoutMs).toBe(10_000);
	bench.sandbox.account.webhookTimeoutMs = 50;
	const delivery = await emit(() => undefined);
	expect(delivery).toMatchObject({ status: 'PENDING', attempts: [{ status: null }] });
});

test('after 24 attempts the delivery has failed, within 72 hours', async () => {
	const start = bench.clock.now();
	const delivery = await emit(503);
	await runOut(delivery);
	expect(delivery.status).toBe('FAILED');
	expect(bench.clock.now() - start).toBeLessThanOrEqual(72 * HOUR);
	const times = delivery.attempts.map(({ at }) => at);
	const pauses = times.slice(1).map((time, index) => time - times[index]!);
	expect(Math.max(...pauses)).toBe(6 * HOUR);
	expect([times.length, receiver.received.length]).toEqual([24, 24]);
});

test('after 72 hours a delivery has failed, although it had attempts left', async () => {
	Object.assign(bench.sandbox.account, { webhookBreakAfter: 1, webhookBreakPauseMs: 72 * HOUR });
	const delivery = await emit(503);
	await advance(bench, 72 * HOUR - 1);
	expect(delivery).toMatchObject({ status: 'PENDING', attempts: [{ status: 503 }] });
	await advance(bench, 1);
	expect(delivery).toMatchObject({ status: 'FAILED', nextAttemptAt: null });
	await advance(bench, 72 * HOUR);
	expect(receiver.received).toHaveLength(1);
});

test('a response that is cut after its status is a response', async () => {
	const delivery = await emit((response) => {
		response.writeHead(200, { 'content-length': 100 });
		response.write('half', () => response.socket?.destroy());
	});
	expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ status: 200 }] });
});

describe('at least once, in any order', () => {
	const send = async (...events: string[]) => {
		const sent = events.flatMap((event) => bench.sandbox.webhooks.emit(event, { txId: event }));
		await bench.sandbox.webhooks.quiet();
		return sent;
	};
	const arrived = () => receiver.received.map(({ headers }) => headers['x-webhook-event']);

	test('deliverTwice: the same delivery arrives twice, and others once', async () => {
		bench.sandbox.faults.add({ kind: 'deliverTwice', event: 'PAYMENT_PAID', skip: 1 });

		await send('PAYMENT_PAID', 'PAYMENT_EXPIRED', 'PAYMENT_PAID', 'PAYMENT_PAID');

		expect(arrived().sort()).toEqual([...Array(4).fill('PAYMENT_PAID'), 'PAYMENT_EXPIRED'].sort());
		const ids = receiver.received.map(({ headers }) => headers['x-webhook-delivery-id']);
		expect(new Set(ids).size).toBe(4);
		const { deliveries } = bench.sandbox.webhooks;
		expect(deliveries.filter(({ kind }) => kind === 'copy')).toHaveLength(1);
		expect(deliveries.every(({ status }) => status === 'DELIVERED')).toBe(true);
	});

	test('deliverLater: it arrives after the next one', async () => {
		bench.sandbox.faults.add({ kind: 'deliverLater', event: 'PAYMENT_PAID' });

		await send('PAYMENT_PAID');
		expect(arrived()).toEqual([]);
		await send('PAYMENT_REFUNDED');
		await bench.sandbox.webhooks.idle();

		expect(arrived()).toEqual(['PAYMENT_REFUNDED', 'PAYMENT_PAID']);
	});

	test('deliverLater: it does not wait for ever, nor for another endpoint', async () => {
		bench.sandbox.faults.add({ kind: 'deliverLater' });
		await send('PAYMENT_PAID');

		await advance(bench, 59 * SECOND);
		expect(arrived()).toEqual([]);
		await advance(bench, 2 * SECOND);

		expect(arrived()).toEqual(['PAYMENT_PAID']);
		await bench.sandbox.webhooks.idle();
	});

	test('strike no request, and faults of requests strike no delivery', async () => {
		bench.sandbox.faults.add({ kind: 'deliverTwice', times: Infinity });
		bench.sandbox.faults.add({ kind: 'error', code: 'INTERNAL_ERROR' });

		expect((await bench.get('/v1/payments')).code).toBe('INTERNAL_ERROR');
		expect((await bench.get('/v1/payments')).status).toBe(200);
		await send('PAYMENT_PAID');

		expect(arrived()).toEqual(['PAYMENT_PAID', 'PAYMENT_PAID']);
	});
});
