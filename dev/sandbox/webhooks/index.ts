import { randomBytes } from 'node:crypto';
import { found, invalid } from '../errors';
import type { Payment, Refund, Withdrawal } from '../store/rows';
import type { PaymentStatus } from '../store/types';
import { uuid } from '../values/ids';
import type { World } from '../world';
import {
	paymentBody,
	paymentEvents,
	thinBody,
	withdrawalBody,
	withdrawalEvent,
	writeBody,
} from './bodies';
import { Dispatcher } from './dispatcher';
import {
	WEBHOOK_EVENTS,
	type Delivery,
	type Endpoint,
	type EndpointSettings,
	type WebhookEvent,
} from './types';

export { signedRequest } from './signature';
export { WEBHOOK_EVENTS } from './types';
export type { Delivery, Endpoint } from './types';

type Content = Pick<Delivery, 'event' | 'body' | 'about'> & { id?: string };

/** What the dashboard's **Send test** sends (docs/api.md#event-types). */
const TEST_EVENT = 'TEST';

/** Localhost as the URL parser writes it: it has turned 127.1, 0x7f000001 and the like into this form. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The emulator must never send traffic to other machines. The service requires HTTPS; on loopback
 * plain HTTP will do.
 */
function checkEndpointUrl(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw invalid('url', 'Must be an http or https address');
	}
	if (LOOPBACK.test(url.hostname)) return url.href;
	throw invalid('url', 'The emulator sends to this machine only: localhost, 127.0.0.0/8 or [::1]');
}

/** The account's webhooks: what the dashboard's Settings > Webhooks does, and the sending. */
export class Webhooks {
	private readonly rows = new Map<string, Endpoint>();
	private readonly sent: Delivery[] = [];
	private readonly dispatcher: Dispatcher;

	constructor(private readonly world: World) {
		this.dispatcher = new Dispatcher(world);
	}

	/** Oldest first. */
	get endpoints(): readonly Endpoint[] {
		return [...this.rows.values()];
	}

	/** Oldest first; a replay by hand is a separate entry with the id of the original. */
	get deliveries(): readonly Delivery[] {
		return this.sent;
	}

	/** @throws ServiceError (VALIDATION_ERROR) for an address outside this machine */
	register({ url, events = WEBHOOK_EVENTS, secret }: EndpointSettings): Endpoint {
		const row = {
			...{ id: uuid(), url: checkEndpointUrl(url), events, isActive: true },
			secret: secret ?? `whsec_example_${randomBytes(24).toString('base64url')}`,
		};
		this.rows.set(row.id, row);
		return row;
	}

	/** What is pending for it fails, and is not sent later. */
	remove(id: string): void {
		this.endpoint(id).isActive = false;
		this.rows.delete(id);
	}

	/** One signed test, which is not retried. */
	async sendTest(id: string): Promise<Delivery> {
		const row = this.endpoint(id);
		const delivery = this.book(row, {
			event: TEST_EVENT,
			body: writeBody({ data: { livemode: true } }),
			about: undefined,
		});
		await this.dispatcher.attemptOnce(delivery, row);
		return delivery;
	}

	/** @param from the status that it had before */
	paymentChanged(payment: Payment, from: PaymentStatus): void {
		if (payment.environment !== 'PRODUCTION') return;
		const { dialect, store } = this.world;
		const refunds = payment.status === 'REFUNDED' ? store.getRefunds(payment) : [];
		const refund = refunds.find(({ status }) => status === 'COMPLETED') ?? null;
		const facts = { payment, refund, byMed: from === 'MED_FROZEN' };
		for (const event of paymentEvents(from, payment.status, dialect)) {
			this.emit(event, paymentBody(event, facts, dialect), payment);
		}
	}

	/** One that is completed shows in the payment's own change. */
	refundFailed(payment: Payment, refund: Refund): void {
		if (payment.environment !== 'PRODUCTION') return;
		const event = 'PAYMENT_REFUND_FAILED';
		const body = paymentBody(event, { payment, refund, byMed: false }, this.world.dialect);
		this.emit(event, body, payment);
	}

	withdrawalChanged(withdrawal: Withdrawal): void {
		const { dialect } = this.world;
		const event = withdrawalEvent(withdrawal.status, dialect);
		if (!event || withdrawal.environment !== 'PRODUCTION') return;
		this.emit(event, withdrawalBody(withdrawal, dialect), withdrawal);
	}

	/** Sends a delivery once more by hand: same body, same X-Webhook-Delivery-Id. */
	replay(deliveryId: string): Delivery {
		const { endpointId, event, body, about, id } = this.delivery(deliveryId);
		return this.send(this.endpoint(endpointId), { event, body, about, id });
	}

	/** Sends a delivery once more by hand: thin body, new X-Webhook-Delivery-Id. */
	resend(deliveryId: string): Delivery {
		const { endpointId, event, about } = this.delivery(deliveryId);
		const body = writeBody(thinBody(found(about, 'resource of this delivery')));
		return this.send(this.endpoint(endpointId), { event, body, about });
	}

	clear(): void {
		this.dispatcher.clear();
		this.rows.clear();
		this.sent.length = 0;
	}

	close(): Promise<void> {
		return this.dispatcher.close();
	}

	/** To the endpoints that selected it. */
	private emit(event: WebhookEvent, body: object, about: Payment | Withdrawal): void {
		const raw = writeBody(body);
		for (const row of this.rows.values()) {
			if (row.events.includes(event)) this.send(row, { event, body: raw, about });
		}
	}

	private send(row: Endpoint, content: Content): Delivery {
		const delivery = this.book(row, content);
		this.dispatcher.enqueue(delivery, row);
		return delivery;
	}

	private book(row: Endpoint, { id = uuid(), event, body, about }: Content): Delivery {
		const content = { id, endpointId: row.id, event, body, about };
		const delivery: Delivery = { ...content, status: 'PENDING', attempts: [] };
		this.sent.push(delivery);
		return delivery;
	}

	private endpoint(id: string): Endpoint {
		return found(this.rows.get(id), 'endpoint');
	}

	private delivery(id: string): Delivery {
		const delivery = this.sent.find((each) => each.id === id);
		return found(delivery, 'delivery');
	}
}
