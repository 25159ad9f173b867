import { Agent, request } from 'undici';
import { loopbackLookup } from './loopback';

interface PostResult {
	status: number | null;
	error?: string;
	answer?: string;
	durationMs: number;
}

const SHOWN_BYTES = 2_048;

/** One connection per request, so that no attempt fails because of an old connection. */
export function createAgent(): Agent {
	return new Agent({
		pipelining: 0,
		// A local receiver has no certificate from a trusted authority.
		connect: { lookup: loopbackLookup, rejectUnauthorized: false },
	});
}

/**
 * Sends one request and never throws. No redirect is followed. The status decides; the body of the
 * response is read for people, as far as it arrives in time.
 */
export async function post(
	agent: Agent,
	target: { url: string; headers: Record<string, string>; body: string },
	timeoutMs: number,
	stop: AbortSignal,
): Promise<PostResult> {
	const started = performance.now();
	const timeout = new AbortController();
	const timer = setTimeout(() => timeout.abort(), timeoutMs);
	const signal = AbortSignal.any([timeout.signal, stop]);
	const elapsed = (): number => Math.round(performance.now() - started);
	try {
		const response = await request(target.url, {
			method: 'POST',
			headers: target.headers,
			body: target.body,
			dispatcher: agent,
			signal,
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		const durationMs = elapsed();
		const answer = await readStart(response.body);
		return { status: response.statusCode, durationMs, ...(answer === '' ? {} : { answer }) };
	} catch (error) {
		const reason = timeout.signal.aborted ? `No answer within ${timeoutMs} ms` : toText(error);
		return { status: null, error: reason, durationMs: elapsed() };
	} finally {
		clearTimeout(timer);
	}
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	try {
		for await (const chunk of body) {
			chunks.push(chunk);
			length += chunk.length;
			// Leaving the loop closes the connection: the rest is of no interest.
			if (length >= SHOWN_BYTES) break;
		}
	} catch {
		// The response was cut off after its status, which is all that counts.
	}
	return Buffer.concat(chunks).subarray(0, SHOWN_BYTES).toString('utf8');
}

function toText(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const code = (error as NodeJS.ErrnoException).code;
	return code && !error.message.includes(code) ? `${code} ${error.message}`.trim() : error.message;
}
