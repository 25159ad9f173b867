/**
 * Every error code of the API (docs/api.md#error-codes): what happened, what to do, and what may be
 * sent after it. For these codes, this table says what another attempt would do; for all other
 * responses, `verdict.ts` does. How often and when: `retryPolicy.ts`.
 */

/**
 * - `sameKey`: the outcome may be unknown, or the server did not store the response under the key,
 *   so that a retry after a crash could pay again under another one. The same request, again.
 * - `newKey`: the server stored the response under the key, so the same key would only repeat it.
 *   Safe, because a retry that starts over gets the same stored responses again.
 * - `wait`: nothing was processed; the server says when to retry.
 * - `never`: someone has to act first.
 */
export type RetryClass = 'sameKey' | 'newKey' | 'wait' | 'never';

/**
 * What a response shows about a write:
 * - `none`: the server decided on this operation, and nothing took effect
 * - `notReached`: this attempt changed nothing, but the server may have responded before it looked
 *   at the idempotency key, so it says nothing about earlier attempts
 * - `unknown`: an attempt may have taken effect, or still be about to
 */
export type Effect = 'none' | 'notReached' | 'unknown';

export interface CatalogueEntry {
	readonly status: number | null;
	readonly retry: RetryClass;
	/** Replaces `retry`, `effect` and `remedy` once the service has repeated the stored failure of a boleto under its key. */
	readonly onBoletoReplay?: {
		readonly retry: RetryClass;
		readonly effect: Effect;
		readonly remedy: string;
	};
	/**
	 * Replaces `retry` and `effect` once the service has repeated its response under the same key: only then is it
	 * known to be stored there, and not to come from something in front of the service.
	 */
	readonly onReplay?: { readonly retry: RetryClass; readonly effect: Effect };
	/** Replaces `what` and `remedy` for a payout that names its recipient by no document, see `namesNoDocument`. */
	readonly onNoDocument?: { readonly what: string; readonly remedy: string };
	readonly effect: Effect;
	/** What is wrong is the request itself: whoever sends the same one again is refused, too. */
	readonly isAboutRequest?: true;
	/** One sentence: what happened. */
	readonly what: string;
	/** One sentence: what the user can do about it. */
	readonly remedy: string;
	/**
	 * One sentence: how to do it again after that, if nothing says how to continue with all items of
	 * the run.
	 */
	readonly again?: string;
	/** Replaces `what` if an earlier attempt may have taken effect. */
	readonly whatIfUnclear?: string;
	/** One sentence for a service that repeats the failure under the key: no retry gets past it then. */
	readonly ifRetriesFail?: string;
	/** Replaces `remedy` if an earlier attempt may have caused what the response says. */
	readonly remedyIfUnclear?: string;
}

/** @param status HTTP status in the API; null if it shows none */
function entry(
	status: number | null,
	retry: RetryClass,
	effect: Effect,
	words: Omit<CatalogueEntry, 'status' | 'retry' | 'effect'>,
): CatalogueEntry {
	return { status, retry, effect, ...words };
}

/**
 * For a cause that is removed outside n8n. In a loop, those behind this item have not been sent either; and with On
 * Error set to Continue, n8n offers no retry.
 */
export const THEN_RETRY =
	'Then retry this execution or, if n8n lists it as successful, run a new one with only the items that remain.';

/** Without it, the service sends the document of the account that pays. */
const FILL_IN_DOCUMENT =
	"Fill in 'Recipient Document' with the CPF or CNPJ of the person or company that the PIX key belongs to.";

export const ERROR_CATALOGUE = {
	API_KEY_REQUIRED: entry(401, 'never', 'notReached', {
		what: 'The server received no API key',
		remedy:
			'Open the BRL Payments API credential and save it again. If there is a proxy in between, it must forward the Authorization header.',
		again: THEN_RETRY,
	}),
	INVALID_API_KEY: entry(401, 'never', 'notReached', {
		what: 'The API key is unknown, revoked, expired or belongs to the other environment',
		remedy:
			'Create a new key in the dashboard under Settings > API Keys and paste it into the credential.',
		again: THEN_RETRY,
	}),
	FORBIDDEN: entry(403, 'never', 'notReached', {
		what: 'The API key is not allowed to do this',
		remedy:
			'In the dashboard under Settings > API Keys, create a key that has the missing scope and allows the IP address of this n8n, and paste it into the credential.',
		again: THEN_RETRY,
	}),
	IP_NOT_ALLOWED: entry(403, 'never', 'notReached', {
		what: 'The API key may not be used from the IP address of this n8n',
		remedy:
			'In the dashboard under Settings > API Keys, create a key whose allowlist contains the public IP address of this n8n, and paste it into the credential.',
		again: THEN_RETRY,
	}),
	VALIDATION_ERROR: entry(400, 'never', 'notReached', {
		isAboutRequest: true,
		what: 'The server refused one or more fields',
		remedy:
			"Correct the fields named here. If the service wants others, add them under 'Options > Additional Body Fields' or 'Additional Query Parameters'.",
		again: 'Then run a new execution with only the items that remain.',
	}),
	IDEMPOTENCY_KEY_REQUIRED: entry(400, 'never', 'notReached', {
		what: 'The request arrived without its idempotency key',
		remedy:
			'Something between n8n and the server removed the X-Idempotency-Key header. Make the proxy forward it.',
		again: THEN_RETRY,
	}),
	IDEMPOTENCY_PAYLOAD_MISMATCH: entry(409, 'never', 'unknown', {
		what: 'This operation was already sent with different content, and this attempt changed nothing',
		remedy:
			'An earlier attempt may have succeeded with other values (description, an additional body field, or the amount of a charge with an External ID). Restore the earlier values and retry: then the service shows the outcome. If they change on every attempt, look up what was done, and keep them constant from then on.',
	}),
	IDEMPOTENCY_CONFLICT: entry(409, 'sameKey', 'unknown', {
		what: 'An earlier attempt at this operation is still being processed',
		remedy: 'Retry this execution in a minute to get the result of that attempt.',
	}),
	RATE_LIMIT_EXCEEDED: entry(429, 'wait', 'notReached', {
		what: 'The API key sent more requests per minute than allowed',
		remedy:
			"Wait a few minutes, reduce 'Options > Max Concurrency', or request a higher limit. API Key > Get shows the limit, which counts all workflows with this key.",
		again: THEN_RETRY,
	}),
	NOT_FOUND: entry(404, 'never', 'none', {
		what: 'The service found no such record or address',
		remedy:
			"Check the ID: a test key finds only test records. If no ID was sent, check the 'Base URL', which ends before /v1.",
	}),
	PAYMENT_CREATION_BLOCKED: entry(403, 'never', 'notReached', {
		what: 'The account cannot create payments',
		remedy:
			'Verification may be pending, the account suspended, or the payment method disabled: see the dashboard or ask support.',
		again: THEN_RETRY,
	}),
	AMOUNT_REQUIRED: entry(400, 'never', 'none', {
		what: 'The payment has neither an amount nor a product',
		remedy: 'Fill in Amount, or choose a product.',
	}),
	CUSTOMER_DATA_REQUIRED: entry(400, 'never', 'none', {
		what: 'This payment method needs customer data: a boleto needs name and CPF or CNPJ',
		remedy: 'Add them under Customer.',
	}),
	CARD_PAYMENTS_NOT_AVAILABLE_VIA_API: entry(400, 'never', 'notReached', {
		what: 'Card payments require the hosted checkout page',
		remedy: 'Set Mode to Payment Page (Link), and send no card data.',
	}),
	PROVIDER_TEMPORARILY_UNAVAILABLE: entry(502, 'sameKey', 'unknown', {
		onBoletoReplay: {
			retry: 'newKey',
			effect: 'none',
			remedy: 'Later, run a new execution with only the items that remain; that is safe.',
		},
		ifRetriesFail:
			"If each retry fails like this and it was not made, run a new execution with only the items that remain. If you have set an 'Idempotency Key', use another one there.",
		what: 'The payment processor behind the service is unavailable',
		remedy: 'Retry this execution in a few minutes.',
	}),
	RECEIPT_NOT_AVAILABLE: entry(400, 'never', 'none', {
		what: 'There is no receipt, because the payment is neither paid nor refunded',
		remedy: 'Request the receipt once the payment has status PAID or REFUNDED.',
	}),
	INVALID_STATUS: entry(400, 'never', 'notReached', {
		what: 'The status of the payment does not allow this',
		remedy: 'A refund requires a paid payment. Get the payment and check its status.',
		remedyIfUnclear: 'This refund itself may have changed the status.',
	}),
	PARTIAL_REFUND_NOT_SUPPORTED: entry(400, 'never', 'none', {
		what: 'Only the full remaining amount can be refunded',
		remedy: 'Leave Amount empty, or enter the full remaining amount.',
	}),
	ALREADY_REFUNDED: entry(400, 'never', 'notReached', {
		what: 'The payment is already fully refunded',
		remedy:
			'Nothing is left to do for this payment: leave it out. Or set On Error to Continue, so that it does not stop the others.',
		remedyIfUnclear: 'Most likely, this same refund has been made.',
	}),
	REFUND_IN_PROGRESS: entry(409, 'never', 'notReached', {
		what: 'A refund of this payment is already being processed',
		remedy:
			'Wait until the payment shows its result, and leave it out meanwhile. Or set On Error to Continue, so that it does not stop the others.',
		remedyIfUnclear: 'Most likely, this same refund is being processed.',
	}),
	REFUND_NOT_SUPPORTED: entry(400, 'never', 'none', {
		what: 'Payments of this method or route cannot be refunded here',
		remedy: 'Pay the money back in another way, for example with a withdrawal.',
	}),
	INSUFFICIENT_BALANCE_FOR_REFUND: entry(400, 'never', 'none', {
		what: 'The available balance is too low for this refund',
		remedy: 'Wait for funds to settle or add funds.',
		again: 'Then retry this execution, or run a new one with only this payment.',
	}),
	PSP_REFUND_FAILED: entry(null, 'never', 'none', {
		what: 'The payment processor refused the refund, and nothing was refunded',
		remedy:
			'Later, run a new execution with only this payment. With a test key, an amount that ends in .02 always fails like this.',
		whatIfUnclear: 'The payment processor refused the last attempt',
	}),
	WITHDRAWAL_BELOW_MINIMUM: entry(400, 'never', 'none', {
		what: 'The amount is below the minimum for withdrawals of this account',
		remedy: 'Withdrawal > Get Limits shows the minimum (minAmount).',
	}),
	INSUFFICIENT_BALANCE: entry(400, 'never', 'none', {
		what: 'The available balance is too low for the amount plus the fee',
		remedy: 'Balance > Get shows what is available. Add funds.',
		again: THEN_RETRY,
	}),
	WITHDRAWAL_LIMIT_EXCEEDED: entry(400, 'never', 'none', {
		what: 'The amount plus the fee exceeds the daily, nightly or single-withdrawal limit, or the amount exceeds the ceiling of the PIX provider',
		remedy:
			'Withdrawal > Get Limits shows what remains. At night (isNightTime), wait for the daytime limit. If that is used up, wait for the next day: day and night share one counter. If the amount fits what remains, it is over the ceiling of the PIX provider, which Get Limits does not show: pay smaller amounts, or request a higher limit.',
		again: THEN_RETRY,
	}),
	WITHDRAWAL_BELOW_PROVIDER_MINIMUM: entry(400, 'never', 'none', {
		what: 'The amount is below the minimum of the PIX provider that would process it',
		remedy: 'Pay a larger amount, for example by combining several payouts to one recipient.',
	}),
	WITHDRAWALS_BLOCKED: entry(403, 'never', 'notReached', {
		what: 'Withdrawals are disabled for this account',
		remedy: 'Ask the support team of the service to enable them.',
		again: THEN_RETRY,
	}),
	INVALID_PIX_KEY: entry(400, 'never', 'none', {
		isAboutRequest: true,
		what: 'The PIX key is not a well-formed CPF, CNPJ, e-mail, phone number or random key',
		remedy: 'Ask the recipient for the key again. A phone number is written like +5511987654321.',
	}),
	INVALID_RECIPIENT_DOCUMENT: entry(400, 'never', 'none', {
		isAboutRequest: true,
		what: 'Recipient Document is not a valid CPF or CNPJ',
		remedy: 'Correct it. It may be empty only if the PIX key is itself a CPF or CNPJ.',
		onNoDocument: {
			what: 'Recipient Document is empty, and the service cannot use the document of your own company in its place',
			remedy: FILL_IN_DOCUMENT,
		},
	}),
	RECIPIENT_DOCUMENT_MISMATCH: entry(400, 'never', 'none', {
		isAboutRequest: true,
		what: 'Recipient Document differs from the CPF or CNPJ that is the PIX key',
		remedy: "Leave 'Recipient Document' empty when the PIX key is itself a CPF or CNPJ.",
	}),
	WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH: entry(400, 'never', 'none', {
		isAboutRequest: true,
		what: 'The PIX key does not belong to the person or company of that document',
		remedy: 'Ask the recipient for the key and the document again; do not guess.',
		onNoDocument: {
			what: 'Recipient Document is empty, so the service used the document of your own company, to which the PIX key does not belong',
			remedy: FILL_IN_DOCUMENT,
		},
	}),
	WITHDRAWAL_PIX_KEY_BLOCKED: entry(400, 'never', 'none', {
		what: 'The PIX network recently rejected this key for this document',
		remedy: 'Ask the recipient for another key.',
		onNoDocument: {
			what: 'Recipient Document is empty, so the service used the document of your own company, for which the PIX network recently rejected this key',
			remedy: FILL_IN_DOCUMENT,
		},
	}),
	BLOCKLIST_DENIED: entry(400, 'never', 'none', {
		what: 'The risk policy of the service blocks this destination',
		remedy: 'Do not try other ways to pay it. Ask the support team of the service for the reason.',
	}),
	CREDITOR_DOCUMENT_UNAVAILABLE: entry(403, 'never', 'none', {
		what: "The recipient's document is missing, and the account's own tax ID is not on file",
		remedy:
			"Fill in 'Recipient Document', or complete the registration of the account in the dashboard.",
	}),
	CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED: entry(400, 'never', 'none', {
		what: 'The field creditorDocumentSource is reserved for the dashboard',
		remedy: 'Remove it from the request.',
	}),
	CREDITOR_DOCUMENT_UNREADABLE: entry(500, 'never', 'none', {
		what: "The account's own tax ID is on file but cannot be read; no money moved",
		remedy: "Trying again will not help. Fill in 'Recipient Document', or ask support.",
		whatIfUnclear: "The account's own tax ID is on file but cannot be read",
	}),
	VERIFICATION_REQUIRED: entry(403, 'never', 'notReached', {
		what: 'The account has to be verified first',
		remedy: 'Complete the verification in the dashboard.',
		again: THEN_RETRY,
	}),
	SANDBOX_COMPANY_PRODUCTION_BLOCKED: entry(403, 'never', 'notReached', {
		what: 'This account exists only in the sandbox and cannot use production',
		remedy: 'Use a test key, or ask the service to open production for the account.',
	}),
	WITHDRAWAL_PROVIDER_UNAVAILABLE: entry(503, 'sameKey', 'none', {
		onReplay: { retry: 'newKey', effect: 'none' },
		what: 'No PIX provider accepted the withdrawal, and no money moved',
		remedy: 'Wait until a provider is available again.',
		again: THEN_RETRY,
		whatIfUnclear: 'No PIX provider accepted the last attempt',
	}),
	WITHDRAWAL_TEMPORARILY_UNAVAILABLE: entry(503, 'sameKey', 'notReached', {
		what: 'The withdrawal was abandoned before it reached the PIX network, and no money moved',
		remedy: 'Wait a few minutes.',
		again: THEN_RETRY,
		whatIfUnclear: 'The last attempt was abandoned before it reached the PIX network',
	}),
	WITHDRAWAL_PROCESSING_FAILED: entry(503, 'sameKey', 'notReached', {
		what: 'The withdrawal could not be recorded, and no money moved',
		remedy: 'Wait a few minutes.',
		again: THEN_RETRY,
		whatIfUnclear: 'The last attempt could not be recorded',
	}),
	REACTIVATION_PROBE_FAILED: entry(400, 'never', 'none', {
		what: 'The webhook endpoint did not respond to the test event with success and stays suspended',
		remedy: 'Make sure that the workflow is active and its URL is reachable, then try again.',
	}),
	INTERNAL_ERROR: entry(500, 'sameKey', 'unknown', {
		what: 'The service failed unexpectedly',
		remedy: 'Retry this execution in a few minutes.',
	}),
	SERVICE_UNAVAILABLE: entry(503, 'sameKey', 'unknown', {
		what: 'The service is temporarily unavailable',
		remedy: 'Retry this execution in a few minutes.',
	}),
};

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/** What is known about a code; undefined for one that the API does not name. */
export function lookUpError(code: string): CatalogueEntry | undefined {
	return Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code as ErrorCode] : undefined;
}
