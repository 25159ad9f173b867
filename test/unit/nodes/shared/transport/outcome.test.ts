import { interpret as interpretFor } from '../../../../../nodes/shared/transport/outcome';
import { redactor } from '../../../../../nodes/shared/privacy/redact';
import { readRecord } from '../../../../../nodes/shared/transport/schemas';
import type { Attempt } from '../../../../../nodes/shared/transport/sendRequest';
import { answered } from '../../../support/answers';
import { SECRET, TEST_KEY } from '../../../support/credential';

const HEADERS = { 'content-type': 'application/json' };
const PAYMENT = '{"payment":{"id":"p1"}}';
const readPayment = readRecord('payment');
const interpret = (attempt: Attempt, read = readPayment) =>
	interpretFor(attempt, read, redactor(TEST_KEY));

const unclear = (cause: string, status: number | null, more: object = {}) => ({
	kind: 'unclear',
	cause,
	status,
	neverSent: false,
	...more,
});

test.each([200, 201, 202])('a success has status %i and the expected record', (status) => {
	expect(interpret(answered(status, PAYMENT))).toEqual({
		kind: 'success',
		status,
		headers: HEADERS,
		body: { id: 'p1' },
	});
});

test.each([
	['what a proxy has cut', 206, PAYMENT],
	['JSON that is cut off', 200, '{"payment":{"id":"p1"'],
	['nothing', 200, ''],
	['another record', 200, '{"withdrawal":{"status":"PENDING"}}'],
	['an error envelope', 200, '{"error":{"code":"NOT_FOUND","message":"x"}}'],
])('a success is not %s, with status %i', (_, status, body) => {
	expect(interpret(answered(status, body))).toEqual(unclear('malformed', status));
});

describe('a refusal', () => {
	const FAILED = { code: 'VALIDATION_ERROR', message: 'Failed', details: { amount: 'too small' } };
	const CONFLICT = { code: 'IDEMPOTENCY_CONFLICT', message: 'Wait' };
	const FLAT = { statusCode: 409, error: 'Conflict', ...CONFLICT };
	const BOTH = { error: { code: 'NOT_FOUND' }, code: 'INTERNAL_ERROR' };

	test.each<[string, number, object, object]>([
		['the nested envelope', 400, { error: FAILED }, FAILED],
		['the flat envelope', 409, FLAT, CONFLICT],
		['the nested envelope if both are there', 404, BOTH, { code: 'NOT_FOUND', message: '' }],
	])('is read from %s', (_, status, body, read) => {
		expect(interpret(answered(status, JSON.stringify(body)))).toEqual({
			...{ kind: 'refused', status, details: undefined, headers: HEADERS },
			...read,
		});
	});

	test.each([undefined, 500, '409', null])(
		'in the flat envelope repeats its status: %o comes from something in front of the service',
		(statusCode) => {
			const body = JSON.stringify({ ...FLAT, statusCode });
			expect(interpret(answered(409, body))).toMatchObject({ cause: 'gateway' });
		},
	);
});

test.each([
	['HTML', '<html><h1>502 Bad Gateway</h1></html>'],
	['nothing', ''],
	['a code that is no text', '{"error":{"code":500}}'],
	['an empty code', '{"error":{"code":""}}'],
])('an error with %s comes from something in front of the service', (_, body) => {
	for (const status of [400, 502]) {
		const expected = unclear('gateway', status, { headers: HEADERS });
		expect(interpret(answered(status, body))).toEqual(expected);
	}
});

test.each([301, 302, 307, 308])(
	'a redirect with %i is neither followed nor a success',
	(status) => {
		expect(interpret(answered(status, PAYMENT))).toEqual(unclear('redirect', status));
	},
);

test.each([
	['timeout', false],
	['unreachable', true],
] as const)('what got no response stays what it is: %s', (reason, neverSent) => {
	const expected = unclear(reason, null, { neverSent });
	expect(interpret({ kind: 'noResponse', reason, neverSent })).toEqual(expected);
});

test('what this n8n has blocked stays so', () => {
	const blocked = { kind: 'blocked', reason: 'not allowed' } as const;
	expect(interpret(blocked)).toEqual(blocked);
});

test('the key is nowhere, and personal data not in an error', () => {
	const error = (said: string) =>
		JSON.stringify({ error: { code: 'X', message: said, details: { email: said } } });

	expect(
		interpret(answered(200, `{"payment":{"id":"${SECRET}","email":"ana@example.com"}}`)),
	).toMatchObject({ body: { id: '[secret]', email: 'ana@example.com' } });
	expect(interpret(answered(400, error(`no ${TEST_KEY} of ana@example.com`)))).toMatchObject({
		message: 'no [API key] of a***@example.com',
		details: { email: 'no [API key] of a***@example.com' },
	});
	expect(interpret({ kind: 'blocked', reason: `to ana@example.com ${SECRET}` })).toEqual({
		kind: 'blocked',
		reason: 'to a***@example.com [secret]',
	});
});
