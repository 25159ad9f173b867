import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { makeCertificate } from '../registry/certificate';
import { Detour } from '../registry/detour';

const HOST = 'graph.facebook.com';
const LONGEST_TEXT = 4096;
const LONGEST_CAPTION = 1024;

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

class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly type: 'OAuthException' | 'GraphMethodException',
		message: string,
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
	/** How many of the next messages are refused. */
	refusals = 0;
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
		await new Promise<void>((resolve) => this.api.listen(0, '127.0.0.1', resolve));
		const { port } = this.api.address() as AddressInfo;
		this.detour = await Detour.start({ [`${HOST}:443`]: port });
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
			const { status, type, message } =
				error instanceof Refusal ? error : new Refusal(500, 'GraphMethodException', String(error));
			send(status, { error: { message, type, code: status === 401 ? 190 : 100 } });
		}
	}

	private async take(request: IncomingMessage): Promise<object> {
		if (request.headers.authorization !== `Bearer ${this.accessToken}`) {
			throw new Refusal(401, 'OAuthException', 'Invalid OAuth access token.');
		}
		const content = await readContent(request);
		const path = request.url?.replace(/^\/v\d+\.0\//, '');
		if (path === `${this.phoneNumberId}/media`) return this.keepPicture(await content.formData());
		if (path === `${this.phoneNumberId}/messages`) {
			return this.deliver((await content.json()) as MessageBody);
		}
		throw new Refusal(400, 'GraphMethodException', `Unsupported request: ${path}`);
	}

	private async keepPicture(form: FormData): Promise<object> {
		const file = form.get('file');
		if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof Blob)) {
			throw new Refusal(400, 'OAuthException', 'Param file must be a file.');
		}
		if (file.type !== 'image/png') {
			throw new Refusal(400, 'OAuthException', `Param file has the type ${file.type}.`);
		}
		const id = String(1000 + this.pictures.size);
		this.pictures.set(id, Buffer.from(await file.arrayBuffer()));
		return { id };
	}

	private deliver(body: MessageBody): object {
		const { messaging_product: product, to = '', type, text, image } = body;
		if (product !== 'whatsapp' || !/^\d{12,15}$/.test(to)) {
			throw new Refusal(400, 'OAuthException', `Param to is not a phone number: ${to}`);
		}
		if (this.refusals > 0) {
			this.refusals -= 1;
			throw new Refusal(400, 'OAuthException', 'Recipient phone number not in allowed list');
		}
		const message =
			type === 'image'
				? this.pictureMessage(image)
				: type === 'template'
					? templateMessage(body.template)
					: textMessage(text?.body);
		this.messages.push({ to, ...message });
		const id = `wamid.${this.messages.length}`;
		return {
			messaging_product: 'whatsapp',
			contacts: [{ input: to, wa_id: to }],
			messages: [{ id }],
		};
	}

	private pictureMessage(image: MessageBody['image']): Omit<Message, 'to'> {
		const picture = this.pictures.get(image?.id ?? '');
		if (!picture) throw new Refusal(400, 'OAuthException', 'Param image.id is unknown.');
		const caption = image?.caption ?? '';
		if (caption.length > LONGEST_CAPTION) {
			throw new Refusal(400, 'OAuthException', 'Param image.caption is too long.');
		}
		return { picture, caption };
	}

	async close(): Promise<void> {
		await this.detour.close();
		this.api.closeAllConnections();
		await new Promise<void>((resolve) => this.api.close(() => resolve()));
		await rm(this.folder, { recursive: true });
	}
}

function textMessage(text = ''): Omit<Message, 'to'> {
	if (text === '' || text.length > LONGEST_TEXT) {
		throw new Refusal(400, 'OAuthException', 'Param text.body has a wrong length.');
	}
	return { text };
}

function templateMessage(template: MessageBody['template']): Omit<Message, 'to'> {
	const { name = '', language, components = [] } = template ?? {};
	const [{ type, parameters = [] } = {}] = components;
	const variables = parameters.map(({ text = '' }) => text);
	if (name === '' || !language?.code || type !== 'body' || variables.includes('')) {
		throw new Refusal(400, 'OAuthException', 'Param template is incomplete.');
	}
	return { template: { name, language: language.code, variables } };
}

async function readContent(request: IncomingMessage): Promise<Response> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const type = request.headers['content-type'] ?? '';
	return new Response(Buffer.concat(chunks), { headers: { 'content-type': type } });
}
