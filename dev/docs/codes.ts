/**
 * Codes of this package besides `TRANSPORT_ERRORS`: what happened, and what to do. Their full texts are where
 * they are thrown; this is a summary.
 */
export const DECIDED_HERE: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
	BLOCKED_BY_N8N: [
		'This n8n does not allow requests to this address. Nothing was sent.',
		'Ask the administrator of this n8n to allow it.',
	],
	CHARGE_EXPIRED: [
		'The charge of this External ID has expired. It may be a boleto, which can still be paid late. Nothing was created.',
		'Wait for the payment, or use another External ID.',
	],
	CHARGE_IN_DOUBT: [
		'Nobody knows whether a charge with this External ID exists.',
		'[Charges](never-paid-twice.md#charges).',
	],
	DUPLICATE_IN_BATCH: [
		'Check Batch: two rows have the same PIX key and amount, or the same reference.',
		'Remove one. If both are owed, turn on _Options > Allow Duplicates_, and give each its own reference.',
	],
	EQUAL_ROWS: [
		'Two payouts without a reference are the same in every field. Neither was sent.',
		'If both are owed, give each a reference. Otherwise remove one.',
	],
	EXISTING_PAYMENT: [
		'The service returned an earlier charge that nobody can pay any more. Nothing was created.',
		'Use another External ID.',
	],
	EXTERNAL_ID_MISMATCH: [
		'This External ID was charged with another amount or product, here or in another row or n8n. Nothing was created.',
		'Correct the amount, or use another External ID.',
	],
	INVALID_AMOUNT: [
		'Check Batch cannot read the amount.',
		'Write `1234.56` or `1.234,56`: [Amounts](using-the-node.md#amounts).',
	],
	INVALID_INPUT: [
		'A value is invalid, the credential cannot be used, or a retry comes too late. This attempt was not sent.',
		'The error says what to correct.',
	],
	LEDGER_UNAVAILABLE: [
		'The table _BRL Payouts_ cannot be read or written. Nothing more was sent.',
		'The error says why: [the table](operating.md#the-table-brl-payouts).',
	],
	NO_ID: [
		'In `currentError` of the trigger: the payment or withdrawal of the event was not found.',
		'Look it up in the dashboard.',
	],
	NO_PIX_CODE: [
		'The payment has no valid PIX code.',
		'Create it with _Methods_ PIX and _Mode_ _PIX Code or Boleto_. On a payment page, the customer gets the code after choosing PIX.',
	],
	NOT_SETTLED: [
		'Settle Reference refused your answer. Nothing changed.',
		'The error says why: [in doubt](never-paid-twice.md#if-a-payout-is-in-doubt).',
	],
	OVER_LIMIT: [
		'This payout, or another of the run, is over a limit or its PIX key is not allowed. Nothing was sent.',
		'Correct the payout, or ask who set the limit. To pay the other rows: _Options > When Over Limit_, _Refuse Item_.',
	],
	PAYOUT_IN_DOUBT: [
		'An earlier attempt may have paid this. The node cannot tell, so it does not pay again.',
		'[If a payout is in doubt](never-paid-twice.md#if-a-payout-is-in-doubt).',
	],
	POSSIBLE_DUPLICATE: [
		'Another execution has paid, or may have paid, this amount to this PIX key. It was not paid again.',
		'Look at the withdrawals in `withdrawalIds`: [Duplicate Guard](never-paid-twice.md#duplicate-guard).',
	],
	REFERENCE_MISMATCH: [
		'This reference was used for another amount or PIX key, here or in another row or n8n. Nothing was sent.',
		'Correct the row, or give it its own reference.',
	],
	REFERENCE_NEEDED: [
		'n8n does not show which execution this belongs to, or the execution is too old. Nothing was sent.',
		'Fill in _Reference_.',
	],
	ROWS_CHANGED: [
		'An earlier attempt paid a row, or may have, that is missing now. This item was not sent now.',
		'Put the row back and retry. Or start a new execution with only what is still owed.',
	],
	STATUS_NOT_REACHED: [
		'Wait for Status ran out of time, or the record ended in a status that you did not choose.',
		'Increase _Wait at Most_, choose that status too, or get the record later.',
	],
	UNEXPECTED_DOCUMENT: [
		'The receipt came in another format than requested.',
		'Add the right parameter in _Options > Additional Query Parameters_.',
	],
	UNEXPECTED_ERROR: [
		'Something unexpected in the node.',
		'Check the parameters of the item. If they are correct, report a bug.',
	],
	WITHDRAWAL_NOT_PAID: [
		'The bank refused the withdrawal, or it was cancelled. The recipient received nothing.',
		'Check the PIX key with the recipient. Then run the workflow again, or without a reference retry the execution.',
	],
};
