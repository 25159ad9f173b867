import { interpret } from '../../../../../nodes/shared/transport/outcome';
import { readRecord } from '../../../../../nodes/shared/transport/schemas';
import { answered } from '../../../support/answers';

const HEADERS = { 'content-type': 'application/json' };
const PAYMENT = '{"payment":{"id":"p1"}}';
const readPayment = readRecord('payment');

const unclear = (cause: string, status: number | null, more: object = {}) => ({
	kind: 'unclear',
	cause,
	status,
	neverSent: false,
	...more,
});

test.each([200, 201, 202])('a success has status %i and the expected record', (status) => {
	expect(interpret(answered(status, PAYMENT), readPayment)).toEqual({
		kind: 'success',
		status,
		headers: HEADERS,
		body: { id: 'p1' },
	});
});

test.each([
	['what a proxy has changed', 203, PAYMENT],
	['what a proxy has cut', 206, PAYMENT],
	['HTML', 200, '<html></html>'],
	['JSON that is cut off', 200, '{"payment":{"id":"p1"'],
	['nothing', 200, ''],
	['null', 200, 'null'],
	['an array', 200, '[]'],
	['another record', 200, '{"withdrawal":{"status":"PENDING"}}'],
	['an error envelope', 200, '{"error":{"code":"NOT_FOUND","message":"x"}}'],
	['text', 200, '"payment"'],
])('a success is not %s, with status %i', (_, status, body) => {
	expect(interpret(answered(status, body), readPayment)).toEqual(unclear('malformed', status));
});

describe('a refusal', () => {
	const FLAT = {
		statusCode: 409,
		error: 'Conflict',
		message: 'Wait',
		code: 'IDEMPOTENCY_CONFLICT',
	};
	const DETAILS = { amount: 'too small' };

	test.each<[string, number, object, object]>([
		[
			'the nested envelope',
			400,
			{ error: { code: 'VALIDATION_ERROR', message: 'Failed', details: DETAILS } },
			{ code: 'VALIDATION_ERROR', message: 'Failed', details: DETAILS },
		],
		['the flat envelope', 409, FLAT, { code: 'IDEMPOTENCY_CONFLICT', message: 'Wait' }],
		[
			'the nested envelope if both are there',
			404,
			{ error: { code: 'NOT_FOUND' }, code: 'INTERNAL_ERROR' },
			{ code: 'NOT_FOUND', message: '' },
		],
	])('is read from %s', (_, status, body, read) => {
		expect(interpret(answered(status, JSON.stringify(body)), readPayment)).toEqual({
			...{ kind: 'refused', status, details: undefined, headers: HEADERS },
			...read,
		});
	});

	test.each([undefined, 500, '409', null])(
		'in the flat envelope repeats its status: %o comes from something in front of the service',
		(statusCode) => {
			const body = JSON.stringify({ ...FLAT, statusCode });
			expect(interpret(answered(409, body), readPayment)).toMatchObject({ cause: 'gateway' });
		},
	);
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
		const expected = unclear('gateway', status, { headers: HEADERS });
		expect(interpret(answered(status, body), readPayment)).toEqual(expected);
	}
});

test.each([301, 302, 307, 308])(
	'a redirect with %i is neither followed nor a success',
	(status) => {
		expect(interpret(answered(status, PAYMENT), readPayment)).toEqual(unclear('redirect', status));
	},
);

test.each([
	['timeout', false],
	['unreachable', true],
] as const)('what got no response stays what it is: %s', (reason, neverSent) => {
	const expected = unclear(reason, null, { neverSent });
	expect(interpret({ kind: 'noResponse', reason, neverSent }, readPayment)).toEqual(expected);
});

test('what this n8n has blocked stays so', () => {
	const blocked = { kind: 'blocked', reason: 'not allowed' } as const;
	expect(interpret(blocked, readPayment)).toEqual(blocked);
});
