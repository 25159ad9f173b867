/**
 * The way to a trigger that works: secrets, activation, test URL; and everything that may be sent to it, through
 * n8n's own server, parser of bodies and outputs. What the trigger does with each delivery: test/engine/trigger.
 */
import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

import { getItems } from '../../../dev/n8n/rest/executionData';
import {
	deliver,
	paymentPaid,
	post,
	SECRET,
	signedHeaders,
	type Delivery,
} from '../support/deliveries';
import { Listener, saveSecrets, TRIGGER } from '../support/listener';
import { useWorld } from '../support/n8nTestEnv';
import { Sender } from '../support/sender';

const world = useWorld();

const NEW_SECRET = 'whsec_example_new_5d0a4b7c9e1f';

it('verifies each delivery with the secrets that are in the credential by then', async () => {
	const credential = 'Rotated';
	await saveSecrets(world, credential, SECRET);
	const listener = await Listener.open(world, { credential });
	const accepted: string[] = [];
	for (const [secrets, ofOld, ofNew] of [
		[[SECRET], 200, 503],
		[[SECRET, NEW_SECRET], 200, 200],
		[[NEW_SECRET], 503, 200],
		[[], 503, 503],
	] as const) {
		await saveSecrets(world, credential, ...secrets);
		const statuses: number[] = [];
		for (const secret of [SECRET, NEW_SECRET]) {
			const delivery = paymentPaid();
			const { status } = await deliver(listener.url, delivery, secret);
			statuses.push(status);
			if (status === 200) accepted.push(delivery.id);
		}
		expect([secrets, ...statuses]).toEqual([secrets, ofOld, ofNew]);
	}
	expect((await listener.emittedIds()).sort()).toEqual(accepted.sort());
});

it('is not published without a secret, and n8n says why', async () => {
	const credential = 'No secret';
	await saveSecrets(world, credential);
	const listener = await Listener.save(world, { credential });
	await expect(listener.activate()).rejects.toThrow(/no signing secret.*Settings > Webhooks/);
	expect(await deliver(listener.url, paymentPaid())).toMatchObject({ status: 404 });

	// A poll while n8n tries it five times would take n8n's engine for expressions away, and the message with it.
	const minute = (new Date().getMinutes() + 30) % 60;
	const pollTimes = { item: [{ mode: 'everyHour', minute }] };
	const both = { credential, parameters: { receiveBy: 'both', pollTimes } };
	const listeningToo = await Listener.save(world, both);
	await expect(listeningToo.activate()).rejects.toThrow(/no signing secret/);

	// Nobody sends anything to one that only polls.
	await Listener.open(world, { credential, parameters: { receiveBy: 'polling' } });
});

it('takes the same delivery at the test URL as often as it comes, and then at the production URL', async () => {
	const listener = await Listener.open(world);
	const delivery = paymentPaid();
	for (let time = 1; time <= 2; time += 1) {
		await world.client.listenForTest(listener.workflowId, TRIGGER);
		const id = await world.client.executionOf(listener.workflowId, async () => {
			expect(await deliver(listener.testUrl, delivery)).toMatchObject({ status: 200 });
		});
		const execution = await world.client.waitForExecution(id);
		expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
		const items = getItems(execution, TRIGGER);
		expect(items.map(({ json }) => json.deliveryId)).toEqual([delivery.id]);
		expect(JSON.stringify(items)).not.toContain('__delivery');
	}
	expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
	expect(await listener.emittedIds()).toEqual([delivery.id, delivery.id, delivery.id]);
});

it('checks the signature of the very bytes, whatever their layout and letters', async () => {
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

it('starts one execution for 20 copies that arrive at once, and defers or accepts each', async () => {
	const listener = await Listener.open(world);
	const delivery = paymentPaid();
	const copies = Array.from({ length: 20 }, async () => await deliver(listener.url, delivery));
	const statuses = (await Promise.all(copies)).map(({ status }) => status);
	expect(statuses).toContain(200);
	expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
	// The execution was created: a client that tries again learns that.
	expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
	expect(await listener.emittedIds()).toEqual([delivery.id]);
});

it('accepts, once, what comes again from a sender that hung up before it got a response', async () => {
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

it('Fetch Current State adds the payment as it is now', async () => {
	const payment = { environment: 'PRODUCTION', status: 'REFUNDED' } as const;
	const { id } = world.sandbox.seed.payment(payment);
	const listener = await Listener.open(world, { parameters: { fetchCurrentState: true } });
	expect(await deliver(listener.url, paymentPaid({ id }))).toMatchObject({ status: 200 });
	const json = (await listener.emitted()).flat()[0]?.json;
	expect(json).toMatchObject({ status: 'PAID', current: { id, status: 'REFUNDED' } });
	expect(json).not.toHaveProperty('currentError');
});

describe('nothing hangs', () => {
	let listener: Listener;
	/** The ids of the deliveries that got 200. */
	const accepted: string[] = [];
	beforeAll(async () => {
		listener = await Listener.open(world);
	});

	/** Sends a delivery of which one thing is changed; fails when there is no response in time. */
	const sendChanged = async (changes: OutgoingHttpHeaders = {}, body?: string | Buffer) => {
		const delivery: Delivery = { ...paymentPaid(), ...(body !== undefined && { body }) };
		const all = Object.entries({ ...signedHeaders(delivery), ...changes });
		const headers = Object.fromEntries(all.filter(([, value]) => value !== undefined));
		const answer = await post(listener.url, headers, delivery.body).catch(hungUp);
		if (answer.status === 200) accepted.push(delivery.id);
		return answer.status;
	};
	const HUNG_UP = 0;
	/** n8n ends the connection as soon as it has responded, which can come before the last byte was sent. */
	const hungUp = (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
		return { status: HUNG_UP };
	};
	const megabytes = (count: number) =>
		JSON.stringify({ id: randomUUID(), note: 'x'.repeat(count * 1024 * 1024) });
	const FORGED = { 'X-Webhook-Signature': `v1=${'a'.repeat(64)}` };
	const FORM = { 'content-type': 'multipart/form-data; boundary=x' };
	const URL_ENCODED = { 'content-type': 'application/x-www-form-urlencoded' };

	it.each<[string, number[], OutgoingHttpHeaders, (string | Buffer)?]>([
		['10 MB that are genuine', [200], {}, megabytes(10)],
		['10 MB that are forged', [503], FORGED, megabytes(10)],
		['more than n8n takes', [413, 500, HUNG_UP], {}, megabytes(20)],
		['no body', [503], {}, ''],
		['a body that is no JSON', [422, 503, 500], {}, 'id=1&status=PAID'],
		['JSON that is no object', [503], {}, '[1,2,3]'],
		['text', [503], { 'content-type': 'text/plain' }, 'paid'],
		['a form', [503], URL_ENCODED, 'id=1'],
		['a form with files', [503, 500], FORM, '--x--'],
		['half a form with files', [400, 503, 500], FORM, '--x\r\nA'],
		['XML', [503, 422, 500], { 'content-type': 'text/xml' }, '<a'],
		['an unknown encoding', [200, 503, 500], { 'content-encoding': 'br' }],
		['what is not gzip', [400, 500, 422], { 'content-encoding': 'gzip' }],
		['bytes that are no text', [503, 422, 500], {}, Buffer.from([0xff, 0xfe, 0x00, 0x80])],
		['two delivery IDs', [503], { 'X-Webhook-Delivery-Id': ['a-b', 'a-b'] }],
	])('%s gets a response', async (_case, statuses, headers, body) => {
		expect(statuses).toContain(await sendChanged(headers, body));
	});

	it.each([
		'application/json',
		'application/json; charset=utf-8',
		'application/cloudevents+json',
		'application/octet-stream',
		'application/x-www-form-urlencoded',
		'text/plain',
		undefined,
	])('a genuine delivery is accepted with the content type %s', async (type) => {
		expect(await sendChanged({ 'content-type': type })).toBe(200);
	});

	it.each(['GET', 'PUT', 'DELETE', 'HEAD'])('%s gets a response', async (method) => {
		const headers = signedHeaders(paymentPaid());
		expect(await post(listener.url, headers, '', { method })).toMatchObject({ status: 404 });
	});

	it('started executions for nothing but what was genuine', async () => {
		expect(accepted.length).toBeGreaterThanOrEqual(2);
		// Each execution has its delivery, and each delivery that was accepted its execution.
		expect((await listener.emitted()).map(({ length }) => length)).toEqual(accepted.map(() => 1));
		expect((await listener.emittedIds()).sort()).toEqual([...accepted].sort());
	});
});
