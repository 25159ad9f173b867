import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import type { SignedRequest } from './signedRequest';

/** A slow response is a figure here, not a failure. */
const TIMEOUT_MS = 300_000;

/**
 * Sends everything, `concurrency` requests at a time.
 *
 * @param status that each response must have
 * @throws when one has another: a trigger that does not do its work would be fast
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
			throw new Error(`Got ${answer.statusCode} instead of ${status}: ${text.slice(0, 300)}`);
		};
		await Promise.all(requests.map(async (each) => await limit(send, each)));
	} finally {
		await agent.destroy();
	}
}
