import { createHmac, randomUUID } from 'node:crypto';
import { assumedDialect, signedRequest } from '../../sandbox';

export const SECRET = 'example-signing-secret-0001';
export const FORGED_SECRET = 'example-signing-secret-0002';
export const EVENT = 'PAYMENT_PAID';

/** One event of the service, which may be sent several times. */
export interface Event {
	readonly id: string;
	readonly body: string;
}

export interface SignedRequest {
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export function newEvents(count: number, bytes: number): Event[] {
	return Array.from({ length: count }, () => {
		const id = randomUUID();
		return { id, body: buildBody(bytes, id) };
	});
}

const DIALECT = assumedDialect();

/** As the service sends it at a given time; each copy is re-signed. @param now epoch ms */
export function sign({ id, body }: Event, now: number, secret = SECRET): SignedRequest {
	return { headers: signedRequest({ id, event: EVENT, body }, secret, DIALECT, now), body };
}

/** The same event as Slack would send it. @param now epoch ms */
export function signAsSlack({ id, body }: Event, now: number, secret = SECRET): SignedRequest {
	const event = { type: 'app_home_opened', id, text: body };
	const content = JSON.stringify({ type: 'event_callback', event });
	const timestamp = String(Math.floor(now / 1000));
	const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${content}`).digest('hex');
	return {
		headers: {
			'content-type': 'application/json',
			'x-slack-request-timestamp': timestamp,
			'x-slack-signature': `v0=${signature}`,
		},
		body: content,
	};
}

/** A payment with as much metadata as it takes. */
function buildBody(size: number, id: string): string {
	const metadata: Record<string, string> = {};
	const body = { id, txId: 'PAY0000', amount: 10.5, status: 'PAID', metadata };
	const start = JSON.stringify(body).length;
	const field = 60;
	for (let number = 0; start + (number + 1) * field <= size; number += 1) {
		const name = `field${String(number).padStart(6, '0')}`;
		metadata[name] = 'x'.repeat(field - name.length - 6);
	}
	return JSON.stringify(body);
}
