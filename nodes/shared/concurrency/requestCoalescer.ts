import { sleep } from 'n8n-workflow';

/** A reading that takes longer is not waited for: it may never end. */
const PATIENCE_MS = 1_000;

/**
 * Lets those who ask for the same thing at the same time share one reading. Nobody is given a reading
 * that began before it was asked for: what changed before the question is in every answer.
 */
export class RequestCoalescer<T> {
	/** The reading that began last, for each name; never rejects. */
	private readonly running = new Map<string, Promise<void>>();
	/** The one that begins when that has ended, for callers that ask meanwhile. */
	private readonly next = new Map<string, Promise<T>>();

	/** @param read must give the same to everybody who asks under this name */
	async get(name: string, read: () => Promise<T>): Promise<T> {
		const next = this.next.get(name);
		if (next) return await next;
		const running = this.running.get(name);
		if (!running) return await this.start(name, read);
		const shared = Promise.race([running, sleep(PATIENCE_MS)]).then(async () => {
			this.next.delete(name);
			return await this.start(name, read);
		});
		this.next.set(name, shared);
		return await shared;
	}

	private async start(name: string, read: () => Promise<T>): Promise<T> {
		const reading = read();
		const forget = () => {
			if (this.running.get(name) === ended) this.running.delete(name);
		};
		const ended = reading.then(forget, forget);
		this.running.set(name, ended);
		return await reading;
	}
}
