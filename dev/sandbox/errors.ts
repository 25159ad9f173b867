import { STATUS_CODES } from 'node:http';

/**
 * Every code of docs/api.md#error-codes: its HTTP status, its envelope and the emulator's own
 * message (the API shows no texts). PSP_REFUND_FAILED has no documented status; 502 is what the API
 * uses for provider problems.
 */
const CATALOGUE = {
	API_KEY_REQUIRED: [401, 'An API key is required: send Authorization: Bearer <API_KEY>'],
	INVALID_API_KEY: [401, 'The API key is unknown, revoked, expired or of another environment'],
	FORBIDDEN: [403, 'The API key lacks the scope that this endpoint needs'],
	IP_NOT_ALLOWED: [403, 'This address is outside the allowlist of the API key'],
	VALIDATION_ERROR: [400, 'The request failed validation'],
	IDEMPOTENCY_KEY_REQUIRED: [400, 'The header X-Idempotency-Key is required'],
	IDEMPOTENCY_PAYLOAD_MISMATCH: [409, 'This idempotency key was used with a different payload'],
	IDEMPOTENCY_CONFLICT: [409, 'A request with this idempotency key is still being processed'],
	RATE_LIMIT_EXCEEDED: [429, 'Too many requests'],
	NOT_FOUND: [404, 'The resource does not exist'],
	PAYMENT_CREATION_BLOCKED: [403, 'This account cannot create payments of this kind'],
	AMOUNT_REQUIRED: [400, 'Send an amount or a productId'],
	CUSTOMER_DATA_REQUIRED: [400, 'This payment method needs the name and document of the customer'],
	CARD_PAYMENTS_NOT_AVAILABLE_VIA_API: [400, 'Card payments are created through hosted checkout'],
	PROVIDER_TEMPORARILY_UNAVAILABLE: [502, 'The payment processor is temporarily unavailable'],
	RECEIPT_NOT_AVAILABLE: [400, 'A receipt exists only while the payment is PAID or REFUNDED'],
	INVALID_STATUS: [400, 'The payment is in a status that does not allow this'],
	PARTIAL_REFUND_NOT_SUPPORTED: [400, 'Only a refund of the full remaining amount is supported'],
	ALREADY_REFUNDED: [400, 'The payment is already fully refunded'],
	REFUND_IN_PROGRESS: [409, 'A refund of this payment is being processed'],
	REFUND_NOT_SUPPORTED: [400, 'This payment method does not support refunds'],
	INSUFFICIENT_BALANCE_FOR_REFUND: [400, 'The available balance is too low for this refund'],
	PSP_REFUND_FAILED: [502, 'The payment processor refused the refund'],
	WITHDRAWAL_BELOW_MINIMUM: [400, 'The amount is below the minimum of this account'],
	INSUFFICIENT_BALANCE: [400, 'The available balance is too low for amount + fee'],
	WITHDRAWAL_LIMIT_EXCEEDED: [400, 'The withdrawal exceeds a limit of this account'],
	WITHDRAWAL_BELOW_PROVIDER_MINIMUM: [400, 'The amount is below the minimum of the PIX provider'],
	WITHDRAWALS_BLOCKED: [403, 'Withdrawals are disabled for this account'],
	INVALID_PIX_KEY: [400, 'The PIX key is no CPF, CNPJ, e-mail, phone or random key'],
	INVALID_RECIPIENT_DOCUMENT: [400, 'recipientDocument is not a valid CPF or CNPJ'],
	RECIPIENT_DOCUMENT_MISMATCH: [400, 'recipientDocument disagrees with the PIX key'],
	WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH: [
		400,
		'The network refused: the document is not the one of the key holder',
	],
	WITHDRAWAL_PIX_KEY_BLOCKED: [400, 'The network recently refused this key for that document'],
	BLOCKLIST_DENIED: [400, 'The destination is blocked by risk policy'],
	CREDITOR_DOCUMENT_UNAVAILABLE: [403, 'The tax id of this account is not on file'],
	CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED: [400, 'creditorDocumentSource is not supported here'],
	CREDITOR_DOCUMENT_UNREADABLE: [500, 'The tax id of this account cannot be read'],
	VERIFICATION_REQUIRED: [403, 'This account must be verified first'],
	SANDBOX_COMPANY_PRODUCTION_BLOCKED: [403, 'This account is limited to the sandbox'],
	WITHDRAWAL_PROVIDER_UNAVAILABLE: [503, 'No PIX provider accepted the withdrawal'],
	WITHDRAWAL_TEMPORARILY_UNAVAILABLE: [503, 'The withdrawal was abandoned; no money moved'],
	WITHDRAWAL_PROCESSING_FAILED: [503, 'The withdrawal could not be recorded; no money moved'],
	REACTIVATION_PROBE_FAILED: [400, 'The webhook endpoint did not answer the probe with 2xx'],
	INTERNAL_ERROR: [500, 'Unexpected error'],
	SERVICE_UNAVAILABLE: [503, 'Temporarily unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof CATALOGUE;

export const ERROR_CODES = Object.keys(CATALOGUE) as ErrorCode[];

const FLAT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	'IDEMPOTENCY_KEY_REQUIRED',
	'IDEMPOTENCY_PAYLOAD_MISMATCH',
	'IDEMPOTENCY_CONFLICT',
]);

/** Whether an error is kept under the idempotency key and replayed: the API says so, it can be concluded, or a test wants it. */
export type Stored = 'described' | 'concluded' | 'unknown' | boolean;

interface ErrorOptions {
	message?: string | undefined;
	details?: object | undefined;
	headers?: Record<string, string> | undefined;
	stored?: Stored;
}

export function isErrorCode(code: string): code is ErrorCode {
	return Object.hasOwn(CATALOGUE, code);
}

/** The error response of the API, thrown where a rule is broken and rendered in one place. */
export class ServiceError extends Error {
	readonly status: number;
	readonly headers: Record<string, string>;
	readonly stored: Stored;
	readonly details: object | undefined;

	constructor(
		readonly code: ErrorCode,
		options: ErrorOptions = {},
	) {
		super(options.message ?? CATALOGUE[code][1]);
		this.status = CATALOGUE[code][0];
		this.headers = options.headers ?? {};
		this.stored = options.stored ?? 'unknown';
		this.details = options.details;
	}

	/** The flat envelope for the idempotency guards, the nested one for all others (docs/api.md#error-envelopes). */
	envelope(): object {
		if (FLAT.has(this.code)) {
			return {
				statusCode: this.status,
				error: STATUS_CODES[this.status],
				message: this.message,
				code: this.code,
			};
		}
		return {
			error: {
				code: this.code,
				message: this.message,
				details: this.details,
			},
		};
	}
}

export function found<T>(row: T | undefined, what: string): T {
	if (row === undefined) throw new ServiceError('NOT_FOUND', { message: `No such ${what}` });
	return row;
}

export function invalid(field: string, message: string): ServiceError {
	return new ServiceError('VALIDATION_ERROR', { details: { [field]: message } });
}
