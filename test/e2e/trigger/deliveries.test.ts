/**
 * Deliveries at a real n8n: its parser of bodies, its queue of requests, its outputs. What the trigger does
 * with each: test/engine/trigger.
 */
import { randomUUID } from 'node:crypto';

import { deliver, createDelivery, paymentPaid, post, signedHeaders } from '../support/deliveries';
import { Listener } from '../support/listener';
import { Sender } from '../support/sender';
import { useWorld } from '../support/n8nTestEnv';

const world = useWorld();

it('a delivery is passed on byte for byte as to its signature, whatever its layout and letters', async () => {
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
