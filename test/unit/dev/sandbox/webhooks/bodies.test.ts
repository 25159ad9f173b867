import type { Payment } from '../../../../../dev/sandbox';
import type { PaymentStatus } from '../../../../../dev/sandbox/store/types';
import { CPF, type Json, useBench } from '../support';
import { getEvents, useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();
beforeEach(() => {
	bench.sandbox.webhooks.register({ url: receiver.url });
});

/** A live payment that becomes each of these, one after the other. */
function live(payment: Partial<Payment>, ...statuses: PaymentStatus[]): Payment {
	const row = bench.sandbox.seed.payment({ environment: 'PRODUCTION', ...payment });
	for (const status of statuses) bench.sandbox.setPaymentStatus(row.id, status);
	return row;
}

/** What was received, as event name and body, in order of the names. */
async function events(): Promise<Array<[string, Json]>> {
	await bench.sandbox.webhooks.idle();
	return receiver.received
		.map(({ headers, json }): [string, Json] => [String(headers['x-webhook-event']), json])
		.sort(([a], [b]) => a.localeCompare(b));
}

const ISO = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe('payments', () => {
	test('PAYMENT_PAID has id, txId, status, paidAt, endToEndId and payer', async () => {
		const customer = { name: 'Maria', document: CPF };
		const { id, txId } = live({ amountCents: 1_000, customer }, 'PAID');
		const body = {
			...{ id, txId, amount: 10, feeAmount: 0.99, netAmount: 9.01 },
			...{ status: 'PAID', paymentMethod: 'PIX', currency: 'BRL' },
			...{ description: '', externalId: null, metadata: {}, createdAt: ISO, paidAt: ISO },
			endToEndId: expect.stringMatching(/^E\d{20}/),
			payer: {
				...{ name: 'Maria', document: CPF, documentType: null },
				...{ institutionName: 'Emulated Bank', institutionIspb: '00000000' },
			},
		};
		expect(await events()).toEqual([['PAYMENT_PAID', body]]);
		expect(receiver.received[0]!.raw).toContain('"amount":10.00,"feeAmount":0.99,"netAmount":9.01');
	});

	test('payer is null as a whole when nothing is known of the payer; endToEndId is null, not gone', async () => {
		live({ methods: ['BOLETO'], customer: {} }, 'PAID');
		const [[, body]] = (await events()) as [[string, Json]];
		expect(body).toMatchObject({ payer: null, endToEndId: null });
	});

	test('PAYMENT_CONFIRMED and PAYMENT_CHARGEBACK have only the txId', async () => {
		const { txId } = live({ methods: ['CARD'] }, 'CONFIRMED', 'CHARGEBACK');
		const shape = { txId, amount: 100, paymentMethod: 'CARD', currency: 'BRL', paidAt: ISO };
		expect(await events()).toEqual([
			['PAYMENT_CHARGEBACK', { ...shape, status: 'CHARGEBACK' }],
			['PAYMENT_CONFIRMED', { ...shape, status: 'CONFIRMED' }],
		]);
	});

	test.each([
		['EXPIRED', 'PAYMENT_EXPIRED'],
		['CANCELLED', 'PAYMENT_CANCELLED'],
	] as const)('%s: with id, or for a hosted payment only the txId', async (status, event) => {
		const { id, txId } = live({ amountCents: 100 }, status);
		const hosted = live({ amountCents: 200, mode: 'hosted' }, status);
		const shape = { status, paymentMethod: 'PIX', currency: 'BRL', expiresAt: ISO, paidAt: null };
		const sent = await events();
		expect(sent).toHaveLength(2);
		expect(sent).toContainEqual([event, { ...shape, id, txId, amount: 1 }]);
		expect(sent).toContainEqual([event, { ...shape, txId: hosted.txId, amount: 2 }]);
	});

	test('PAYMENT_REFUNDED and PAYMENT_REFUND_FAILED have only the paymentId', async () => {
		const refund = async (outcome: 'COMPLETED' | 'FAILED') => {
			bench.sandbox.account.refundOutcome = outcome;
			const { id } = live({ status: 'PAID' });
			await bench.post(`/v1/payments/${id}/refund`, {}, { key: bench.sandbox.keys.live });
			bench.clock.advance(5_000);
			return { currency: 'BRL', refundId: UUID, amount: 100, paymentId: id };
		};
		const refunded = await refund('COMPLETED');
		const kept = await refund('FAILED');
		expect(await events()).toEqual([
			['PAYMENT_REFUND_FAILED', { ...kept, status: 'PAID' }],
			['PAYMENT_REFUNDED', { ...refunded, status: 'REFUNDED' }],
		]);
	});

	test('MED_RECEIVED and MED_RESOLVED have only the paymentId, and lack what they do not set', async () => {
		const { id, txId } = live({ status: 'PAID' }, 'MED_FROZEN', 'PAID');
		const shape = { paymentId: id, providerMedId: `MED${txId.slice(3, 19)}` };
		const received = { status: 'MED_FROZEN', source: 'PIX_NETWORK', amount: 100 };
		expect(await events()).toEqual([
			['MED_RECEIVED', { ...shape, ...received }],
			['MED_RESOLVED', { ...shape, status: 'PAID' }],
		]);
	});

	test('a MED that ends in a refund resolves and refunds, each with other keys', async () => {
		const { id, txId } = live({ status: 'PAID' }, 'MED_FROZEN', 'REFUNDED');
		const providerMedId = `MED${txId.slice(3, 19)}`;
		const shape = { paymentId: id, status: 'REFUNDED', providerMedId };
		expect(await events()).toEqual([
			['MED_RECEIVED', expect.anything()],
			['MED_RESOLVED', { ...shape, refundId: UUID, amount: 100 }],
			['PAYMENT_REFUNDED', { ...shape, currency: 'BRL', source: 'MED' }],
		]);
	});

	test.each([
		['PAID', ['PAYMENT_CHARGEBACK', 'PAYMENT_PAID']],
		['CONFIRMED', ['PAYMENT_CHARGEBACK', 'PAYMENT_CONFIRMED']],
		['REFUNDED', ['PAYMENT_CHARGEBACK']],
		['PARTIAL_REFUND', ['PAYMENT_CHARGEBACK']],
	] as const)('a dispute won back to %s sends %j', async (status, expected) => {
		live({ methods: ['CARD'], status }, 'CHARGEBACK', status);
		await bench.sandbox.webhooks.idle();
		expect(getEvents(receiver).sort()).toEqual(expected);
	});
});

describe('withdrawals', () => {
	const body = { amount: 50, destination: { pixKey: CPF } };
	const withdraw = async (): Promise<Json> => {
		const made = await bench.post('/v1/withdrawals', body, { key: bench.sandbox.keys.live });
		bench.clock.advance(5_000);
		return made.json.withdrawal;
	};

	test('WITHDRAWAL_SENT has a recipient of six fields and no failureReason', async () => {
		const { id, txId } = await withdraw();
		const sent = {
			...{ id, txId, amount: 51.5, netAmount: 50, feeAmount: 1.5 },
			...{ status: 'COMPLETED', paymentMethod: 'PIX', currency: 'BRL' },
			...{ createdAt: ISO, processedAt: ISO },
			recipient: {
				...{ name: null, document: CPF, documentType: 'CPF', accountNumber: null },
				...{ institutionName: 'Emulated Bank', institutionIspb: '00000000' },
			},
		};
		expect(await events()).toEqual([['WITHDRAWAL_SENT', sent]]);
		expect(receiver.received[0]!.raw).toContain('"amount":51.50,"netAmount":50.00');
	});

	test('WITHDRAWAL_FAILED has the same shape and its reason', async () => {
		bench.sandbox.account.withdrawalOutcome = 'FAILED';
		await withdraw();
		const [[event, { failureReason, recipient }]] = (await events()) as [[string, Json]];
		expect(event).toBe('WITHDRAWAL_FAILED');
		expect(failureReason).toBe('The receiving institution refused the transfer');
		expect(Object.keys(recipient as object)).toHaveLength(6);
	});

	test('failureReason is gone, never null, when there is none; recipient is null as a whole', async () => {
		const seeded = { environment: 'PRODUCTION', recipientDocument: null } as const;
		bench.sandbox.setWithdrawalStatus(bench.sandbox.seed.withdrawal(seeded).id, 'FAILED');
		const [[, sent]] = (await events()) as [[string, Json]];
		expect(sent).not.toHaveProperty('failureReason');
		expect(sent.recipient).toBeNull();
	});

	test('a cancelled withdrawal sends what a failed one does, which is not documented', async () => {
		const { id } = bench.sandbox.seed.withdrawal({ environment: 'PRODUCTION' });
		bench.sandbox.setWithdrawalStatus(id, 'CANCELLED');
		const [[event, sent]] = (await events()) as [[string, Json]];
		expect([event, sent.status]).toEqual(['WITHDRAWAL_FAILED', 'CANCELLED']);
		expect(sent).not.toHaveProperty('failureReason');
	});

	test('nothing that happens with a test key is sent', async () => {
		const statuses = ['PAID', 'MED_FROZEN', 'PAID', 'CHARGEBACK', 'PAID', 'REFUNDED'] as const;
		live({ environment: 'SANDBOX' }, ...statuses);
		await bench.post('/v1/payments', { amount: 10.03 });
		await bench.post('/v1/withdrawals', body);
		bench.clock.advance(5_000);
		expect(await events()).toEqual([]);
		expect(bench.sandbox.webhooks.deliveries).toEqual([]);
	});
});
