import { newEvents, sign } from '../../../../../dev/bench/realN8n/signedRequest';
import { readDelivery } from '../../../../../nodes/BrlPaymentsTrigger/receive/delivery';
import { readSignatureSettings } from '../../../../../nodes/BrlPaymentsTrigger/signature/settings';
import { verify } from '../../../../../nodes/BrlPaymentsTrigger/signature/verify';
import { SECRET } from '../../../../../dev/bench/preparedDelivery';

const NOW = Date.UTC(2026, 2, 2, 14, 5, 9);

const verified = (secret?: string) => {
	const [event] = newEvents(1, 1_000);
	const { headers, body } = sign(event!, NOW, secret);
	return verify(
		{
			signature: headers['x-webhook-signature'],
			timestamp: headers['x-webhook-timestamp'],
			body: Buffer.from(body),
		},
		readSignatureSettings({ signingSecrets: SECRET, signatureScheme: 'auto' }),
		undefined,
		NOW,
		1_000,
	).result;
};

test('a request is genuine to the trigger, and one with another secret is well-formed', () => {
	expect(verified()).toBe('verified');
	expect(verified('example-signing-secret-0002')).toBe('mismatch');
});

test('events have their own ids, which are those of their deliveries, and nearly the requested size', () => {
	const events = newEvents(3, 1_000);

	expect(new Set(events.map(({ id }) => id)).size).toBe(3);
	for (const event of events) {
		const { headers, body } = sign(event, NOW);
		expect(readDelivery(headers, Buffer.from(body))).toMatchObject({
			delivery: { deliveryId: event.id, body: { id: event.id } },
		});
		expect(Math.abs(body.length - 1_000)).toBeLessThan(60);
	}
});

test('a copy that is sent later has the same id and body and its own signature', () => {
	const [event] = newEvents(1, 1_000);
	const [first, copy] = [sign(event!, NOW), sign(event!, NOW + 1_000)];

	expect(copy.body).toBe(first.body);
	expect(copy.headers['x-webhook-delivery-id']).toBe(first.headers['x-webhook-delivery-id']);
	expect(copy.headers['x-webhook-signature']).not.toBe(first.headers['x-webhook-signature']);
});
