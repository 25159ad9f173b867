import { type Payment, type Sandbox, WEBHOOK_EVENTS } from '../../../../dev/sandbox';
import type { PaymentStatus } from '../../../../dev/sandbox/store/types';
import { CPF, type Json, useBench, withdrawalBody } from './support';

const bench = useBench();
// Nothing listens there: what is sent is read from the list of deliveries.
beforeEach(() => void bench.sandbox.webhooks.register({ url: 'http://127.0.0.1:1/hook' }));

const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

type Event = [name: string, body: Json];

/** What the service sends, in order of the names. */
const sent = (): Event[] =>
	bench.sandbox.webhooks.deliveries
		.map(({ event, body }): Event => [event, JSON.parse(body)])
		.sort(([a], [b]) => a.localeCompare(b));

/** A live payment that becomes each of these, one after the other. */
function live(payment: Partial<Payment>, ...statuses: PaymentStatus[]): Payment {
	const row = bench.sandbox.seed.payment({ environment: 'PRODUCTION', ...payment });
	for (const status of statuses) bench.sandbox.setPaymentStatus(row.id, status);
	return row;
}

const payout = (status: Parameters<Sandbox['setWithdrawalStatus']>[1], change = {}): Json => {
	const row = bench.sandbox.seed.withdrawal({ environment: 'PRODUCTION', ...change });
	bench.sandbox.setWithdrawalStatus(row.id, status);
	return row;
};

async function refund(outcome: 'COMPLETED' | 'FAILED'): Promise<Json> {
	bench.sandbox.account.refundOutcome = outcome;
	const { id } = live({ status: 'PAID' });
	await bench.post(`/v1/payments/${id}/refund`, {});
	bench.clock.advance(5_000);
	return { currency: 'BRL', refundId: UUID, amount: 100, paymentId: id };
}

const EMULATED_BANK = { institutionName: 'Emulated Bank', institutionIspb: '00000000' };
const cardShape = { amount: 100, paymentMethod: 'CARD', currency: 'BRL', paidAt: ISO };
const overShape = { paymentMethod: 'PIX', currency: 'BRL', expiresAt: ISO, paidAt: null };
const medOf = ({ id, txId }: Payment) => ({
	paymentId: id,
	providerMedId: `MED${txId.slice(3, 19)}`,
});

/** What happens, and what it sends. */
const CASES: Record<string, () => Event[] | Promise<Event[]>> = {
	'a payment is paid'() {
		const customer = { name: 'Maria', document: CPF };
		const { id, txId } = live({ amountCents: 1_000, customer }, 'PAID');
		const body = {
			...{ id, txId, amount: 10, feeAmount: 0.99, netAmount: 9.01 },
			...{ status: 'PAID', paymentMethod: 'PIX', currency: 'BRL' },
			...{ description: '', externalId: null, metadata: {}, createdAt: ISO, paidAt: ISO },
			endToEndId: expect.stringMatching(/^E\d{20}/),
			payer: { name: 'Maria', document: CPF, documentType: null, ...EMULATED_BANK },
		};
		return [['PAYMENT_PAID', body]];
	},
	'a card payment is confirmed and charged back'() {
		const { txId } = live({ methods: ['CARD'] }, 'CONFIRMED', 'CHARGEBACK');
		return [
			['PAYMENT_CHARGEBACK', { ...cardShape, txId, status: 'CHARGEBACK' }],
			['PAYMENT_CONFIRMED', { ...cardShape, txId, status: 'CONFIRMED' }],
		];
	},
	'a payment expires, and a hosted one is canceled'() {
		const { id, txId } = live({ amountCents: 100 }, 'EXPIRED');
		const hosted = live({ amountCents: 200, mode: 'hosted' }, 'CANCELLED');
		return [
			['PAYMENT_CANCELLED', { ...overShape, txId: hosted.txId, status: 'CANCELLED', amount: 2 }],
			['PAYMENT_EXPIRED', { ...overShape, id, txId, status: 'EXPIRED', amount: 1 }],
		];
	},
	async 'one refund succeeds, another fails'() {
		const refunded = await refund('COMPLETED');
		const kept = await refund('FAILED');
		return [
			['PAYMENT_REFUND_FAILED', { ...kept, status: 'PAID' }],
			['PAYMENT_REFUNDED', { ...refunded, status: 'REFUNDED' }],
		];
	},
	'a MED is resolved'() {
		const med = medOf(live({ status: 'PAID' }, 'MED_FROZEN', 'PAID'));
		const received = { status: 'MED_FROZEN', source: 'PIX_NETWORK', amount: 100 };
		return [
			['MED_RECEIVED', { ...med, ...received }],
			['MED_RESOLVED', { ...med, status: 'PAID' }],
		];
	},
	'a MED ends in a refund'() {
		const med = medOf(live({ status: 'PAID' }, 'MED_FROZEN', 'REFUNDED'));
		const status = 'REFUNDED';
		return [
			['MED_RECEIVED', expect.anything()],
			['MED_RESOLVED', { ...med, status, refundId: UUID, amount: 100 }],
			['PAYMENT_REFUNDED', { ...med, status, currency: 'BRL', source: 'MED' }],
		];
	},
	async 'a payout succeeds'() {
		const { json } = await bench.post('/v1/withdrawals', withdrawalBody());
		bench.clock.advance(5_000);
		const { id, txId } = json.withdrawal;
		const body = {
			...{ id, txId, amount: 101.5, netAmount: 100, feeAmount: 1.5 },
			...{ status: 'COMPLETED', paymentMethod: 'PIX', currency: 'BRL' },
			...{ createdAt: ISO, processedAt: ISO },
			recipient: {
				...{ name: null, document: CPF, documentType: 'CPF', accountNumber: null },
				...EMULATED_BANK,
			},
		};
		return [['WITHDRAWAL_SENT', body]];
	},
	async 'a payout is refused by the recipient'() {
		bench.sandbox.account.withdrawalOutcome = 'FAILED';
		await bench.post('/v1/withdrawals', withdrawalBody());
		bench.clock.advance(5_000);
		const failureReason = 'The receiving institution refused the transfer';
		return [['WITHDRAWAL_FAILED', expect.objectContaining({ failureReason })]];
	},
	'a payout fails without a reason, its recipient unknown'() {
		const { id, txId } = payout('FAILED', { recipientDocument: null });
		const body = {
			...{ id, txId, amount: 101.5, netAmount: 100, feeAmount: 1.5, status: 'FAILED' },
			...{ paymentMethod: 'PIX', currency: 'BRL', recipient: null },
			...{ createdAt: ISO, processedAt: ISO },
		};
		return [['WITHDRAWAL_FAILED', body]];
	},
	'a payout is canceled'() {
		payout('CANCELLED');
		return [['WITHDRAWAL_FAILED', expect.objectContaining({ status: 'CANCELLED' })]];
	},
	async 'anything under a test key'() {
		const disputed = ['MED_FROZEN', 'PAID', 'CHARGEBACK'] as const;
		live({ environment: 'SANDBOX' }, 'PAID', ...disputed, 'PAID', 'REFUNDED');
		await bench.send({
			...{ method: 'POST', path: '/v1/withdrawals', body: withdrawalBody() },
			headers: { 'x-idempotency-key': 'example' },
		});
		bench.clock.advance(5_000);
		return [];
	},
};

const seen = new Set<string>();

test.each(Object.entries(CASES))('%s', async (_what, act) => {
	const expected = await act();
	expect(sent()).toEqual(expected);
	for (const [name] of expected) seen.add(name);
});

test('these are all events', () => {
	expect(WEBHOOK_EVENTS).toHaveLength(11);
	expect([...seen].sort()).toEqual([...WEBHOOK_EVENTS].sort());
});
