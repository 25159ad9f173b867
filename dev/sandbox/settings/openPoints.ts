import type { OpenPointId } from './dialects';

type Point = readonly [open: string, assumed: string, notice: string, remedy: string];

const QUERY = 'Set the right names in _Options > Additional Query Parameters_.';
const BODY = 'Add the field in _Options > Additional Body Fields_.';
const REFUSED = '`VALIDATION_ERROR` names the field.';
const NONE = 'Nothing.';
const CUSTOM = 'Choose _Custom_ under _Signature Scheme_ in the credential.';

/**
 * What the description of the API leaves open: for each point, what the nodes assume, how a user notices that
 * it is wrong, and what they can do without a new version. `npm run docs` makes docs/open-points.md from it.
 */
export const OPEN_POINTS: Readonly<Record<string, Point>> = {
	listFilters: [
		'Names of list filters, and which date they mean',
		'`status`, `method`, `currency`, `startDate`, `endDate`, `minAmount`, `maxAmount`, `isActive`; `createdAt`. Rows that do not match are dropped.',
		'A hint says that the service did not filter.',
		QUERY,
	],
	listOrder: [
		'Order of lists',
		NONE,
		'Polling reads more pages than necessary.',
		'Reduce _Options > Look Back_.',
	],
	productSearch: [
		'Whether searching by name is sensitive to case or accents',
		'Nothing: the node compares names itself.',
		'Long catalogs take several requests.',
		QUERY,
	],
	documentParameters: [
		'Parameters of receipts and statements',
		'`format`, `startDate`, `endDate`',
		'`UNEXPECTED_DOCUMENT`, or another period in the statement.',
		QUERY,
	],
	requestBodies: ['Further fields of payments and withdrawals', 'None is required.', REFUSED, BODY],
	simulateBody: [
		'Body and response of _Payment > Simulate_',
		'`{ "status": "PAID" }`; any response.',
		'The payment keeps its status.',
		'_Options > Body_ replaces it.',
	],
	productFields: ['Required fields of a product', '`name` and `amount`', REFUSED, BODY],
	successStatus: [
		'Success status of each endpoint',
		'Any 2xx with a readable body.',
		'`UNEXPECTED_ANSWER`: it may have taken effect.',
		'Look the record up with _Get Many_.',
	],
	paymentEnvelope: [
		'Responses of _Payment > Create_ and _Get_',
		'The payment, in `payment` or alone; `checkoutUrl` in it or next to it.',
		'`UNEXPECTED_ANSWER`',
		'Use _Payment > Get by TxID_ or _Get Many_.',
	],
	checkoutUrls: [
		'What `completionUrl` and `returnUrl` do',
		'Where the customer goes after paying, and without paying.',
		'Customers arrive at the other page.',
		'Swap them.',
	],
	repeatedExternalId: [
		'What a repeated External ID does, other than for hosted cards',
		'Nothing: the response is compared with the request.',
		'`EXISTING_PAYMENT`, `EXTERNAL_ID_MISMATCH`, or two payments in the list.',
		'Use another External ID.',
	],
	paymentTransitions: [
		'Which payment status follows which',
		'Any may follow any.',
		'`STATUS_NOT_REACHED`: the payment skipped the status.',
		'Wait for several statuses.',
	],
	withdrawalTransitions: [
		'Which withdrawal status follows which',
		'`FAILED` and `CANCELLED` are final: nobody was paid. All others count as paid.',
		'Two withdrawals of one reference.',
		'Ask the recipient before you run the reference of a failed withdrawal again.',
	],
	refundTransitions: [
		'Further statuses of a refund',
		NONE,
		'A refund is not `PENDING`.',
		'Rely on the status of the payment.',
	],
	pixKeyType: [
		'Values of `pixKeyType`',
		'Nothing: it is not read.',
		'`PAYOUT_IN_DOUBT` names a payout to somebody else.',
		'Settle it: _Not Paid_, with the ID in _Not These_.',
	],
	methodData: [
		'Contents of `methodData`',
		'PIX codes and boleto lines are recognized by form and check digits, in any field.',
		'`NO_PIX_CODE`, or no `pixCode` in the output.',
		'Turn _Simplify_ off and use the field that is there.',
	],
	unlistedFields: [
		'Fields that are not listed',
		'They are passed through.',
		NONE,
		'Turn _Simplify_ off.',
	],
	refundFailedStatus: ['HTTP status of `PSP_REFUND_FAILED`', 'Any: the code decides.', NONE, NONE],
	unlistedEndpoints: [
		'Addresses for changing customers and products, and for listing deliveries',
		'No such operations.',
		NONE,
		'Use the credential in an HTTP Request node.',
	],
	customerAuthorization: [
		'Whether _Customer > Get by External ID_ accepts the API key',
		'It does.',
		'`INVALID_API_KEY` here alone.',
		'Use _Customer > Get_.',
	],
	scopes: [
		'Scope of refunds and simulations',
		'`payments:refund`; none.',
		'`FORBIDDEN`',
		'Add `payments:write` to the key.',
	],
	rateLimitReset: [
		'What `X-RateLimit-Reset` counts',
		'Seconds or an epoch, by its size; more than 5 minutes is not believed. `Retry-After` comes first.',
		'The node waits too long or too short.',
		'Reduce _Options > Max Concurrency_.',
	],
	rateLimitDefault: [
		'Requests per minute by default',
		'Nothing: the node waits when told.',
		'`RATE_LIMIT_EXCEEDED` after five minutes.',
		'Poll less often, or ask for a higher limit.',
	],
	sizeLimits: ['Length of `metadata` and texts', NONE, REFUSED, 'Shorten it.'],
	deprecation: [
		'How the end of `/v1` is announced',
		'No header is sent or read.',
		'All operations fail with `NOT_FOUND`.',
		'Use an HTTP Request node until an update.',
	],
	storedFailures: [
		'Which failures are stored under a key',
		'Those that were repeated under the same key; then `WITHDRAWAL_PROVIDER_UNAVAILABLE` and the 502 of a boleto get a new one.',
		'Each retry gets the same error for 24 hours.',
		'A payout: run it again after 24 hours. Otherwise look it up, then send it in a new execution.',
	],
	idempotencyScope: [
		'Whether the API keys of an account share idempotency keys',
		'Refunds, products, charges without External ID: yes. Otherwise nothing: another key means in doubt.',
		'A retry with another API key has a second effect.',
		'Retry before you replace a key.',
	],
	signature: [
		'How webhooks are signed',
		'HMAC-SHA256 or -SHA512 of `{timestamp}.{body}`, `{timestamp}{body}`, `{timestamp}:{body}`, `v1:{timestamp}:{body}` or `{timestamp}\\n{body}`; hex, base64, base64url. A `whsec_` secret also decoded.',
		'503; the log says that the signature does not match.',
		CUSTOM,
	],
	headerForms: [
		'Form of the signature header',
		'It contains the signature in hex or base64.',
		'503; the log says that the header is malformed.',
		'Report it.',
	],
	timestampForm: [
		'Form of `X-Webhook-Timestamp`',
		'An epoch (seconds, milliseconds, microseconds, nanoseconds), ISO 8601 or an HTTP date.',
		'503; the log says that the timestamp is malformed or far off.',
		CUSTOM,
	],
	retriedDelivery: [
		'Whether retries are signed again',
		'Each has its own timestamp.',
		'Retries after 300 seconds get 503; the log says that they are in the past.',
		'Set _Options > Replay Window_ to 3600, and _Receive By_ to _Webhook and Polling_.',
	],
	probe: [
		'Name and signature of tests and probes',
		'`TEST`, `webhook.test`, `WEBHOOK_TEST`, signed or not.',
		'`REACTIVATION_PROBE_FAILED`',
		'Register a new endpoint.',
	],
	twelfthEvent: [
		'Name of the twelfth event',
		'Nothing: _All Events_ accepts any name.',
		'An event gets 200 and starts nothing.',
		'Choose _All Events_.',
	],
	eventTriggers: [
		'When each event is sent',
		'When the resource reaches the status in the name.',
		'The item has `statusContradictsEvent`, or the execution fails.',
		'Look the payment up; a retry does not help.',
	],
	eventFields: [
		'Fields of each event',
		'IDs and `status` only.',
		'An expression on `body` finds nothing.',
		'Use `current` of _Fetch Current State_.',
	],
	eventIdentifiers: [
		'Which ID is that of the withdrawal',
		'`withdrawalId`, or else `id`. Unknown events: `id` only if `txId` begins with `WIT`.',
		'`withdrawalId` is `null`.',
		'Turn on _Fetch Current State_.',
	],
	medStatus: [
		'Status during a MED procedure',
		'`MED_FROZEN`; polling reports `MED_RECEIVED`.',
		'Polling misses MED events.',
		'Set _Receive By_ to _Webhook and Polling_.',
	],
	suspensionThresholds: [
		'Failures until an endpoint is suspended',
		NONE,
		'Deliveries stop; the dashboard shows it.',
		'Reactivate it there; receive by _Webhook and Polling_.',
	],
	reactivation: [
		'Address for reactivating an endpoint',
		'No such operation.',
		NONE,
		'Reactivate it in the dashboard.',
	],
} satisfies Record<OpenPointId, Point> & Record<string, Point>;
