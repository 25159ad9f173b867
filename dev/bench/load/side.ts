import type { BenchN8n, Listener } from '../realN8n/benchN8n';
import { flood } from '../realN8n/flood';
import { HEADER_AUTH } from '../realN8n/listeners';
import { FORGED_SECRET, SECRET, sign, type Event } from '../realN8n/signedRequest';
import { waitFor } from '../../n8n/process/waitFor';
import type { Sample } from './slices';

const SAMPLE_EVERY_MS = 500;

/** One of the two n8n that are compared, and what it has to do. */
export class Side {
	/** How many deliveries or forgeries it has answered. */
	answered = 0;
	readonly samples: Sample[] = [];
	private timer: NodeJS.Timeout | undefined;

	/**
	 * @param startsCopies whether a copy starts an execution, too
	 * @param refusal the status for a forgery
	 */
	constructor(
		readonly n8n: BenchN8n,
		readonly listeners: readonly Listener[],
		private readonly startsCopies: boolean,
		private readonly refusal: number,
	) {}

	watch(): void {
		this.note();
		this.timer = setInterval(() => this.note(), SAMPLE_EVERY_MS);
	}

	stopWatching(): void {
		clearInterval(this.timer);
		this.note();
	}

	/** Signed now, like each delivery. Sent again until n8n accepts it. */
	async deliver(event: Event, number: number): Promise<void> {
		await this.send(event, number, SECRET, 200);
	}

	/** A delivery with the wrong secret. @throws if it is not refused */
	async forge(event: Event, number: number): Promise<void> {
		await this.send(event, number, FORGED_SECRET, this.refusal);
	}

	/**
	 * Waits until n8n has run what it should for these deliveries.
	 * @throws if it continued more often
	 */
	async finish(plan: readonly number[]): Promise<void> {
		const started = this.startsCopies ? plan : [...new Set(plan)];
		for (const listener of this.listeners) {
			const expected = started.filter((number) => this.receiver(number) === listener).length;
			await waitFor(
				async () => {
					const continued = await this.n8n.continued(listener);
					if (continued <= expected) return continued === expected;
					throw new Error(`n8n continued ${continued} times instead of ${expected}`);
				},
				{ what: 'n8n to end its executions', timeoutMs: 300_000, pollMs: 1_000 },
			);
		}
	}

	private note(): void {
		const use = this.n8n.groupUse();
		if (use) this.samples.push({ answered: this.answered, ...use });
	}

	private receiver(number: number): Listener {
		return this.listeners[number % this.listeners.length]!;
	}

	private async send(event: Event, number: number, secret: string, status: number) {
		const { headers, body } = sign(event, Date.now(), secret);
		const request = { headers: { ...headers, [HEADER_AUTH.name]: secret }, body };
		const sendsAgain = status === 200;
		await flood(this.n8n.getUrl(this.receiver(number)), [request], 1, status, { sendsAgain });
		this.answered += 1;
	}
}
