import { randomBytes } from 'node:crypto';
import { found, invalid, ServiceError } from '../errors';
import { uuid } from '../values/ids';
import type { StateChanges } from '../events';
import {
	isNamedEvent,
	paymentBody,
	probeBody,
	thinPaymentBody,
	thinWithdrawalBody,
	withdrawalBody,
	writeBody,
} from './bodies';
import { Dispatcher } from './dispatcher';
import { checkEndpointUrl } from './loopback';
import { paymentOccasions, refundOccasion, withdrawalOccasion } from './occasions';
import { ENDPOINTS_PER_EVENT } from './rules';
import {
	PROBE_EVENT,
	WEBHOOK_EVENTS,
	type Delivery,
	type DeliveryRow,
	type Endpoint,
	type EndpointRow,
	type EndpointSettings,
	type Surroundings,
} from './types';

export { signedRequest } from './signature';
export { WEBHOOK_EVENTS } from './types';
export type { Delivery, Endpoint, EndpointSettings } from './types';

/** The account's webhooks: what the dashboard's Settings > Webhooks does, and the sending. */
export class Webhooks {
	private readonly rows = new Map<string, EndpointRow>();
	private readonly sent: DeliveryRow[] = [];
	private readonly dispatcher: Dispatcher;

	constructor(private readonly world: Surroundings) {
		this.dispatcher = new Dispatcher(world);
		world.events.on('payment', (change) => this.onPayment(change));
		world.events.on('refund', (change) => this.onRefund(change));
		world.events.on('withdrawal', (change) => this.onWithdrawal(change));
	}

	/** Oldest first. */
	get endpoints(): readonly Endpoint[] {
		return [...this.rows.values()];
	}

	/** Oldest first; a replay by hand is a separate entry with the id of the original. */
	get deliveries(): readonly Delivery[] {
		return this.sent;
	}

	/** @throws ServiceError (VALIDATION_ERROR) for settings that the dashboard would refuse */
	register(settings: EndpointSettings): Endpoint {
		const row = checked({
			...{ id: uuid(), url: settings.url, events: settings.events ?? WEBHOOK_EVENTS },
			secret: settings.secret ?? generateSecret(),
			...{ status: 'ACTIVE', failuresInARow: 0 },
			suspendAfter: settings.suspendAfter ?? Infinity,
		});
		this.checkRoom(row);
		this.rows.set(row.id, row);
		return row;
	}

	/** Takes effect on the next attempt, also of deliveries that wait. */
	update(id: string, changes: Partial<Omit<EndpointSettings, 'secret'>>): Endpoint {
		const row = this.endpoint(id);
		const changed = checked({ ...row, ...changes });
		if (row.status === 'ACTIVE') this.checkRoom(changed);
		return Object.assign(row, changed);
	}

	/** Probes a suspended endpoint and enables it again only if it returns 2xx. */
	async reactivate(id: string): Promise<{ ok: boolean }> {
		const row = this.endpoint(id);
		const probe = this.book(row, PROBE_EVENT, writeBody(probeBody(id)), 'probe', uuid());
		const ok = await this.dispatcher.attemptOnce(probe, row);
		if (ok) Object.assign(row, { status: 'ACTIVE', failuresInARow: 0 });
		return { ok };
	}

	/**
	 * Sends any event with any body to the endpoints that selected it, as live activity would. An event
	 * that the API does not name also goes to endpoints that selected all of them.
	 */
	emit(event: string, body: object): Delivery[] {
		const raw = writeBody(body);
		return [...this.rows.values()]
			.filter((row) => wants(row, event))
			.map((row) => this.sendStruck(row, event, raw));
	}

	/** Sends a delivery once more by hand: same body, same X-Webhook-Delivery-Id. */
	replay(deliveryId: string): Delivery {
		const original = this.delivery(deliveryId);
		const row = this.endpoint(original.endpointId);
		return this.send(row, original.event, original.body, 'replay', original.id);
	}

	/** Sends a delivery once more by hand: thin body, new X-Webhook-Delivery-Id. */
	resend(deliveryId: string): Delivery {
		const original = this.delivery(deliveryId);
		const row = this.endpoint(original.endpointId);
		return this.send(row, original.event, writeBody(this.thinBody(original)), 'resend');
	}

	/** Resolves when no delivery is pending. */
	idle(): Promise<void> {
		return this.dispatcher.idle();
	}

	clear(): void {
		this.dispatcher.clear();
		this.rows.clear();
		this.sent.length = 0;
	}

	close(): Promise<void> {
		return this.dispatcher.close();
	}

	private onPayment({ payment, from, to }: StateChanges['payment'][0]): void {
		if (payment.environment !== 'PRODUCTION') return;
		const refund =
			to === 'REFUNDED'
				? this.world.store.getRefunds(payment.id).findLast((row) => row.status === 'COMPLETED')
				: undefined;
		const facts = { payment, refund: refund ?? null, byMed: from === 'MED_FROZEN' };
		const { dialect } = this.world;
		for (const event of paymentOccasions(from, to, dialect)) {
			this.emit(event, paymentBody(event, facts, dialect));
		}
	}

	private onRefund({ refund, to }: StateChanges['refund'][0]): void {
		const payment = this.world.store.payments.find(refund.paymentId);
		const event = refundOccasion(to);
		if (!payment || !event || payment.environment !== 'PRODUCTION') return;
		this.emit(event, paymentBody(event, { payment, refund, byMed: false }, this.world.dialect));
	}

	private onWithdrawal({ withdrawal, to }: StateChanges['withdrawal'][0]): void {
		const { dialect } = this.world;
		const event = withdrawalOccasion(to, dialect);
		if (!event || withdrawal.environment !== 'PRODUCTION') return;
		this.emit(event, withdrawalBody(withdrawal, dialect));
	}

	/** At least once, in any order: what the faults make of one delivery. */
	private sendStruck(row: EndpointRow, event: string, body: string): Delivery {
		const fault = this.world.faults.strikeDelivery(event);
		const delivery = this.book(row, event, body, 'event', uuid());
		this.dispatcher.enqueue(delivery, row, fault === 'deliverLater');
		if (fault === 'deliverTwice') this.send(row, event, body, 'copy', delivery.id);
		return delivery;
	}

	private send(
		row: EndpointRow,
		event: string,
		body: string,
		kind: Delivery['kind'],
		id = uuid(),
	): Delivery {
		const delivery = this.book(row, event, body, kind, id);
		this.dispatcher.enqueue(delivery, row);
		return delivery;
	}

	private book(
		row: EndpointRow,
		event: string,
		body: string,
		kind: Delivery['kind'],
		id: string,
	): DeliveryRow {
		const delivery: DeliveryRow = {
			id,
			endpointId: row.id,
			event,
			kind,
			body,
			status: 'PENDING',
			attempts: [],
		};
		this.sent.push(delivery);
		return delivery;
	}

	/** The resource as it is now. */
	private thinBody(original: Delivery): object {
		if (original.kind === 'probe') {
			throw new ServiceError('INVALID_STATUS', { message: 'A probe has no resource to resend' });
		}
		const { store } = this.world;
		const body = JSON.parse(original.body) as Record<string, unknown>;
		const text = (value: unknown): string => (typeof value === 'string' ? value : '');
		const withdrawal =
			store.withdrawals.find(text(body.id) || text(body.withdrawalId)) ??
			store.withdrawals.newest('PRODUCTION', (row) => row.txId === text(body.txId));
		if (withdrawal) return thinWithdrawalBody(withdrawal);
		const payment =
			store.payments.find(text(body.paymentId) || text(body.id)) ??
			store.paymentWithTxId('PRODUCTION', text(body.txId));
		return thinPaymentBody(found(payment, 'resource of this delivery'));
	}

	private endpoint(id: string): EndpointRow {
		return found(this.rows.get(id), 'endpoint');
	}

	private delivery(id: string): DeliveryRow {
		const delivery = this.sent.find((each) => each.id === id);
		return found(delivery, 'delivery');
	}

	/** "At most two active endpoints per event type per company." */
	private checkRoom(candidate: Endpoint): void {
		const others = [...this.rows.values()].filter(
			(row) => row.status === 'ACTIVE' && row.id !== candidate.id,
		);
		for (const event of candidate.events) {
			const taken = others.filter((row) => row.events.includes(event)).length;
			if (taken >= ENDPOINTS_PER_EVENT) {
				throw invalid('events', `${event} already has two active endpoints`);
			}
		}
	}
}

function wants(row: Endpoint, event: string): boolean {
	if (row.events.includes(event)) return true;
	return !isNamedEvent(event) && WEBHOOK_EVENTS.every((named) => row.events.includes(named));
}

/** @throws ServiceError (VALIDATION_ERROR) for what the dashboard would refuse */
function checked(row: Endpoint): EndpointRow {
	return { ...row, url: checkEndpointUrl(row.url), events: checkEvents(row.events) };
}

/** The twelfth type is not shown, so a name of its form is not refused. */
function checkEvents(events: readonly string[]): string[] {
	const wrong = events.find((event) => !/^[A-Z][A-Z0-9_]*$/.test(event));
	if (wrong !== undefined) throw invalid('events', `${wrong} cannot be subscribed to`);
	if (events.length === 0) throw invalid('events', 'Select at least one event');
	return [...new Set(events)];
}

function generateSecret(): string {
	return `whsec_example_${randomBytes(24).toString('base64url')}`;
}
