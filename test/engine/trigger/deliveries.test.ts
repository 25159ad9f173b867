/** Hard deliveries in n8n's engine: one process, a restart, and several processes with one store. */
import type { IDataObject } from 'n8n-workflow';
import {
	createDelivery,
	paymentPaid,
	signedHeaders,
	type Delivery,
} from '../../e2e/support/deliveries';
import { NOW, stopClock } from '../../unit/nodes/BrlPaymentsTrigger/support/delivery';
import { NODE } from '../support/names';
import { useTriggerBench, type Attempt, type Process } from '../support/triggerBench';

const bench = useTriggerBench();

const setClock = stopClock();
const at = (ms: number) => setClock(NOW + ms);

it('hands a delivery on, without what was meant for the trigger alone', async () => {
	const delivery = paymentPaid();
	expect(await bench.start().deliver(delivery)).toBe(200);

	const [execution] = bench.executions;
	const body = JSON.parse(String(delivery.body)) as IDataObject;
	expect(execution!.error).toBeUndefined();
	expect(execution!.output(NODE).map(({ json }) => json)).toEqual([
		{
			...{ event: 'PAYMENT_PAID', source: 'webhook', deliveryId: delivery.id },
			...{ amount: body.amount, payerName: null, description: null },
			...{ externalId: null, reference: null, paidAt: body.paidAt },
			...{ resourceType: 'payment', paymentId: body.id, withdrawalId: null, txId: body.txId },
			...{ status: 'PAID', isTest: false },
			...{ sentAt: '2026-11-21T12:00:00.000Z', receivedAt: '2026-11-21T12:00:00.000Z' },
			body,
		},
	]);
});

/** The headers of a delivery that someone has caught, some of them changed. */
const captured = (delivery: Delivery, changed: IDataObject = {}): IDataObject => ({
	...signedHeaders(delivery, undefined, NOW),
	...changed,
});

/** Sends each delivery at its time, in milliseconds, and expects it to be accepted. */
async function acceptAll(process: Process, deliveries: ReadonlyArray<readonly [number, Delivery]>) {
	for (const [ms, delivery] of deliveries) {
		at(ms);
		expect(await process.deliver(delivery)).toBe(200);
	}
}

/** Where the second request arrives, from the process that took the first one. */
const PLACES: Array<[string, (first: Process) => Process]> = [
	['in one process', (first) => first],
	['after a restart, or in another process', () => bench.start()],
];

describe.each(PLACES)('%s', (_, next) => {
	it('a copy does not continue, now or later, re-signed or not', async () => {
		const first = bench.start();
		const delivery = paymentPaid();
		await first.deliver(delivery);
		const times = [0, 5_000, 600_000, 24 * 60 * 60_000];
		await acceptAll(
			next(first),
			times.map((ms) => [ms, delivery]),
		);
		expect(bench.wentOn).toEqual([delivery.id]);
	});

	it.each([
		['one ID more', {}, { txId: 'PAY1' }],
		['one ID less', { txId: 'PAY1' }, {}],
		['another field', {}, { description: 'Order 1042' }],
	])('a delivery rendered again with %s continues once', async (_name, before, after) => {
		const first = bench.start();
		const body = { paymentId: '3fa85f64-5717-4562-b3fc-2c963f66afa6', status: 'REFUNDED' };
		const render = (more: IDataObject) =>
			createDelivery('PAYMENT_REFUNDED', { ...body, ...more }, 'delivery-1');
		const [one, again] = [render(before), render(after)];
		await first.deliver(one);
		const process = next(first);
		// A retry, a retry as it was first, and replays by hand hours later.
		await acceptAll(process, [
			[5_000, again],
			[10_000, one],
			[7_200_000, again],
			[7_300_000, one],
		]);
		for (const execution of [...bench.executions]) await bench.retryAfterKill(execution);
		expect(bench.wentOn).toEqual(['delivery-1']);

		await acceptAll(process, [
			[7_300_000, render({ paymentId: 'other' })],
			[7_300_000, render({ status: 'PAID' })],
		]);
		expect(bench.wentOn).toHaveLength(3);
	});

	it('a captured signature starts nothing under another ID or event, whose own delivery then comes through', async () => {
		const first = bench.start();
		const seen = paymentPaid();
		await first.deliver(seen);
		const process = next(first);

		// The other one has the same body: the worst case, as when both are resent by hand.
		const other = { ...seen, id: 'the-other-id' };
		for (let time = 0; time < 3; time += 1) {
			await process.deliver(other, captured(seen));
			await process.deliver(other, captured(seen, { 'X-Webhook-Delivery-Id': other.id }));
			await process.deliver(seen, captured(seen, { 'X-Webhook-Event': 'NEW_EVENT' }));
		}
		expect(bench.wentOn).toEqual([seen.id]);

		await acceptAll(process, [
			[5_000, other],
			[5_000, other],
		]);
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
		await first.deliver(seen, captured(seen, { 'X-Webhook-Delivery-Id': later.id }));
		await acceptAll(next(first), [[5_000, later]]);
		expect(bench.wentOn).toEqual([later.id, later.id]);
		expect(bench.executions[1]!.output(NODE)[0]?.json.body).toEqual(JSON.parse(String(later.body)));
	});

	it('a delivery that was sent on under another event name first is not lost', async () => {
		const first = bench.start();
		const genuine = paymentPaid();
		await first.deliver(genuine, captured(genuine, { 'X-Webhook-Event': 'NEW_EVENT' }));
		await acceptAll(next(first), [
			[5_000, genuine],
			[5_000, genuine],
		]);
		expect(bench.executions.map((execution) => execution.output(NODE)[0]?.json.event)).toEqual([
			'NEW_EVENT',
			'PAYMENT_PAID',
		]);
	});
});

describe('a sender that hangs up while n8n waits for a free slot', () => {
	let process: Process;
	let delivery: Delivery;
	let attempt: Attempt;
	beforeEach(async () => {
		process = bench.start();
		delivery = paymentPaid();
		attempt = await process.receive(delivery);
		attempt.response.breakOff();
	});

	afterEach(() => expect(bench.wentOn).toEqual([delivery.id]));

	it('is asked to come again until the execution has begun', async () => {
		for (const ms of [10_000, 25_000, 60_000]) {
			at(ms);
			expect(await process.deliver(delivery)).toBe(503);
		}
		await process.execute(attempt.items!);
		expect(await process.deliver(delivery)).toBe(200);
		expect(bench.executions).toHaveLength(1);
	});

	it('starts a second one after long, and one of them continues', async () => {
		at(16 * 60_000);
		expect(await process.deliver(delivery)).toBe(200);
		await process.execute(attempt.items!);
		expect(bench.executions).toHaveLength(2);
	});
});

it.each([
	['is no copy of itself', 0],
	['stays a copy', 1],
])('an execution that is run again after a kill %s', async (_, index) => {
	const delivery = paymentPaid();
	for (const process of [bench.start(), bench.start()]) await process.deliver(delivery);
	const retried = await bench.retryAfterKill(bench.executions[index]!);
	expect(retried.error).toBeUndefined();
	expect(bench.wentOn).toEqual([delivery.id]);
});
