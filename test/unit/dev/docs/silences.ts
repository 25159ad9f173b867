import type { DIALECTS } from '../../../../dev/sandbox/settings/dialects';

/**
 * A place where the service's description is silent: the heading there, without what it has in
 * brackets; what is missing, in our own short words; the open points, each of which has a dialect.
 */
type Silence = readonly [section: string, what: string, ...points: Array<keyof typeof DIALECTS>];

/** Where the description says itself that it leaves something open, in its order. */
export const MARKED: readonly Silence[] = [
	['Payment', 'content of methodData', 'methodData'],
	['Refund', 'statuses after the first', 'refundTransitions'],
	['Withdrawal', 'values of pixKeyType', 'pixKeyType'],
	['Payment status values', 'most transitions', 'paymentTransitions'],
	['Withdrawal status values', 'transitions', 'withdrawalTransitions'],
	['Refund status', 'transitions', 'refundTransitions'],
	['Endpoints', 'success status of each endpoint', 'successStatus'],
	['Payments', 'names of list filters', 'listFilters'],
	['Payments', 'whole body and answer of a creation', 'requestBodies', 'paymentEnvelope'],
	['Payments', 'answer of a read', 'paymentEnvelope'],
	['Payments', 'body and answer of simulate', 'simulateBody'],
	['Withdrawals', 'names of list filters', 'listFilters'],
	['Withdrawals', 'further fields of destination', 'requestBodies'],
	['Products', 'required fields', 'productFields'],
	['Products', 'names of search and filter', 'listFilters', 'productSearch'],
	['Products', 'addresses of further endpoints', 'unlistedEndpoints'],
	['Documents', 'parameter of receipts', 'documentParameters'],
	['Documents', 'parameters of statements', 'documentParameters'],
	['Event types', 'twelfth event', 'twelfthEvent'],
	['Event types', 'what triggers most events', 'eventTriggers'],
	['Payload', 'fields of each event', 'eventFields'],
	[
		'Request headers of a delivery',
		'computation of the signature, further headers',
		'signature',
		'headerForms',
	],
	['Automatic suspension', 'reactivation by request', 'reactivation'],
	['Errors', 'status of PSP_REFUND_FAILED', 'refundFailedStatus'],
	['Limits', "the account's default rate limit", 'rateLimitDefault'],
	['Limits', 'unit of the reset header, other headers', 'rateLimitReset'],
	['Limits', 'sizes of metadata and texts', 'sizeLimits'],
	['Versioning', 'deprecation, version headers', 'deprecation'],
];

/** Where it does not. */
export const UNMARKED: readonly Silence[] = [
	['What the service does', 'whether records have fields beyond those listed', 'unlistedFields'],
	['Pagination object', 'order of the rows', 'listOrder'],
	['Payment status values', 'status during a MED', 'medStatus'],
	['Endpoints', 'within what an idempotency key is unique', 'idempotencyScope'],
	['Payments', 'scope of a refund', 'scopes'],
	['Payments', 'meaning of completionUrl and returnUrl', 'checkoutUrls'],
	['Payments', 'scope of simulate', 'scopes'],
	['Payments', 'a repeated externalId, except with cards', 'repeatedExternalId'],
	['Payments', 'which failures are stored, except with boletos', 'storedFailures'],
	['Products', 'how the search compares', 'productSearch'],
	['Customers', 'OAuth token for one endpoint', 'customerAuthorization'],
	['Authentication', 'address that lists deliveries', 'unlistedEndpoints'],
	['Event types', 'header and signature of the probe', 'probe'],
	['Payload', 'identifiers of withdrawal events', 'eventIdentifiers'],
	['Request headers of a delivery', 'form of the timestamp', 'timestampForm'],
	['Delivery semantics', 'timestamp of a retried delivery', 'retriedDelivery'],
	['Automatic suspension', 'thresholds', 'suspensionThresholds'],
];
