import type { RecordedRequest } from '../../../dev/sandbox';
import type { EngineHarness } from './harness';

/** Characters that mean something in a path, a query or an encoding. */
export const AWKWARD = 'a/b?c#d%e f+gç';
export const AWKWARD_ENCODED = 'a%2Fb%3Fc%23d%25e%20f%2Bg%C3%A7';

/** Method, raw path and query, and the body as text, of each request in order of arrival. */
export const sent = (bench: EngineHarness): string[] =>
	bench
		.requests()
		.map(({ method, url, rawBody }) =>
			[method, url, ...(rawBody.length > 0 ? [rawBody.toString('utf8')] : [])].join(' '),
		);

/** What every request carries that only reads, or may be repeated: who asks, and no key. */
export function expectNoKeys(bench: EngineHarness): void {
	for (const request of bench.requests()) {
		expectIdentified(request);
		expect(request.headers).not.toHaveProperty('x-idempotency-key');
	}
}

/** What every write carries that takes effect once: its own key, and JSON. */
export function expectOwnKeys(bench: EngineHarness): void {
	const writes = bench.requests('POST');
	for (const request of writes) {
		expectIdentified(request);
		expect(request.headers['content-type']).toBe('application/json');
		expect(request.headers['x-idempotency-key']).toMatch(/^n8n-[\w-]{43}$/);
	}
	expect(new Set(writes.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(writes.length);
}

function expectIdentified({ headers, rawBody }: RecordedRequest): void {
	// The secret is taken out by the recorder; a key without it would not have been recorded like this.
	expect(headers.authorization).toMatch(/^Bearer brlpay_(test|live)_\w{10}_\[redacted\]$/);
	expect(headers.accept).toBe('application/json, */*;q=0.5');
	if (rawBody.length === 0) expect(headers).not.toHaveProperty('content-type');
}
