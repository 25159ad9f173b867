import { setTimeout as sleep } from 'node:timers/promises';

import { post, signedHeaders, type Delivery } from './deliveries';

/** `refused`: a 4xx that ends it; `exhausted`: the budget of attempts is used up. */
export type Outcome = 'accepted' | 'refused' | 'exhausted';

/** As documented (docs/api.md#delivery-attempts), with every wait shortened by {@link SPEED}. */
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 6 * 60 * 60_000;
const MAX_ATTEMPTS = 24;
const SPEED = 10;
const NOTHING = { status: 0 };

/**
 * The service as a sender of webhooks: tries again after 408, 429, 5xx and lost connections, and never
 * after another 4xx. Each attempt is re-signed.
 * @param isUp whether the endpoint is reached; it gets nothing otherwise
 */
export async function send(
	url: string,
	delivery: Delivery,
	{ random = Math.random, isUp = async () => await Promise.resolve(true) } = {},
): Promise<Outcome> {
	let delay = FIRST_DELAY_MS;
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		const attempt = async () => await post(url, signedHeaders(delivery), delivery.body);
		const { status } = (await isUp()) ? await attempt().catch(() => NOTHING) : NOTHING;
		if (status >= 200 && status < 300) return 'accepted';
		if (status >= 300 && status < 500 && status !== 408 && status !== 429) return 'refused';
		await sleep((delay * (0.5 + random())) / SPEED);
		delay = Math.min(2 * delay, LONGEST_DELAY_MS);
	}
	return 'exhausted';
}
