import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SlowClients } from '../../../../../dev/bench/load/slowClients';

let server: Server;
let clients: SlowClients;

beforeEach(async () => {
	server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	clients = new SlowClients(`http://127.0.0.1:${port}/webhook/w`, {
		headers: { 'x-webhook-event': 'PAYMENT_PAID' },
		body: '{}'.padEnd(100),
	});
});

afterEach(async () => {
	clients.stop();
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const nextRequest = async () => (await once(server, 'request')) as [IncomingMessage];

test('sends the headers at once, and one byte of the body after another', async () => {
	clients.start(1);
	const [request] = await nextRequest();
	const [first] = (await once(request, 'data')) as [Buffer];
	const [second] = (await once(request, 'data')) as [Buffer];

	expect(request.url).toBe('/webhook/w');
	expect(request.headers).toMatchObject({
		'content-length': '100',
		'x-webhook-event': 'PAYMENT_PAID',
	});
	expect([first.length, second.length]).toEqual([1, 1]);
	expect(request.complete).toBe(false);
});

test('a connection that the server closes is counted and opened again', async () => {
	clients.start(1);
	const [request] = await nextRequest();
	request.destroy();
	await nextRequest();

	expect(clients.closed).toBe(1);
});

test('opens nothing more after the end', async () => {
	const sockets: Socket[] = [];
	server.on('connection', (socket) => sockets.push(socket));
	clients.start(2);
	await nextRequest();
	await nextRequest();
	clients.stop();
	await Promise.all(
		sockets.map(async (socket) => await new Promise((resolve) => socket.once('close', resolve))),
	);

	expect(clients.closed).toBe(0);
	expect(sockets).toHaveLength(2);
});
