import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';

import { openPort } from './localServer';

const LOOPBACK = '127.0.0.1';

/**
 * An HTTPS proxy that leads the hosts it knows to ports of this machine and refuses all others, so
 * that a program which names a public host in its code reaches a server of this machine.
 */
export class Detour {
	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		readonly url: string,
	) {}

	/** @param ports host name, with its port -> port of this machine */
	static async start(ports: Readonly<Record<string, number>>): Promise<Detour> {
		// Plain http is refused: what is on this machine is reached directly.
		const server = createServer((_request, response) => response.writeHead(403).end());
		const detour = new Detour(server, `http://${LOOPBACK}:${await openPort(server)}`);
		server.on('connect', ({ url = '' }, client: Socket, head) => {
			detour.keep(client);
			const target = ports[url];
			if (target === undefined) {
				client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
				return;
			}
			const upstream = detour.keep(connect(target, LOOPBACK));
			// Both ends go together, however one of them ends.
			client.once('close', () => upstream.destroy());
			upstream.once('close', () => client.destroy());
			upstream.once('connect', () => {
				client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
				upstream.write(head);
				client.pipe(upstream).pipe(client);
			});
		});
		return detour;
	}

	private keep(socket: Socket): Socket {
		this.sockets.add(socket);
		socket.once('error', () => socket.destroy());
		socket.once('close', () => this.sockets.delete(socket));
		return socket;
	}

	async close(): Promise<void> {
		const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
		for (const socket of this.sockets) socket.destroy();
		await closed;
	}
}
