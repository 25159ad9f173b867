import { WEBHOOK_EVENTS, type EndpointSettings } from '../../../../../dev/sandbox';
import { loopbackLookup } from '../../../../../dev/sandbox/webhooks/loopback';
import { useBench } from '../support';
import { Receiver, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();

const register = (settings: Partial<EndpointSettings> = {}) =>
	bench.sandbox.webhooks.register({ url: receiver.url, ...settings });
const invalid = expect.objectContaining({ code: 'VALIDATION_ERROR' });

describe('registration', () => {
	test('has all eleven events, and a secret that says example', () => {
		expect(register()).toMatchObject({
			url: receiver.url,
			events: [...WEBHOOK_EVENTS],
			secret: expect.stringMatching(/^whsec_example_\S{32}$/),
			status: 'ACTIVE',
			maxAttempts: 24,
		});
		expect(WEBHOOK_EVENTS).toHaveLength(11);
	});

	test.each([
		...['http://localhost:1/hook?a=b', 'https://127.0.0.1/hook', 'http://127.8.9.10/'],
		...['http://[::1]:5678/', 'http://127.1/'],
	])('%s is this machine', (url) => {
		expect(register({ url }).status).toBe('ACTIVE');
	});

	test.each([
		...['http://merchant.example/hook', 'http://192.168.0.1/', 'http://0.0.0.0/', 'http://[::]/'],
		...['http://[::ffff:10.0.0.1]/', 'http://128.0.0.1/', 'http://localhost.merchant.example/'],
		...['http://127.0.0.1@merchant.example/', 'http://user:word@127.0.0.1/'],
		...['http://127.0.0.1.merchant.example/', 'ftp://127.0.0.1/', 'file:///hook', '/hook', ''],
	])('%s is refused: the emulator sends nowhere else', (url) => {
		expect(() => register({ url })).toThrow(invalid);
	});

	test('localhost is sent to; a name that turned out to be another machine would not be', async () => {
		const { id } = register({ url: receiver.url.replace('127.0.0.1', 'localhost') });
		bench.sandbox.webhooks.sendTest(id);
		await bench.sandbox.webhooks.idle();
		expect(receiver.received).toHaveLength(1);
		const resolve = (address: string): Promise<string | undefined> =>
			new Promise((done) => loopbackLookup(address, {}, (error) => done(error?.message)));
		// An address resolves to itself, without asking anyone.
		expect(await resolve('192.0.2.1')).toBe('192.0.2.1 is not this machine');
		expect(await resolve('127.0.0.1')).toBeUndefined();
	});

	test('at most two active endpoints have the same event', () => {
		register();
		register({ events: ['PAYMENT_PAID', 'MED_RECEIVED'] });
		expect(() => register({ events: ['PAYMENT_PAID'] })).toThrow(invalid);
		const third = register({ events: ['PAYMENT_EXPIRED'] });
		const add = () => bench.sandbox.webhooks.update(third.id, { events: ['PAYMENT_PAID'] });
		expect(add).toThrow(invalid);
		expect(third.events).toEqual(['PAYMENT_EXPIRED']);
	});

	test.each([[[]], [['TEST']]])('no endpoint subscribes to %j', (events) => {
		expect(() => register({ events })).toThrow(invalid);
	});
});

test('events go to the endpoints that selected them', async () => {
	const other = new Receiver();
	await other.open();
	register({ events: ['PAYMENT_PAID'] });
	register({ url: other.url, events: ['WITHDRAWAL_SENT', 'PAYMENT_PAID'] });
	const { webhooks } = bench.sandbox;
	for (const event of ['PAYMENT_PAID', 'WITHDRAWAL_SENT', 'MED_RECEIVED']) webhooks.emit(event, {});
	await webhooks.idle();
	expect([receiver.received.length, other.received.length]).toEqual([1, 2]);
	expect(new Set(webhooks.deliveries.map(({ id }) => id)).size).toBe(3);
	await other.close();
});

describe('by hand', () => {
	const paid = async () => {
		register();
		const { seed, setPaymentStatus, webhooks } = bench.sandbox;
		const { id, txId } = seed.payment({ environment: 'PRODUCTION', amountCents: 1_000 });
		setPaymentStatus(id, 'PAID');
		await webhooks.idle();
		return { id, txId, delivery: webhooks.deliveries[0]! };
	};

	test.each([
		[true, false],
		[false, true],
	])('a test ping with sandboxOnly %s has livemode %s, whatever the events', async (only, mode) => {
		bench.sandbox.account.sandboxOnly = only;
		const { id } = register({ events: ['MED_RECEIVED'] });
		const delivery = bench.sandbox.webhooks.sendTest(id);
		await bench.sandbox.webhooks.idle();
		expect(delivery).toMatchObject({ event: 'TEST', kind: 'test', status: 'DELIVERED' });
		const { headers, json } = receiver.received[0]!;
		expect(headers['x-webhook-event']).toBe('TEST');
		expect(json.data).toEqual({ message: expect.any(String), livemode: mode });
	});

	test('a replay has the id and the body of the original', async () => {
		const { delivery } = await paid();
		expect(bench.sandbox.webhooks.replay(delivery.id)).toMatchObject({ kind: 'replay' });
		await bench.sandbox.webhooks.idle();
		const [first, second] = receiver.received.map(({ headers, raw }) => [
			headers['x-webhook-delivery-id'],
			headers['x-webhook-event'],
			raw,
		]);
		expect(second).toEqual(first);
	});

	test('a resend has a new id and the thin body of the payment as it is now', async () => {
		const { id, txId, delivery } = await paid();
		bench.sandbox.setPaymentStatus(id, 'REFUNDED');
		const again = bench.sandbox.webhooks.resend(delivery.id);
		await bench.sandbox.webhooks.idle();
		expect(again.id).not.toBe(delivery.id);
		expect(again).toMatchObject({ event: 'PAYMENT_PAID', kind: 'resend', status: 'DELIVERED' });
		expect(again.body).toBe(`{"id":"${id}","txId":"${txId}","status":"REFUNDED","amount":10.00}`);
	});

	test('an event that has only a txId or a paymentId is resent with all four', () => {
		register();
		const { seed, setPaymentStatus, webhooks } = bench.sandbox;
		const { id, txId } = seed.payment({ environment: 'PRODUCTION', methods: ['CARD'] });
		setPaymentStatus(id, 'CONFIRMED');
		setPaymentStatus(id, 'REFUNDED');
		const bodies = [...webhooks.deliveries].map((sent) => webhooks.resend(sent.id).body);
		expect(new Set(bodies)).toEqual(
			new Set([`{"id":"${id}","txId":"${txId}","status":"REFUNDED","amount":100.00}`]),
		);
	});

	test('a withdrawal is resent with its netAmount', () => {
		register();
		const { seed, webhooks } = bench.sandbox;
		const { id, txId } = seed.withdrawal({ environment: 'PRODUCTION', amountCents: 5_000 });
		bench.sandbox.setWithdrawalStatus(id, 'COMPLETED');
		const again = webhooks.resend(webhooks.deliveries[0]!.id);
		expect(again.body).toBe(
			`{"id":"${id}","txId":"${txId}","status":"COMPLETED","amount":51.50,"netAmount":50.00}`,
		);
	});
});
