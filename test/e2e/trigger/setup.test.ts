/**
 * The way to a trigger that works: secrets, activation, test URL; and everything that may be sent to
 * it.
 */
import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

import { getItems } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
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

const world = useWorld();

const NEW_SECRET = 'whsec_example_new_5d0a4b7c9e1f';

describe('rotation of the secret', () => {
	it('accepts old and new while both are in the credential, and only the new one afterwards', async () => {
		const credential = 'Rotated';
		await saveSecrets(world, credential, SECRET);
		const listener = await Listener.open(world, { credential });
		const accepted: string[] = [];
		const send = async (secret: string) => {
			const delivery = paymentPaid();
			const { status } = await deliver(listener.url, delivery, secret);
			if (status === 200) accepted.push(delivery.id);
			return status;
		};
		expect([await send(SECRET), await send(NEW_SECRET)]).toEqual([200, 503]);
		await saveSecrets(world, credential, SECRET, NEW_SECRET);
		expect([await send(SECRET), await send(NEW_SECRET)]).toEqual([200, 200]);
		await saveSecrets(world, credential, NEW_SECRET);
		expect([await send(SECRET), await send(NEW_SECRET)]).toEqual([503, 200]);
		expect((await listener.emittedIds()).sort()).toEqual(accepted.sort());
	});
});

describe('activation', () => {
	it('fails without a secret and says why', async () => {
		const credential = 'No secret';
		// Some n8n save no credential in which it is empty.
		await saveSecrets(world, credential, ' ');
		const listener = await Listener.save(world, { credential });
		await expect(listener.activate()).rejects.toThrow(/There is no signing secret/);
		expect(await deliver(listener.url, paymentPaid())).toMatchObject({ status: 404 });
	});
});

describe('the test URL', () => {
	/** "Listen for test event", then one request. */
	const listenOnce = async (listener: Listener, send: () => Promise<unknown>) => {
		const known = (await listener.executions()).map(({ id }) => id);
		await world.client.listenForTest(listener.workflowId, TRIGGER);
		const answer = await send();
		const id = await waitFor(
			async () => (await listener.executions()).find((each) => !known.includes(each.id))?.id,
			{ what: 'the test to show', timeoutMs: 15_000 },
		);
		return { answer, execution: await world.client.waitForExecution(id) };
	};

	it('takes the same delivery as often as it comes, and leaves the production URL its own', async () => {
		const listener = await Listener.open(world);
		const delivery = paymentPaid();
		for (let time = 1; time <= 2; time += 1) {
			const { answer, execution } = await listenOnce(
				listener,
				async () => await deliver(listener.testUrl, delivery),
			);
			expect(answer).toMatchObject({ status: 200 });
			expect(execution).toMatchObject({ mode: 'manual', status: 'success' });
			const items = getItems(execution, TRIGGER);
			expect(items.map(({ json }) => json.deliveryId)).toEqual([delivery.id]);
			expect(JSON.stringify(items)).not.toContain('__delivery');
		}
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		expect((await listener.emittedIds()).filter((id) => id === delivery.id)).toHaveLength(3);
	});
});

describe('nothing hangs', () => {
	let listener: Listener;
	/** The ids of the deliveries that got 200. */
	const accepted: string[] = [];
	beforeAll(async () => {
		listener = await Listener.open(world);
	});

	/** Sends a delivery of which one thing is changed; fails when there is no response in time. */
	const send = async (changes: OutgoingHttpHeaders = {}, body?: string | Buffer) => {
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
	const twice = (name: string, value: string) => ({ [`X-Webhook-${name}`]: [value, value] });

	it.each<[string, number[], OutgoingHttpHeaders, (string | Buffer)?]>([
		['a genuine delivery', [200], {}],
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
		['two delivery IDs', [503], twice('Delivery-Id', 'a-b')],
		['two events', [503], twice('Event', 'PAYMENT_PAID')],
		['two timestamps', [503], twice('Timestamp', '1')],
		['two signatures', [503], twice('Signature', FORGED['X-Webhook-Signature'])],
		['a signature of someone else', [503], FORGED],
	])('%s gets a response', async (_case, statuses, headers, body) => {
		expect(statuses).toContain(await send(headers, body));
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
		expect(await send({ 'content-type': type })).toBe(200);
	});

	it.each(['GET', 'PUT', 'DELETE', 'HEAD'])('%s gets a response', async (method) => {
		const delivery = paymentPaid();
		const { status } = await post(listener.url, signedHeaders(delivery), '', { method });
		expect(status).toBe(404);
	});

	it('started executions for nothing but what was genuine', async () => {
		expect(accepted.length).toBeGreaterThanOrEqual(2);
		const emitted = await listener.emitted();
		// Each execution has its delivery, and each delivery that was accepted its execution.
		expect(emitted.map((items) => items.length)).toEqual(accepted.map(() => 1));
		const ids = emitted.flat().map(({ json }) => json.deliveryId);
		expect(ids.sort()).toEqual([...accepted].sort());
	});
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
