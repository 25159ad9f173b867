import type { FailedRequest } from '../../../../../nodes/shared/failures/explainFailure';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../../../nodes/shared/retry/errors';
import { explain, refused, request } from '../../../support/failedRequest';

describe('a refusal', () => {
	test.each(Object.keys(ERROR_CATALOGUE) as ErrorCode[])(
		'%s says what happened, what to do, whether a retry can help, and the code',
		(code) => {
			const { what, remedy, status, retry } = ERROR_CATALOGUE[code];
			const failure = explain(refused(code, { status: status ?? 400 }));

			expect(failure).toMatchObject({
				code,
				message: what,
				httpStatus: status ?? 400,
				effect: 'none',
				retryable: retry === 'sameKey' || retry === 'wait',
				idempotencyKey: 'key-1',
			});
			expect(failure.description).toContain(`[${code}, HTTP ${status ?? 400}]`);
			if (code !== 'FORBIDDEN') expect(failure.description).toContain(remedy);
			expect(failure.description).not.toMatch(/\.\.|undefined|null|\s{2}/);
		},
	);

	test('at the address that creates things speaks of the address, not of an ID', () => {
		const { message, description } = explain(
			refused('NOT_FOUND', { status: 404 }),
			request({ namesNoRecord: true }),
		);

		expect(message).toBe('There is nothing at the address to which this was sent');
		expect(description).toContain('Check the Base URL in the credential');
		expect(description).not.toContain('Check the ID');
	});

	test('names the scope that is missing', () => {
		expect(explain(refused('FORBIDDEN', { status: 403 })).description).toContain(
			'Give the key the scope withdrawals:write ',
		);
		expect(explain(refused('FORBIDDEN'), request({ scope: null })).description).toContain(
			ERROR_CATALOGUE.FORBIDDEN.remedy,
		);
	});

	test('repeats what the server said, with the fields that it named', () => {
		const failure = explain(
			refused('VALIDATION_ERROR', {
				message: 'Validation failed',
				details: { amount: 'must be at least 10', destination: { pixKey: ['missing'] } },
			}),
		);

		expect(failure.description).toBe(
			'Correct the fields named here. Then run a new execution with only this item. ' +
				'The server said: Validation failed; amount: must be at least 10; ' +
				'destination: {"pixKey":["missing"]}. [VALIDATION_ERROR, HTTP 400]',
		);
	});

	test('cuts off what the server said where it is endless', () => {
		const failure = explain(refused('VALIDATION_ERROR', { message: 'x'.repeat(10_000) }));

		expect(failure.description.length).toBeLessThan(700);
	});

	test('with a code that the API does not name says so and names it', () => {
		const failure = explain(refused('SOMETHING_NEW', { status: 418, message: 'Teapot' }));

		expect(failure).toMatchObject({
			code: 'SOMETHING_NEW',
			message: 'The server refused the request',
			httpStatus: 418,
			retryable: false,
		});
		expect(failure.description).toContain('not documented');
		expect(failure.description).toContain('The server said: Teapot. [SOMETHING_NEW, HTTP 418]');
	});

	test('that asks to retry in an hour says when', () => {
		const headers = { 'retry-after': '3600' };
		const failure = explain(refused('RATE_LIMIT_EXCEEDED', { status: 429, headers }));

		expect(failure.description).toContain('wait until 2026-11-21 10:00 (Brasília time)');
		expect(failure.retryable).toBe(true);
	});

	test('that a short wait did not solve keeps its usual remedy', () => {
		const headers = { 'retry-after': '7' };

		expect(explain(refused('RATE_LIMIT_EXCEEDED', { headers })).description).toContain(
			ERROR_CATALOGUE.RATE_LIMIT_EXCEEDED.remedy,
		);
	});
});

describe('a response that the server keeps under the key', () => {
	const unavailable = refused('WITHDRAWAL_PROVIDER_UNAVAILABLE', { status: 503 });

	test('sends a user with a chosen key to another key', () => {
		expect(explain(unavailable, request({ hasOwnKey: true }), true).description).toContain(
			'repeats this response for your Idempotency Key for 24 hours. It is safe to send this item, and only this item, with another key, for example with -2 at the end.',
		);
		expect(explain(unavailable).description).toContain(
			'Wait until a provider is available again. Then retry this execution, or run a new one',
		);
	});

	describe('for a boleto that was refused twice in the same way', () => {
		const refusal = refused('PROVIDER_TEMPORARILY_UNAVAILABLE', { status: 502 });
		const boleto = (changed: Partial<FailedRequest> = {}, isReplay = true) =>
			explain(refusal, request({ kind: 'boletoCreation', ...changed }), isReplay);

		test('is not to be met again by a retry', () => {
			expect(boleto().description).toContain(
				'Later, run a new execution with only this item; that is safe.',
			);
			expect(boleto().retryable).toBe(false);
		});

		test('sends a user with a chosen key to another key', () => {
			expect(boleto({ hasOwnKey: true }).description).toContain('with -2 at the end');
		});

		test.each<[string, Partial<FailedRequest>, boolean]>([
			['was seen once', {}, false],
			['was given to PIX or a card', { kind: 'keyed' }, true],
		])('does not count as one that %s', (_, changed, isReplay) => {
			const failure = boleto(changed, isReplay);

			expect(failure.description).toContain('Retry this execution in a few minutes.');
			expect(failure.retryable).toBe(true);
		});
	});
});
