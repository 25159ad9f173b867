import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { makeCertificate } from './certificate';
import { Detour } from './detour';
import { closeServer, openPort } from './localServer';

const HOST = 'graph.facebook.com';
/** One WhatsApp message as Meta would deliver it. */
export interface Message {
	to: string;
	text?: string;
	caption?: string;
	picture?: Buffer;
	/** Name and language of an approved template, with its variables in their order. */
	template?: { name: string; language: string; variables: string[] };
}

interface MessageBody {
	messaging_product?: string;
	to?: string;
	type?: string;
	text?: { body?: string };
	image?: { id?: string; caption?: string };
	template?: {
		name?: string;
		language?: { code?: string };
		components?: Array<{ type?: string; parameters?: Array<{ text?: string }> }>;
	};
}

/** What Meta says of a request that it does not take. */
class Refusal extends Error {
	constructor(
		message: string,
		readonly status = 400,
	) {
		super(message);
	}
}

/**
 * Meta's API for WhatsApp, as far as n8n's node uses it. That node knows no other address, so its
 * n8n reaches this one through a proxy, under a certificate that it is configured to trust.
 */
export class GraphApi {
	readonly messages: Message[] = [];
	private readonly pictures = new Map<string, Buffer>();
	private api!: Server;
	private detour!: Detour;
	private folder = '';

	constructor(
		private readonly accessToken: string,
		private readonly phoneNumberId: string,
	) {}

	/** @returns what to add to the environment of n8n */
	async open(): Promise<NodeJS.ProcessEnv> {
		this.folder = await mkdtemp(join(tmpdir(), 'graph-api-'));
		const { keyFile, certificateFile } = await makeCertificate(HOST, this.folder);
		const [key, cert] = await Promise.all([readFile(keyFile), readFile(certificateFile)]);
		this.api = createServer({ key, cert }, (request, response) => {
			void this.answer(request, response);
		});
		this.detour = await Detour.start({ [`${HOST}:443`]: await openPort(this.api) });
		return { HTTPS_PROXY: this.detour.url, NODE_EXTRA_CA_CERTS: certificateFile };
	}

	/** The messages to one recipient, the oldest first. */
	sentTo(number: string): Message[] {
		return this.messages.filter(({ to }) => to === number);
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const send = (status: number, body: object) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		try {
			send(200, await this.take(request));
		} catch (error) {
			const { message, status = 500 } = error as Partial<Refusal>;
			send(status, { error: { message, type: 'OAuthException', code: 100 } });
		}
	}

	private async take(request: IncomingMessage): Promise<object> {
		if (request.headers.authorization !== `Bearer ${this.accessToken}`) {
			throw new Refusal('Invalid OAuth access token.', 401);
		}
		const type = request.headers['content-type'] ?? '';
		const content = new Response(await buffer(request), { headers: { 'content-type': type } });
		const path = request.url?.replace(/^\/v\d+\.0\//, '');
		if (path === `${this.phoneNumberId}/media`)
			return await this.keepPicture(await content.formData());
		if (path !== `${this.phoneNumberId}/messages`)
			throw new Refusal(`Unsupported request: ${path}`);
		return this.deliver((await content.json()) as MessageBody);
	}

	private async keepPicture(form: FormData): Promise<object> {
		const file = form.get('file');
		if (!(file instanceof Blob) || file.type !== 'image/png') throw new Refusal('No picture.');
		const id = String(1000 + this.pictures.size);
		this.pictures.set(id, Buffer.from(await file.arrayBuffer()));
		return { id };
	}

	private deliver({ messaging_product: product, to = '', ...body }: MessageBody): object {
		if (product !== 'whatsapp' || !/^\d{12,15}$/.test(to)) {
			throw new Refusal(`Param to is not a phone number: ${to}`);
		}
		this.messages.push({ to, ...this.read(body) });
		const id = `wamid.${this.messages.length}`;
		const contacts = [{ input: to, wa_id: to }];
		return { messaging_product: 'whatsapp', contacts, messages: [{ id }] };
	}

	private read({ type, text, image, template }: MessageBody): Omit<Message, 'to'> {
		if (type === 'image') {
			const { id = '', caption = '' } = image ?? {};
			const picture = this.pictures.get(id);
			if (!picture || caption.length > 1024) throw new Refusal('Param image is wrong.');
			return { picture, caption };
		}
		if (type === 'template') {
			const { name = '', language, components: [body] = [] } = template ?? {};
			const variables = (body?.parameters ?? []).map((each) => each.text ?? '');
			if (name === '' || !language?.code || body?.type !== 'body' || variables.includes('')) {
				throw new Refusal('Param template is incomplete.');
			}
			return { template: { name, language: language.code, variables } };
		}
		const { body = '' } = text ?? {};
		if (body === '' || body.length > 4096) throw new Refusal('Param text.body has a wrong length.');
		return { text: body };
	}

	async close(): Promise<void> {
		await this.detour.close();
		await closeServer(this.api);
		await rm(this.folder, { recursive: true });
	}
}
