import { setTimeout as sleep } from 'node:timers/promises';

import pLimit from 'p-limit';

import { post, SECRET, signedHeaders, type Delivery } from './deliveries';

/** `refused`: a 4xx that ends it; `exhausted`: the budget of attempts is used up. */
export type Outcome = 'accepted' | 'refused' | 'exhausted';

/** As documented (docs/api.md#delivery-attempts), with every wait shortened by {@link SPEED}. */
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 6 * 60 * 60_000;
const MAX_ATTEMPTS = 24;
const SPEED = 10;

/** After this many failures in a row the circuit opens: one delivery tries, the others are deferred. */
const FAILURES_THAT_OPEN = 10;
const PROBE_PAUSE_MS = 300;

/** First attempts go out when they are due, however many; repetitions by this many workers. */
const WORKERS = 8;

/**
 * The service as a sender of webhooks: tries again after 408, 429, 5xx and lost connections, and never
 * after another 4xx. Each attempt is re-signed.
 */
export class Sender {
	/** How often each status was received; 0 stands for no response. */
	readonly answers = new Map<number, number>();
	private failures = 0;
	private isProbing = false;
	private readonly workers = pLimit(WORKERS);

	constructor(
		private readonly url: () => string,
		private readonly random: () => number = Math.random,
		private readonly secret: string = SECRET,
	) {}

	async send(delivery: Delivery): Promise<Outcome> {
		let delay = FIRST_DELAY_MS;
		for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
			const isProbe = await this.admitted();
			const send = async () => await this.attempt(delivery);
			const status = await (attempt === 1 || isProbe ? send() : this.workers(send));
			const isAccepted = status >= 200 && status < 300;
			this.failures = isAccepted ? 0 : this.failures + 1;
			if (isProbe) {
				if (!isAccepted) await sleep(PROBE_PAUSE_MS);
				this.isProbing = false;
			}
			if (isAccepted) return 'accepted';
			if (status >= 300 && status < 500 && status !== 408 && status !== 429) return 'refused';
			// A probe is no attempt of the budget, and neither is being deferred.
			if (isProbe) attempt -= 1;
			else await sleep((delay * (0.5 + this.random())) / SPEED);
			delay = Math.min(2 * delay, LONGEST_DELAY_MS);
		}
		return 'exhausted';
	}

	/** Waits while the circuit is open. @returns whether this one is to try it out */
	private async admitted(): Promise<boolean> {
		while (this.failures >= FAILURES_THAT_OPEN) {
			if (!this.isProbing) {
				this.isProbing = true;
				return true;
			}
			await sleep(PROBE_PAUSE_MS);
		}
		return false;
	}

	private async attempt(delivery: Delivery): Promise<number> {
		const status = await post(this.url(), signedHeaders(delivery, this.secret), delivery.body).then(
			(answer) => answer.status,
			() => 0,
		);
		this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
		return status;
	}
}
