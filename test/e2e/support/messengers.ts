import { createServer, type IncomingMessage, type Server } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { closeServer, openPort } from './localServer';

/** A message as it arrives, and where: the path and, if there is one, the key that came with it. */
export interface Received {
	path: string;
	key: string | undefined;
	fields: Record<string, unknown>;
	file?: Buffer;
}

/** Telegram's API and an Evolution API, as far as the examples use them: they take what they are sent. */
export class Messengers {
	readonly received: Received[] = [];
	private server!: Server;
	url = '';

	async open(): Promise<void> {
		this.server = createServer((request, response) => {
			void this.take(request).then(() => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ ok: true, result: {} }));
			});
		});
		this.url = `http://127.0.0.1:${await openPort(this.server)}`;
	}

	private async take(request: IncomingMessage): Promise<void> {
		const type = request.headers['content-type'] ?? '';
		const content = new Response(await buffer(request), { headers: { 'content-type': type } });
		const key = request.headers.apikey as string | undefined;
		const path = request.url ?? '';
		if (!type.startsWith('multipart/')) {
			const fields = (await content.json()) as Record<string, unknown>;
			this.received.push({ path, key, fields });
			return;
		}
		const { file, ...fields } = Object.fromEntries(await content.formData());
		this.received.push({
			path,
			key,
			fields,
			file: Buffer.from(await (file as Blob).arrayBuffer()),
		});
	}

	async close(): Promise<void> {
		await closeServer(this.server);
	}
}
