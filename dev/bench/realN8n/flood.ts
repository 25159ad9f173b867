import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import type { SignedRequest } from './signedRequest';

/** Longer than 600 deliveries at once take the slowest node on a busy machine: slow is a figure here, not a failure. */
const TIMEOUT_MS = 300_000;

/**
 * Sends everything, so many at a time.
 *
 * @param status what each request has to be answered with
 * @throws when one is answered differently: what does not do its work would be fast
 */
export async function flood(
	url: string,
	requests: readonly SignedRequest[],
	concurrency: number,
	status: number,
): Promise<void> {
	const limit = pLimit(concurrency);
	const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
	try {
		const send = async ({ headers, body }: SignedRequest) => {
			const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
			const text = await answer.body.text();
			if (answer.statusCode === status) return;
			throw new Error(`Answered ${answer.statusCode} instead of ${status}: ${text.slice(0, 300)}`);
		};
		await Promise.all(requests.map(async (each) => await limit(send, each)));
	} finally {
		await agent.destroy();
	}
}
