/** The pages that a person clicks through in the demo. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useBench } from './support';

const bench = useBench();
const get = async (path: string) => await (await fetch(bench.sandbox.url + path)).text();
const post = async (path: string, fields: Record<string, string>) => {
	const body = new URLSearchParams(fields);
	const url = bench.sandbox.url + path;
	return await fetch(url, { method: 'POST', body, redirect: 'manual' });
};
const pay = async (path: string) => await post(path, { action: 'pay' });

it.each(['PRODUCTION', 'SANDBOX'] as const)(
	'the dashboard links each open payment, and Pagar pays it once (%s)',
	async (environment) => {
		const { seed } = bench.sandbox;
		const open = [1_001, 2_002].map((amountCents) => seed.payment({ environment, amountCents }));
		seed.payment({ environment, status: 'PAID' });
		const links = [...(await get('/')).matchAll(/href="(\/checkout\/[^"]+)">Pagar</g)];
		expect(links.map(([, path]) => path).sort()).toEqual(
			open.map(({ id }) => `/checkout/${id}`).sort(),
		);

		const path = `/checkout/${open[0]!.id}`;
		expect([(await pay(path)).status, (await pay(path)).status]).toEqual([303, 409]);
		expect(open.map(({ status }) => status)).toEqual(['PAID', 'NEW']);
	},
);

describe('Settings > Webhooks', () => {
	const SETTINGS = '/settings/webhooks';
	const received: Array<{ headers: IncomingMessage['headers']; body: string }> = [];
	const server = createServer((request, response) => {
		void request.toArray().then((chunks) => {
			received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
			response.end();
		});
	});
	let url: string;
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	});
	afterAll(() => void server.close());

	it('Send test sends one signed TEST, and shows its response', async () => {
		expect((await post(SETTINGS, { url })).status).toBe(303);
		const { id, secret } = bench.sandbox.webhooks.endpoints[0]!;
		expect(await get(SETTINGS)).toContain(secret);
		expect((await post(`${SETTINGS}/${id}/test`, {})).status).toBe(303);

		expect(received.map(({ body }) => body)).toEqual(['{"data":{"livemode":true}}']);
		expect(received[0]!.headers).toMatchObject({
			'x-webhook-event': 'TEST',
			'x-webhook-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
		});
		expect(await get(SETTINGS)).toContain('TEST: 200');
	});

	it.each(['https://n8n.example.com/webhook/a', 'http://10.0.0.1/', 'localhost:5678', ''])(
		'refuses an address outside this machine: %s',
		async (other) => {
			expect((await post(SETTINGS, { url: other })).status).toBe(400);
			expect(bench.sandbox.webhooks.endpoints).toEqual([]);
		},
	);
});
