import { sleep } from 'n8n-workflow';

/** A reading that takes longer is not waited for: it may never end. */
const PATIENCE_MS = 1_000;

/**
 * Lets concurrent callers that ask for the same thing share one reading. No caller gets a reading
 * that began before its call: what changed before the call is always included.
 */
export class RequestCoalescer<T> {
	/** The reading that began last, for each name; never rejects. */
	private readonly running = new Map<string, Promise<void>>();
	/** The one that begins when that has ended, for callers that ask meanwhile. */
	private readonly next = new Map<string, Promise<T>>();

	/** @param read must return the same to every caller that uses this name */
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
