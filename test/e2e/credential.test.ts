/** The credential in n8n: its test, and its use by a node that is not ours. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { apiCredential, saveCredential } from '../../dev/n8n/rest/credentials';
import { getItems } from '../../dev/n8n/rest/executionData';
import { findFreePorts } from '../../dev/n8n/process/ports';
import { brlPayments, manualStart, node, buildWorkflow } from '../../dev/n8n/rest/workflow';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

const testKey = async (apiKey: string, changes: Record<string, string> = {}, url?: string) => {
	const credential = apiCredential(url ?? world.sandbox.url, apiKey);
	return await world.client.testCredential({
		...credential,
		data: { ...credential.data, ...changes },
	});
};

describe('the test of the credential', () => {
	it.each(['test', 'live'] as const)('accepts the %s key', async (key) => {
		expect(await testKey(world.sandbox.keys[key])).toMatchObject({ status: 'OK' });
		expect(world.sandbox.requests.map(({ url }) => url)).toEqual(['/v1/auth/self']);
	});

	it('explains a key that is unknown or not for this address, and a host that is not there', async () => {
		const ipAllowlist = ['203.0.113.7'];
		const elsewhere = world.sandbox.createKey({ environment: 'SANDBOX', ipAllowlist });
		const [port] = await findFreePorts(1);
		const results = [
			await testKey(`brlpay_test_unknown001_${'x'.repeat(32)}`),
			await testKey(elsewhere),
			await testKey(world.sandbox.keys.test, {}, `http://127.0.0.1:${port}`),
		];
		expect(results).toMatchObject(
			[/unknown, revoked|expired/i, /IP address/i, /reach/i].map((message) => ({
				status: 'Error',
				message: expect.stringMatching(message) as string,
			})),
		);
	});

	it.each([
		['a key of the other environment', { environment: 'production' }, /environment|production/i],
		['plain http to another machine', { baseUrl: 'http://pay.example' }, /https/],
		['half a key', { apiKey: 'brlpay_test_abc' }, /not complete/],
	])('refuses %s and sends nothing', async (_case, changes, message) => {
		const result = await testKey(world.sandbox.keys.test, changes);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(world.sandbox.requests).toHaveLength(0);
	});

	it('shows no secret in any of its responses', async () => {
		const { test: key } = world.sandbox.keys;
		const secret = key.slice(-32);
		const answers = await Promise.all([
			testKey(key, { environment: 'production' }),
			testKey(key, { baseUrl: 'http://pay.example' }),
			testKey(`${key} `),
			testKey(key, {}, `${world.sandbox.url}/elsewhere`),
		]);
		for (const answer of answers) {
			expect(answer.status).toBe('Error');
			expect(JSON.stringify(answer)).not.toContain(secret);
		}
	});
});

describe('the credential in the HTTP Request node', () => {
	const request = (url: string) =>
		buildWorkflow('HTTP Request', [
			...manualStart([{ n: 1 }, { n: 2 }]),
			node(
				'Request',
				'httpRequest',
				4.2,
				{
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: 'brlPaymentsApi',
					options: {},
				},
				{ credentials: brlPayments('', '', '').credentials },
			),
		]);

	it('opens the service', async () => {
		const execution = await world.run(request(`${world.sandbox.url}/v1/auth/self`));
		expect(execution.status).toBe('success');
		const apiKey = expect.objectContaining({ environment: 'PRODUCTION' }) as object;
		const output = getItems(execution, 'Request').map(({ json }) => json);
		expect(output).toEqual([{ apiKey }, { apiKey }]);
	});

	it('is not taken along to where the service redirects', async () => {
		const serve = async (listener: RequestListener) => {
			const server = createServer(listener);
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			const { port } = server.address() as AddressInfo;
			return { server, url: `http://127.0.0.1:${port}` };
		};
		const seen: string[] = [];
		const other = await serve(({ headers }, response) => {
			seen.push(String(headers.authorization));
			response.end('{}');
		});
		const service = await serve(({ headers }, response) => {
			seen.push(String(headers.authorization).slice(0, 'Bearer'.length));
			response.writeHead(302, { location: `${other.url}/elsewhere` }).end();
		});
		try {
			await saveCredential(
				world.client,
				apiCredential(service.url, `brlpay_test_redirected_${'x'.repeat(32)}`),
			);
			const execution = await world.run(request(`${service.url}/v1/balance`));
			expect(execution.status).toBe('error');
			expect(new Set(seen)).toEqual(new Set(['Bearer']));
		} finally {
			await world.useKey(world.sandbox.keys.live);
			for (const { server } of [service, other]) server.close();
		}
	});

	it('is not sent anywhere else', async () => {
		// Another server on this machine, which would be happy to get the key.
		const execution = await world.run(request(`${world.n8n.url}/healthz`));
		expect(execution.status).toBe('error');
	});
});
