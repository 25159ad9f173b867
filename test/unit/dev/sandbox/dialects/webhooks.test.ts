/** Each alternative of the points that concern deliveries. */
import { createHmac } from 'node:crypto';
import { parseDialect, type Endpoint } from '../../../../../dev/sandbox';
import { useBench } from '../support';
import { advance, getEvents, SECOND, useReceiver } from '../webhooks/support';

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
	['timestampForm=s', 'x-webhook-timestamp', /^\d{10}$/],
	['timestampForm=ms', 'x-webhook-timestamp', /^\d{13}$/],
	['timestampForm=us', 'x-webhook-timestamp', /^\d{16}$/],
	['timestampForm=ns', 'x-webhook-timestamp', /^\d{19}$/],
	['timestampForm=iso', 'x-webhook-timestamp', /^\d{4}-.*Z$/],
	['timestampForm=httpDate', 'x-webhook-timestamp', /^\w{3}, .* GMT$/],
	['headerForms=versioned', 'x-webhook-signature', /^v1=[\da-f]{64}$/],
	['headerForms=fields', 'x-webhook-signature', /^t=\d{10},v1=[\da-f]{64}$/],
	['headerForms=bare', 'x-webhook-signature', /^[\da-f]{64}$/],
	['headerForms=versionedByComma', 'x-webhook-signature', /^v1,[\da-f]{64}$/],
	['headerForms=hashNamed', 'x-webhook-signature', /^sha256=[\da-f]{64}$/],
])('%s: %s is like %s', async (dialect, header, expected) => {
	expect((await sent(dialect)).headers[header]).toMatch(expected);
});

test.each([
	['ofAttempt', 2],
	['ofFirst', 1],
])('retriedDelivery=%s', async (choice, times) => {
	const now = vi.spyOn(Date, 'now').mockReturnValueOnce(1_800_000_000_000);
	receiver.answer = 503;
	await sent(`retriedDelivery=${choice}`);
	now.mockRestore();
	await advance(bench, 10 * SECOND);
	const shown = receiver.received.map(({ headers }) => headers['x-webhook-timestamp']);
	expect(shown).toHaveLength(2);
	expect(new Set(shown).size).toBe(times);
});

test('probe: a test without signature and delivery ID', async () => {
	const { id } = register('probe=unsigned+withoutId');
	bench.sandbox.webhooks.sendTest(id);
	await bench.sandbox.webhooks.quiet();
	const names = Object.keys(receiver.received[0]!.headers);
	expect(names.filter((name) => name.startsWith('x-webhook'))).toEqual(['x-webhook-event']);
});

test.each(['webhook.test', 'TEST', 'WEBHOOK_TEST'])('probe=%s reactivates', async (name) => {
	const { id } = register(`probe=${name},reactivation=present`);
	bench.sandbox.webhooks.update(id, { suspendAfter: 1 });
	receiver.answer = 500;
	bench.sandbox.webhooks.emit('PAYMENT_PAID', {});
	await bench.sandbox.webhooks.quiet();
	const reactivate = async () => await bench.post(`/v1/webhooks/${id}/reactivate`, {});
	expect((await reactivate()).code).toBe('REACTIVATION_PROBE_FAILED');
	receiver.answer = 200;
	expect((await reactivate()).status).toBe(200);
	expect(getEvents(receiver).slice(-2)).toEqual([name, name]);
});

type WithdrawalStatus = 'PROCESSING' | 'COMPLETED' | 'CANCELLED';

async function payOut(dialect: string, status: WithdrawalStatus) {
	register(dialect);
	const { id, txId } = bench.sandbox.seed.withdrawal({ environment: 'PRODUCTION' });
	bench.sandbox.setWithdrawalStatus(id, status);
	await bench.sandbox.webhooks.quiet();
	return { id, txId };
}

test.each(['idAndTxId', 'txIdOnly', 'withdrawalIdOnly'])('eventIdentifiers=%s', async (choice) => {
	const { id, txId } = await payOut(`eventIdentifiers=${choice}`, 'COMPLETED');
	const expected = {
		idAndTxId: [id, txId, undefined],
		txIdOnly: [undefined, txId, undefined],
		withdrawalIdOnly: [undefined, undefined, id],
	}[choice];
	const { json } = receiver.received[0]!;
	expect([json.id, json.txId, json.withdrawalId]).toEqual(expected);
});

test.each<[dialect: string, WithdrawalStatus, event: string]>([
	['eventTriggers=whenProcessing', 'PROCESSING', 'WITHDRAWAL_SENT'],
	['twelfthEvent=WITHDRAWAL_CANCELLED', 'CANCELLED', 'WITHDRAWAL_CANCELLED'],
])('%s: a payout that is %s sends %s', async (dialect, status, event) => {
	await payOut(dialect, status);
	expect(getEvents(receiver)).toEqual([event]);
});

type PaymentStatus = 'PAID' | 'MED_FROZEN' | 'CHARGEBACK';

async function receive(dialect: string, ...statuses: PaymentStatus[]): Promise<string> {
	register(dialect);
	const body = { amount: 10, customer: { name: 'Maria' } };
	const { json } = await bench.post('/v1/payments', body, { key: bench.sandbox.keys.live });
	for (const status of statuses) {
		bench.sandbox.setPaymentStatus(json.payment.id, status);
		await bench.sandbox.webhooks.quiet();
	}
	return json.payment.id as string;
}

test.each<[dialect: string, PaymentStatus[], events: string[]]>([
	['twelfthEvent=PAYMENT_CREATED', ['PAID'], ['PAYMENT_CREATED', 'PAYMENT_PAID']],
	['paymentTransitions=stepwise', ['PAID'], ['PAYMENT_CONFIRMED', 'PAYMENT_PAID']],
	[
		'eventTriggers=resolvedAndPaid',
		['PAID', 'MED_FROZEN', 'PAID'],
		['MED_RECEIVED', 'MED_RESOLVED', 'PAYMENT_PAID', 'PAYMENT_PAID'],
	],
])('%s: a payment that is %j sends %j', async (dialect, statuses, events) => {
	await receive(dialect, ...statuses);
	expect(getEvents(receiver).sort()).toEqual(events);
});

test('eventFields=few has what is described, and no more', async () => {
	await receive('eventFields=few', 'PAID', 'CHARGEBACK');
	expect(receiver.received.map(({ json }) => Object.keys(json as object))).toEqual([
		['id', 'txId', 'status', 'paidAt', 'endToEndId', 'payer'],
		['txId'],
	]);
});

test('eventFields=unheardOf has more', async () => {
	const id = await receive('eventFields=unheardOf', 'PAID');
	expect(receiver.received[0]!.json).toMatchObject({ id, schemaVersion: 2 });
});
