import { createHmac } from 'node:crypto';
import type { SignatureFormat } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, type Received, SECOND, until, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();

const SECRET = 'example-signing-secret';
// Bytes that are not ASCII, and text that looks like a place for the timestamp.
const BODY = { txId: 'PAY1', amount: 10, description: 'Ação {timestamp} {body} €' };

async function deliver(scheme?: Partial<SignatureFormat>): Promise<Received> {
	bench.sandbox.webhooks.register({
		url: receiver.url,
		secret: SECRET,
		...(scheme ? { scheme } : {}),
	});
	bench.sandbox.webhooks.emit('PAYMENT_PAID', BODY);
	await bench.sandbox.webhooks.idle();
	return receiver.received[0] as Received;
}

test('every attempt is re-signed: later time, other signature, same id and body', async () => {
	receiver.answer = 500;
	const { webhooks } = bench.sandbox;
	webhooks.register({ url: receiver.url, secret: SECRET, scheme: { timestamp: 'ms' } });
	webhooks.emit('PAYMENT_PAID', BODY);
	await webhooks.quiet();
	receiver.answer = 200;
	// Timestamps are real milliseconds: the second can differ once the first one's has passed.
	await until(() => Date.now() > Number(receiver.received[0]?.headers['x-webhook-timestamp']));
	await advance(bench, 6 * SECOND);
	const [first, second] = receiver.received as [Received, Received];
	expect(second.raw).toBe(first.raw);
	expect(second.headers['x-webhook-delivery-id']).toBe(first.headers['x-webhook-delivery-id']);
	const timestamp = String(second.headers['x-webhook-timestamp']);
	expect(Number(timestamp)).toBeGreaterThan(Number(first.headers['x-webhook-timestamp']));
	expect(second.headers['x-webhook-signature']).toBe(
		`v1=${createHmac('sha256', SECRET).update(`${timestamp}.${second.raw}`).digest('hex')}`,
	);
	expect(webhooks.deliveries[0]?.attempts.map(({ headers }) => headers)).toEqual([
		expect.objectContaining({ 'X-Webhook-Timestamp': first.headers['x-webhook-timestamp'] }),
		expect.objectContaining({ 'X-Webhook-Signature': second.headers['x-webhook-signature'] }),
	]);
});

test('the default is SHA-256 in hex over timestamp.body as v1=, in seconds', async () => {
	const { headers, raw } = await deliver();
	const timestamp = String(headers['x-webhook-timestamp']);
	const expected = createHmac('sha256', SECRET).update(`${timestamp}.${raw}`).digest('hex');
	expect(timestamp).toMatch(/^\d{10}$/);
	expect(headers['x-webhook-signature']).toBe(`v1=${expected}`);
	expect(headers['content-type']).toBe('application/json');
	// Re-serialising would lose the two decimals, and with them the signature.
	expect(raw).toContain('"amount":10.00');
	expect(JSON.stringify(JSON.parse(raw))).not.toBe(raw);
});
