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
		expect(await get(path)).toContain('value="pay">Pagar<');
		expect((await pay(path)).status).toBe(303);
		expect((await pay(path)).status).toBe(409);

		expect(open.map(({ status }) => status)).toEqual(['PAID', 'NEW']);
		expect(await get(path)).not.toContain('value="pay">Pagar<');
	},
);

it('what is not paid is canceled or expires, and a card payment is confirmed', async () => {
	const actions = ['pay', 'decline', 'expire'];
	const rows = actions.map(() =>
		bench.sandbox.seed.payment({ environment: 'PRODUCTION', methods: ['CARD'] }),
	);
	for (const [index, { id }] of rows.entries()) {
		await post(`/checkout/${id}`, { action: actions[index]! });
	}
	expect(rows.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED', 'EXPIRED']);
});

it('the dashboard says live or test of each row', async () => {
	bench.sandbox.seed.withdrawal({ description: 'of the test key' });
	bench.sandbox.seed.withdrawal({ environment: 'PRODUCTION', description: 'of the live key' });
	const rows = (await get('/')).split('<tr>').map((row) => row.replaceAll(/<[^>]*>|\s+/g, ' '));
	expect(rows.find((row) => row.includes('of the test key'))).toContain(' test ');
	expect(rows.find((row) => row.includes('of the live key'))).toContain(' live ');
});

describe('Settings > Webhooks', () => {
	const SETTINGS = '/settings/webhooks';
	const received: Array<{ headers: IncomingMessage['headers']; body: string }> = [];
	let status = 200;
	const server = createServer((request, response) => {
		void request.toArray().then((chunks) => {
			received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
			response.writeHead(status).end();
		});
	});
	let url: string;
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	});
	beforeEach(() => void received.splice(0));
	afterAll(() => void server.close());

	it.each([200, 503])('Send test sends one signed TEST, and shows %i', async (answer) => {
		status = answer;
		expect((await post(SETTINGS, { url })).status).toBe(303);
		const { id, secret } = bench.sandbox.webhooks.endpoints[0]!;
		expect(await get(SETTINGS)).toContain(secret);

		expect((await post(`${SETTINGS}/${id}`, { action: 'test' })).status).toBe(303);

		expect(received).toHaveLength(1);
		expect(received[0]!.headers).toMatchObject({ 'x-webhook-event': 'TEST' });
		expect(received[0]!.headers['x-webhook-signature']).toMatch(/^v1=[0-9a-f]{64}$/);
		expect(received[0]!.body).toBe('{"data":{"livemode":true}}');
		expect(await get(SETTINGS)).toContain(`TEST: ${answer}`);
		await post(`${SETTINGS}/${id}`, { action: 'remove' });
		expect((await post(`${SETTINGS}/${id}`, { action: 'test' })).status).toBe(404);
	});

	it.each(['https://n8n.example.com/webhook/a', 'http://10.0.0.1/', 'localhost:5678', ''])(
		'refuses an address outside this machine: %s',
		async (other) => {
			const response = await post(SETTINGS, { url: other });
			expect(response.status).toBe(400);
			expect(await response.text()).toContain('role="alert"');
			expect(bench.sandbox.webhooks.endpoints).toEqual([]);
		},
	);
});
