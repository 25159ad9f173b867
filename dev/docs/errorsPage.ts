import { lowerFirst } from 'lodash';
import {
	ERROR_CATALOGUE,
	type CatalogueEntry,
	type Effect,
	type RetryClass,
} from '../../nodes/shared/retry/errors';
import { REASON_OF_CODE } from '../../nodes/shared/transport/sendRequest';
import { TRANSPORT_ERRORS } from '../../nodes/shared/failures/explainFailure';
import type { FailedOutcome, UnclearCause } from '../../nodes/shared/transport/outcome';
import {
	MAX_CONFLICTS,
	MAX_FAILURES,
	MAX_RENEWALS,
	LONGEST_LIMITED_MS,
} from '../../nodes/shared/retry/retryPolicy';
import { classify } from '../../nodes/shared/retry/verdict';
import { LONGEST_HINTED_WAIT_MS } from '../../nodes/shared/retry/backoff';

/**
 * Codes of this package besides `TRANSPORT_ERRORS`. Their full texts are where they are thrown; this
 * is a summary.
 */
export const DECIDED_HERE: Readonly<Record<string, { what: string; remedy: string }>> = {
	BLOCKED_BY_N8N: {
		what: 'This n8n does not allow requests to this address. Nothing was sent.',
		remedy: 'Ask the administrator of this n8n to allow the address that the error names.',
	},
	CHARGE_EXPIRED: {
		what: 'The charge of this External ID has expired, and it is a boleto (or the service does not show its method): it may still be paid late. Nothing was created.',
		remedy:
			'Wait for the payment, or charge again under another External ID. The ID of the expired charge is in `paymentIds`.',
	},
	CHARGE_IN_DOUBT: {
		what: 'It is not known whether a charge with this External ID was created. Nothing was sent this time, or no answer came.',
		remedy:
			'Do what the error says: run the workflow again, at the time that it names, or look the charge up and [enter in the table](never-paid-twice.md#charges) what became of it.',
	},
	DUPLICATE_IN_BATCH: {
		what: 'Check Batch found a second item with the same PIX key and amount, or with the same reference as well. It moves no money.',
		remedy:
			'Remove one of the two. If both are intended, turn on _Options > Allow Duplicates_ in Check Batch, and give each its own reference.',
	},
	EQUAL_ROWS: {
		what: 'Two payouts without a reference are the same in every field, here or in another run of this execution. Nothing was sent for either of them in this run.',
		remedy:
			'If both are owed, give each a reference. If one is a copy, remove it. Rows of the same amount and PIX key that differ in any field are different payouts.',
	},
	EXISTING_PAYMENT: {
		what: 'For this External ID, the service returned a charge that nobody can pay any more. Nothing was created.',
		remedy: 'The error names the payment. To charge again, use another External ID.',
	},
	EXTERNAL_ID_MISMATCH: {
		what: 'The External ID was charged before with another amount or product. Or another row of this list has it, or another n8n has used it in the last 24 hours. Nothing was created.',
		remedy:
			'Correct the amount, or give the charge its own External ID. The ID of the earlier charge, if known, is in `paymentIds`.',
	},
	INVALID_AMOUNT: {
		what: 'Check Batch cannot read the amount of this item, or it has more than two decimals. It moves no money.',
		remedy: 'Write amounts like `1234.56` or `1.234,56`. See [Using the node](using-the-node.md).',
	},
	INVALID_INPUT: {
		what: 'An input is invalid, the credential cannot be used, or a retry comes too late. This attempt was not sent.',
		remedy: 'The error says what is wrong and how to correct it.',
	},
	LEDGER_UNAVAILABLE: {
		what: 'The table _BRL Payouts_, in which each payout and each charge with an External ID is written down before it is sent, cannot be read or written. Nothing more was sent.',
		remedy:
			'The error says why. It needs n8n 2.3 or later with its data tables turned on. If the table was deleted, restore it from a backup. If the workflow was moved to another project, move it back. If a column is missing or has another type, restore it. If the tables are full, [delete old rows](questions.md#may-i-delete-rows-of-brl-payouts) or raise the limit. Charges with _Options > Once per External ID_ turned off still work.',
	},
	NO_PIX_CODE: {
		what: 'Get PIX QR Code found no PIX code with a valid checksum anywhere in the payment.',
		remedy:
			'Create the payment with _Methods_ = PIX and _Mode_ = _PIX Code or Boleto_. With a payment page, the customer gets the code on the page after choosing PIX. If the service returns the code in another form, such as an image, use that.',
	},
	NOT_SETTLED: {
		what: 'Settle Reference did not accept what you said of the reference. Nothing was changed, and no money moved.',
		remedy:
			'The error says why. If it names withdrawals, look at them, and choose again. See [If a payout is in doubt](never-paid-twice.md#if-a-payout-is-in-doubt).',
	},
	OVER_LIMIT: {
		what: 'The payout exceeds _Options > Largest Amount_ or _Options > Largest Total_, its PIX key is not in _Options > Allowed PIX Keys_, or another item of the run is over a limit. Nothing was sent.',
		remedy:
			'Correct the payout. If it is correct, ask the person who set the limit to change it. To pay the items that are within the limits, choose _Refuse Item_ in _Options > When Over Limit_.',
	},
	PAYOUT_IN_DOUBT: {
		what: 'An earlier attempt may have paid this, and the node cannot tell. Nothing was sent this time, or the outcome of what was sent will be known later.',
		remedy:
			'Do what the error says: run it again after the time that it names, or look at the withdrawals that it names and use _Withdrawal > Settle Reference_. See [What do I do with PAYOUT_IN_DOUBT?](questions.md#what-do-i-do-with-payout_in_doubt)',
	},
	POSSIBLE_DUPLICATE: {
		what: 'Duplicate Guard found a payout of the same amount to the same PIX key in the table _BRL Payouts_, paid or perhaps paid by another execution. It was not paid again.',
		remedy:
			'Look at the withdrawals whose IDs the error names (`withdrawalIds`). The error says what to do if this one is intended as well, and how to record a payout that was made before its reference was filled in. See [Duplicate Guard](never-paid-twice.md#duplicate-guard).',
	},
	REFERENCE_NEEDED: {
		what: 'n8n does not show which execution this is an attempt of, or that execution is too old. A payout without a reference could be paid twice, so nothing was sent.',
		remedy: 'Fill in _Reference_, for example with the invoice number.',
	},
	REFERENCE_MISMATCH: {
		what: 'The reference was used before for another payout: another amount or PIX key. Or another row of this list has it, or another n8n has used it in the last 24 hours. Nothing was sent.',
		remedy:
			'Correct the row, or give it its own reference. The ID of the earlier payout, if known, is in `withdrawalIds`.',
	},
	ROWS_CHANGED: {
		what: 'An earlier attempt of this execution has paid a row (or may have) that has not come up again. This item was never sent, and may be the correction of that row. It was not sent this time either.',
		remedy:
			'Put the row back as it was, and retry. Or start a new execution with only what is still owed. If the earlier payout is known, its ID is in `withdrawalIds`.',
	},
	STATUS_NOT_REACHED: {
		what: 'Wait for Status waited as long as _Wait at Most_ allows, and the record still has another status. Or the payment is cancelled, refunded or expired, and that is not selected under _Statuses_. An expired boleto is waited for, because it may be paid late.',
		remedy:
			'Increase _Wait at Most_, or get the record again later. If the payment ended in another status, select that too, and decide in the next node.',
	},

	NO_ID: {
		what: 'In `currentError` of the trigger: the event has no ID by which to look up its payment or withdrawal, or it was not found by it.',
		remedy: 'Look up the payment or withdrawal in the dashboard.',
	},
	UNEXPECTED_DOCUMENT: {
		what: 'The service sent a receipt in another format than requested, because it uses another parameter name.',
		remedy:
			'Look up the name in the documentation of the service, and add it under _Options > Additional Query Parameters_.',
	},
	UNEXPECTED_ERROR: {
		what: 'An unexpected error occurred in the node.',
		remedy:
			'Check the parameters of the item. If they are correct, report this as a bug in the node.',
	},
	WITHDRAWAL_NOT_PAID: {
		what: 'The bank refused the withdrawal, or it was cancelled (`FAILED`, `CANCELLED`). The recipient received nothing.',
		remedy:
			'Check the PIX key with the recipient. With a reference, run the workflow again: it is paid under the same reference. Without one, retry the execution.',
	},
};

const EFFECT: Record<Effect, string> = {
	none: 'no',
	notReached: 'not by this attempt',
	unknown: 'perhaps',
};

const RETRY: Record<RetryClass, string> = {
	never: 'no',
	sameKey: 'yes, with the same key',
	newKey: 'yes, with a new key',
	wait: 'yes, after a wait',
};

interface Case {
	/** Empty for the usual case. */
	readonly label: string;
	readonly outcome: FailedOutcome;
	readonly kind: 'keyed' | 'boletoCreation';
	/** The service has repeated the response under the same key. */
	readonly isReplay?: boolean;
}

/** The page docs/errors.md, from the tables that the node itself obeys. */
export function errorsPage(): string {
	return `${[
		'# Errors',
		'<!-- Made by `npm run docs` from the code of the node. Do not edit it here. -->',
		INTRODUCTION,
		'## Codes of the service',
		...inOrder(ERROR_CATALOGUE).map(([code, entry]) => catalogued(code, entry)),
		'### Any other code',
		'The node handles any other code by its HTTP status. 429: it waits and retries. 408 and 500 or higher: it retries with the same idempotency key. Anything else: it does not retry. Whatever the status, the write may have taken effect.',
		'## Codes of this package',
		'No response, a response that does not come from the service, and what the node itself detects.',
		...inOrder(codesOfThisPackage()).map(([, text]) => text),
	].join('\n\n')}\n`;
}

const INTRODUCTION = `Each error says what happened, what to do, the HTTP status, the code and, for writes, the idempotency key. Look up the code here to read more.

**Wrong input** (an amount with three decimals, a CPF with a wrong check digit, a file that is not an image, a date range over 90 days) is refused before anything is sent, if the server would certainly refuse it.

**With Continue On Fail** (in the editor: _Settings > On Error_) the failed item has the field \`error\`:

- \`code\`: one of the codes below
- \`message\`: what happened
- \`description\`: everything else, in one text
- \`remedy\`: of that, what to do
- \`howToCheck\`: of that, how to find out whether it took effect, if that is unknown
- \`serverSaid\`: of that, what the server said, if anything
- \`httpStatus\`: the HTTP status of the response; \`null\` if there was none
- \`retryable\`: whether the same request may succeed later without any change
- \`effect\`: \`none\` if nothing was paid or changed, \`unknown\` if that is not known, \`done\` if an earlier attempt certainly took effect
- \`idempotencyKey\`: for writes, the key to retry with, see [Never paid twice](never-paid-twice.md)
- \`reference\`: for payouts, their reference; for charges, their External ID
- \`order\`: for payouts without a reference, their automatic \`name\` and what they ask for (\`content\`). An item that comes back to the node with them is recognized
- \`firstSentAt\`: when that key was first sent, if known
- \`retrySafeUntil\`: if the effect is unknown, until when the service is sure to recognize a repetition. Absent if it is not known when the key was first sent
- \`withdrawalIds\`: if a payout was made before or may have been, the IDs of those withdrawals
- \`paymentIds\`: the same for a charge

Beside \`error\`, a payout has \`row\` (counted from 1), \`reference\`, \`pixKey\`, \`amount\`, \`description\` and \`status\`: \`NOT PAID\` or \`UNKNOWN\` (not known whether it was paid). With _Continue (using error output)_, n8n adds the fields of the input instead.

**An error that ends a run** covers all items in its description. An error workflow (_Error Trigger_) finds the same data in \`execution.error\`:

- \`effect\`: of the item that failed, as above
- \`summary\`: \`itemCount\`, and for each state of items, its \`count\` and \`items\`. \`items\` has ranges of indexes: \`[[0, 4], [7, 7]]\`. Payouts have \`withdrawalIds\` (at most 100, then \`moreWithdrawals\`)

The states: \`done\` (now), \`paidBefore\`, \`recorded\` (paid before, but it could not be read now), \`duplicates\` (stopped by Duplicate Guard), \`doneEarlier\` (by an earlier attempt), \`unknown\` (it may have taken effect), \`failed\` (without effect), \`notStarted\`, and \`notStartedAgain\` (not this time, but an earlier attempt may have done it).

**The node retries automatically** if that is safe, before it reports an error:

- _with the same key_: up to ${MAX_FAILURES} attempts. The service executes a request once per key. While it is still processing an earlier attempt, the node repeats the request up to ${MAX_CONFLICTS} more times, for about two minutes.
- _with a new key_: only if the service has stored the failure under the old key and repeated it. Up to ${MAX_RENEWALS + 1} keys in a run.
- _after a wait_: as long as the service says, until no item of the run has succeeded for ${LONGEST_LIMITED_MS / 60_000} minutes. A single wait of more than ${LONGEST_HINTED_WAIT_MS / 60_000} minutes is not started; the error then says when to retry.

Reads, deletions and images have no key. For them, the same request is repeated.

**Took effect** says whether a payment, refund, payout or product was made:

- _no_: nothing was paid or changed.
- _not by this attempt_: it changed nothing. If an earlier attempt may have, the error says so.
- _perhaps_: the error says how to find out, and until when a retry is safe. See [Never paid twice](never-paid-twice.md).

The API key is in no error, output, log or stored execution, and whatever a server responds, the node always finishes with items or with an error that names the item:

\`\`\`sh
npm run test:e2e -- e2e/secrets      # searches a real n8n for the key
npm run test:unit -- fuzz            # random responses to all operations: 4,000, or 100,000 with CASES_FACTOR=25
npm run test:engine -- engine/errors # every code, as the user sees it
npm run test:engine -- engine/advice # every error: a person does what it says, and it ends well
\`\`\``;

function catalogued(
	code: string,
	{ status, what, remedy, again = '', onCreation, onNoDocument }: CatalogueEntry,
): string {
	const ofCreation = onCreation
		? ` If something was to be created: ${onCreation.remedy} ${onCreation.again}`
		: '';
	const ofNoDocument = onNoDocument
		? ` If no document was sent, ${lowerFirst(onNoDocument.remedy)}`
		: '';
	const outcome = {
		kind: 'refused',
		code,
		status: status ?? 0,
		message: '',
		details: undefined,
		headers: {},
	} as const;
	const cases: Case[] = [
		{ label: '', outcome, kind: 'keyed' },
		{ label: 'once the response was repeated', outcome, kind: 'keyed', isReplay: true },
		{
			label: 'a boleto, once the response was repeated',
			outcome,
			kind: 'boletoCreation',
			isReplay: true,
		},
	];
	return section(
		code,
		`${status === null ? '' : `HTTP ${status}. `}${what}.`,
		`${remedy} ${again}`.trim() + ofCreation + ofNoDocument,
		cases,
	);
}

function transportError(cause: UnclearCause): string {
	const { code, message, description } = TRANSPORT_ERRORS[cause];
	const reasons = Object.values(REASON_OF_CODE).filter(({ reason }) => reason === cause);
	const neverSent = reasons.length > 0 && reasons.every((reason) => reason.neverSent);
	const toCase = (label: string, status: number | null): Case => ({
		label,
		outcome: { kind: 'unclear', cause, status, neverSent },
		kind: 'keyed',
	});
	// What stands in front of the service has no codes; there the status decides.
	const cases =
		cause === 'gateway'
			? [toCase('', 502), toCase('HTTP 429', 429), toCase('other HTTP 4xx', 400)]
			: [toCase('', null)];
	return section(code, `${message}.`, description, cases);
}

function codesOfThisPackage(): Record<string, string> {
	const undecided = (Object.keys(TRANSPORT_ERRORS) as UnclearCause[]).map((cause) => [
		TRANSPORT_ERRORS[cause].code,
		transportError(cause),
	]);
	const decided = Object.entries(DECIDED_HERE).map(([code, { what, remedy }]) => [
		code,
		section(code, what, remedy, []),
	]);
	return Object.fromEntries([...undecided, ...decided]) as Record<string, string>;
}

/** @param cases none for what the node finds out without the service */
function section(code: string, what: string, remedy: string, cases: readonly Case[]): string {
	const facts = [
		`- **What to do:** ${remedy}`,
		`- **The node retries:** ${contrast(cases, ({ outcome, kind, isReplay }) => RETRY[classify(outcome, kind, isReplay).retry]) || RETRY.never}`,
		...(cases.length === 0
			? []
			: [
					`- **Took effect:** ${contrast(cases, ({ outcome, kind, isReplay }) => EFFECT[classify(outcome, kind, isReplay).effect])}`,
				]),
	];
	return [`### \`${code}\``, what, facts.join('\n')].join('\n\n');
}

/** What holds usually, and the cases in which something else does: `perhaps; HTTP 429: no`. */
function contrast([usual, ...others]: readonly Case[], describe: (one: Case) => string): string {
	if (!usual) return '';
	const different = others
		.filter((other) => describe(other) !== describe(usual))
		.map((other) => `; ${other.label}: ${describe(other)}`);
	return `${describe(usual)}${different.join('')}`;
}

function inOrder<T>(codes: Readonly<Record<string, T>>): Array<[string, T]> {
	return Object.entries(codes).sort(([one], [other]) => one.localeCompare(other));
}
