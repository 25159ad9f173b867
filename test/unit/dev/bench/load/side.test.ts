import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Side, type LoadedN8n } from '../../../../../dev/bench/load/side';
import type { Listener } from '../../../../../dev/bench/realN8n/benchN8n';
import { newEvents, type Event } from '../../../../../dev/bench/realN8n/signedRequest';

const LISTENERS: Listener[] = ['a', 'b'].map((name) => ({
	workflowId: name,
	nodeId: 'n',
	path: `webhook/${name}`,
}));
/** The fourth delivery is a copy of the second one. */
const PLAN = [0, 1, 2, 1];

let server: Server;
let received: IncomingMessage[];
let statuses: number[];
/** By workflow, how often n8n has continued. */
let continued: Record<string, number>;
let n8n: LoadedN8n;
let events: Event[];

beforeEach(async () => {
	[received, statuses, continued] = [[], [], { a: 2, b: 1 }];
	events = newEvents(3, 500);
	server = createServer((request, response) => {
		received.push(request);
		request.resume().on('end', () => response.writeHead(statuses.shift() ?? 200).end('{}'));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	n8n = {
		getUrl: ({ path }) => `http://127.0.0.1:${port}/${path}`,
		continued: async ({ workflowId }) => await Promise.resolve(continued[workflowId]!),
		use: () => ({ processorMs: 1, memory: 2 }),
	};
});
afterEach(async () => await new Promise((resolve) => server.close(resolve)));

const own = () => new Side(n8n, LISTENERS, false, 503);
const other = () => new Side(n8n, LISTENERS, true, 403);

test('an event and its copies go to the same workflow, and each delivery is signed', async () => {
	for (const number of PLAN) await own().deliver(events[number]!, number);

	expect(received.map(({ url }) => url)).toEqual(
		['a', 'b', 'a', 'b'].map((name) => `/webhook/${name}`),
	);
	expect(received[3]!.headers['x-webhook-delivery-id']).toBe(events[1]!.id);
	expect(received[3]!.headers['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
});

test('a delivery that n8n does not accept is sent again', async () => {
	statuses = [503];
	await own().deliver(events[0]!, 0);

	expect(received).toHaveLength(2);
});

test('a forgery must be refused, as the one or the other node does it', async () => {
	statuses = [503, 403, 403];
	await own().forge(events[0]!, 0);
	await other().forge(events[0]!, 0);

	await expect(own().forge(events[0]!, 0)).rejects.toThrow('Got 403 instead of 503');
	expect(received[0]!.headers['x-example-secret']).not.toBe('example-signing-secret-0001');
});

test('each event continues once; at the other node, each copy does', async () => {
	await own().finish(PLAN);
	continued = { a: 2, b: 2 };
	await other().finish(PLAN);

	await expect(own().finish(PLAN)).rejects.toThrow('continued 2 times instead of 1');
});

test('forgeries continue nothing', async () => {
	await expect(own().finish([])).rejects.toThrow('continued 2 times instead of 0');
});

test('notes what n8n uses from the start to the end', async () => {
	const side = own();
	side.watch();
	await side.deliver(events[0]!, 0);
	side.stopWatching();

	expect(side.samples[0]).toEqual({ answered: 0, processorMs: 1, memory: 2 });
	expect(side.samples.at(-1)).toEqual({ answered: 1, processorMs: 1, memory: 2 });
});
