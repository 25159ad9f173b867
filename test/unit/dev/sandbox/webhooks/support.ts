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

/** The merchant's end of webhooks: keeps every request as it arrived. */
export class Receiver {
	url = '';
	readonly received: Received[] = [];
	/** The response to every request: a status, or what the function does. */
	answer: number | ((response: ServerResponse) => void) = 200;
	private readonly server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = '', url = '', headers } = request;
			const raw = Buffer.concat(chunks).toString('utf8');
			this.received.push({ method, url, headers, raw, json: JSON.parse(raw) });
			if (typeof this.answer === 'function') this.answer(response);
			else response.writeHead(this.answer).end('noted');
		});
	});

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

export const getEvents = ({ received }: Receiver): unknown[] =>
	received.map(({ headers }) => headers['x-webhook-event']);

/** Moves the clock, then waits until every request that this caused has a response. */
export async function advance(bench: Bench, ms: number): Promise<void> {
	bench.clock.advance(ms);
	await bench.sandbox.webhooks.quiet();
}

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
