import type { Dialect } from '../settings/dialects';
import { writeSignature, writeTimestamp } from './signature';
import { formatIn, type Delivery, type Endpoint } from './types';

/**
 * The headers of the next attempt. Whether a retry is re-signed, and whether tests and probes are
 * signed at all, is not described.
 * @param now epoch ms
 */
export function toHeaders(
	delivery: Pick<Delivery, 'id' | 'event' | 'kind' | 'attempts'> & { body: string | Buffer },
	{ scheme, secret }: Pick<Endpoint, 'scheme' | 'secret'>,
	{ retriedDelivery, probe, headerForms }: Dialect,
	now: number,
): Record<string, string> {
	const first = delivery.attempts[0]?.headers['X-Webhook-Timestamp'];
	const isOld = retriedDelivery.timestamp === 'ofFirst' && first !== undefined;
	const timestamp = isOld ? first : writeTimestamp(scheme.timestamp, now);
	const isTest = delivery.kind === 'test' || delivery.kind === 'probe';
	return {
		'Content-Type': 'application/json',
		'User-Agent': 'payment-service-emulator',
		'X-Webhook-Event': delivery.event,
		...(!(isTest && probe.signature === 'unsigned') && {
			'X-Webhook-Timestamp': timestamp,
			'X-Webhook-Signature': writeSignature(scheme, secret, timestamp, delivery.body),
		}),
		...(!(isTest && probe.deliveryId === 'withoutId') && { 'X-Webhook-Delivery-Id': delivery.id }),
		...(headerForms.further === 'sent' && {
			'X-Webhook-Version': '1.0.0',
			'X-Webhook-Attempt': String(delivery.attempts.length + 1),
		}),
	};
}

/** The headers of a first attempt to an endpoint with the format of the dialect. @param now epoch ms */
export function signedRequest(
	delivery: { id: string; event: string; body: string | Buffer },
	secret: string,
	dialect: Dialect,
	now: number,
): Record<string, string> {
	const endpoint = { scheme: formatIn(dialect), secret };
	return toHeaders({ ...delivery, kind: 'event', attempts: [] }, endpoint, dialect, now);
}
