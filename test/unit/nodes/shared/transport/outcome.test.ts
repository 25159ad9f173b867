import { interpret } from '../../../../../nodes/shared/transport/outcome';
import { readRecord } from '../../../../../nodes/shared/transport/schemas';
import { answered } from '../../../support/answers';

const HEADERS = { 'content-type': 'application/json' };
const readPayment = readRecord('payment');

describe('a success', () => {
	test.each([200, 201, 202])('is a response with status %i and the expected record', (status) => {
		expect(interpret(answered(status, '{"payment":{"id":"p1"}}'), readPayment)).toEqual({
			kind: 'success',
			status,
			headers: HEADERS,
			body: { id: 'p1' },
		});
	});

	test.each([203, 206])('is none with status %i: a proxy has changed it, or cut it', (status) => {
		expect(interpret(answered(status, '{"payment":{"id":"p1"}}'), readPayment)).toEqual({
			kind: 'unclear',
			cause: 'malformed',
			status,
			neverSent: false,
		});
	});

	test.each([
		['HTML', '<html></html>'],
		['JSON that is cut off', '{"payment":{"id":"p1"'],
		['nothing', ''],
		['null', 'null'],
		['an array', '[]'],
		['another record', '{"withdrawal":{"status":"PENDING"}}'],
		['an error envelope', '{"error":{"code":"NOT_FOUND","message":"x"}}'],
		['text', '"payment"'],
	])('is not what brings %s with status 200', (_, body) => {
		expect(interpret(answered(200, body), readPayment)).toEqual({
			kind: 'unclear',
			cause: 'malformed',
			status: 200,
			neverSent: false,
		});
	});
});

describe('a refusal', () => {
	test('is read from the nested envelope', () => {
		const body = JSON.stringify({
			error: {
				code: 'VALIDATION_ERROR',
				message: 'Validation failed',
				details: { amount: 'too small' },
			},
		});

		expect(interpret(answered(400, body), readPayment)).toEqual({
			kind: 'refused',
			code: 'VALIDATION_ERROR',
			status: 400,
			message: 'Validation failed',
			details: { amount: 'too small' },
			headers: HEADERS,
		});
	});

	test('is read from the flat envelope', () => {
		const body = JSON.stringify({
			statusCode: 409,
			error: 'Conflict',
			message: 'Still processing',
			code: 'IDEMPOTENCY_CONFLICT',
		});

		expect(interpret(answered(409, body), readPayment)).toEqual({
			kind: 'refused',
			code: 'IDEMPOTENCY_CONFLICT',
			status: 409,
			message: 'Still processing',
			details: undefined,
			headers: HEADERS,
		});
	});

	test.each([undefined, 500, '409', null])(
		'in the flat envelope repeats its status: %o comes from something in front of the service',
		(statusCode) => {
			const body = JSON.stringify({ statusCode, message: 'x', code: 'IDEMPOTENCY_CONFLICT' });

			expect(interpret(answered(409, body), readPayment)).toMatchObject({
				kind: 'unclear',
				cause: 'gateway',
				status: 409,
			});
		},
	);

	test('is read from the nested envelope where both are there', () => {
		const body = '{"error":{"code":"NOT_FOUND"},"code":"INTERNAL_ERROR"}';

		expect(interpret(answered(404, body), readPayment)).toMatchObject({
			kind: 'refused',
			code: 'NOT_FOUND',
			message: '',
		});
	});
});

test.each([
	['HTML', '<html><h1>502 Bad Gateway</h1></html>'],
	['nothing', ''],
	['JSON that is cut off', '{"error":{"code":"INTERNAL_ER'],
	['a code that is no text', '{"error":{"code":500}}'],
	['an empty code', '{"error":{"code":""}}'],
	['no code', '{"message":"Bad Gateway"}'],
	['an array', '[{"code":"INTERNAL_ERROR"}]'],
	['null', 'null'],
])('an error with %s comes from something in front of the service', (_, body) => {
	for (const status of [400, 502]) {
		expect(interpret(answered(status, body), readPayment)).toEqual({
			kind: 'unclear',
			cause: 'gateway',
			status,
			neverSent: false,
			headers: { 'content-type': 'application/json' },
		});
	}
});

test.each([301, 302, 307, 308])(
	'a redirect with %i is neither followed nor a success',
	(status) => {
		expect(interpret(answered(status, '{"payment":{"id":"p1"}}'), readPayment)).toEqual({
			kind: 'unclear',
			cause: 'redirect',
			status,
			neverSent: false,
		});
	},
);

test.each([
	['timeout', false],
	['unreachable', true],
] as const)('what got no response stays what it is: %s', (reason, neverSent) => {
	expect(interpret({ kind: 'noResponse', reason, neverSent }, readPayment)).toEqual({
		kind: 'unclear',
		cause: reason,
		status: null,
		neverSent,
	});
});

test('what this n8n has blocked stays so', () => {
	const blocked = { kind: 'blocked', reason: 'not allowed' } as const;
	expect(interpret(blocked, readPayment)).toEqual(blocked);
});
