import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const LOOPBACK = '127.0.0.1';
const REOPEN_AGAIN_MS = 20;

/**
 * The address of the service as its clients know it: passes connections on to the sandbox, and can
 * be closed. While it is closed nothing listens, and the operating system refuses every connection.
 */
export class FaultProxy {
	private timer: NodeJS.Timeout | undefined;
	private isEnded = false;
	private readonly sockets = new Set<Socket>();

	private constructor(
		private readonly server: Server,
		private readonly port: number,
	) {}

	static async open(target: number): Promise<FaultProxy> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
		const proxy = new FaultProxy(server, (server.address() as AddressInfo).port);
		server.on('connection', (client) => proxy.pass(client, connect(target, LOOPBACK)));
		return proxy;
	}

	get url(): string {
		return `http://${LOOPBACK}:${this.port}`;
	}

	/** Refuses new connections for `ms` milliseconds; existing ones continue. */
	closeFor(ms: number): void {
		if (this.timer !== undefined || this.isEnded) return;
		this.server.close();
		this.timer = setTimeout(() => this.reopen(), ms);
	}

	async close(): Promise<void> {
		this.isEnded = true;
		clearTimeout(this.timer);
		const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
		for (const socket of this.sockets) socket.destroy();
		await closed;
	}

	private reopen(): void {
		this.timer = undefined;
		if (this.isEnded) return;
		// Another process may hold the port briefly: it is one that the system gives to any of them.
		this.server.once('error', () => {
			this.timer = setTimeout(() => this.reopen(), REOPEN_AGAIN_MS);
		});
		this.server.listen(this.port, LOOPBACK, () => this.server.removeAllListeners('error'));
	}

	private pass(client: Socket, service: Socket): void {
		client.pipe(service);
		service.pipe(client);
		client.on('error', () => service.resetAndDestroy());
		service.on('error', () => client.resetAndDestroy());
		// A client that left takes its request back; what the service has said is still delivered.
		client.on('close', () => service.destroy());
		service.on('close', () => client.destroySoon());
		for (const socket of [client, service]) {
			this.sockets.add(socket);
			socket.on('close', () => this.sockets.delete(socket));
		}
	}
}
