import {
	createServer,
	request,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';

import { closeServer, openPort } from './localServer';
import type { N8nTestEnv } from './n8nTestEnv';

/**
 * The reverse proxy before an n8n in production, configured to ask n8n whether it is ready.
 *
 * It is needed for more than TLS: while n8n starts, it responds on every path itself, first with 200
 * and then with 404, before any workflow is asked. The sender takes the one for success and the
 * other for the end, and the event is lost. Behind this proxy it gets 503 until then, and tries
 * again.
 */
export class FrontDoor {
	private server!: Server;
	url = '';

	constructor(private readonly world: N8nTestEnv) {}

	async open(): Promise<void> {
		this.server = createServer((incoming, outgoing) => void this.pass(incoming, outgoing));
		this.url = `http://127.0.0.1:${await openPort(this.server)}`;
	}

	private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const n8n = this.world.n8n.url;
		const readiness = await fetch(`${n8n}/healthz/readiness`).catch(() => undefined);
		await readiness?.arrayBuffer().catch(() => undefined);
		if (readiness?.status !== 200) {
			outgoing.writeHead(503).end();
			incoming.resume();
			return;
		}
		const forwarded = request(
			`${n8n}${incoming.url}`,
			{ method: incoming.method, headers: incoming.headers, agent: false },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
				answer.once('error', () => outgoing.destroy());
			},
		);
		forwarded.once('error', () => {
			if (outgoing.headersSent) outgoing.destroy();
			else outgoing.writeHead(502).end();
		});
		incoming.pipe(forwarded);
	}

	async close(): Promise<void> {
		await closeServer(this.server);
	}
}
