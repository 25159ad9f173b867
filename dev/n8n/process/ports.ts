import getPort from 'get-port';

/** A port of the loopback address that nothing listens on: the wanted one where it is free. */
export async function findPort(wanted?: number): Promise<number> {
	return await getPort({ host: '127.0.0.1', port: wanted });
}
