import {
	ERROR_CATALOGUE,
	lookUpError,
	type CatalogueEntry,
} from '../../../../../nodes/shared/retry/errors';

const entries: Array<[string, CatalogueEntry]> = Object.entries(ERROR_CATALOGUE);

test.each(['constructor', '__proto__', '', 'not_found'])('%o is no code', (code) => {
	expect(lookUpError(code)).toBeUndefined();
});

test.each(entries)('%s says in one sentence what happened, and what to do', (_, entry) => {
	const { what, remedy, remedyIfUnclear = '', onBoletoReplay } = entry;
	// Another text continues it: no stop at its end.
	expect(what).toMatch(/^[A-Z][^.!?]*[a-z]$/i);
	expect(remedy).toMatch(/^[A-Z].*[^.]\.$/);
	for (const text of [what, remedy]) {
		expect(text.split(' ').length).toBeGreaterThanOrEqual(4);
		expect(text).not.toMatch(/\.\.|\s\.(?!\d)|\s{2}|\s$/);
	}
	// Nobody is sent back to start a whole batch over.
	for (const text of [remedy, remedyIfUnclear, onBoletoReplay?.remedy ?? '']) {
		expect(text).not.toMatch(/run the item again|try again later/i);
		expect(text).not.toMatch(
			/a new (execution|one)(?! with only (the items that remain|this payment))/,
		);
	}
});

test('no two codes say the same', () => {
	expect(new Set(entries.map(([, { what }]) => what)).size).toBe(entries.length);
});

test('only after these may an attempt have taken effect, or did the server not look at the key', () => {
	const having = (effect: string) =>
		entries.filter(([, entry]) => entry.effect === effect).map(([code]) => code);

	expect(having('unknown')).toEqual([
		'IDEMPOTENCY_PAYLOAD_MISMATCH',
		'IDEMPOTENCY_CONFLICT',
		'PROVIDER_TEMPORARILY_UNAVAILABLE',
		'INTERNAL_ERROR',
		'SERVICE_UNAVAILABLE',
	]);
	expect(having('notReached')).toEqual([
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
