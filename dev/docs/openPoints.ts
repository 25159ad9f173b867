import { isTestEvent } from '../../nodes/BrlPaymentsTrigger/events/events';
import {
	DEFAULT_WINDOW_SECONDS,
	LONGEST_WINDOW_SECONDS,
} from '../../nodes/BrlPaymentsTrigger/description/options';
import { eventOfRow } from '../../nodes/BrlPaymentsTrigger/polling/lists';
import { NAMED_SCHEMES } from '../../nodes/BrlPaymentsTrigger/signature/schemes';
import { TIMESTAMP_UNITS } from '../../nodes/BrlPaymentsTrigger/signature/timestamp';
import { isFailed } from '../../nodes/BrlPayments/payouts/samePayout';
import { WITHDRAWAL_STATUSES } from '../../nodes/BrlPayments/fields/definitions';
import { LONGEST_HINTED_WAIT_MS } from '../../nodes/shared/retry/backoff';
import {
	DOCUMENT_PARAMETERS,
	FILTER_PARAMETERS,
	FILTERED_DATE,
	simulateBody,
} from '../../nodes/shared/transport/apiAssumptions';

/** One thing that the description of the service leaves open. Texts are Markdown, for users. */
export interface OpenPoint {
	/** What is not documented, as a phrase: "Names of list filters". */
	readonly topic: string;
	readonly assumed: string;
	/** How a wrong guess shows. */
	readonly sign: string;
	/** What a user can do then, without a new version. */
	readonly wayOut: string;
	/** Where the assumption stands; empty if the package relies on nothing. */
	readonly code: readonly string[];
	/** The headings in docs/api.md under which it is marked. */
	readonly sections: readonly string[];
}

/**
 * Every open point. Made from it, or compared with it: docs/open-points.md (`npm run docs`), the marks
 * in docs/api.md, and the dialects of the sandbox, which turn each assumption into its alternative. It
 * is not in nodes/, because prose has no place in what is published.
 */
export const OPEN_POINTS = {
	listFilters: {
		topic: 'What the parameters of list filters are called, and which date they mean',
		assumed: `${codes(Object.values(FILTER_PARAMETERS))}; dates mean ${code(FILTERED_DATE)}.`,
		sign: 'The output never has rows that do not match: each filter is also applied to the response, and a hint says that the service did not filter. If dates mean another timestamp, matching rows can be missing; a hint says so where the response has rows outside the period. A service that refuses unknown parameters fails the item with `VALIDATION_ERROR`. Nothing that guards money filters at the service.',
		wayOut:
			'Add the right names in _Options > Additional Query Parameters_, and the wrong ones with an empty value, which leaves them out. To be sure of dates, leave the filter out and filter in a later node.',
		code: [
			'nodes/shared/transport/apiAssumptions.ts',
			'nodes/shared/lists/filters.ts',
			'nodes/BrlPayments/execution/listing.ts',
		],
		sections: ['List filters', 'List payments', 'List withdrawals', 'List products'],
	},
	listOrder: {
		topic: 'How lists are sorted',
		assumed: 'Nothing. Reading stops early only if all rows so far came newest first.',
		sign: 'Polling and Duplicate Guard read more pages than necessary.',
		wayOut:
			'Shorten _Options > Look Back_ of the trigger, or fill in _Reference_ for payouts, which then need no Duplicate Guard.',
		code: ['nodes/BrlPaymentsTrigger/polling/lists.ts', 'nodes/BrlPayments/ledger/accountList.ts'],
		sections: ['Pagination'],
	},
	productSearch: {
		topic: 'Whether a search by name is sensitive to case or accents',
		assumed:
			'Nothing. _Search_ reads all products and compares the names itself, ignoring case and accents.',
		sign: 'Searching a long catalog takes several requests.',
		wayOut:
			"Send the service's own search parameter in _Options > Additional Query Parameters_, and leave _Search_ empty.",
		code: ['nodes/shared/transport/apiAssumptions.ts', 'nodes/shared/lists/filters.ts'],
		sections: ['List filters', 'List products'],
	},
	documentParameters: {
		topic: 'What the parameters of receipts and statements are called',
		assumed: `${codes(Object.values(DOCUMENT_PARAMETERS))}.`,
		sign: 'A document of another format or period fails the item with `UNEXPECTED_DOCUMENT`. The period is compared if the text shows it.',
		wayOut: 'Add the right names in _Options > Additional Query Parameters_.',
		code: ['nodes/shared/transport/apiAssumptions.ts', 'nodes/BrlPayments/document/asRequested.ts'],
		sections: ['Get a receipt', 'Get a statement'],
	},
	requestBodies: {
		topic: 'Which further fields payments and withdrawals accept or require',
		assumed: 'None are required.',
		sign: 'The item fails with `VALIDATION_ERROR`, and the error names the field.',
		wayOut:
			'_Options > Additional Body Fields_ adds any field, such as `customer.phone` or `destination.type`.',
		code: ['nodes/BrlPayments/payment/create.ts', 'nodes/BrlPayments/withdrawal/create.ts'],
		sections: ['Create a payment', 'Create a withdrawal'],
	},
	simulateBody: {
		topic: 'Request body and response of _Payment > Simulate_',
		assumed: `${code(JSON.stringify(simulateBody('PAID'), null, 1).replaceAll(/\s+/g, ' '))}. Any response counts.`,
		sign: 'The item fails with `VALIDATION_ERROR`, or the payment keeps its status.',
		wayOut: '_Options > Body_ replaces the body.',
		code: ['nodes/shared/transport/apiAssumptions.ts', 'nodes/BrlPayments/payment/simulate.ts'],
		sections: ['Simulate an outcome'],
	},
	productFields: {
		topic: 'Which fields a product requires',
		assumed: '`name` and `amount`.',
		sign: 'The item fails with `VALIDATION_ERROR`, and the error names the field.',
		wayOut:
			'The others are in _Additional Fields_. _Options > Without Amount_ leaves the amount out, _Options > Additional Body Fields_ adds anything else.',
		code: ['nodes/BrlPayments/product/create.ts'],
		sections: ['Create a product'],
	},
	successStatus: {
		topic: 'Which success status each endpoint returns',
		assumed: 'Any 2xx with a readable body is a success.',
		sign: 'A 2xx without a readable body fails the item with `UNEXPECTED_ANSWER`. For a write, the error says that it may have taken effect.',
		wayOut:
			'For another status, do nothing. For a body that cannot be read, look up the record with _Get Many_.',
		code: ['nodes/shared/transport/outcome.ts'],
		sections: ['Success statuses'],
	},
	paymentEnvelope: {
		topic: 'The responses of _Payment > Create_ and _Payment > Get_',
		assumed:
			'The payment, inside `payment` or alone. `checkoutUrl` is read from inside the payment or from next to it.',
		sign: 'Anything else fails the item with `UNEXPECTED_ANSWER`.',
		wayOut:
			'_Payment > Get by TxID_ and _Payment > Get Many_, whose responses are documented. Or use the credential in an HTTP Request node.',
		code: ['nodes/shared/transport/schemas.ts'],
		sections: ['Create a payment', 'Get a payment'],
	},
	checkoutUrls: {
		topic: 'What `completionUrl` and `returnUrl` do',
		assumed: 'Where the customer goes after paying, and on leaving the page without paying.',
		sign: 'Customers arrive at another page than you expect.',
		wayOut:
			'Swap the two values. Nothing in the nodes depends on them: trust the status of the payment, never a visit to such a page.',
		code: ['nodes/BrlPayments/payment/create.ts'],
		sections: ['Create a payment'],
	},
	repeatedExternalId: {
		topic: 'What a repeated External ID does, except for hosted card payments',
		assumed: 'Nothing. The payment in the response is compared with the request.',
		sign: 'An earlier payment that can no longer be paid fails the item with `EXISTING_PAYMENT`. One with another amount fails it with `EXTERNAL_ID_MISMATCH`, or with `CHARGE_IN_DOUBT` if it was made in the same moment or does not show when. An equal one is in the output with `alreadyCreated`. If the service creates a second payment, both are in the list.',
		wayOut: 'To charge again, use another External ID.',
		code: [
			'nodes/BrlPayments/payment/chargeKind.ts',
			'nodes/BrlPayments/payment/existingPayment.ts',
		],
		sections: ['Create a payment'],
	},
	paymentTransitions: {
		topic: 'Which status a payment can take after which',
		assumed: 'Any after any. Each reading counts on its own.',
		sign: '_Payment > Wait for Status_ ends with `STATUS_NOT_REACHED` if the payment skips the chosen status.',
		wayOut:
			'Choose several statuses to wait for. An event that its status rules out fails the execution; with _Options > One Output per Event_ it goes to the output _Other_ instead.',
		code: [
			'nodes/BrlPaymentsTrigger/events/events.ts',
			'nodes/BrlPayments/payment/existingPayment.ts',
		],
		sections: ['Payment states'],
	},
	withdrawalTransitions: {
		topic: 'Which status a withdrawal can take after which',
		assumed: `${codes(WITHDRAWAL_STATUSES.map(({ value }) => String(value)).filter((status) => isFailed({ status })))} are final, and the recipient got nothing: only then is a reference paid again. All others count as paid.`,
		sign: 'If a failed withdrawal could still be completed, the list would show two withdrawals under one reference. One that fails after it was completed shows when the same reference runs again.',
		wayOut:
			'Check a failed withdrawal with the recipient before you run its reference again. _Withdrawal > Get_ shows its current state.',
		code: ['nodes/BrlPayments/payouts/samePayout.ts'],
		sections: ['Withdrawal states'],
	},
	refundTransitions: {
		topic: 'Which other statuses a refund has',
		assumed: 'Nothing. The output shows the status as it was sent.',
		sign: 'The refund has a status other than `PENDING`.',
		wayOut:
			'Go by the status of the payment: _Payment > Wait for Status_ with `REFUNDED`, or the events `PAYMENT_REFUNDED` and `PAYMENT_REFUND_FAILED`.',
		code: ['nodes/BrlPayments/payment/refund.ts', 'nodes/BrlPaymentsTrigger/events/events.ts'],
		sections: ['Refund states'],
	},
	pixKeyType: {
		topic: 'How the values of `pixKeyType` are spelled',
		assumed:
			'Nothing: the node does not read them. Digits that could be a document or a phone number count as both.',
		sign: 'Duplicate Guard stops a payout to such a key (`POSSIBLE_DUPLICATE`), and says that the list does not show clearly whom the other one paid. A payout in doubt names it as a candidate (`PAYOUT_IN_DOUBT`).',
		wayOut: 'Fill in _Reference_, or choose _Never_ in _Options > Duplicate Guard_ for that run.',
		code: ['nodes/BrlPayments/payouts/samePayout.ts'],
		sections: ['Withdrawal object'],
	},
	methodData: {
		topic: 'What `methodData` contains besides `type` and `cardFundingType`',
		assumed:
			'Nothing. It is in the output unchanged. PIX codes and boleto lines are recognized by their form and check digits, in any field of the payment, and returned as `pixCode` and `boletoLine`.',
		sign: 'The output of _Payment > Create_ or _Get_ has no `pixCode` or `boletoLine`, or _Get PIX QR Code_ fails with `NO_PIX_CODE`.',
		wayOut:
			'Look at the output of _Payment > Get_ with _Simplify_ off, and name the field that is there.',
		code: ['nodes/shared/brazil/paymentCodes.ts'],
		sections: ['Payment object'],
	},
	unlistedFields: {
		topic: 'Fields that the description does not list',
		assumed: 'There may be some. They are in the output unchanged.',
		sign: 'The output has more fields than this documentation.',
		wayOut: 'Turn _Simplify_ off to see them all.',
		code: ['nodes/shared/transport/schemas.ts'],
		sections: ['Requests and responses'],
	},
	refundFailedStatus: {
		topic: 'The HTTP status of `PSP_REFUND_FAILED`',
		assumed: 'Any. The code decides: nothing was refunded, and the node does not retry.',
		sign: 'The error shows the status of the response.',
		wayOut: 'Nothing is needed.',
		code: ['nodes/shared/retry/errors.ts'],
		sections: ['Error codes'],
	},
	unlistedEndpoints: {
		topic:
			'The addresses for creating and updating customers, updating products and listing deliveries',
		assumed: 'Nothing. There are no such operations.',
		sign: 'There is no such operation in the node.',
		wayOut:
			'Once you know an address, use the credential in an HTTP Request node (_Predefined Credential Type > BRL Payments API_).',
		code: [],
		sections: ['Endpoints without an address'],
	},
	customerAuthorization: {
		topic: 'Whether _Customer > Get by External ID_ accepts the API key',
		assumed: 'It does. An OAuth token is mentioned for this endpoint alone.',
		sign: 'This operation fails with `INVALID_API_KEY` or `API_KEY_REQUIRED`, while others succeed with the same credential.',
		wayOut:
			'_Customer > Get_ with the customer ID. Or an HTTP Request node with an OAuth2 credential.',
		code: ['nodes/BrlPayments/customer/getByExternalId.ts'],
		sections: ['Get a customer by external ID'],
	},
	scopes: {
		topic: 'Which scope a refund and a simulated outcome require',
		assumed: '`payments:refund` for a refund, no particular one for simulating.',
		sign: 'The item fails with `FORBIDDEN`.',
		wayOut: 'Give the key `payments:write` as well.',
		code: ['nodes/BrlPayments/payment/refund.ts', 'nodes/BrlPayments/payment/simulate.ts'],
		sections: ['Scopes'],
	},
	rateLimitReset: {
		topic: 'What `X-RateLimit-Reset` counts, and which other headers there are',
		assumed:
			'Detected from its size: a small number counts seconds from now, a large one seconds or epoch milliseconds; it may also be an HTTP date. `Retry-After` comes first if it is sent.',
		sign: `The node waits far too long or too short. It does not start a wait of more than ${LONGEST_HINTED_WAIT_MS / 60_000} minutes: the item fails, and the error says until when the service asks to wait.`,
		wayOut: 'Choose the unit under _Rate Limit Reset_ in the credential.',
		code: ['nodes/shared/retry/backoff.ts'],
		sections: ['Rate limits'],
	},
	rateLimitDefault: {
		topic: 'How many requests a key without its own limit may send',
		assumed:
			'Nothing. The node begins with few items at a time and waits when the service says so.',
		sign: 'Runs take long. If no item gets through for five minutes, items fail with `RATE_LIMIT_EXCEEDED`.',
		wayOut:
			'Reduce _Options > Max Concurrency_, poll less often, or ask the service for a higher limit of the key.',
		code: ['nodes/shared/concurrency/adaptiveLimiter.ts', 'nodes/shared/retry/retryPolicy.ts'],
		sections: ['Rate limits'],
	},
	sizeLimits: {
		topic: 'How long `metadata` and texts may be, other than those listed',
		assumed: 'As long as you like. The service decides.',
		sign: 'The item fails with `VALIDATION_ERROR`, and the error names the field.',
		wayOut: 'Shorten the text.',
		code: [],
		sections: ['Limits'],
	},
	deprecation: {
		topic: 'How the end of an API version is announced, and whether a header selects one',
		assumed: 'No header is sent. Headers that announce the end of a version are not read.',
		sign: 'One day, all operations fail with `NOT_FOUND` or an error that is not listed.',
		wayOut:
			'Use the credential in an HTTP Request node, which can send any header, until this package is updated.',
		code: [],
		sections: ['Versions'],
	},
	storedFailures: {
		topic: 'Which failures the service keeps under an idempotency key',
		assumed:
			'Those that it has repeated under the same key. Then `WITHDRAWAL_PROVIDER_UNAVAILABLE`, and the 502 of a boleto, are followed by a new key. All others keep the key. A payout with a reference goes on under the new key, one without fails, and _Retry_ sends it under the new key. No payout goes back to an earlier key, so a service that keeps no refusal pays once, too.',
		sign: 'Each retry gets the same error, for 24 hours.',
		wayOut:
			'If the error says that nothing took effect: a new execution with only this item. Otherwise look it up first, and then use another _Options > Idempotency Key_.',
		code: [
			'nodes/shared/retry/errors.ts',
			'nodes/shared/retry/retryPolicy.ts',
			'nodes/BrlPayments/ledger/protocol.ts',
			'nodes/shared/orders/order.ts',
		],
		sections: ['Idempotency'],
	},
	idempotencyScope: {
		topic: 'Whether the API keys of an account share their idempotency keys',
		assumed:
			'Charges, refunds and products: they do. Payouts: nothing. What got no answer under one API key is not sent with another one. With a reference it is, after the list of withdrawals has shown that it was not paid, and only if both keys belong to one account.',
		sign: 'A retry with another API key makes a charge, refund or product a second time, and both are in the list. So does the retry of a payout without a reference if n8n was killed and remembers nothing of the first attempt, and a reference that another n8n has paid with another API key.',
		wayOut:
			'Retry failed executions before you replace the API key, or look up what they created. Fill in _Reference_: n8n then remembers which API key a payout was sent with.',
		code: ['nodes/BrlPayments/ledger/protocol.ts', 'nodes/BrlPayments/payouts/unreferenced.ts'],
		sections: ['Idempotency'],
	},
	signature: {
		topic: 'How webhook signatures are computed',
		assumed: `One of ${NAMED_SCHEMES.length} HMAC schemes (${codes(NAMED_SCHEMES.map(({ name }) => name))}), in hex, base64 or base64url. Each covers timestamp and body; _Automatic_ detects which.`,
		sign: "Deliveries get a 503 response, and n8n's log says that the signature does not match. Nothing starts, and the service retries.",
		wayOut:
			'_Custom_ in the credential: any order of timestamp and body with any text around them, SHA-256 or SHA-512, three encodings, and secrets in hex or base64.',
		code: [
			'nodes/BrlPaymentsTrigger/signature/schemes.ts',
			'nodes/BrlPaymentsTrigger/signature/settings.ts',
		],
		sections: ['Signatures'],
	},
	headerForms: {
		topic: 'How the header writes a signature, and which other headers a delivery has',
		assumed:
			'The bare value, `v1=…`, `v1,…`, `sha256=…`, `sha512=…` or `t=…,v1=…`; one header may contain several. Other headers are ignored.',
		sign: "Deliveries get a 503 response, and n8n's log says that the header is malformed.",
		wayOut: '_Custom_ in the credential, with the _Prefix_ before the value.',
		code: ['nodes/BrlPaymentsTrigger/signature/header.ts'],
		sections: ['Signatures'],
	},
	timestampForm: {
		topic: 'The form of `X-Webhook-Timestamp`',
		assumed: `An epoch timestamp whose number of digits gives its unit (${TIMESTAMP_UNITS.join(', ')}), ISO 8601 with time zone, or an HTTP date. It is signed as it came.`,
		sign: "Deliveries get a 503 response, and n8n's log says that the timestamp is malformed or far off.",
		wayOut: '_Custom_ in the credential, with _Timestamp Unit_.',
		code: ['nodes/BrlPaymentsTrigger/signature/timestamp.ts'],
		sections: ['Delivery headers'],
	},
	retriedDelivery: {
		topic: 'Whether a delivery that is sent again is re-signed',
		assumed: 'Each attempt has its own timestamp and signature.',
		sign: `First attempts arrive. Retries that come more than ${DEFAULT_WINDOW_SECONDS} seconds after them get a 503 response, and n8n's log says that the timestamp is in the past. Each counts as a failure, so the service may suspend the endpoint.`,
		wayOut: `Increase _Options > Replay Window_ to ${LONGEST_WINDOW_SECONDS}, which accepts the retries of the first 40 minutes. What comes later cannot be received: set _Receive By_ to _Webhook and Polling_.`,
		code: [
			'nodes/BrlPaymentsTrigger/signature/verify.ts',
			'nodes/BrlPaymentsTrigger/receive/answers.ts',
		],
		sections: ['Signatures'],
	},
	probe: {
		topic: 'The name of tests and probes, and whether they are signed',
		assumed: `${codes(['TEST', 'webhook.test', 'WEBHOOK_TEST'].filter(isTestEvent))}, with or without a signature and a delivery ID.`,
		sign: 'A suspended endpoint cannot be reactivated (`REACTIVATION_PROBE_FAILED`). A signed test under another name gets a success response, and starts the workflow only with _All Events_.',
		wayOut:
			'The log of n8n says why it was refused. If the endpoint stays suspended, register a new one in the dashboard.',
		code: [
			'nodes/BrlPaymentsTrigger/events/events.ts',
			'nodes/BrlPaymentsTrigger/receive/webhook.ts',
		],
		sections: ['Tests and probes'],
	},
	twelfthEvent: {
		topic: 'The name of the twelfth event',
		assumed: 'Nothing. _All Events_ accepts every signed event, under any name.',
		sign: 'An event that is not in the list of the node gets a success response but starts no workflow.',
		wayOut: 'Choose _All Events_, and distinguish events by `event` in a later node.',
		code: ['nodes/BrlPaymentsTrigger/events/events.ts'],
		sections: ['Event types'],
	},
	eventTriggers: {
		topic: 'When exactly each event is sent',
		assumed:
			'When the resource reaches the status that the name says. A body whose status rules its event out is not trusted.',
		sign: 'The item has `statusContradictsEvent`. If the two cannot both be true, the execution fails.',
		wayOut:
			'_Options > One Output per Event_: such items go to the output _Other_, and nothing fails. _Fetch Current State_ shows the payment or withdrawal as it is now.',
		code: ['nodes/BrlPaymentsTrigger/events/events.ts'],
		sections: ['Event types'],
	},
	eventFields: {
		topic: 'Which fields each event has',
		assumed: 'Nothing beyond the IDs and `status`. The output has the body as it was sent.',
		sign: 'An expression on `body` finds no such field.',
		wayOut: 'Turn on _Fetch Current State_, and read the fields from `current`.',
		code: ['nodes/BrlPaymentsTrigger/events/output.ts'],
		sections: ['Event bodies'],
	},
	eventIdentifiers: {
		topic: 'Which ID in an event is that of the withdrawal',
		assumed:
			'`withdrawalId`, else `id`; of an event that is not in the list of the node, `id` only next to a `txId` that begins with `WIT`. For payments `paymentId`, else `id` if the event is about the payment itself.',
		sign: '`withdrawalId` is `null`, and `withdrawalIdMissing` says why.',
		wayOut:
			'Turn on _Fetch Current State_, which looks for the `txId` in the list of withdrawals. If the event has none, compare its `body` with _Withdrawal > Get Many_.',
		code: ['nodes/BrlPaymentsTrigger/events/output.ts'],
		sections: ['Event bodies'],
	},
	medStatus: {
		topic: 'Which status a payment has during a MED procedure',
		assumed: `Polling reports ${code('MED_FROZEN')} as ${code(eventOfRow('payment', { status: 'MED_FROZEN' }) ?? 'nothing')}.`,
		sign: 'With polling, MED events arrive too often or not at all.',
		wayOut:
			'Set _Receive By_ to _Webhook and Polling_: if an event arrives both ways, only the first runs.',
		code: ['nodes/BrlPaymentsTrigger/polling/lists.ts'],
		sections: ['Payment states'],
	},
	suspensionThresholds: {
		topic: 'After how many failures an endpoint is suspended',
		assumed:
			'Nothing. Every delivery that is genuine and can be processed gets a success response.',
		sign: 'Deliveries stop, and the dashboard shows the endpoint as suspended.',
		wayOut:
			"Fix what n8n's log names, reactivate the endpoint in the dashboard, and set _Receive By_ to _Webhook and Polling_, so that events arrive in the meantime.",
		code: [],
		sections: ['Suspension'],
	},
	reactivation: {
		topic: 'The address of the request that reactivates an endpoint',
		assumed: 'Nothing. There is no such operation.',
		sign: 'There is no such operation in the node.',
		wayOut: 'Reactivate it in the dashboard. The trigger responds to the probe with success.',
		code: [],
		sections: ['Suspension'],
	},
} as const satisfies Record<string, OpenPoint>;

function code(text: string): string {
	return `\`${text}\``;
}

/** As a sentence has it: `a`, `b`, and `c`. */
function codes(texts: readonly string[]): string {
	return new Intl.ListFormat('en').format(texts.map(code));
}
