import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { generate } from 'selfsigned';

import { closeServer, openPort } from './localServer';

/** The only address that n8n's node for WhatsApp knows. */
const META = 'graph.facebook.com';
const DAY_MS = 24 * 60 * 60_000;

/** A request as it arrives, and where: the path and, if there is one, the key that came with it. */
export interface Received {
	path: string;
	key: string | undefined;
	fields: Record<string, unknown>;
	file?: Buffer;
}

/**
 * Meta's API for WhatsApp, Telegram's and an Evolution API, as far as the examples use them: they take what they are
 * sent. Meta's is reached through a proxy, under a certificate that n8n is configured to trust.
 */
export class Messengers {
	readonly received: Received[] = [];
	/** Who cannot be written to. */
	refusedNumber = '';
	private servers: Array<Parameters<typeof closeServer>[0]> = [];
	private folder = '';
	/** Of all but Meta's. */
	url = '';

	/** @returns what to add to the environment of n8n */
	async open(): Promise<NodeJS.ProcessEnv> {
		const listener: RequestListener = (request, response) => void this.answer(request, response);
		const plain = createServer(listener);
		this.url = `http://127.0.0.1:${await openPort(plain)}`;
		const { private: key, cert } = await generate([{ name: 'commonName', value: META }], {
			keyType: 'ec',
			algorithm: 'sha256',
			notAfterDate: new Date(Date.now() + DAY_MS),
			extensions: [
				// Its own issuer, or clients would look for an authority that vouches for it.
				{ name: 'basicConstraints', cA: true, critical: true },
				{ name: 'subjectAltName', altNames: [{ type: 2, value: META }] },
			],
		});
		const secure = createSecureServer({ key, cert }, listener);
		const securePort = await openPort(secure);

		// Plain http is refused: what is on this machine is reached directly.
		const proxy = createServer((_request, response) => response.writeHead(403).end());
		proxy.on('connect', ({ url }, client: Socket) => {
			if (url !== `${META}:443`) return void client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			pipeline(client, connect(securePort, '127.0.0.1'), client, () => client.destroy());
		});
		this.servers = [plain, secure, proxy];
		this.folder = await mkdtemp(join(tmpdir(), 'messengers-'));
		const certificateFile = join(this.folder, 'certificate.pem');
		await writeFile(certificateFile, cert);
		return {
			HTTPS_PROXY: `http://127.0.0.1:${await openPort(proxy)}`,
			NODE_EXTRA_CA_CERTS: certificateFile,
		};
	}

	/** What has come to the paths with this end, the oldest first. */
	at(end: string): Received[] {
		return this.received.filter(({ path }) => path.endsWith(end));
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { url: path = '', headers } = request;
		const type = headers['content-type'] ?? '';
		const content = new Response(await buffer(request), { headers: { 'content-type': type } });
		const key = (headers.apikey as string | undefined) ?? headers.authorization;
		if (type.startsWith('multipart/')) {
			const { file, ...fields } = Object.fromEntries(await content.formData());
			const bytes = Buffer.from(await (file as Blob).arrayBuffer());
			this.received.push({ path, key, fields, file: bytes });
		} else {
			const fields = (await content.json()) as Record<string, unknown>;
			this.received.push({ path, key, fields });
		}
		const { fields } = this.received.at(-1)!;
		const isRefused = [fields.to, fields.number].includes(this.refusedNumber);
		response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
		// By this id, a message to Meta names a picture that was sent before.
		response.end(JSON.stringify({ ok: true, result: {}, id: String(this.received.length - 1) }));
	}

	async close(): Promise<void> {
		for (const server of this.servers) await closeServer(server);
		await rm(this.folder, { recursive: true, force: true });
	}
}
