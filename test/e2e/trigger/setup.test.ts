/**
 * The way to a trigger that works: secrets, activation, test URL; and everything that may be sent to
 * it.
 */
import { randomUUID } from 'node:crypto';

import { apiCredential, saveCredential } from '../../../dev/n8n/rest/credentials';
import { getItems, type Item } from '../../../dev/n8n/rest/executionData';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import {
	deliver,
	createDelivery,
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

	it('loses no event while the secret is mistyped: it arrives once it is corrected', async () => {
		const credential = 'Mistyped';
		await saveSecrets(world, credential, SECRET.replace('9', '8'));
		const listener = await Listener.open(world, { credential });
		const delivery = paymentPaid();
		for (let attempt = 1; attempt <= 2; attempt += 1) {
			const answer = await deliver(listener.url, delivery);
			expect(answer.status).toBe(503);
			expect(answer.text).toMatch(/secret belongs to another endpoint/);
		}
		expect(await listener.executions()).toEqual([]);
		await saveSecrets(world, credential, SECRET);
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		expect(await listener.emittedIds()).toEqual([delivery.id]);
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

	it('says which parts of a delivery were there when its signature does not match', async () => {
		const listener = await Listener.save(world);
		const delivery = paymentPaid();
		const { execution } = await listenOnce(
			listener,
			async () => await deliver(listener.testUrl, delivery, NEW_SECRET),
		);
		expect(execution.status).toBe('error');
		const shown = JSON.stringify(execution.data.resultData.error);
		expect(shown).toMatch(/signature does not match/);
		expect(shown).toMatch(/X-Webhook-Timestamp (in|as) /);
		expect(shown).toContain(`body of ${delivery.body.length} bytes`);
		expect(shown).toMatch(/tried \d+ scheme\(s\) with 1 secret/);
		expect(shown).not.toContain(SECRET);
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
	const send = async (
		changes: Record<string, string | string[] | undefined> = {},
		body?: string | Buffer,
		isSigned = true,
	) => {
		const delivery: Delivery = {
			...paymentPaid(),
			...(body !== undefined && isSigned && { body }),
		};
		const headers = Object.fromEntries(
			Object.entries({ ...signedHeaders(delivery), ...changes }).filter(
				([, value]) => value !== undefined,
			),
		);
		const answer = await post(listener.url, headers, body ?? delivery.body);
		if (answer.status === 200) accepted.push(delivery.id);
		return answer;
	};
	const large = (size: number) => JSON.stringify({ id: randomUUID(), note: 'x'.repeat(size) });
	const MEGABYTE = 1024 * 1024;
	const twice = (value: string) => [value, value];
	const HUNG_UP = 0;
	/** n8n ends the connection as soon as it has responded, which can come before the last byte was sent. */
	const hungUp = (error: NodeJS.ErrnoException) => {
		if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
		return { status: HUNG_UP };
	};

	it.each<[string, number[], () => Promise<{ status: number }>]>([
		['a genuine delivery', [200], async () => await send()],
		['10 MB that are genuine', [200], async () => await send({}, large(10 * MEGABYTE))],
		['10 MB that are forged', [503], async () => await send({}, large(10 * MEGABYTE), false)],
		[
			'more than n8n takes',
			[413, 500, HUNG_UP],
			async () => await send({}, large(20 * MEGABYTE)).catch(hungUp),
		],
		['no body', [503], async () => await send({}, '')],
		['a body that is no JSON', [422, 503, 500], async () => await send({}, 'id=1&status=PAID')],
		['JSON that is no object', [503], async () => await send({}, '[1,2,3]')],
		['text', [503], async () => await send({ 'content-type': 'text/plain' }, 'paid')],
		[
			'a form',
			[503],
			async () => await send({ 'content-type': 'application/x-www-form-urlencoded' }, 'id=1'),
		],
		[
			'a form with files',
			[503, 500],
			async () => await send({ 'content-type': 'multipart/form-data; boundary=x' }, '--x--'),
		],
		[
			'half a form with files',
			[400, 503, 500],
			async () => await send({ 'content-type': 'multipart/form-data; boundary=x' }, '--x\r\nA'),
		],
		['XML', [503, 422, 500], async () => await send({ 'content-type': 'text/xml' }, '<a')],
		['no content type', [200, 503], async () => await send({ 'content-type': undefined })],
		['an unknown encoding', [200, 503, 500], async () => await send({ 'content-encoding': 'br' })],
		['what is not gzip', [400, 500, 422], async () => await send({ 'content-encoding': 'gzip' })],
		[
			'bytes that are no text',
			[503, 422, 500],
			async () => await send({}, Buffer.from([0xff, 0xfe, 0x00, 0x80])),
		],
		['no signature', [401], async () => await send({ 'X-Webhook-Signature': undefined })],
		['no timestamp', [401], async () => await send({ 'X-Webhook-Timestamp': undefined })],
		['no delivery ID', [503], async () => await send({ 'X-Webhook-Delivery-Id': undefined })],
		['no event', [503], async () => await send({ 'X-Webhook-Event': undefined })],
		['two delivery IDs', [503], async () => await send({ 'X-Webhook-Delivery-Id': twice('a-b') })],
		['two events', [503], async () => await send({ 'X-Webhook-Event': twice('PAYMENT_PAID') })],
		['two timestamps', [503], async () => await send({ 'X-Webhook-Timestamp': twice('1') })],
		[
			'two signatures',
			[503],
			async () => await send({ 'X-Webhook-Signature': twice(`v1=${'a'.repeat(64)}`) }),
		],
		[
			'a signature of someone else',
			[503],
			async () => await send({ 'X-Webhook-Signature': `v1=${'a'.repeat(64)}` }),
		],
	])('%s gets a response', async (_case, statuses, request) => {
		expect(statuses).toContain((await request()).status);
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
		expect(await send({ 'content-type': type })).toMatchObject({ status: 200 });
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

describe('Fetch Current State', () => {
	const fetchFor = async (delivery: Delivery): Promise<Item['json'] | undefined> => {
		const listener = await Listener.open(world, { parameters: { fetchCurrentState: true } });
		expect(await deliver(listener.url, delivery)).toMatchObject({ status: 200 });
		return (await listener.emitted()).flat()[0]?.json;
	};
	const seedPayment = () =>
		world.sandbox.seed.payment({
			environment: 'PRODUCTION',
			status: 'REFUNDED',
			amountCents: 12_590,
		});

	it('adds the payment as it is now, by its ID', async () => {
		const { id } = seedPayment();
		const json = await fetchFor(paymentPaid({ id }));
		expect(json).toMatchObject({ status: 'PAID', current: { id, status: 'REFUNDED' } });
		expect(json).not.toHaveProperty('currentError');
	});

	it('adds the withdrawal', async () => {
		const { id } = world.sandbox.seed.withdrawal({ environment: 'PRODUCTION' });
		const json = await fetchFor(createDelivery('WITHDRAWAL_SENT', { id, status: 'COMPLETED' }));
		expect(json).toMatchObject({ withdrawalId: id, current: { id } });
	});

	it('costs no event when the key may not read: it says so instead', async () => {
		const { id } = seedPayment();
		await world.useKey(
			world.sandbox.createKey({ environment: 'PRODUCTION', scopes: ['balance:read'] }),
		);
		try {
			const delivery = paymentPaid({ id });
			const json = await fetchFor(delivery);
			expect(json).toMatchObject({
				deliveryId: delivery.id,
				current: null,
				currentError: { code: 'FORBIDDEN' },
			});
		} finally {
			await saveCredential(world.client, apiCredential(world.sandbox.url, world.sandbox.keys.live));
		}
	});
});
