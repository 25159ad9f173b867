import { randomBytes } from 'node:crypto';
import { found } from '../errors';
import type { Payment, PaymentStatus, Refund, Withdrawal } from '../store/types';
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
import { checkEndpointUrl } from './loopback';
import {
	WEBHOOK_EVENTS,
	type Delivery,
	type DeliveryRow,
	type Endpoint,
	type EndpointRow,
	type EndpointSettings,
	type WebhookEvent,
} from './types';

export { signedRequest } from './signature';
export { WEBHOOK_EVENTS } from './types';
export type { Delivery, Endpoint } from './types';

/** What the dashboard's **Send test** sends (docs/api.md#event-types). */
const TEST_EVENT = 'TEST';

/** The account's webhooks: what the dashboard's Settings > Webhooks does, and the sending. */
export class Webhooks {
	private readonly rows = new Map<string, EndpointRow>();
	private readonly sent: DeliveryRow[] = [];
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
		const delivery = this.book(row, TEST_EVENT, writeBody({ data: { livemode: true } }));
		await this.dispatcher.attemptOnce(delivery, row);
		return delivery;
	}

	/** @param from the status that it had before */
	paymentChanged(payment: Payment, from: PaymentStatus): void {
		if (payment.environment !== 'PRODUCTION') return;
		const { dialect, store } = this.world;
		const refunds = payment.status === 'REFUNDED' ? store.getRefunds(payment.id) : [];
		const refund = refunds.findLast(({ status }) => status === 'COMPLETED') ?? null;
		const facts = { payment, refund, byMed: from === 'MED_FROZEN' };
		for (const event of paymentEvents(from, payment.status, dialect)) {
			this.emit(event, paymentBody(event, facts, dialect));
		}
	}

	/** One that is completed shows in the payment's own change. */
	refundFailed(payment: Payment, refund: Refund): void {
		if (payment.environment !== 'PRODUCTION') return;
		const event = 'PAYMENT_REFUND_FAILED';
		this.emit(event, paymentBody(event, { payment, refund, byMed: false }, this.world.dialect));
	}

	withdrawalChanged(withdrawal: Withdrawal): void {
		const { dialect } = this.world;
		const event = withdrawalEvent(withdrawal.status, dialect);
		if (!event || withdrawal.environment !== 'PRODUCTION') return;
		this.emit(event, withdrawalBody(withdrawal, dialect));
	}

	/** Sends a delivery once more by hand: same body, same X-Webhook-Delivery-Id. */
	replay(deliveryId: string): Delivery {
		const { endpointId, event, body, id } = this.delivery(deliveryId);
		return this.send(this.endpoint(endpointId), event, body, id);
	}

	/** Sends a delivery once more by hand: thin body, new X-Webhook-Delivery-Id. */
	resend(deliveryId: string): Delivery {
		const { endpointId, event, body } = this.delivery(deliveryId);
		const thin = writeBody(thinBody(this.world.store, JSON.parse(body) as Record<string, string>));
		return this.send(this.endpoint(endpointId), event, thin);
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
	private emit(event: WebhookEvent, body: object): void {
		const raw = writeBody(body);
		for (const row of this.rows.values()) {
			if (row.events.includes(event)) this.send(row, event, raw);
		}
	}

	private send(row: EndpointRow, event: string, body: string, id?: string): Delivery {
		const delivery = this.book(row, event, body, id);
		this.dispatcher.enqueue(delivery, row);
		return delivery;
	}

	private book(row: EndpointRow, event: string, body: string, id = uuid()): DeliveryRow {
		const about = { id, endpointId: row.id, event, body };
		const delivery: DeliveryRow = { ...about, status: 'PENDING', attempts: [] };
		this.sent.push(delivery);
		return delivery;
	}

	private endpoint(id: string): EndpointRow {
		return found(this.rows.get(id), 'endpoint');
	}

	private delivery(id: string): DeliveryRow {
		const delivery = this.sent.find((each) => each.id === id);
		return found(delivery, 'delivery');
	}
}
