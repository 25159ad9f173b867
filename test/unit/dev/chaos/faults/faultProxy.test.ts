import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { FaultProxy } from '../../../../../dev/chaos/faults/faultProxy';

let service: Server;
let proxy: FaultProxy;

beforeEach(async () => {
	service = createServer((request, response) => {
		if (request.url === '/reset') request.socket.resetAndDestroy();
		else if (request.url === '/drop') request.socket.destroy();
		else response.end('x'.repeat(300_000));
	});
	await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
	proxy = await FaultProxy.open((service.address() as AddressInfo).port);
});

afterEach(async () => {
	await proxy.close();
	service.closeAllConnections();
	await new Promise<void>((resolve) => service.close(() => resolve()));
});

/** The length of the response, or the code of the network's error. Each call has its own connection. */
const ask = async (path: string): Promise<number | string | undefined> =>
	await fetch(proxy.url + path, { headers: { connection: 'close' } }).then(
		async (response) => (await response.text()).length,
		(error: Error & { cause?: { code?: string } }) => error.cause?.code,
	);

it('passes on what both sides say, to the last byte', async () => {
	const answers = await Promise.all([ask('/'), ask('/'), ask('/')]);
	expect(answers).toEqual([300_000, 300_000, 300_000]);
});

it('passes on resets and cuts as what they are', async () => {
	expect(await ask('/reset')).toBe('ECONNRESET');
	expect(await ask('/drop')).toBe('UND_ERR_SOCKET');
});

it('refuses connections while it is shut, and takes them again afterwards', async () => {
	proxy.closeFor(200);
	expect(await ask('/')).toBe('ECONNREFUSED');
	let answer: number | string | undefined = 'ECONNREFUSED';
	while (answer === 'ECONNREFUSED') answer = await ask('/');
	expect(answer).toBe(300_000);
});
