import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { openFront, type Front } from '../../../../../dev/n8n/queue/front';

interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

/** Stands for a process of n8n. */
class Upstream {
	isReady = true;
	readonly received: Received[] = [];
	private server!: Server;
	url = '';

	async open(): Promise<void> {
		this.server = createServer((request, response) => {
			if (request.url === '/healthz/readiness') {
				response.writeHead(this.isReady ? 200 : 503).end();
				return;
			}
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const body = Buffer.concat(chunks).toString('utf8');
				this.received.push({ path: request.url!, headers: request.headers, body });
				response.writeHead(201, { 'x-example': 'passed on' }).end('answered');
			});
		});
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}
}

const main = new Upstream();
const webhooks = [new Upstream(), new Upstream()];
let front: Front;

beforeAll(async () => {
	for (const each of [main, ...webhooks]) await each.open();
	front = await openFront(() => ({ main: main.url, webhooks: webhooks.map(({ url }) => url) }));
});
beforeEach(() => {
	for (const each of [main, ...webhooks]) {
		each.isReady = true;
		each.received.length = 0;
	}
});
afterAll(async () => {
	await front.close();
	for (const each of [main, ...webhooks]) await each.close();
});

const counts = () => webhooks.map(({ received }) => received.length);

async function send(path: string, body = '{}'): Promise<Response> {
	return await fetch(`${front.url}${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'X-Webhook-Delivery-Id': 'example-1' },
		body,
	});
}

it('passes on the exact bytes that came, and the response', async () => {
	const body = '{ "amount": 10.00,\n"name": "João" }';
	const answer = await send('/webhook/a?b=c', body);
	expect([answer.status, answer.headers.get('x-example'), await answer.text()]).toEqual([
		201,
		'passed on',
		'answered',
	]);
	const [received] = webhooks.flatMap(({ received: each }) => each);
	expect(received).toMatchObject({ path: '/webhook/a?b=c', body });
	expect(received!.headers).toMatchObject({
		'content-type': 'application/json',
		'x-webhook-delivery-id': 'example-1',
	});
});

it('takes any type of content', async () => {
	const form = new FormData();
	form.set('field-0', 'João');
	await fetch(`${front.url}/form/a`, { method: 'POST', body: form });
	const [received] = webhooks.flatMap(({ received: each }) => each);
	expect(received!.body).toContain('João');
});

it('deals production requests to the webhook processes in turn', async () => {
	for (const path of ['/webhook/a', '/form/a', '/webhook-waiting/1', '/form-waiting/1']) {
		await send(path);
	}
	expect(counts()).toEqual([2, 2]);
	expect(main.received).toEqual([]);
});

it('gives test addresses to the main process', async () => {
	for (const path of ['/webhook-test/a', '/form-test/a', '/rest/settings']) await send(path);
	expect(main.received).toHaveLength(3);
	expect(counts()).toEqual([0, 0]);
});

it('passes over a process that is not ready', async () => {
	webhooks[0]!.isReady = false;
	for (let count = 0; count < 4; count += 1) expect((await send('/webhook/a')).status).toBe(201);
	expect(counts()).toEqual([0, 4]);
});

it('returns 503 while none is ready, so that a sender tries again', async () => {
	for (const each of webhooks) each.isReady = false;
	expect((await send('/webhook/a')).status).toBe(503);
	expect(counts()).toEqual([0, 0]);
});
