import { type Json, type Res, useBench } from '../support';
import { useReceiver } from './support';

const bench = useBench();
const receiver = useReceiver();

describe('control API', () => {
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
});

describe('the page', () => {
	const press = (
		path: string,
		fields: Record<string, string> | Array<[string, string]>,
		origin?: string,
	) =>
		bench.send({
			method: 'POST',
			path: `/webhooks${path}`,
			key: null,
			headers: {
				'content-type': 'application/x-www-form-urlencoded',
				...(origin === undefined ? {} : { origin }),
			},
			body: new URLSearchParams(fields).toString(),
		});
	/** Follows the redirect after a form, as a browser does. */
	const after = async (answer: Res): Promise<Res> => {
		expect(answer.status).toBe(303);
		return bench.get(answer.headers.get('location') ?? '');
	};
	const scheme = {
		hash: 'sha256',
		layout: 'dot',
		encoding: 'hex',
		value: 'v1=',
		timestamp: 's',
	};
	const form = (): Record<string, string> => ({
		url: receiver.url,
		events: 'PAYMENT_PAID',
		secret: '',
		customLayout: '',
		...scheme,
	});

	test('is linked from the dashboard and offers every event, checked', async () => {
		expect((await bench.get('/')).text).toContain('href="/webhooks"');
		const page = await bench.get('/webhooks');
		expect(page.headers.get('content-type')).toMatch(/^text\/html/);
		expect(page.text.match(/type="checkbox"[^>]*checked/g)).toHaveLength(11);
		expect(page.text).toContain('Emulator — no real money');
	});

	test('registers as chosen and shows the secret once', async () => {
		const answer = await press('', [
			...Object.entries({ ...form(), customLayout: '{timestamp}#{body}', value: 'v1,' }),
			['events', 'MED_RECEIVED'],
		]);
		const location = answer.headers.get('location') ?? '';
		const [endpoint] = bench.sandbox.webhooks.endpoints;
		expect(endpoint).toMatchObject({
			events: ['PAYMENT_PAID', 'MED_RECEIVED'],
			scheme: { ...scheme, layout: '{timestamp}#{body}', value: 'v1,' },
		});
		const secret = endpoint?.secret ?? '';
		expect(location).not.toContain(secret);
		const page = await bench.get(location);
		expect(page.text).toContain(`<code id="secret">${secret}</code>`);
		expect(page.headers.get('cache-control')).toBe('no-store');
		for (const path of [location, '/webhooks']) {
			expect((await bench.get(path)).text).not.toContain(secret);
		}
	});

	test.each([
		[{ url: 'http://merchant.example/' }, 'this machine only'],
		[{ events: '' }, 'cannot be subscribed to'],
		[{ hash: 'md5' }, 'incomplete'],
		[{ customLayout: '{body}' }, 'hold {timestamp} once'],
	])('%j is refused in words', async (wrong, words) => {
		const answer = await press('', { ...form(), ...wrong });
		expect(answer.status).toBe(400);
		expect(answer.text).toContain(words);
		expect(answer.text).toContain('role="alert"');
		expect(bench.sandbox.webhooks.endpoints).toEqual([]);
	});

	test('its buttons send a test, rotate, reactivate and delete', async () => {
		const { webhooks } = bench.sandbox;
		const endpoint = webhooks.register({ url: receiver.url, suspendAfter: 1 });
		const path = `/endpoints/${endpoint.id}`;
		receiver.answer = 500;
		await after(await press(path, { action: 'test' }));
		await webhooks.idle();
		expect((await bench.get('/webhooks')).text).toContain('value="reactivate"');
		const failed = await after(await press(path, { action: 'reactivate' }));
		expect(failed.text).toContain('REACTIVATION_PROBE_FAILED: 500');
		receiver.answer = 200;
		const active = await after(await press(path, { action: 'reactivate' }));
		expect(active.text).toContain('is active again');
		const old = endpoint.secret;
		const rotated = await after(await press(path, { action: 'rotate' }));
		expect(rotated.text).toContain(endpoint.secret);
		expect(rotated.text).not.toContain(old);
		await after(await press(path, { action: 'delete' }));
		expect(endpoint.status).toBe('DELETED');
		expect((await press(path, { action: 'test' })).status).toBe(404);
		expect((await press(path, { action: 'explode' })).status).toBe(400);
	});

	test('lists deliveries with their attempts and responses, replays and resends', async () => {
		const { webhooks } = bench.sandbox;
		webhooks.register({ url: receiver.url });
		receiver.answer = (response) => response.writeHead(503).end('<b>later</b>');
		const [delivery] = webhooks.emit('PAYMENT_PAID', { id: '<img src=x>' });
		await webhooks.quiet();
		const page = await bench.get('/webhooks');
		expect(page.text).toContain('1: 503');
		expect(page.text).toContain('&lt;b&gt;later&lt;/b&gt;');
		expect(page.text).toContain('&lt;img src=x&gt;');
		expect(page.text).not.toMatch(/<b>later|<img/);
		receiver.answer = 200;
		const path = `/deliveries/${delivery?.id}`;
		expect((await after(await press(path, { action: 'replay' }))).text).toContain(delivery?.id);
		await after(await press(path, { action: 'resend' }));
		await webhooks.quiet();
		expect(webhooks.deliveries.map(({ kind }) => kind)).toEqual(['event', 'replay', 'resend']);
	});

	test('a form from another site is refused; one from here is not', async () => {
		const { host } = new URL(bench.sandbox.url);
		for (const origin of ['https://elsewhere.example', 'null', `https://${host}`]) {
			expect((await press('', form(), origin)).status).toBe(403);
		}
		expect(bench.sandbox.webhooks.endpoints).toEqual([]);
		expect((await press('', form(), bench.sandbox.url)).status).toBe(303);
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
});
