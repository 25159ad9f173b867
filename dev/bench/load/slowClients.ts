import { connect, type Socket } from 'node:net';
import type { SignedRequest } from '../realN8n/signedRequest';

const EVERY_MS = 1_000;

/** Clients that send the headers of a delivery at once, and its body byte by byte, one a second. */
export class SlowClients {
	private readonly sockets = new Set<Socket>();
	private timer: NodeJS.Timeout | undefined;

	constructor(
		private readonly url: string,
		private readonly request: SignedRequest,
	) {}

	start(count: number): void {
		for (let index = 0; index < count; index += 1) this.open();
		this.timer = setInterval(() => {
			for (const socket of this.sockets) if (!socket.connecting) socket.write(' ');
		}, EVERY_MS);
	}

	stop(): void {
		clearInterval(this.timer);
		this.timer = undefined;
		for (const socket of this.sockets) socket.destroy();
	}

	private open(): void {
		const { hostname, port, pathname } = new URL(this.url);
		const { headers, body } = this.request;
		const lines = Object.entries({
			...headers,
			host: `${hostname}:${port}`,
			'content-length': String(body.length),
		}).map(([name, value]) => `${name}: ${value}`);
		const socket = connect(Number(port), hostname);
		this.sockets.add(socket);
		socket.on('error', () => undefined);
		socket.resume();
		socket.once('close', () => {
			this.sockets.delete(socket);
			if (this.timer !== undefined) this.open();
		});
		socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
	}
}
