/** The credential in n8n: its test, and its use by a node that is not ours. */
import { createServer, type RequestListener } from 'node:http';

import { findFreePorts } from '../../dev/n8n/process/ports';
import { apiCredential, saveCredential } from '../../dev/n8n/rest/credentials';
import { getItems } from '../../dev/n8n/rest/executionData';
import { brlPayments, buildWorkflow, manualStart, node } from '../../dev/n8n/rest/workflow';
import { closeServer, openPort } from './support/localServer';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();

/** What n8n says of the credential; it never shows the secret of the key. */
async function test(apiKey: string, changes: Record<string, string> = {}) {
	const credential = apiCredential(world.sandbox.url, apiKey);
	const data = { ...credential.data, ...changes };
	const result = await world.client.testCredential({ ...credential, data });
	expect(JSON.stringify(result)).not.toContain(apiKey.slice(-32));
	return result;
}

describe('the test of the credential', () => {
	it.each(['test', 'live'] as const)('accepts the %s key', async (key) => {
		expect(await test(world.sandbox.keys[key])).toMatchObject({ status: 'OK' });
		expect(world.sandbox.requests.map(({ url }) => url)).toEqual(['/v1/auth/self']);
	});

	it('explains a key that is unknown or not for this address, and a host that is not there', async () => {
		const ipAllowlist = ['203.0.113.7'];
		const elsewhere = world.sandbox.createKey({ environment: 'SANDBOX', ipAllowlist });
		const [port] = await findFreePorts(1);
		const results = [
			await test(`brlpay_test_unknown001_${'x'.repeat(32)}`),
			await test(elsewhere),
			await test(world.sandbox.keys.test, { baseUrl: `http://127.0.0.1:${port}` }),
			await test(world.sandbox.keys.test, { baseUrl: `${world.sandbox.url}/elsewhere` }),
		];
		expect(results).toMatchObject(
			[/unknown, revoked|expired/i, /IP address/i, /reach/i, /./].map((message) => ({
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
		const result = await test(world.sandbox.keys.test, changes);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(message);
		expect(world.sandbox.requests).toHaveLength(0);
	});
});

describe('the credential in the HTTP Request node', () => {
	const run = async (url: string) =>
		await world.run(
			buildWorkflow('HTTP Request', [
				...manualStart([{ n: 1 }, { n: 2 }]),
				node(
					'Request',
					'httpRequest',
					4.2,
					{
						...{ url, authentication: 'predefinedCredentialType' },
						...{ nodeCredentialType: 'brlPaymentsApi', options: {} },
					},
					{ credentials: brlPayments('', '', '').credentials },
				),
			]),
		);

	it('opens the service', async () => {
		const execution = await run(`${world.sandbox.url}/v1/auth/self`);
		expect(execution.status).toBe('success');
		const output = getItems(execution, 'Request').map(({ json }) => json);
		const self = { apiKey: { environment: 'PRODUCTION' } };
		expect(output).toMatchObject([self, self]);
	});

	it('is not taken along to where the service redirects', async () => {
		const serve = async (listener: RequestListener) => {
			const server = createServer(listener);
			return { server, url: `http://127.0.0.1:${await openPort(server)}` };
		};
		const asked: string[] = [];
		const other = await serve((_request, response) => {
			asked.push('other');
			response.end('{}');
		});
		const service = await serve(({ headers }, response) => {
			asked.push(`service with ${headers.authorization?.slice(0, 'Bearer'.length)}`);
			response.writeHead(302, { location: `${other.url}/elsewhere` }).end();
		});
		try {
			const key = `brlpay_test_redirected_${'x'.repeat(32)}`;
			await saveCredential(world.client, apiCredential(service.url, key));
			expect((await run(`${service.url}/v1/balance`)).status).toBe('error');
			expect(new Set(asked)).toEqual(new Set(['service with Bearer']));
		} finally {
			await world.useKey(world.sandbox.keys.live);
			for (const { server } of [service, other]) await closeServer(server);
		}
	});

	it('is not sent anywhere else', async () => {
		// Another server on this machine, which would be happy to get the key.
		expect((await run(`${world.n8n.url}/healthz`)).status).toBe('error');
	});
});
