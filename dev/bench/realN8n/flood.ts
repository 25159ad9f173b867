import pLimit from 'p-limit';
import { Agent, request } from 'undici';
import { waitFor } from '../../n8n/process/waitFor';
import type { SignedRequest } from './signedRequest';

/** Longer than the slowest node takes for 600 deliveries at once on a busy machine: a slow response is a figure here, not a failure. */
const TIMEOUT_MS = 300_000;
const SEND_AGAIN_MS = 500;

/**
 * Sends everything, `concurrency` requests at a time.
 *
 * @param status that each response must have
 * @param sendsAgain whether what n8n does not take is sent again, as services do: n8n takes nothing while
 * its database is slow to respond
 * @throws when one has another: a trigger that does not do its work would be fast
 */
export async function flood(
	url: string,
	requests: readonly SignedRequest[],
	concurrency: number,
	status: number,
	{ sendsAgain = false } = {},
): Promise<void> {
	const limit = pLimit(concurrency);
	const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
	try {
		const sendOnce = async ({ headers, body }: SignedRequest): Promise<boolean> => {
			const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
			const text = await answer.body.text();
			if (answer.statusCode === status) return true;
			if (sendsAgain && answer.statusCode >= 500) return false;
			throw new Error(`Got ${answer.statusCode} instead of ${status}: ${text.slice(0, 300)}`);
		};
		const send = async (each: SignedRequest) =>
			await waitFor(async () => await sendOnce(each), {
				what: 'n8n to take a delivery',
				timeoutMs: TIMEOUT_MS,
				pollMs: SEND_AGAIN_MS,
			});
		await Promise.all(requests.map(async (each) => await limit(send, each)));
	} finally {
		await agent.destroy();
	}
}
