import { type Json, type Res, useBench } from '../support';
import { useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();

const control = (method: string, path: string, body?: unknown): Promise<Res> =>
	bench.send({
		method,
		path: `/_sandbox/webhooks${path}`,
		key: null,
		...(body === undefined ? {} : { body }),
	});
const register = async (): Promise<Json> =>
	(await control('POST', '/endpoints', { url: receiver.url })).json;

test('registers, shows the secret once, changes, rotates and deletes', async () => {
	const made = await control('POST', '/endpoints', {
		url: receiver.url,
		events: ['PAYMENT_PAID'],
		secret: 'example-secret',
		scheme: { hash: 'sha512', layout: '{timestamp}|{body}' },
		maxAttempts: 3,
	});
	expect([made.status, made.json.secret]).toEqual([201, 'example-secret']);
	const path = `/endpoints/${made.json.endpoint.id}`;
	const changed = await control('PATCH', path, { events: ['MED_RECEIVED'] });
	expect(changed.json.endpoint).toMatchObject({ events: ['MED_RECEIVED'], maxAttempts: 3 });
	const { secret } = (await control('POST', `${path}/rotate`)).json;
	const list = await control('GET', '/endpoints');
	expect(list.json.endpoints).toMatchObject([{ status: 'ACTIVE', scheme: { hash: 'sha512' } }]);
	expect(list.text).not.toContain(secret);
	expect(list.text).not.toContain('secret');
	await control('DELETE', path);
	expect((await control('GET', '/endpoints')).json.endpoints).toMatchObject([
		{ status: 'DELETED' },
	]);
	expect((await control('POST', `${path}/test`)).status).toBe(404);
});

test.each([
	{},
	{ url: 'http://merchant.example/' },
	{ url: 'http://127.0.0.1/', scheme: { hash: 'md5' } },
	{ url: 'http://127.0.0.1/', unknown: 1 },
	{ url: 'http://127.0.0.1/', maxAttempts: 25 },
])('%j is refused', async (settings) => {
	const answer = await control('POST', '/endpoints', settings);
	expect([answer.status, answer.json.error.code]).toEqual([400, 'VALIDATION_ERROR']);
});

test('sends tests and events of one’s own, lists deliveries, replays and resends', async () => {
	const { endpoint } = await register();
	await control('POST', `/endpoints/${endpoint.id}/test`);
	const sent = await control('POST', '/events', { event: 'PAYMENT_PAID', body: { id: 'x' } });
	const { id } = sent.json.deliveries[0];
	await bench.sandbox.webhooks.idle();
	const replayed = await control('POST', `/deliveries/${id}/replay`);
	const resent = await control('POST', `/deliveries/${id}/resend`);
	expect(replayed.json.delivery.id).toBe(id);
	expect(resent.json.delivery.id).not.toBe(id);
	await bench.sandbox.webhooks.idle();
	const { deliveries } = (await control('GET', '/deliveries')).json;
	expect(deliveries.map(({ kind, status }: Json) => [kind, status])).toEqual([
		['test', 'DELIVERED'],
		['event', 'DELIVERED'],
		['replay', 'DELIVERED'],
		['resend', 'DELIVERED'],
	]);
});

test('a reactivation whose probe fails is REACTIVATION_PROBE_FAILED with the status', async () => {
	const { endpoint } = await register();
	await control('PATCH', `/endpoints/${endpoint.id}`, { suspendAfter: 1 });
	receiver.answer = 500;
	await control('POST', `/endpoints/${endpoint.id}/test`);
	await bench.sandbox.webhooks.idle();
	const failed = await control('POST', `/endpoints/${endpoint.id}/reactivate`);
	expect([failed.status, failed.json.error.code, failed.json.error.details]).toEqual([
		400,
		'REACTIVATION_PROBE_FAILED',
		{ observedStatus: 500 },
	]);
	receiver.answer = 200;
	expect((await control('POST', `/endpoints/${endpoint.id}/reactivate`)).status).toBe(200);
});

test('from checkout to webhook: paying with a live key sends PAYMENT_PAID', async () => {
	bench.sandbox.webhooks.register({ url: receiver.url });
	const body = { amount: 50, mode: 'hosted', methods: ['PIX', 'CARD'] };
	const { live } = bench.sandbox.keys;
	for (const choice of [
		{ action: 'pay', method: 'PIX' },
		{ action: 'pay', method: 'CREDIT' },
		{ action: 'decline' },
		{ action: 'expire' },
	]) {
		const { payment } = (await bench.post('/v1/payments', body, { key: live })).json;
		await bench.send({
			method: 'POST',
			path: `/checkout/${payment.id}`,
			key: null,
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams(choice as Record<string, string>).toString(),
		});
	}
	await bench.sandbox.webhooks.idle();
	const events = receiver.received.map(({ headers }) => headers['x-webhook-event']);
	expect(events.sort()).toEqual([
		'PAYMENT_CANCELLED',
		'PAYMENT_CONFIRMED',
		'PAYMENT_EXPIRED',
		'PAYMENT_PAID',
	]);
});
