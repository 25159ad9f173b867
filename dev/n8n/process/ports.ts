import getPort from 'get-port';

const LOOPBACK = '127.0.0.1';

/** `count` different ports of the loopback address that nothing listens on now. */
export async function findFreePorts(count: number): Promise<number[]> {
	const ports = Array.from({ length: count }, async () => await getPort({ host: LOOPBACK }));
	return await Promise.all(ports);
}

/** The wanted port where it is free, else another one. */
export async function findPort(wanted: number): Promise<number> {
	return await getPort({ host: LOOPBACK, port: wanted });
}
