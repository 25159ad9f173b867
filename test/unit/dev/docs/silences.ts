import type { DIALECTS } from '../../../../dev/sandbox/settings/dialects';

/** Of an open point: each has a dialect. */
type Id = keyof typeof DIALECTS;

/** A place where the service's description is silent, in our own short words. */
export interface Silence {
	/** The heading there, without what it has in brackets. */
	readonly section: string;
	readonly what: string;
	readonly points: readonly Id[];
	/** Whether the description says itself that it leaves this open. */
	readonly isMarked: boolean;
}

const marked = (section: string, what: string, ...points: Id[]): Silence => ({
	section,
	what,
	points,
	isMarked: true,
});
const unmarked = (section: string, what: string, ...points: Id[]): Silence => ({
	section,
	what,
	points,
	isMarked: false,
});

/** In the order of the description. */
export const SILENCES: readonly Silence[] = [
	unmarked(
		'What the service does',
		'whether records have fields beyond those listed',
		'unlistedFields',
	),
	unmarked('Pagination object', 'order of the rows', 'listOrder'),
	marked('Payment', 'content of methodData', 'methodData'),
	marked('Refund', 'statuses after the first', 'refundTransitions'),
	marked('Withdrawal', 'values of pixKeyType', 'pixKeyType'),
	marked('Payment status values', 'most transitions', 'paymentTransitions'),
	unmarked('Payment status values', 'status during a MED', 'medStatus'),
	marked('Withdrawal status values', 'transitions', 'withdrawalTransitions'),
	marked('Refund status', 'transitions', 'refundTransitions'),
	unmarked('Endpoints', 'within what an idempotency key is unique', 'idempotencyScope'),
	marked('Endpoints', 'success status of each endpoint', 'successStatus'),
	marked('Payments', 'names of list filters', 'listFilters'),
	unmarked('Payments', 'scope of a refund', 'scopes'),
	marked('Payments', 'whole body and answer of a creation', 'requestBodies', 'paymentEnvelope'),
	unmarked('Payments', 'meaning of completionUrl and returnUrl', 'checkoutUrls'),
	marked('Payments', 'answer of a read', 'paymentEnvelope'),
	marked('Payments', 'body and answer of simulate', 'simulateBody'),
	unmarked('Payments', 'scope of simulate', 'scopes'),
	unmarked('Payments', 'a repeated externalId, except with cards', 'repeatedExternalId'),
	unmarked('Payments', 'which failures are stored, except with boletos', 'storedFailures'),
	marked('Withdrawals', 'names of list filters', 'listFilters'),
	marked('Withdrawals', 'further fields of destination', 'requestBodies'),
	marked('Products', 'required fields', 'productFields'),
	marked('Products', 'names of search and filter', 'listFilters', 'productSearch'),
	unmarked('Products', 'how the search compares', 'productSearch'),
	marked('Products', 'addresses of further endpoints', 'unlistedEndpoints'),
	unmarked('Customers', 'OAuth token for one endpoint', 'customerAuthorization'),
	marked('Documents', 'parameter of receipts', 'documentParameters'),
	marked('Documents', 'parameters of statements', 'documentParameters'),
	unmarked('Authentication', 'address that lists deliveries', 'unlistedEndpoints'),
	marked('Event types', 'twelfth event', 'twelfthEvent'),
	unmarked('Event types', 'header and signature of the probe', 'probe'),
	marked('Event types', 'what triggers most events', 'eventTriggers'),
	unmarked('Payload', 'identifiers of withdrawal events', 'eventIdentifiers'),
	marked('Payload', 'fields of each event', 'eventFields'),
	marked(
		'Request headers of a delivery',
		'computation of the signature, further headers',
		'signature',
		'headerForms',
	),
	unmarked('Request headers of a delivery', 'form of the timestamp', 'timestampForm'),
	unmarked('Delivery semantics', 'timestamp of a retried delivery', 'retriedDelivery'),
	unmarked('Automatic suspension', 'thresholds', 'suspensionThresholds'),
	marked('Automatic suspension', 'reactivation by request', 'reactivation'),
	marked('Errors', 'status of PSP_REFUND_FAILED', 'refundFailedStatus'),
	marked('Limits', "the account's default rate limit", 'rateLimitDefault'),
	marked('Limits', 'unit of the reset header, other headers', 'rateLimitReset'),
	marked('Limits', 'sizes of metadata and texts', 'sizeLimits'),
	marked('Versioning', 'deprecation, version headers', 'deprecation'),
];
