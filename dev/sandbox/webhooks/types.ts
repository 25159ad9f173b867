import type { Payment, Withdrawal } from '../store/rows';

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

export interface EndpointSettings {
	/** http or https, to a loopback address. */
	url: string;
	/** Default: all of `WEBHOOK_EVENTS`. */
	events?: readonly string[];
	secret?: string;
}

export interface Endpoint extends Required<EndpointSettings> {
	readonly id: string;
	/** False once it is removed: what is still pending for it then fails. */
	isActive: boolean;
}

export interface Delivery {
	/** X-Webhook-Delivery-Id. A replay by hand is a separate entry with the same id. */
	readonly id: string;
	readonly endpointId: string;
	readonly event: string;
	/** The raw body; its bytes are what is signed. */
	readonly body: string;
	/** Undefined for a test. */
	readonly about: Payment | Withdrawal | undefined;
	status: 'PENDING' | 'DELIVERED' | 'FAILED';
	/** Status: null when no response came. */
	readonly attempts: Array<{ status: number | null; headers: Record<string, string> }>;
}
