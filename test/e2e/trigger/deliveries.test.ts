/** What the trigger does with deliveries: which of them start the workflow, how often, and with what. */
import { randomUUID } from 'node:crypto';

import {
	deliver,
	createDelivery,
	paymentPaid,
	post,
	SECRET,
	signedHeaders,
} from '../support/deliveries';
import { Listener } from '../support/listener';
import { Sender } from '../support/sender';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();

describe('one delivery', () => {
	it('starts one execution, whose output is described and free of anything internal', async () => {
		const listener = await Listener.open(world);
		const sentAt = Math.floor(Date.now() / 1000) * 1000;
		const delivery = paymentPaid();
		const headers = signedHeaders(delivery, SECRET, sentAt);
		expect(await post(listener.url, headers, delivery.body)).toMatchObject({ status: 200 });

		const body = JSON.parse(delivery.body.toString()) as Record<
			'id' | 'txId' | 'paidAt' | 'amount',
			unknown
		>;
		const emitted = await listener.emitted();
		expect(emitted).toHaveLength(1);
		expect(emitted[0]).toEqual([
			{
				json: {
					event: 'PAYMENT_PAID',
					source: 'webhook',
					deliveryId: delivery.id,
					sentAt: new Date(sentAt).toISOString(),
					receivedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as unknown,
					resourceType: 'payment',
					paymentId: body.id,
					withdrawalId: null,
					txId: body.txId,
					status: 'PAID',
					amount: body.amount,
					payerName: null,
					description: null,
					externalId: null,
					paidAt: body.paidAt,
					isTest: false,
					body,
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('is passed on byte for byte as to its signature, whatever its layout and letters', async () => {
		const listener = await Listener.open(world);
		const delivery = {
			id: randomUUID(),
			event: 'MED_RECEIVED',
			body: `{ "paymentId" : "${randomUUID()}",\n\t"reason":"Cobran\\u00e7a não reconhecida 🧾", "amount": 10.00 }`,
		};
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		const [item] = (await listener.emitted()).flat();
		expect(item?.json).toMatchObject({
			resourceType: 'payment',
			body: { reason: 'Cobrança não reconhecida 🧾', amount: 10 },
		});
	});
});

describe('copies', () => {
	it('start nothing when they arrive at once, and each is deferred or accepted', async () => {
		const listener = await Listener.open(world);
		const delivery = paymentPaid();
		const answers = await Promise.all(
			Array.from({ length: 20 }, async () => await deliver(listener.url, delivery)),
		);
		const statuses = answers.map(({ status }) => status);
		expect(statuses).toContain(200);
		expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
		// The execution was created: a client that tries again learns that.
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		expect(await listener.emittedIds()).toEqual([delivery.id]);
	});

	it('of 200 different deliveries at once start nothing', async () => {
		const listener = await Listener.open(world);
		const deliveries = Array.from({ length: 200 }, () => paymentPaid());
		const sender = new Sender(() => listener.url);
		const sendAll = async () =>
			await Promise.all(deliveries.map(async (each) => await sender.send(each)));
		expect(new Set(await sendAll())).toEqual(new Set(['accepted']));
		expect(new Set(await sendAll())).toEqual(new Set(['accepted']));
		const ids = await listener.emittedIds();
		expect(ids.sort()).toEqual(deliveries.map(({ id }) => id).sort());
	});

	it('are accepted from a sender that hung up before it got a response', async () => {
		const listener = await Listener.open(world);
		const deliveries = Array.from({ length: 40 }, () => paymentPaid());
		// Spread over the time that n8n needs for them: before, while and after each is worked on.
		await Promise.all(
			deliveries.map(async (each, index) => {
				const signal = AbortSignal.timeout(20 * index);
				await post(listener.url, signedHeaders(each), each.body, { signal }).catch(() => undefined);
			}),
		);
		const sender = new Sender(() => listener.url);
		const outcomes = deliveries.map(async (each) => await sender.send(each));
		expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['accepted']));
		expect((await listener.emittedIds()).sort()).toEqual(deliveries.map(({ id }) => id).sort());
	});
});

describe('two workflows with the trigger', () => {
	it('both get every delivery once', async () => {
		const listeners = [await Listener.open(world), await Listener.open(world)];
		const deliveries = [paymentPaid(), paymentPaid(), paymentPaid()];
		for (const delivery of [...deliveries, ...deliveries]) {
			for (const { url } of listeners) {
				expect(await deliver(url, delivery)).toMatchObject({ status: 200 });
			}
		}
		for (const listener of listeners) {
			expect(await listener.emittedIds()).toEqual(deliveries.map(({ id }) => id));
		}
	});
});

describe('what starts nothing', () => {
	it.each([
		['an event that is not selected', 'PAYMENT_EXPIRED', { txId: 'PAYexample' }],
		['the test of the dashboard', 'TEST', { data: { livemode: true } }],
		[
			'the probe that reactivates an endpoint',
			'webhook.test',
			{ data: { message: 'Reactivation probe', webhookConfigId: randomUUID() } },
		],
	])('%s gets a success response', async (_case, event, body) => {
		const listener = await Listener.open(world, { events: ['PAYMENT_PAID'] });
		const answer = await deliver(listener.url, createDelivery(event, body));
		expect(answer.status).toBe(200);
		// One that does start shows that those before it did not.
		const genuine = paymentPaid();
		await deliver(listener.url, genuine);
		expect(await listener.executions()).toHaveLength(1);
		expect(await listener.emittedIds()).toEqual([genuine.id]);
	});
});

describe('options', () => {
	it('Emit Test Pings starts the workflow with the ping', async () => {
		const listener = await Listener.open(world, {
			events: ['PAYMENT_PAID'],
			options: { emitTestPings: true },
		});
		await deliver(listener.url, createDelivery('TEST', { data: { livemode: false } }));
		const [item] = (await listener.emitted()).flat();
		expect(item?.json).toMatchObject({
			event: 'TEST',
			isTest: true,
			resourceType: null,
			paymentId: null,
			body: { data: { livemode: false } },
		});
	});

	it('One Output per Event sends each event its own way', async () => {
		const listener = await Listener.open(world, {
			events: ['WITHDRAWAL_SENT', 'PAYMENT_PAID'],
			options: { oneOutputPerEvent: true, emitTestPings: true },
		});
		const paid = paymentPaid();
		const sent = createDelivery('WITHDRAWAL_SENT', { id: randomUUID(), status: 'COMPLETED' });
		const ping = createDelivery('TEST', { data: { livemode: true } });
		for (const delivery of [paid, sent, ping]) await deliver(listener.url, delivery);

		// In the order in which the list shows them, and a last one for everything else.
		for (const [output, delivery] of [paid, sent, ping].entries()) {
			const items = (await listener.emitted(output)).flat();
			expect(items.map(({ json }) => json.deliveryId)).toEqual([delivery.id]);
		}
	});
});

describe('replays by hand', () => {
	it('Let Through Again lets the original ID through once for each time it is written', async () => {
		const listener = await Listener.open(world);
		const delivery = paymentPaid();
		const replay = async () => {
			expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
			return (await listener.emittedIds()).length;
		};
		expect(await replay()).toBe(1);
		expect(await replay()).toBe(1);
		await listener.changeOptions({ letThroughAgain: delivery.id });
		expect(await replay()).toBe(2);
		expect(await replay()).toBe(2);
		await listener.changeOptions({ letThroughAgain: `${delivery.id}, ${delivery.id}` });
		expect(await replay()).toBe(3);
		expect(await replay()).toBe(3);
		// Taken out again, it is the delivery that was seen.
		await listener.changeOptions({});
		expect(await replay()).toBe(3);
	});

	it('a resend under a new ID with a thin body is emitted without any option', async () => {
		const listener = await Listener.open(world, { events: ['PAYMENT_PAID', 'WITHDRAWAL_SENT'] });
		const id = randomUUID();
		const thin = { id, txId: 'PAYexample', status: 'PAID', amount: 125.9 };
		await deliver(listener.url, paymentPaid({ id }));
		await deliver(listener.url, createDelivery('PAYMENT_PAID', thin));
		const withdrawal = { ...thin, txId: 'WITexample', status: 'COMPLETED', netAmount: 124.4 };
		await deliver(listener.url, createDelivery('WITHDRAWAL_SENT', withdrawal));
		const items = (await listener.emitted()).flat().map(({ json }) => json);
		expect(items).toMatchObject([
			{ paymentId: id, withdrawalId: null },
			{ paymentId: id, withdrawalId: null, body: thin },
			{ paymentId: null, withdrawalId: id, body: withdrawal },
		]);
	});
});
