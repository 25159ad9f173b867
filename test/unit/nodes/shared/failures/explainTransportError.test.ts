import type { FailedOutcome, UnclearCause } from '../../../../../nodes/shared/transport/outcome';
import { explain, readRequest, silent } from '../../../support/failedRequest';

describe('no response', () => {
	test.each<[UnclearCause, string, boolean]>([
		['timeout', 'TIMEOUT', true],
		['unreachable', 'UNREACHABLE', true],
		['connectionLost', 'CONNECTION_LOST', true],
		['certificate', 'CERTIFICATE_REJECTED', false],
		['cancelled', 'CANCELLED', false],
		['malformed', 'UNEXPECTED_ANSWER', true],
		['redirect', 'REDIRECTED', false],
	])('%s is explained as %s', (cause, code, retryable) => {
		const failure = explain(silent(cause), readRequest);

		expect(failure).toMatchObject({ code, httpStatus: null, retryable, effect: 'none' });
		expect(failure.message).toMatch(/^The .*[a-z]$/);
		expect(failure.description).toMatch(/\. \[/);
		expect(failure.description).toContain(`[${code}, https://api.example.com]`);
		expect(failure).not.toHaveProperty('idempotencyKey');
	});

	test('of a gateway carries its status', () => {
		expect(explain(silent('gateway', 502), readRequest)).toMatchObject({
			code: 'GATEWAY_ERROR',
			httpStatus: 502,
			retryable: true,
		});
		expect(explain(silent('gateway', 403), readRequest).retryable).toBe(false);
	});

	test('of a gateway that asks to retry in an hour says when', () => {
		const page = { ...silent('gateway', 503), headers: { 'retry-after': '3600' } } as FailedOutcome;

		expect(explain(page, readRequest).description).toContain(
			'until 2026-11-21 10:00 (Brasília time)',
		);
	});

	test('says that nothing was sent only where that is sure', () => {
		expect(explain(silent('unreachable', null, true)).description).toMatch(/^Nothing was sent\. /);
		expect(explain(silent('timeout'), readRequest).description).not.toContain('Nothing was sent');
	});
});

test('what this n8n blocks names the reason and the address', () => {
	const failure = explain({ kind: 'blocked', reason: 'Blocked by SSRF protection' });

	expect(failure).toMatchObject({ code: 'BLOCKED_BY_N8N', httpStatus: null, retryable: false });
	expect(failure.description).toBe(
		'Blocked by SSRF protection. Nothing was sent. Ask the administrator of this n8n to allow https://api.example.com.',
	);
});
