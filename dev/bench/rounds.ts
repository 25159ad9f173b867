import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { assumedDialect, signedRequest } from '../sandbox';
import type { BenchN8n, Listening } from './benchN8n';

export const SECRET = 'example-signing-secret-0001';
const FORGED_SECRET = 'example-signing-secret-0002';
export const EVENT = 'PAYMENT_PAID';

const CONCURRENCY = 8;
/** A slow response is a figure here, not a failure. */
const TIMEOUT_MS = 300_000;
const DIALECT = assumedDialect();
/** With it, a body has about a kilobyte. */
const METADATA = { note: 'x'.repeat(900) };

/** One event of the service, which may be sent several times. */
interface Event {
	readonly id: string;
	readonly body: string;
}

function newEvents(count: number): Event[] {
	return Array.from({ length: count }, () => {
		const id = randomUUID();
		const payment = { id, txId: 'PAY0000', amount: 10.5, status: 'PAID', metadata: METADATA };
		return { id, body: JSON.stringify(payment) };
	});
}

/** Sends rounds of deliveries to one n8n, and checks that each has started what it should. */
export class Rounds {
	private readonly expected = new Map<Listening, number>();
	private taken: readonly Event[] = [];

	constructor(private readonly n8n: Pick<BenchN8n, 'url' | 'finishedToBe'>) {}

	/**
	 * New deliveries, from the first request to the end of the last execution.
	 * @returns milliseconds for each; so do the others
	 */
	async newOnes(listener: Listening, count: number): Promise<number> {
		const events = newEvents(count);
		const start = Date.now();
		await this.send(listener, events);
		const total = (this.expected.get(listener) ?? 0) + count;
		this.expected.set(listener, total);
		const lastEnd = await this.n8n.finishedToBe(listener, total);
		this.taken = events;
		return (lastEnd - start) / count;
	}

	/** Copies of what the last round of new ones brought; they are accepted, and start nothing. */
	async copies(listener: Listening, count: number): Promise<number> {
		const { taken } = this;
		const copies = Array.from({ length: count }, (_, index) => taken[index % taken.length]!);
		return await this.startingNothing(listener, copies);
	}

	/** Well-formed deliveries, signed with another secret; they are refused and start nothing. */
	async forgeries(listener: Listening, count: number): Promise<number> {
		return await this.startingNothing(listener, newEvents(count), 503, FORGED_SECRET);
	}

	private async startingNothing(
		listener: Listening,
		events: readonly Event[],
		status?: number,
		secret?: string,
	): Promise<number> {
		const start = Date.now();
		await this.send(listener, events, status, secret);
		const milliseconds = (Date.now() - start) / events.length;
		await this.n8n.finishedToBe(listener, this.expected.get(listener) ?? 0);
		return milliseconds;
	}

	/** @throws when a response has another status: a trigger that does not do its work would be fast */
	private async send(
		{ path }: Listening,
		events: readonly Event[],
		status = 200,
		secret = SECRET,
	): Promise<void> {
		const url = `${this.n8n.url}/webhook/${path}`;
		const now = Date.now();
		const requests = events.map(({ id, body }) => ({
			headers: signedRequest({ id, event: EVENT, body }, secret, DIALECT, now),
			body,
		}));
		const limit = pLimit(CONCURRENCY);
		const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
		const post = async (each: (typeof requests)[number]): Promise<void> => {
			const answer = await request(url, { method: 'POST', ...each, dispatcher: agent });
			const text = await answer.body.text();
			if (answer.statusCode === status) return;
			throw new Error(`Got ${answer.statusCode} instead of ${status}: ${text.slice(0, 300)}`);
		};
		try {
			await Promise.all(requests.map(async (each) => await limit(post, each)));
		} finally {
			await agent.destroy();
		}
	}
}
