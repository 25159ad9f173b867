import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench, Json } from '../support';

export interface Received {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	raw: string;
	/** The body as JSON. */
	json: Json;
}

type Answer = number | ((response: ServerResponse, received: Received) => void);

/** The merchant's end of webhooks: keeps every request as it arrived. */
export class Receiver {
	url = '';
	readonly received: Received[] = [];
	/** The response to every request: a status, or what the function does. */
	answer: Answer = 200;
	private readonly server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const raw = Buffer.concat(chunks).toString('utf8');
			const received: Received = {
				method: request.method ?? '',
				url: request.url ?? '',
				headers: request.headers,
				raw,
				json: raw === '' ? undefined : JSON.parse(raw),
			};
			this.received.push(received);
			if (typeof this.answer === 'function') this.answer(response, received);
			else response.writeHead(this.answer).end('noted');
		});
	});

	static async start(): Promise<Receiver> {
		const receiver = new Receiver();
		await receiver.open();
		return receiver;
	}

	async open(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

/** One for all tests of a file, which has received nothing before each, and accepts what comes. */
export function useReceiver(): Receiver {
	const receiver = new Receiver();
	beforeAll(async () => await receiver.open());
	beforeEach(() => {
		receiver.received.length = 0;
		receiver.answer = 200;
	});
	afterAll(async () => await receiver.close());
	return receiver;
}

/** Moves the clock, then waits until every request that this caused has a response. */
export async function advance(bench: Bench, ms: number): Promise<void> {
	bench.clock.advance(ms);
	await bench.sandbox.webhooks.quiet();
}

/** Lets everything else continue until `holds`; fails after a while, so that no broken rule hangs. */
export async function until(holds: () => boolean): Promise<void> {
	const deadline = Date.now() + 4_000;
	while (!holds()) {
		if (Date.now() > deadline) throw new Error(`Never came: ${holds.toString()}`);
		await new Promise((resolve) => setImmediate(resolve));
	}
}

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
