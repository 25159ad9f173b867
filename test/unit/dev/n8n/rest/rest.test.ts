import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { publishWorkflow } from '../../../../../dev/n8n/rest/publication';
import { N8nClient } from '../../../../../dev/n8n/rest/rest';

/** What an n8n has at its addresses: "METHOD path" -> the data of its response, or a status alone. */
type Addresses = Record<string, object | number>;

/** What n8n says while it waits for its database for too long. */
const DATABASE_AWAY = JSON.stringify({ code: 503, message: 'Database is not ready!' });

let server: Server;
let client: N8nClient;
let asked: string[];
let bodies: unknown[];
let addresses: Addresses;
/** How many requests will find the database away. */
let timesAway: number;

async function readBody(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

beforeEach(async () => {
	asked = [];
	bodies = [];
	timesAway = 0;
	server = createServer((request, response) => {
		const name = `${request.method} ${request.url}`;
		asked.push(name);
		void readBody(request).then((text) => {
			bodies.push(text && JSON.parse(text));
			const found = addresses[name];
			if (timesAway > 0) {
				timesAway -= 1;
				response.writeHead(503).end(DATABASE_AWAY);
			} else if (found === undefined) {
				// What express says where nothing is.
				response.writeHead(404).end(`<!DOCTYPE html>\n<pre>Cannot ${name}</pre>`);
			} else if (typeof found === 'number') {
				response.writeHead(found).end(JSON.stringify({ message: 'no' }));
			} else response.end(JSON.stringify({ data: found }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	client = new N8nClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(async () => await new Promise((resolve) => server.close(resolve)));

const SAVED = { id: 'w', name: 'Saved', versionId: 'v7' };

describe('a request', () => {
	it('is made again while n8n waits for its database', async () => {
		addresses = { 'POST /rest/credentials': { id: 'c', name: 'Key' } };
		timesAway = 2;
		const saved = await client.createCredential({ name: 'Key', type: 'brlPaymentsApi', data: {} });
		expect(saved).toEqual({ id: 'c', name: 'Key' });
		expect(asked).toEqual(Array(3).fill('POST /rest/credentials'));
	});

	it('that n8n refuses with 503 for another reason fails', async () => {
		addresses = { 'GET /rest/settings': 503 };
		await expect(client.needsOwner()).rejects.toThrow('answered 503');
		expect(asked).toHaveLength(1);
	});
});

describe('activating', () => {
	it('publishes the saved version, where n8n has versions', async () => {
		addresses = { 'GET /rest/workflows/w': SAVED, 'POST /rest/workflows/w/activate': {} };
		await client.activateWorkflow('w');
		expect(asked).toEqual(['GET /rest/workflows/w', 'POST /rest/workflows/w/activate']);
		expect(bodies[1]).toEqual({ versionId: 'v7' });
	});

	it('turns the workflow on, where n8n has none', async () => {
		addresses = { 'GET /rest/workflows/w': SAVED, 'PATCH /rest/workflows/w': {} };
		await client.activateWorkflow('w');
		expect(asked.at(-1)).toBe('PATCH /rest/workflows/w');
		expect(bodies.at(-1)).toEqual({ versionId: 'v7', active: true });
	});

	it.each([400, 404])('fails where n8n refuses it with %i', async (status) => {
		addresses = {
			'GET /rest/workflows/w': SAVED,
			'POST /rest/workflows/w/activate': status,
			'PATCH /rest/workflows/w': {},
		};
		await expect(client.activateWorkflow('w')).rejects.toThrow(`answered ${status}`);
	});
});

describe('publishing', () => {
	const activated: Addresses = {
		'GET /rest/workflows/w': SAVED,
		'POST /rest/workflows/w/activate': {},
	};
	const STATUS = 'GET /rest/workflows/w/publication-status';

	it('is done at once where n8n reports no status', async () => {
		addresses = activated;
		await publishWorkflow(client, 'w');
		expect(asked.at(-1)).toBe(STATUS);
	});

	it('fails with what n8n says of a trigger', async () => {
		const triggers = [{ errorMessage: null }, { errorMessage: 'There is no signing secret' }];
		addresses = { ...activated, [STATUS]: { status: 'published', triggers } };
		await expect(publishWorkflow(client, 'w')).rejects.toThrow('There is no signing secret');
	});
});

describe('executing', () => {
	it('sends the saved workflow along, which n8n 1.x asks for', async () => {
		addresses = {
			'GET /rest/workflows/w': SAVED,
			'POST /rest/workflows/w/run': { executionId: '8' },
		};
		expect(await client.runWorkflow('w', 'Start')).toBe('8');
		expect(bodies.at(-1)).toEqual({ triggerToStartFrom: { name: 'Start' }, workflowData: SAVED });
		await expect(client.listenForTest('w', 'Start')).rejects.toThrow('starts at once');
	});

	it('distinguishes a trigger that waits for a request from one that starts', async () => {
		addresses = {
			'GET /rest/workflows/w': SAVED,
			'POST /rest/workflows/w/run': { waitingForWebhook: true },
		};
		await client.listenForTest('w', 'Webhook');
		await expect(client.runWorkflow('w', 'Webhook')).rejects.toThrow('waits for a request');
	});
});

describe('testing a credential that is not saved', () => {
	const CREDENTIAL = { name: 'New', type: 'brlPaymentsApi', data: { apiKey: 'example' } };
	const TEST = 'POST /rest/credentials/test';

	it('saves it for the time of the test, where n8n tests saved ones only', async () => {
		addresses = {
			[TEST]: 403,
			'POST /rest/credentials': { id: 'c', name: 'New' },
			'DELETE /rest/credentials/c': {},
		};
		await expect(client.testCredential(CREDENTIAL)).rejects.toThrow('answered 403');
		expect(asked).toEqual([TEST, 'POST /rest/credentials', TEST, 'DELETE /rest/credentials/c']);
		expect(bodies[2]).toEqual({ credentials: { ...CREDENTIAL, id: 'c' } });
	});

	it('saves nothing where n8n tests any, or refuses for another reason', async () => {
		addresses = { [TEST]: { status: 'OK', message: '' } };
		expect(await client.testCredential(CREDENTIAL)).toMatchObject({ status: 'OK' });
		addresses = { [TEST]: 400 };
		await expect(client.testCredential(CREDENTIAL)).rejects.toThrow('answered 400');
		expect(asked).toEqual([TEST, TEST]);
	});
});

describe('waiting for an execution', () => {
	const EXECUTION = 'GET /rest/executions/8';
	const soon = (next: Addresses) => setTimeout(() => (addresses = next), 200);

	it('continues where it has no data yet, and unpacks them when it has ended', async () => {
		addresses = { [EXECUTION]: 500 };
		soon({ [EXECUTION]: { status: 'success', data: '[{"resultData":"1"},{"runData":"2"},{}]' } });
		const { status, data } = await client.waitForExecution('8');
		expect({ status, data }).toEqual({ status: 'success', data: { resultData: { runData: {} } } });
	});

	it('fails where there is none', async () => {
		addresses = { [EXECUTION]: 404 };
		await expect(client.waitForExecution('8')).rejects.toThrow('answered 404');
	});
});
