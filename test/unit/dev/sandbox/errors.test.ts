import { ERROR_CODES, type ErrorCode } from '../../../../dev/sandbox';
import type { PaymentStatus } from '../../../../dev/sandbox/store/types';
import { CPF, freshKey, type Json, OTHER_CPF, type Req, useBench, withdrawalBody } from './support';

const FLAT = ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_PAYLOAD_MISMATCH', 'IDEMPOTENCY_CONFLICT'];

const bench = useBench();

interface Valid extends Req {
	headers: Record<string, string>;
	body?: Json;
}

/** A POST with the live key. */
const post = (path: string, body: Json): Valid => ({
	...{ method: 'POST', path, body, key: bench.sandbox.keys.live },
	headers: { 'x-idempotency-key': freshKey() },
});
const withdrawal = (): Valid => post('/v1/withdrawals', withdrawalBody());
const payment = (): Valid => ({
	...post('/v1/payments', { amount: 50.01, methods: ['PIX'] }),
	key: bench.sandbox.keys.test,
});
function refund(): Valid {
	const paid = { environment: 'PRODUCTION', amountCents: 5_001, status: 'PAID' } as const;
	const { id } = bench.sandbox.seed.payment(paid);
	return post(`/v1/payments/${id}/refund`, { reason: 'example' });
}
function receipt(): Valid {
	const { id } = bench.sandbox.seed.payment({ status: 'PAID' });
	return { method: 'GET', path: `/v1/documents/payments/${id}/receipt`, headers: {} };
}

const fault = (code: ErrorCode) => () => void bench.sandbox.faults.add({ kind: 'error', code });
const account = (change: object) => () => void Object.assign(bench.sandbox.account, change);
const useKey = (settings: object) => (request: Valid) =>
	void (request.key = bench.sandbox.createKey({ environment: 'PRODUCTION', ...settings }));
const setStatus = (status: PaymentStatus) => (request: Valid) => {
	const [id = ''] = /[0-9a-f-]{36}/.exec(request.path) ?? [];
	bench.sandbox.setPaymentStatus(id, status);
};
const payTo = (destination: object) => (request: Valid) =>
	void Object.assign(request.body.destination, destination);
const payToEmail = (ownTaxId: string | null) => (request: Valid) => {
	request.body.destination.pixKey = 'maria@customer.example';
	bench.sandbox.account.ownTaxId = ownTaxId;
};
const repeat = (request: Valid) =>
	bench.send({ ...request, headers: { 'x-idempotency-key': freshKey() } });
const payAnother = (request: Valid) =>
	bench.send({ ...request, body: { ...request.body, amount: 101 } });

async function repeatAtWork(request: Valid): Promise<void> {
	bench.sandbox.faults.add({ kind: 'inFlight', ms: 60_000 });
	void bench.send(request).catch(() => undefined);
	while (bench.sandbox.requests.length === 0) await new Promise(setImmediate);
}

async function useUpLimit(request: Valid): Promise<void> {
	useKey({ rateLimitPerMinute: 1 })(request);
	await bench.send({ method: 'GET', path: '/v1/balance', key: request.key });
}

/** Two centavos, by which the sandbox refuses a refund. */
function refundTwoCents(request: Valid): void {
	const { id } = bench.sandbox.seed.payment({ amountCents: 5_002, status: 'PAID' });
	request.path = `/v1/payments/${id}/refund`;
	request.key = bench.sandbox.keys.test;
}

const useOwnSource = (request: Valid) => (request.body.creditorDocumentSource = 'OWN');
const NO_PROVIDER = { withdrawalProviderUnavailable: true };
const HELD_BY_OTHER = { pixKeyHolders: { [CPF]: OTHER_CPF } };
async function meetOtherHolder(request: Valid): Promise<void> {
	account(HELD_BY_OTHER)();
	await repeat(request);
}

/** As in docs/api.md#error-codes, a valid request, and the one thing that is broken about it or around it. */
type Case = [ErrorCode, status: number, () => Valid, (request: Valid) => unknown];

const CASES: Case[] = [
	['API_KEY_REQUIRED', 401, withdrawal, (r) => (r.key = null)],
	['INVALID_API_KEY', 401, withdrawal, (r) => (r.key = `${r.key?.slice(0, -1)}2`)],
	['FORBIDDEN', 403, withdrawal, useKey({ scopes: ['withdrawals:read'] })],
	['IP_NOT_ALLOWED', 403, withdrawal, useKey({ ipAllowlist: ['10.0.0.0/8'] })],
	['VALIDATION_ERROR', 400, withdrawal, (r) => (r.body.amount = 100.001)],
	['IDEMPOTENCY_KEY_REQUIRED', 400, withdrawal, (r) => delete r.headers['x-idempotency-key']],
	['IDEMPOTENCY_PAYLOAD_MISMATCH', 409, withdrawal, payAnother],
	['IDEMPOTENCY_CONFLICT', 409, withdrawal, repeatAtWork],
	['RATE_LIMIT_EXCEEDED', 429, withdrawal, useUpLimit],
	['NOT_FOUND', 404, receipt, (r) => (r.key = bench.sandbox.keys.live)],
	['PAYMENT_CREATION_BLOCKED', 403, payment, account({ disabledMethods: ['PIX'] })],
	['AMOUNT_REQUIRED', 400, payment, (r) => delete r.body.amount],
	['CUSTOMER_DATA_REQUIRED', 400, payment, (r) => (r.body.methods = ['BOLETO'])],
	['CARD_PAYMENTS_NOT_AVAILABLE_VIA_API', 400, payment, (r) => (r.body.methods = ['CARD'])],
	['PROVIDER_TEMPORARILY_UNAVAILABLE', 502, payment, account({ paymentProviderUnavailable: true })],
	['RECEIPT_NOT_AVAILABLE', 400, receipt, setStatus('CHARGEBACK')],
	['INVALID_STATUS', 400, refund, setStatus('CHARGEBACK')],
	['PARTIAL_REFUND_NOT_SUPPORTED', 400, refund, (r) => (r.body.amount = 50)],
	['ALREADY_REFUNDED', 400, refund, setStatus('REFUNDED')],
	['REFUND_IN_PROGRESS', 409, refund, repeat],
	['REFUND_NOT_SUPPORTED', 400, refund, account({ refundUnsupportedMethods: ['PIX'] })],
	['INSUFFICIENT_BALANCE_FOR_REFUND', 400, refund, account({ balanceCents: 5_000 })],
	['PSP_REFUND_FAILED', 502, refund, refundTwoCents],
	['WITHDRAWAL_BELOW_MINIMUM', 400, withdrawal, account({ minWithdrawalCents: 10_001 })],
	['INSUFFICIENT_BALANCE', 400, withdrawal, account({ balanceCents: 10_149 })],
	['WITHDRAWAL_LIMIT_EXCEEDED', 400, withdrawal, account({ perTransactionLimitCents: 10_149 })],
	['WITHDRAWAL_BELOW_PROVIDER_MINIMUM', 400, withdrawal, account({ providerMinCents: 10_001 })],
	['WITHDRAWALS_BLOCKED', 403, withdrawal, account({ withdrawalsBlocked: true })],
	['INVALID_PIX_KEY', 400, withdrawal, payTo({ pixKey: '52998224726' })],
	['INVALID_RECIPIENT_DOCUMENT', 400, withdrawal, payTo({ recipientDocument: '52998224726' })],
	['RECIPIENT_DOCUMENT_MISMATCH', 400, withdrawal, payTo({ recipientDocument: OTHER_CPF })],
	['WITHDRAWAL_RECIPIENT_DOCUMENT_MISMATCH', 400, withdrawal, account(HELD_BY_OTHER)],
	['WITHDRAWAL_PIX_KEY_BLOCKED', 400, withdrawal, meetOtherHolder],
	['BLOCKLIST_DENIED', 400, withdrawal, account({ blocklist: [CPF] })],
	['CREDITOR_DOCUMENT_UNAVAILABLE', 403, withdrawal, payToEmail(null)],
	['CREDITOR_DOCUMENT_SOURCE_NOT_SUPPORTED', 400, withdrawal, useOwnSource],
	['CREDITOR_DOCUMENT_UNREADABLE', 500, withdrawal, payToEmail('unreadable')],
	['VERIFICATION_REQUIRED', 403, withdrawal, account({ verificationRequired: true })],
	['SANDBOX_COMPANY_PRODUCTION_BLOCKED', 403, withdrawal, account({ sandboxOnly: true })],
	['WITHDRAWAL_PROVIDER_UNAVAILABLE', 503, withdrawal, account(NO_PROVIDER)],
	// What only a fault provokes.
	...(
		[
			['WITHDRAWAL_TEMPORARILY_UNAVAILABLE', 503],
			['WITHDRAWAL_PROCESSING_FAILED', 503],
			['REACTIVATION_PROBE_FAILED', 400],
			['INTERNAL_ERROR', 500],
			['SERVICE_UNAVAILABLE', 503],
		] as const
	).map(([code, status]): Case => [code, status, withdrawal, fault(code)]),
];

test('the table has every code of the API exactly once', () => {
	expect(ERROR_CODES).toHaveLength(45);
	expect(CASES.map(([code]) => code).sort()).toEqual([...ERROR_CODES].sort());
});

test.each(CASES)('%s is %i', async (code, status, make, breakOne) => {
	const request = make();
	await breakOne(request);
	const answer = await bench.send(request);

	const said = FLAT.includes(code) ? answer.json : answer.json.error;
	expect([answer.status, said.code]).toEqual([status, code]);
	expect(said.message).toMatch(/\S/);
});
