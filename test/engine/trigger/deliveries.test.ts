/** Hard deliveries in n8n's engine: one process, a restart, and several processes with one store. */
import {
	createDelivery,
	paymentPaid,
	signedHeaders,
	type Delivery,
} from '../../e2e/support/deliveries';
import { logged } from '../support/container';
import { NODE, START } from '../support/names';
import { useTriggerBench, type Process } from '../support/triggerBench';

const bench = useTriggerBench();

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (ms: number) => void vi.mocked(Date.now).mockReturnValue(NOW + ms);

beforeEach(() => {
	vi.spyOn(Date, 'now').mockReturnValue(NOW);
});

afterEach(() => {
	vi.restoreAllMocks();
});

it('hands a delivery on, without what was meant for the trigger alone', async () => {
	const delivery = paymentPaid();
	expect(await bench.start().deliver(delivery)).toBe(200);

	const [execution] = bench.executions;
	const body = JSON.parse(String(delivery.body)) as Record<string, string> & {
		payer?: { name: string };
	};
	expect(execution!.error).toBeUndefined();
	expect(execution!.output(NODE).map(({ json }) => json)).toEqual([
		{
			event: 'PAYMENT_PAID',
			amount: body.amount,
			payerName: body.payer?.name ?? null,
			description: body.description ?? null,
			externalId: body.externalId ?? null,
			paidAt: body.paidAt,
			source: 'webhook',
			deliveryId: delivery.id,
			sentAt: '2026-11-21T12:00:00.000Z',
			receivedAt: '2026-11-21T12:00:00.000Z',
			resourceType: 'payment',
			paymentId: body.id,
			withdrawalId: null,
			txId: body.txId,
			status: 'PAID',
			isTest: false,
			body,
		},
	]);
});

/** Where the second request arrives, from the process that took the first one. */
const PLACES: Array<[string, (first: Process) => Process]> = [
	['in one process', (first) => first],
	['after a restart', () => bench.start()],
	['in another process', () => bench.start()],
];

describe.each(PLACES)('%s', (_, next) => {
	it('a copy does not continue, now or later, re-signed or not', async () => {
		const first = bench.start();
		const delivery = paymentPaid();
		await first.deliver(delivery);
		const process = next(first);
		for (const ms of [0, 5_000, 600_000, 24 * 60 * 60_000]) {
			at(ms);
			expect(await process.deliver(delivery)).toBe(200);
		}
		expect(bench.wentOn).toEqual([delivery.id]);
	});

	it.each([
		['one ID more', {}, { txId: 'PAY1' }],
		['one ID less', { txId: 'PAY1' }, {}],
		['another field', {}, { description: 'Order 1042' }],
	])('a delivery rendered again with %s continues once', async (_name, before, after) => {
		const first = bench.start();
		const body = { paymentId: '3fa85f64-5717-4562-b3fc-2c963f66afa6', status: 'REFUNDED' };
		const [one, again] = [before, after].map((more) =>
			createDelivery('PAYMENT_REFUNDED', { ...body, ...more }, 'delivery-1'),
		) as [Delivery, Delivery];
		await first.deliver(one);
		const process = next(first);
		// A retry, a retry as it was first, and replays by hand hours later.
		for (const [ms, delivery] of [
			[5_000, again],
			[10_000, one],
			[7_200_000, again],
			[7_300_000, one],
		] as const) {
			at(ms);
			expect(await process.deliver(delivery)).toBe(200);
		}
		expect(bench.wentOn).toEqual(['delivery-1']);
		for (const execution of [...bench.executions]) await bench.retryAfterKill(execution);
		expect(bench.wentOn).toEqual(['delivery-1']);

		const other = createDelivery('PAYMENT_REFUNDED', { ...body, paymentId: 'other' }, 'delivery-1');
		const later = createDelivery('PAYMENT_REFUNDED', { ...body, status: 'PAID' }, 'delivery-1');
		for (const delivery of [other, later]) expect(await process.deliver(delivery)).toBe(200);
		expect(bench.wentOn).toHaveLength(3);
	});

	it('a delivery rendered three times, of which the first and the last have no ID in common, continues once', async () => {
		const [first, both, last] = [
			{ paymentId: 'payment-1' },
			{ paymentId: 'payment-1', txId: 'PAY1' },
			{ txId: 'PAY1' },
		].map((ids) =>
			createDelivery('PAYMENT_EXPIRED', { ...ids, status: 'EXPIRED' }, 'delivery-1'),
		) as [Delivery, Delivery, Delivery];
		const process = bench.start();
		for (const [ms, delivery] of [
			[0, first],
			[5_000, both],
			[10_000, both],
		] as const) {
			at(ms);
			expect(await process.deliver(delivery)).toBe(200);
		}
		at(20_000);

		expect(await next(process).deliver(last)).toBe(200);

		expect(bench.wentOn).toEqual(['delivery-1']);
	});

	it('a captured signature starts nothing under another ID, whose own delivery then comes through', async () => {
		const first = bench.start();
		const seen = paymentPaid();
		const captured = signedHeaders(seen, undefined, NOW);
		await first.deliver(seen);
		const process = next(first);

		// The other one has the same body: the worst case, as when both are resent by hand.
		const other = { ...seen, id: 'the-other-id' };
		for (let time = 0; time < 3; time += 1) {
			await process.deliver(other, captured as never);
			await process.deliver(other, { ...captured, 'X-Webhook-Delivery-Id': other.id } as never);
		}
		expect(bench.wentOn).toEqual([seen.id]);

		at(5_000);
		expect(await process.deliver(other)).toBe(200);
		expect(await process.deliver(other)).toBe(200);
		expect(bench.wentOn).toEqual([seen.id, other.id]);
	});

	it('two genuine deliveries of one body in one second both arrive in the end', async () => {
		const first = bench.start();
		const one = paymentPaid();
		const two = { ...one, id: 'the-other-id' };
		await first.deliver(one);
		const process = next(first);
		if ((await process.deliver(two)) === 503) {
			at(5_000);
			expect(await process.deliver(two)).toBe(200);
		} else {
			// As the response was sent before the store was asked, it is refused where a person sees it.
			const [, refused] = bench.executions;
			expect(refused!.error?.message).toMatch(/used before with another delivery ID or event$/);
			expect((await bench.retry(refused!)).error).toBeUndefined();
		}
		expect(bench.wentOn).toEqual([one.id, two.id]);
	});

	it('a delivery whose ID was used for another one before is not lost', async () => {
		const first = bench.start();
		const [seen, later] = [paymentPaid(), paymentPaid()];
		// A listener who has caught both is faster than the service.
		const captured = { ...signedHeaders(seen, undefined, NOW), 'X-Webhook-Delivery-Id': later.id };
		await first.deliver(seen, captured as never);
		const process = next(first);
		at(5_000);
		expect(await process.deliver(later)).toBe(200);
		expect(bench.wentOn).toEqual([later.id, later.id]);
		expect(bench.executions[1]!.output(NODE)[0]?.json.body).toEqual(JSON.parse(String(later.body)));
	});

	it('a delivery that was sent on under another event name first is not lost', async () => {
		bench.configure({ events: ['*'] });
		const first = bench.start();
		const genuine = paymentPaid();
		const captured = { ...signedHeaders(genuine, undefined, NOW), 'X-Webhook-Event': 'NEW_EVENT' };
		await first.deliver(genuine, captured as never);
		const process = next(first);
		at(5_000);
		expect(await process.deliver(genuine)).toBe(200);
		expect(await process.deliver(genuine)).toBe(200);
		expect(bench.executions.map((execution) => execution.output(NODE)[0]?.json.event)).toEqual([
			'NEW_EVENT',
			'PAYMENT_PAID',
		]);
	});

	it('a captured signature starts nothing under another event name', async () => {
		bench.configure({ events: ['*'] });
		const first = bench.start();
		const seen = paymentPaid();
		const captured = { ...signedHeaders(seen, undefined, NOW), 'X-Webhook-Event': 'NEW_EVENT' };
		await first.deliver(seen);
		await next(first).deliver(seen, captured as never);
		expect(bench.wentOn).toEqual([seen.id]);
	});

	it('Let Through Again lets a copy through once for each time that its ID is written', async () => {
		const first = bench.start();
		const delivery = paymentPaid();
		await first.deliver(delivery);
		const process = next(first);
		const wishes = ['another-id', delivery.id, `${delivery.id}, ${delivery.id}`, ''];
		for (const [index, letThroughAgain] of wishes.entries()) {
			bench.configure({ letThroughAgain });
			for (let time = 0; time < 2; time += 1) {
				at(10_000 * index + 5_000 * time);
				expect(await process.deliver(delivery)).toBe(200);
			}
			expect(bench.wentOn).toHaveLength([1, 2, 3, 3][index]!);
		}
		expect(new Set(bench.wentOn)).toEqual(new Set([delivery.id]));
	});

	it('none of 150 deliveries is forgotten within two windows', async () => {
		bench.configure({ deliveriesToRemember: 100 });
		const first = bench.start();
		const deliveries = Array.from({ length: 150 }, () => paymentPaid());
		for (const delivery of deliveries) await first.deliver(delivery);
		const process = next(first);
		at(599_000);
		for (const delivery of deliveries) expect(await process.deliver(delivery)).toBe(200);
		expect(bench.wentOn).toHaveLength(150);
	});
});

describe('a sender that hangs up while n8n waits for a free slot', () => {
	it('is asked to come again until the execution has begun', async () => {
		const process = bench.start();
		const delivery = paymentPaid();
		const { response, items } = await process.receive(delivery);
		response.breakOff();
		for (const ms of [10_000, 25_000, 60_000]) {
			at(ms);
			expect(await process.deliver(delivery)).toBe(503);
		}
		await process.execute(items!);
		expect(await process.deliver(delivery)).toBe(200);
		expect(bench.wentOn).toEqual([delivery.id]);
		expect(bench.executions).toHaveLength(1);
	});

	it('starts a second one after long, and one of them continues', async () => {
		const process = bench.start();
		const delivery = paymentPaid();
		const { response, items } = await process.receive(delivery);
		response.breakOff();
		at(16 * 60_000);
		expect(await process.deliver(delivery)).toBe(200);
		await process.execute(items!);
		expect(bench.executions).toHaveLength(2);
		expect(bench.wentOn).toEqual([delivery.id]);
	});

	it('is let in again when n8n could not store the execution', async () => {
		const process = bench.start();
		const delivery = paymentPaid();
		const { response } = await process.receive(delivery);
		response.breakOff();
		response.answerLate(500);
		expect(await process.deliver(delivery)).toBe(200);
		expect(bench.wentOn).toEqual([delivery.id]);
	});
});

describe('an execution that is run again', () => {
	it('is no copy of itself after a kill', async () => {
		const delivery = paymentPaid();
		await bench.start().deliver(delivery);
		const retried = await bench.retryAfterKill(bench.executions[0]!);
		expect(retried.error).toBeUndefined();
		expect(bench.wentOn).toEqual([delivery.id]);
	});

	it('stays a copy after a kill', async () => {
		const delivery = paymentPaid();
		await bench.start().deliver(delivery);
		await bench.start().deliver(delivery);
		await bench.retryAfterKill(bench.executions[1]!);
		expect(bench.wentOn).toEqual([delivery.id]);
	});
});

describe('an event that its signed status contradicts', () => {
	const cancelled = () => createDelivery('PAYMENT_PAID', { txId: 'PAY1', status: 'CANCELLED' });

	it('fails before any other node runs', async () => {
		expect(await bench.start().deliver(cancelled())).toBe(200);
		const [execution] = bench.executions;
		expect(execution!.error?.message).toMatch(/says PAYMENT_PAID, .* signed body is CANCELLED$/);
		expect(execution!.getRuns(NODE)).toEqual([]);
	});

	it('leaves by the last of several outputs, and is marked', async () => {
		bench.configure({ oneOutputPerEvent: true }, ['PAYMENT_PAID']);
		await bench.start().deliver(cancelled());
		const [execution] = bench.executions;
		expect(execution!.output(START, 0)).toEqual([]);
		expect(execution!.output(START, 1).map(({ json }) => json)).toMatchObject([
			{ event: 'PAYMENT_PAID', status: 'CANCELLED', statusContradictsEvent: true },
		]);
	});
});

describe('what has to get a response', () => {
	it('a probe is accepted whatever it lacks', async () => {
		const probe = createDelivery('webhook.test', { data: { webhookConfigId: 'id' } });
		for (const emitTestPings of [false, true]) {
			bench.configure({ emitTestPings });
			const process = bench.start();
			for (const name of ['Signature', 'Timestamp', 'Delivery-Id']) {
				expect(await process.deliver(probe, { [`X-Webhook-${name}`]: undefined })).toBe(200);
			}
		}
		expect(bench.executions).toEqual([]);
	});

	it('a genuine delivery under a wrong clock is asked for again, and the log says by how much', async () => {
		const delivery = paymentPaid();
		const signed = signedHeaders(delivery, undefined, NOW);
		at(3_600_000);
		expect(await bench.start().deliver(delivery, signed as never)).toBe(503);
		expect(JSON.stringify(logged)).toMatch(
			/is genuine, but the timestamp is 3600 seconds in the past/,
		);
		expect(bench.executions).toEqual([]);
	});

	it('nothing that is signed is refused for good', async () => {
		const process = bench.start();
		const delivery = paymentPaid();
		for (const changed of [
			{ 'X-Webhook-Signature': 'HMAC of an unknown form' },
			{ 'X-Webhook-Timestamp': 'yesterday' },
			{ 'X-Webhook-Event': undefined },
			{ 'X-Webhook-Delivery-Id': undefined },
		]) {
			expect(await process.deliver(delivery, changed)).toBe(503);
		}
		expect(await process.deliver(delivery, { 'X-Webhook-Signature': undefined })).toBe(401);
		expect(bench.executions).toEqual([]);
	});
});

it('keeps what n8n reads and writes for each delivery small', async () => {
	const process = bench.start();
	for (let number = 0; number < 20; number += 1) await process.deliver(paymentPaid());
	// Seven entries for each, because each has two IDs.
	expect(bench.stored).toBe(140);
});
