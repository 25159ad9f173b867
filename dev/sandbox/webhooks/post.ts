import { Agent, request } from 'undici';
import { loopbackLookup } from './loopback';

/** One connection per request, so that no attempt fails because of an old connection. */
export function createAgent(): Agent {
	return new Agent({
		pipelining: 0,
		// A local receiver has no certificate from a trusted authority.
		connect: { lookup: loopbackLookup, rejectUnauthorized: false },
	});
}

/**
 * Sends one request and never throws. No redirect is followed.
 * @returns the status, whatever becomes of the body of the response; null when none came in time
 */
export async function post(
	agent: Agent,
	target: { url: string; headers: Record<string, string>; body: string },
	timeoutMs: number,
	stop: AbortSignal,
): Promise<number | null> {
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), timeoutMs);
	try {
		const response = await request(target.url, {
			method: 'POST',
			headers: target.headers,
			body: target.body,
			dispatcher: agent,
			signal: AbortSignal.any([timeout.signal, stop]),
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		await response.body.dump().catch(() => undefined);
		return response.statusCode;
	} catch {
		return null;
	} finally {
		clearTimeout(timer);
	}
}
