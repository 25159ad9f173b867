import type { StateEvents } from '../events';
import type { AccountSettings } from '../settings/account';
import type { Dialect } from '../settings/dialects';
import type { FaultQueue } from '../settings/faults';
import type { Store } from '../store/store';
import type { Cancel } from '../values/clock';

/** What the webhooks need of the service that they are part of. */
export interface Surroundings {
	readonly account: AccountSettings;
	readonly dialect: Dialect;
	readonly store: Store;
	readonly faults: Pick<FaultQueue, 'strikeDelivery'>;
	readonly events: StateEvents;
	now(): number;
	/** Runs `fn` after `ms`, unless it is cancelled before. */
	schedule(fn: () => void, ms: number): Cancel;
}

/** The subscribable events that the API names; the twelfth is not shown. */
export const WEBHOOK_EVENTS = [
	'PAYMENT_PAID',
	'PAYMENT_CONFIRMED',
	'PAYMENT_CHARGEBACK',
	'PAYMENT_EXPIRED',
	'PAYMENT_CANCELLED',
	'PAYMENT_REFUNDED',
	'PAYMENT_REFUND_FAILED',
	'MED_RECEIVED',
	'MED_RESOLVED',
	'WITHDRAWAL_SENT',
	'WITHDRAWAL_FAILED',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const PROBE_EVENT = 'webhook.test';

export interface EndpointSettings {
	/** http or https, to a loopback address. */
	url: string;
	/** Default: all of `WEBHOOK_EVENTS`. */
	events?: readonly string[];
	secret?: string;
	/** Consecutive failures that suspend it; default: it never is. */
	suspendAfter?: number;
}

export interface Endpoint {
	readonly id: string;
	readonly url: string;
	readonly events: readonly string[];
	readonly secret: string;
	readonly status: 'ACTIVE' | 'SUSPENDED';
	readonly suspendAfter: number;
	readonly failuresInARow: number;
}

export interface Attempt {
	/** Null when no response came. */
	readonly status: number | null;
	readonly headers: Readonly<Record<string, string>>;
}

export interface Delivery {
	/** X-Webhook-Delivery-Id. A copy by a fault, and a replay by hand, is a separate entry with the same id. */
	readonly id: string;
	readonly endpointId: string;
	readonly event: string;
	readonly kind: 'event' | 'copy' | 'probe' | 'replay' | 'resend';
	/** The raw body; its bytes are what is signed. */
	readonly body: string;
	readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
	readonly attempts: readonly Attempt[];
}

/** Inside this folder the rows may change; outside they are read only. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type EndpointRow = Mutable<Endpoint>;
export type DeliveryRow = Mutable<Omit<Delivery, 'attempts'>> & { attempts: Attempt[] };
