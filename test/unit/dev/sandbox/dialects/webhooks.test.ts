/** Each alternative of the points that concern deliveries. */
import { createHmac } from 'node:crypto';
import { parseDialect, type Endpoint } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, SECOND, useReceiver } from '../webhooks/support';

const bench = useBench();
const receiver = useReceiver();

const SECRET = 'whsec_example_secret';
const register = (text: string): Endpoint => {
	Object.assign(bench.sandbox.dialect, parseDialect(text));
	return bench.sandbox.webhooks.register({ url: receiver.url, secret: SECRET });
};
/** What arrived of one event of any kind. */
async function sent(text: string) {
	register(text);
	bench.sandbox.webhooks.emit('PAYMENT_PAID', { txId: 'PAY1' });
	await bench.sandbox.webhooks.quiet();
	return receiver.received[0]!;
}
const events = () => receiver.received.map(({ headers }) => headers['x-webhook-event']);

test.each([
	['newline', 'sha256', 'hex', (time: string, body: string) => `${time}\n${body}`],
	['bodyFirst', 'sha512', 'base64', (time: string, body: string) => `${body}${time}`],
] as const)('signature=%s+%s+%s', async (layout, hash, encoding, text) => {
	const { headers, raw } = await sent(`signature=${layout}+${hash}+${encoding}`);
	const signed = text(String(headers['x-webhook-timestamp']), raw);
	const expected = createHmac(hash, SECRET).update(signed).digest(encoding);
	expect(headers['x-webhook-signature']).toBe(`v1=${expected}`);
});

test.each([
	['s', /^\d{10}$/],
	['ms', /^\d{13}$/],
	['us', /^\d{16}$/],
	['ns', /^\d{19}$/],
	['iso', /^\d{4}-.*Z$/],
	['httpDate', /^\w{3}, .* GMT$/],
])('timestampForm=%s', async (form, expected) => {
	expect((await sent(`timestampForm=${form}`)).headers['x-webhook-timestamp']).toMatch(expected);
});

test.each([
	['versioned', /^v1=[\da-f]{64}$/],
	['fields', /^t=\d{10},v1=[\da-f]{64}$/],
	['bare', /^[\da-f]{64}$/],
	['versionedByComma', /^v1,[\da-f]{64}$/],
	['hashNamed', /^sha256=[\da-f]{64}$/],
])('headerForms=%s', async (value, expected) => {
	expect((await sent(`headerForms=${value}`)).headers['x-webhook-signature']).toMatch(expected);
});

test.each([
	['ofAttempt', 2],
	['ofFirst', 1],
])('retriedDelivery=%s', async (choice, moments) => {
	const now = vi.spyOn(Date, 'now').mockReturnValueOnce(1_800_000_000_000);
	receiver.answer = 503;
	await sent(`retriedDelivery=${choice}`);
	now.mockRestore();
	await advance(bench, 10 * SECOND);
	const told = receiver.received.map(({ headers }) => headers['x-webhook-timestamp']);
	expect(told).toHaveLength(2);
	expect(new Set(told).size).toBe(moments);
});

describe('probe', () => {
	test('a test without signature and delivery ID', async () => {
		const { id } = register('probe=unsigned+withoutId');
		bench.sandbox.webhooks.sendTest(id);
		await bench.sandbox.webhooks.quiet();
		const names = Object.keys(receiver.received[0]!.headers);
		expect(names.filter((name) => name.startsWith('x-webhook'))).toEqual(['x-webhook-event']);
	});

	test.each(['webhook.test', 'TEST', 'WEBHOOK_TEST'])(
		'that reactivates, named %s',
		async (name) => {
			const { id } = register(`probe=${name},reactivation=present`);
			bench.sandbox.webhooks.update(id, { suspendAfter: 1 });
			receiver.answer = 500;
			bench.sandbox.webhooks.emit('PAYMENT_PAID', {});
			await bench.sandbox.webhooks.quiet();
			const reactivate = async () => await bench.post(`/v1/webhooks/${id}/reactivate`, {});
			expect((await reactivate()).json.error.code).toBe('REACTIVATION_PROBE_FAILED');
			receiver.answer = 200;
			expect((await reactivate()).status).toBe(200);
			expect(events().slice(-2)).toEqual([name, name]);
		},
	);
});

describe('events of a payout', () => {
	const payout = async (
		text: string,
		...statuses: Array<'PROCESSING' | 'COMPLETED' | 'CANCELLED'>
	) => {
		register(text);
		const { id, txId } = bench.sandbox.seed.withdrawal({ environment: 'PRODUCTION' });
		for (const status of statuses) bench.sandbox.setWithdrawalStatus(id, status);
		await bench.sandbox.webhooks.quiet();
		return { id, txId };
	};
	const identifiers = () => {
		const { id, txId, withdrawalId } = receiver.received[0]!.json;
		return { id, txId, withdrawalId };
	};

	test.each(['idAndTxId', 'txIdOnly', 'withdrawalIdOnly'])(
		'eventIdentifiers=%s',
		async (choice) => {
			const { id, txId } = await payout(`eventIdentifiers=${choice}`, 'COMPLETED');
			const expected = {
				idAndTxId: { id, txId },
				txIdOnly: { txId },
				withdrawalIdOnly: { withdrawalId: id },
			}[choice];
			expect(identifiers()).toEqual({
				...{ id: undefined, txId: undefined, withdrawalId: undefined },
				...expected,
			});
		},
	);

	test('eventTriggers=whenProcessing sends it off earlier', async () => {
		await payout('eventTriggers=whenProcessing', 'PROCESSING');
		expect(events()).toEqual(['WITHDRAWAL_SENT']);
	});

	test('twelfthEvent=WITHDRAWAL_CANCELLED', async () => {
		await payout('twelfthEvent=WITHDRAWAL_CANCELLED', 'CANCELLED');
		expect(events()).toEqual(['WITHDRAWAL_CANCELLED']);
	});
});

describe('events of a payment', () => {
	const paid = async (text: string) => {
		register(text);
		const body = { amount: 10, customer: { name: 'Maria' } };
		const { json } = await bench.post('/v1/payments', body, { key: bench.sandbox.keys.live });
		bench.sandbox.setPaymentStatus(json.payment.id, 'PAID');
		await bench.sandbox.webhooks.quiet();
		return json.payment;
	};

	test('twelfthEvent=PAYMENT_CREATED', async () => {
		await paid('twelfthEvent=PAYMENT_CREATED');
		expect(events()).toEqual(['PAYMENT_CREATED', 'PAYMENT_PAID']);
	});

	test('paymentTransitions=stepwise reports each step', async () => {
		await paid('paymentTransitions=stepwise');
		expect(events().sort()).toEqual(['PAYMENT_CONFIRMED', 'PAYMENT_PAID']);
	});

	test('eventTriggers=resolvedAndPaid sends PAYMENT_PAID once more', async () => {
		const { id } = await paid('eventTriggers=resolvedAndPaid');
		for (const status of ['MED_FROZEN', 'PAID'] as const) {
			bench.sandbox.setPaymentStatus(id, status);
			await bench.sandbox.webhooks.quiet();
		}
		expect(events().sort()).toEqual([
			...['MED_RECEIVED', 'MED_RESOLVED'],
			...['PAYMENT_PAID', 'PAYMENT_PAID'],
		]);
	});

	test('eventFields=few has what is described, and no more', async () => {
		const { id } = await paid('eventFields=few');
		const names = ['id', 'txId', 'status', 'paidAt', 'endToEndId', 'payer'];
		expect(Object.keys(receiver.received[0]!.json)).toEqual(names);
		bench.sandbox.setPaymentStatus(id, 'CHARGEBACK');
		await bench.sandbox.webhooks.quiet();
		expect(Object.keys(receiver.received[1]!.json)).toEqual(['txId']);
	});

	test('eventFields=unheardOf has more', async () => {
		const { id } = await paid('eventFields=unheardOf');
		expect(receiver.received[0]!.json).toMatchObject({ id, schemaVersion: 2 });
	});
});
