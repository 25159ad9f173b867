import {
	ERROR_CATALOGUE,
	lookUpError,
	type CatalogueEntry,
} from '../../../../../nodes/shared/retry/errors';

/** The codes of docs/api.md#error-codes; null where it shows no status. */
const CODES: Array<[string, number | null]> = [
	['API_KEY_REQUIRED', 401],
	['INVALID_API_KEY', 401],
	['FORBIDDEN', 403],
	['IP_NOT_ALLOWED', 403],
	['VALIDATION_ERROR', 400],
	['IDEMPOTENCY_KEY_REQUIRED', 400],
	['IDEMPOTENCY_PAYLOAD_MISMATCH', 409],
	['IDEMPOTENCY_CONFLICT', 409],
	['RATE_LIMIT_EXCEEDED', 429],
	['NOT_FOUND', 404],
	['PAYMENT_CREATION_BLOCKED', 403],
	['AMOUNT_REQUIRED', 400],
	['CUSTOMER_DATA_REQUIRED', 400],
	['CARD_PAYMENTS_NOT_AVAILABLE_VIA_API', 400],
	['PROVIDER_TEMPORARILY_UNAVAILABLE', 502],
	['RECEIPT_NOT_AVAILABLE', 400],
	['INVALID_STATUS', 400],
	['PARTIAL_REFUND_NOT_SUPPORTED', 400],
	['ALREADY_REFUNDED', 400],
	['REFUND_IN_PROGRESS', 409],
	['REFUND_NOT_SUPPORTED', 400],
	['INSUFFICIENT_BALANCE_FOR_REFUND', 400],
	['PSP_REFUND_FAILED', null],
	['WITHDRAWAL_BELOW_MINIMUM', 400],
	['INSUFFICIENT_BALANCE', 400],
	['WITHDRAWAL_LIMIT_EXCEEDED', 400],
	['WITHDRAWAL_BELOW_PROVIDER_MINIMUM', 400],
	['WITHDRAWALS_BLOCKED', 403],
	['INVALID_PIX_KEY', 400],
	['INVALID_RECIPIENT_DOCUMENT', 400],
	['RECIPIENT_DOCUMENT_MISMATCH', 400],
	['WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH', 400],
	['WITHDRAWAL_PIX_KEY_BLOCKED', 400],
	['BLOCKLIST_DENIED', 400],
	['CREDITOR_DOCUMENT_UNAVAILABLE', 403],
	['CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED', 400],
	['CREDITOR_DOCUMENT_UNREADABLE', 500],
	['VERIFICATION_REQUIRED', 403],
	['SANDBOX_COMPANY_PRODUCTION_BLOCKED', 403],
	['WITHDRAWAL_PROVIDER_UNAVAILABLE', 503],
	['WITHDRAWAL_TEMPORARILY_UNAVAILABLE', 503],
	['WITHDRAWAL_PROCESSING_FAILED', 503],
	['REACTIVATION_PROBE_FAILED', 400],
	['INTERNAL_ERROR', 500],
	['SERVICE_UNAVAILABLE', 503],
];

const entries: Array<[string, CatalogueEntry]> = Object.entries(ERROR_CATALOGUE);

test('the catalogue has the 45 codes of the API with their statuses, and no other', () => {
	expect(CODES).toHaveLength(45);
	expect(entries.map(([code, { status }]) => [code, status]).sort()).toEqual([...CODES].sort());
});

test.each(['constructor', 'toString', '__proto__', '', 'not_found'])(
	'%o is no code, whatever JavaScript thinks',
	(code) => {
		expect(lookUpError(code)).toBeUndefined();
	},
);

test.each(entries)('%s says what happened', (_, { what }) => {
	// One sentence that another text can continue: no stop at its end.
	expect(what).toMatch(/^[A-Z][^.!?]*[a-z]$/i);
	expect(what.split(' ').length).toBeGreaterThanOrEqual(4);
	expect(what).not.toMatch(/\s{2}|\s$/);
});

test.each(entries)('%s says what to do', (_, { remedy }) => {
	expect(remedy).toMatch(/^[A-Z].*[^.]\.$/);
	expect(remedy.split(' ').length).toBeGreaterThanOrEqual(4);
	expect(remedy).not.toMatch(/\.\.|\s\.(?!\d)|\s{2}/);
});

test.each(entries)('%s sends nobody back to start a whole batch over', (_, entry) => {
	const { remedy, remedyIfUnclear = '', onBoletoReplay } = entry;
	for (const text of [remedy, remedyIfUnclear, onBoletoReplay?.remedy ?? '']) {
		expect(text).not.toMatch(/run the item again|try again later/i);
		if (/a new (execution|one)/.test(text)) {
			expect(text).toMatch(/with only this (item|payment)/);
		}
	}
});

test('no two codes say the same', () => {
	expect(new Set(entries.map(([, { what }]) => what)).size).toBe(45);
});

test('only for these codes may another request follow', () => {
	const retried = entries
		.filter(([, { retry }]) => retry !== 'never')
		.map(([code, { retry }]) => [code, retry]);

	expect(retried).toEqual([
		['IDEMPOTENCY_CONFLICT', 'sameKey'],
		['RATE_LIMIT_EXCEEDED', 'wait'],
		['PROVIDER_TEMPORARILY_UNAVAILABLE', 'sameKey'],
		['WITHDRAWAL_PROVIDER_UNAVAILABLE', 'sameKey'],
		['WITHDRAWAL_TEMPORARILY_UNAVAILABLE', 'sameKey'],
		['WITHDRAWAL_PROCESSING_FAILED', 'sameKey'],
		['INTERNAL_ERROR', 'sameKey'],
		['SERVICE_UNAVAILABLE', 'sameKey'],
	]);
});

test('only for these codes may an earlier or this attempt have taken effect', () => {
	const unknown = entries.filter(([, { effect }]) => effect === 'unknown').map(([code]) => code);

	expect(unknown).toEqual([
		'IDEMPOTENCY_PAYLOAD_MISMATCH',
		'IDEMPOTENCY_CONFLICT',
		'PROVIDER_TEMPORARILY_UNAVAILABLE',
		'INTERNAL_ERROR',
		'SERVICE_UNAVAILABLE',
	]);
});

test('an error that may come before the key is looked at says nothing about earlier attempts', () => {
	const notReached = entries
		.filter(([, { effect }]) => effect === 'notReached')
		.map(([code]) => code);

	expect(notReached).toEqual([
		'API_KEY_REQUIRED',
		'INVALID_API_KEY',
		'FORBIDDEN',
		'IP_NOT_ALLOWED',
		'VALIDATION_ERROR',
		'IDEMPOTENCY_KEY_REQUIRED',
		'RATE_LIMIT_EXCEEDED',
		'PAYMENT_CREATION_BLOCKED',
		'CARD_PAYMENTS_NOT_AVAILABLE_VIA_API',
		'INVALID_STATUS',
		'ALREADY_REFUNDED',
		'REFUND_IN_PROGRESS',
		'WITHDRAWALS_BLOCKED',
		'VERIFICATION_REQUIRED',
		'SANDBOX_COMPANY_PRODUCTION_BLOCKED',
		'WITHDRAWAL_TEMPORARILY_UNAVAILABLE',
		'WITHDRAWAL_PROCESSING_FAILED',
	]);
});

test('only the replay of a stored failure of a boleto is treated differently, for one code', () => {
	const special = entries.flatMap(([code, { onBoletoReplay }]) =>
		onBoletoReplay ? [[code, onBoletoReplay]] : [],
	);

	expect(special).toEqual([
		[
			'PROVIDER_TEMPORARILY_UNAVAILABLE',
			expect.objectContaining({ retry: 'newKey', effect: 'none' }),
		],
	]);
});
