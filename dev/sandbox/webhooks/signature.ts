import { createHmac } from 'node:crypto';
import type { Dialect } from '../settings/dialects';
import type { Delivery } from './types';

type Part = string | Buffer;

/** What is signed. The API does not show it. */
const LAYOUTS: Readonly<
	Record<Dialect['signature']['layout'], (timestamp: string, body: Part) => Part[]>
> = {
	dot: (timestamp, body) => [timestamp, '.', body],
	plain: (timestamp, body) => [timestamp, body],
	colon: (timestamp, body) => [timestamp, ':', body],
	v1Colon: (timestamp, body) => ['v1:', timestamp, ':', body],
	newline: (timestamp, body) => [timestamp, '\n', body],
	bodyFirst: (timestamp, body) => [body, timestamp],
};

function writeTimestamp({ timestampForm }: Dialect, epochMs: number): string {
	switch (timestampForm.form) {
		case 's':
			return String(Math.floor(epochMs / 1_000));
		case 'ms':
			return String(epochMs);
		case 'us':
			return `${epochMs}000`;
		case 'ns':
			return `${epochMs}000000`;
		case 'iso':
			return new Date(epochMs).toISOString();
		case 'httpDate':
			return new Date(epochMs).toUTCString();
	}
}

/** X-Webhook-Signature over the timestamp, exactly as in its header, and the raw body. */
function writeSignature(
	{ signature: { hash, layout, encoding }, headerForms }: Dialect,
	secret: string,
	timestamp: string,
	body: Part,
): string {
	const hmac = createHmac(hash, secret);
	for (const part of LAYOUTS[layout](timestamp, body)) hmac.update(part);
	const signature = hmac.digest(encoding);
	switch (headerForms.value) {
		case 'bare':
			return signature;
		case 'versioned':
			return `v1=${signature}`;
		case 'versionedByComma':
			return `v1,${signature}`;
		case 'hashNamed':
			return `${hash}=${signature}`;
		case 'fields':
			return `t=${timestamp},v1=${signature}`;
	}
}

/**
 * The headers of the next attempt; of the first one where there are no attempts. Whether a retry is
 * re-signed is not described.
 * @param now epoch ms
 */
export function signedRequest(
	delivery: Pick<Delivery, 'id' | 'event'> & { body: Part; attempts?: Delivery['attempts'] },
	secret: string,
	dialect: Dialect,
	now: number,
): Record<string, string> {
	const { retriedDelivery, headerForms } = dialect;
	const { id, event, body, attempts = [] } = delivery;
	const first = attempts[0]?.headers['X-Webhook-Timestamp'];
	const isOld = retriedDelivery.timestamp === 'ofFirst' && first !== undefined;
	const timestamp = isOld ? first : writeTimestamp(dialect, now);
	return {
		'Content-Type': 'application/json',
		'User-Agent': 'payment-service-emulator',
		'X-Webhook-Event': event,
		'X-Webhook-Timestamp': timestamp,
		'X-Webhook-Signature': writeSignature(dialect, secret, timestamp, body),
		'X-Webhook-Delivery-Id': id,
		...(headerForms.further === 'sent' && {
			'X-Webhook-Version': '1.0.0',
			'X-Webhook-Attempt': String(attempts.length + 1),
		}),
	};
}
