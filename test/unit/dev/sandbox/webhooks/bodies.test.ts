import type { Payment } from '../../../../../dev/sandbox';
import { CPF, type Json, useBench } from '../support';
import { useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();
beforeEach(() => {
	bench.sandbox.webhooks.register({ url: receiver.url });
});

const live = (payment: Partial<Payment> = {}): Payment =>
	bench.sandbox.seed.payment({ environment: 'PRODUCTION', ...payment });

/** What was received, as event name and raw body, in order of the names. */
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
		const { id, txId } = live({ amountCents: 1_000, customer: { name: 'Maria', document: CPF } });
		bench.sandbox.setPaymentStatus(id, 'PAID');
		expect(await events()).toEqual([
			[
				'PAYMENT_PAID',
				{
					id,
					txId,
					amount: 10,
					feeAmount: 0.99,
					netAmount: 9.01,
					status: 'PAID',
					paymentMethod: 'PIX',
					currency: 'BRL',
					description: '',
					externalId: null,
					metadata: {},
					createdAt: ISO,
					paidAt: ISO,
					endToEndId: expect.stringMatching(/^E\d{20}/),
					payer: {
						name: 'Maria',
						document: CPF,
						documentType: null,
						institutionName: 'Emulated Bank',
						institutionIspb: '00000000',
					},
				},
			],
		]);
		expect(receiver.received[0]?.raw).toContain('"amount":10.00,"feeAmount":0.99,"netAmount":9.01');
	});

	test('payer is null as a whole when nothing is known of the payer; endToEndId is null, not gone', async () => {
		bench.sandbox.setPaymentStatus(live({ methods: ['BOLETO'], customer: {} }).id, 'PAID');
		const [[, body]] = (await events()) as [[string, Json]];
		expect(body).toMatchObject({ payer: null, endToEndId: null });
	});

	test('PAYMENT_CONFIRMED and PAYMENT_CHARGEBACK have only the txId', async () => {
		const { id, txId } = live({ methods: ['CARD'] });
		bench.sandbox.setPaymentStatus(id, 'CONFIRMED');
		bench.sandbox.setPaymentStatus(id, 'CHARGEBACK');
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
		const headless = live({ amountCents: 100 });
		const hosted = live({ amountCents: 200, mode: 'hosted' });
		for (const { id } of [headless, hosted]) bench.sandbox.setPaymentStatus(id, status);
		const shape = { status, paymentMethod: 'PIX', currency: 'BRL', expiresAt: ISO, paidAt: null };
		const sent = await events();
		expect(sent).toHaveLength(2);
		expect(sent).toContainEqual([
			event,
			{ ...shape, id: headless.id, txId: headless.txId, amount: 1 },
		]);
		expect(sent).toContainEqual([event, { ...shape, txId: hosted.txId, amount: 2 }]);
	});

	test('PAYMENT_REFUNDED and PAYMENT_REFUND_FAILED have only the paymentId', async () => {
		const { live: key } = bench.sandbox.keys;
		const shape = { currency: 'BRL', refundId: UUID, amount: 100 };
		const refunded = live({ status: 'PAID' });
		await bench.post(`/v1/payments/${refunded.id}/refund`, {}, { key });
		bench.clock.advance(5_000);
		bench.sandbox.account.refundOutcome = 'FAILED';
		const kept = live({ status: 'PAID' });
		await bench.post(`/v1/payments/${kept.id}/refund`, {}, { key });
		bench.clock.advance(5_000);
		expect(await events()).toEqual([
			['PAYMENT_REFUND_FAILED', { ...shape, paymentId: kept.id, status: 'PAID' }],
			['PAYMENT_REFUNDED', { ...shape, paymentId: refunded.id, status: 'REFUNDED' }],
		]);
	});

	test('MED_RECEIVED and MED_RESOLVED have only the paymentId, and lack what they do not set', async () => {
		const { id, txId } = live({ status: 'PAID' });
		bench.sandbox.setPaymentStatus(id, 'MED_FROZEN');
		bench.sandbox.setPaymentStatus(id, 'PAID');
		const providerMedId = `MED${txId.slice(3, 19)}`;
		expect(await events()).toEqual([
			[
				'MED_RECEIVED',
				{
					paymentId: id,
					status: 'MED_FROZEN',
					source: 'PIX_NETWORK',
					providerMedId,
					amount: 100,
				},
			],
			['MED_RESOLVED', { paymentId: id, status: 'PAID', providerMedId }],
		]);
	});

	test('a MED that ends in a refund resolves and refunds, each with other keys', async () => {
		const { id, txId } = live({ status: 'PAID' });
		const providerMedId = `MED${txId.slice(3, 19)}`;
		bench.sandbox.setPaymentStatus(id, 'MED_FROZEN');
		bench.sandbox.setPaymentStatus(id, 'REFUNDED');
		const sent = await events();
		expect(sent.map(([event]) => event)).toEqual([
			'MED_RECEIVED',
			'MED_RESOLVED',
			'PAYMENT_REFUNDED',
		]);
		expect(sent[1]?.[1]).toEqual({
			paymentId: id,
			status: 'REFUNDED',
			providerMedId,
			refundId: UUID,
			amount: 100,
		});
		expect(sent[2]?.[1]).toEqual({
			paymentId: id,
			status: 'REFUNDED',
			currency: 'BRL',
			source: 'MED',
			providerMedId,
		});
	});

	test.each([
		['PAID', ['PAYMENT_CHARGEBACK', 'PAYMENT_PAID']],
		['CONFIRMED', ['PAYMENT_CHARGEBACK', 'PAYMENT_CONFIRMED']],
		['REFUNDED', ['PAYMENT_CHARGEBACK']],
		['PARTIAL_REFUND', ['PAYMENT_CHARGEBACK']],
	] as const)('a dispute won back to %s sends %j', async (status, expected) => {
		const { id } = live({ methods: ['CARD'], status });
		bench.sandbox.setPaymentStatus(id, 'CHARGEBACK');
		bench.sandbox.setPaymentStatus(id, status);
		expect((await events()).map(([event]) => event)).toEqual(expected);
	});
});

describe('withdrawals', () => {
	const withdraw = async (): Promise<Json> => {
		const body = { amount: 50, destination: { pixKey: CPF } };
		const made = await bench.post('/v1/withdrawals', body, { key: bench.sandbox.keys.live });
		return made.json.withdrawal;
	};

	test('WITHDRAWAL_SENT has a recipient of six fields and no failureReason', async () => {
		const { id, txId } = await withdraw();
		bench.clock.advance(5_000);
		expect(await events()).toEqual([
			[
				'WITHDRAWAL_SENT',
				{
					id,
					txId,
					amount: 51.5,
					netAmount: 50,
					feeAmount: 1.5,
					status: 'COMPLETED',
					paymentMethod: 'PIX',
					currency: 'BRL',
					createdAt: ISO,
					processedAt: ISO,
					recipient: {
						name: null,
						document: CPF,
						documentType: 'CPF',
						institutionName: 'Emulated Bank',
						institutionIspb: '00000000',
						accountNumber: null,
					},
				},
			],
		]);
		expect(receiver.received[0]?.raw).toContain('"amount":51.50,"netAmount":50.00');
	});

	test('WITHDRAWAL_FAILED has the same shape and its reason', async () => {
		bench.sandbox.account.withdrawalOutcome = 'FAILED';
		await withdraw();
		bench.clock.advance(5_000);
		const [[event, body]] = (await events()) as [[string, Json]];
		expect(event).toBe('WITHDRAWAL_FAILED');
		expect(body.failureReason).toBe('The receiving institution refused the transfer');
		expect(Object.keys(body.recipient)).toHaveLength(6);
	});

	test('failureReason is gone, never null, when there is none; recipient is null as a whole', async () => {
		const { id } = bench.sandbox.seed.withdrawal({
			environment: 'PRODUCTION',
			recipientDocument: null,
		});
		bench.sandbox.setWithdrawalStatus(id, 'FAILED');
		const [[, body]] = (await events()) as [[string, Json]];
		expect(body).not.toHaveProperty('failureReason');
		expect(body.recipient).toBeNull();
	});

	test('a cancelled withdrawal sends nothing: no event is documented for it', async () => {
		const { id } = bench.sandbox.seed.withdrawal({ environment: 'PRODUCTION' });
		bench.sandbox.setWithdrawalStatus(id, 'CANCELLED');
		expect(await events()).toEqual([]);
	});
});

test('nothing that happens with a test key is sent', async () => {
	const { seed } = bench.sandbox;
	const { id } = seed.payment();
	for (const status of ['PAID', 'MED_FROZEN', 'PAID', 'CHARGEBACK', 'PAID', 'REFUNDED'] as const) {
		bench.sandbox.setPaymentStatus(id, status);
	}
	await bench.post('/v1/payments', { amount: 10.03 });
	await bench.post('/v1/withdrawals', { amount: 50, destination: { pixKey: CPF } });
	bench.clock.advance(5_000);
	expect(await events()).toEqual([]);
	expect(bench.sandbox.webhooks.deliveries).toEqual([]);
});
