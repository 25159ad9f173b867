import fc from 'fast-check';
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import { ECHOES } from './secret';

/** The outcome of one request: a response, or what n8n's helper throws. */
export type Reply = { answer: IN8nHttpFullResponse } | { thrown: unknown };

/** Net amounts of the two payouts, in reais: no other response is the success of either. */
const AMOUNTS = [25, 31.5];

const NAMES = [
	...['id', 'status', 'code', 'message', 'details', 'error', 'statusCode', 'pagination', 'total'],
	...['totalPages', 'name', 'amount', 'isActive', 'paymentMethod', 'createdAt', 'checkoutUrl'],
	...['email', 'document', 'pixKey', 'payer', 'metadata', 'content', 'available', 'fee', 'bytes'],
	...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'hasOwnProperty'],
	...['length', 'then', 'polluted', '', '0'],
];
const TEXTS = [
	...[
		'',
		'PAID',
		'COMPLETED',
		'PENDING',
		'2026-05-05T12:00:00Z',
		'not a date',
		'\ud800',
		'\0',
		'.',
	],
	...['3fa85f64-5717-4562-b3fc-2c963f66afa6', '..', 'a/b?c', 'NaN', 'canceled', 'ECONNREFUSED'],
	...['maria@example.com', '529.982.247-25', '{{ $json }}', '<script>', '%PDF-', 'x'.repeat(700)],
];
const NUMBERS = [0, -0, 1, 2, -1, 0.1, 1e300, -1e300, 1e21, 2 ** 53, 1e9, 5e-324];

const echo = fc.constantFrom(...ECHOES);
const text = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
	{ weight: 2, arbitrary: echo },
	{ weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const name = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom(...NAMES) },
	{ weight: 1, arbitrary: text },
);

/** Own fields all of them, `__proto__` included, as JSON.parse makes them. */
const toObject = (entries: Array<[string, unknown]>): object =>
	Object.fromEntries(entries) as object;

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 3, depthSize: 'small' },
		text,
		fc.constantFrom<unknown>(null, true, false, ...NUMBERS),
		fc.array(tie('json'), { maxLength: 3 }),
		fc.array(fc.tuple(name, tie('json')), { maxLength: 4 }).map(toObject),
	),
}));

const code = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom<unknown>(...Object.keys(ERROR_CATALOGUE)) },
	{ weight: 2, arbitrary: fc.constantFrom<unknown>('NEW_CODE', 'constructor', '__proto__', '') },
	{ weight: 1, arbitrary: json },
);
const nested = fc
	.tuple(code, json, json)
	.map(([ownCode, message, details]) => ({ error: { code: ownCode, message, details } }));
/** The flat envelope repeats the status of the response, which is drawn apart: often the same one. */
const repeatedStatus = fc.oneof(
	fc.constantFrom<unknown>(400, 403, 404, 409, 429, 500, 502, 503),
	json,
);
const flat = fc
	.tuple(code, repeatedStatus, json, json)
	.map(([ownCode, statusCode, error, message]) => ({ statusCode, error, message, code: ownCode }));

const record = fc
	.tuple(
		fc.oneof(fc.uuid(), json),
		fc.constantFrom('PAID', 'COMPLETED', 'PENDING', 'toString'),
		fc.constantFrom<unknown>(...AMOUNTS, ...AMOUNTS, 1, '25.00', null, undefined),
		fc.array(fc.tuple(name, json), { maxLength: 3 }),
	)
	.map(([id, status, netAmount, others]) => ({
		id,
		status,
		netAmount,
		createdAt: '2026-05-05T12:00:00Z',
		...toObject(others),
	}));
const count = fc.oneof(fc.constantFrom(0, 1, 2, 3, 1e9, 2 ** 53, -1, 0.5), json);

/** What every operation can take for a success, with anything inside. */
const success = fc
	.tuple(record, fc.array(record, { maxLength: 3 }), count, count, json)
	.map(([one, rows, total, totalPages, content]) => ({
		...Object.fromEntries(
			['payment', 'withdrawal', 'product', 'customer', 'refund', 'apiKey'].map((key) => [key, one]),
		),
		...Object.fromEntries(['payments', 'withdrawals', 'products'].map((key) => [key, rows])),
		pagination: { total, totalPages },
		balance: { available: 100, total: content },
		content: typeof content === 'string' ? content : 'statement',
		currentLimit: 1,
		remaining: 1e6,
		fee: 1,
		minAmount: 10,
		perTransactionLimit: null,
		checkoutUrl: content,
	}));

const deep = fc
	.tuple(fc.constantFrom('[', '{"error":{"details":{"a":', '{"payments":['), fc.nat({ max: 1 }))
	.map(([head, isCut]) => {
		const body = `${'['.repeat(9_000)}${']'.repeat(9_000 - isCut)}`;
		if (head === '[') return body;
		const isList = head.endsWith('[');
		return isList
			? `${head}{"id":${body}}]}`
			: `{"error":{"code":"NOT_FOUND","details":{"a":${body}}}}`;
	});

const bytes: fc.Arbitrary<unknown> = fc.oneof(
	{
		weight: 30,
		arbitrary: fc.oneof(success, nested, flat, json).map((value) => JSON.stringify(value) ?? ''),
	},
	{
		weight: 3,
		arbitrary: fc
			.tuple(success, fc.nat({ max: 300 }))
			.map(([value, end]) => JSON.stringify(value).slice(0, end)),
	},
	{ weight: 2, arbitrary: echo.map((key) => `<html><body>Bad request: ${key}</body></html>`) },
	{ weight: 2, arbitrary: echo.map((key) => `%PDF-1.4 ${key}`) },
	{ weight: 1, arbitrary: fc.constantFrom('', ' ', 'null', '"', '\ufeff{}', '{"id":"x"}') },
	{
		weight: 1,
		arbitrary: fc.uint8Array({ maxLength: 40 }).map((content) => Buffer.from(content)),
	},
);
/** Rare, for they cost as much as a hundred others. */
const heavy = fc.oneof(deep, fc.constant(JSON.stringify({ message: 'x'.repeat(100_000) })));

const headerValue = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.constantFrom<unknown>(
			...['0', '1', '2.5', '-1', '299', '301', '1e999', '1e300', '99999999999999999999', 'NaN'],
			...['', ' ', 'soon', '0x10', 'Infinity', '1, 2', 'Fri, 31 Dec 9999 23:59:59 GMT'],
			...['Sat, 21 Nov 2026 12:00:30 GMT', '1795262430', '1795262430000', '8640000000000001'],
			...[3, -3, null, undefined, true, ['1', '2'], [], {}, 10n, Symbol('x')],
		),
	},
	{ weight: 1, arbitrary: text as fc.Arbitrary<unknown> },
);
const headers: fc.Arbitrary<unknown> = fc.oneof(
	{
		weight: 10,
		arbitrary: fc
			.tuple(
				fc.constantFrom('application/json', 'text/html', 'text/plain', 'application/pdf'),
				fc.array(
					fc.tuple(
						fc.oneof(
							fc.constantFrom('Retry-After', 'X-RateLimit-Reset', 'retry-after', '__proto__'),
							name,
						),
						headerValue,
					),
					{ maxLength: 3 },
				),
			)
			.map(([type, others]) => ({ 'content-type': type, ...toObject(others) })),
	},
	{ weight: 1, arbitrary: fc.constantFrom<unknown>({}, undefined, null, 'text', []) },
);

const status: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 10, arbitrary: fc.constantFrom(200, 201, 400, 403, 404, 409, 429, 500, 502, 503) },
	{ weight: 4, arbitrary: fc.integer({ min: 100, max: 599 }) },
	{ weight: 1, arbitrary: fc.constantFrom<unknown>(0, -1, 999, NaN, undefined, '200', null) },
);

const answer: fc.Arbitrary<Reply> = fc
	.tuple(
		status,
		headers,
		fc.oneof({ weight: 400, arbitrary: bytes }, { weight: 1, arbitrary: heavy }),
		fc.nat({ max: 40 }),
	)
	.map(([statusCode, given, content, form]) => {
		const buffer = typeof content === 'string' ? Buffer.from(content) : (content as Buffer);
		const body =
			form === 0 ? content : form === 1 ? undefined : form === 2 ? new ArrayBuffer(3) : buffer;
		return { answer: { statusCode, headers: given, body } as unknown as IN8nHttpFullResponse };
	});

/** The response to a request that is accepted, so that cases get further than their first response. */
const accepted: fc.Arbitrary<Reply> = success.map((value) => ({
	answer: {
		statusCode: 201,
		headers: { 'content-type': 'application/json' },
		body: Buffer.from(JSON.stringify(value)),
	},
}));

const errorCode = fc.constantFrom<unknown>(
	...['ECONNABORTED', 'ETIMEDOUT', 'ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'ERR_CANCELED'],
	...['CERT_HAS_EXPIRED', 'constructor', '__proto__', '', 404, null, undefined, {}],
);
const thrown: fc.Arbitrary<Reply> = fc
	.tuple(
		fc.array(
			fc.tuple(
				errorCode,
				fc.oneof(text as fc.Arbitrary<unknown>, json, fc.constant('not allowed')),
			),
			{ minLength: 1, maxLength: 4 },
		),
		fc.boolean(),
		fc.nat({ max: 10 }),
	)
	.map(([links, isCyclic, form]): Reply => {
		if (form === 0) return { thrown: links[0]?.[1] };
		if (form === 1) return { thrown: undefined };
		const errors = links.map(([ownCode, message]) =>
			Object.assign(new Error('x'), {
				message,
				...(ownCode === undefined ? {} : { code: ownCode }),
			}),
		);
		errors.forEach((error, index) => (error.cause = errors[index + 1]));
		const last = errors.at(-1);
		if (isCyclic && last) last.cause = errors[0];
		return { thrown: errors[0] };
	});
const noAnswer: fc.Arbitrary<Reply> = fc
	.constantFrom<unknown>(undefined, null, 'text', 7, {})
	.map((whole) => ({ answer: whole as IN8nHttpFullResponse }));

/** Any reply that a server, a gateway, the network or n8n's helper may give. */
export const reply = fc.oneof(
	{ weight: 40, arbitrary: answer },
	{ weight: 10, arbitrary: accepted },
	{ weight: 8, arbitrary: thrown },
	{ weight: 1, arbitrary: noAnswer },
);
