import { createServer, type AddressInfo, type Server } from 'node:net';

const LOOPBACK = '127.0.0.1';

async function listen(port: number): Promise<Server> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => resolve(server));
	});
}

async function close(server: Server): Promise<void> {
	await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** `count` different ports of the loopback address that nothing listens on now. */
export async function findFreePorts(count: number): Promise<number[]> {
	// All are held open at once, or the same one could be returned twice.
	const servers = await Promise.all(Array.from({ length: count }, async () => await listen(0)));
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map(close));
	return ports;
}

/** The wanted port where it is free, else another one. */
export async function findPort(wanted: number): Promise<number> {
	try {
		await close(await listen(wanted));
		return wanted;
	} catch {
		const [port] = await findFreePorts(1);
		return port!;
	}
}
