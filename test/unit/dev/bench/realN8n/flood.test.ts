import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { flood } from '../../../../../dev/bench/realN8n/flood';

let server: Server;
let url: string;
/** The status of each response to come; 200 behind the last one. */
let statuses: number[];
let bodies: string[];

beforeEach(async () => {
	bodies = [];
	statuses = [];
	server = createServer((request, response) => {
		request.setEncoding('utf8').once('data', (text: string) => bodies.push(text));
		request.on('end', () => response.writeHead(statuses.shift() ?? 200).end('{}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => await new Promise((resolve) => server.close(resolve)));

const REQUESTS = ['one', 'two', 'three'].map((body) => ({ headers: {}, body }));

test('sends each request', async () => {
	await flood(url, REQUESTS, 2, 200);

	expect(bodies.sort()).toEqual(['one', 'three', 'two']);
});

test.each([500, 503])('sends what n8n does not take again, if wanted: %i', async (status) => {
	statuses = [200, status];
	await flood(url, REQUESTS, 1, 200, { sendsAgain: true });

	expect(bodies).toEqual(['one', 'two', 'two', 'three']);
});

test('fails where n8n refuses one for good', async () => {
	statuses = [200, 401];

	await expect(flood(url, REQUESTS, 1, 200, { sendsAgain: true })).rejects.toThrow(
		'Got 401 instead of 200',
	);
});

test('fails where n8n does not take one', async () => {
	statuses = [200, 503];

	await expect(flood(url, REQUESTS, 1, 200)).rejects.toThrow('Got 503 instead of 200');
});
