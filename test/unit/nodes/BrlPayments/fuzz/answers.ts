import fc from 'fast-check';
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { ERROR_CATALOGUE } from '../../../../../nodes/shared/retry/errors';
import { breakOff, ECHOES } from './secret';

/** The outcome of one request: a response, or what n8n's helper throws. */
export type Reply = { answer: IN8nHttpFullResponse } | { thrown: unknown };

/** Net amounts of the two payouts, in reais: no other response is the success of either. */
const AMOUNTS = [25, 31.5];

const TEXTS = [
	...['', 'PAID', 'COMPLETED', 'PENDING', '2026-05-05T12:00:00Z', 'not a date', '\ud800', '\0'],
	...['3fa85f64-5717-4562-b3fc-2c963f66afa6', '..', 'a/b?c', 'NaN', '{{ $json }}', '<script>'],
	...['maria@example.com', '529.982.247-25', '%PDF-', 'x'.repeat(700)],
];

/** One of these, each as often as its number says. */
const some = <T>(...choices: Array<[weight: number, fc.Arbitrary<T>]>): fc.Arbitrary<T> =>
	fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const of = (...values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);

const echo = fc.constantFrom(...ECHOES);
const text = some([6, fc.constantFrom(...TEXTS)], [2, echo], [1, fc.string({ maxLength: 12 })]);
const name = some(
	[6, fc.constantFrom('id', 'status', 'code', 'message', 'details', 'error', 'total', 'createdAt')],
	[4, fc.constantFrom('email', 'document', 'pixKey', 'payer', 'metadata', 'content', 'then')],
	[4, fc.constantFrom('__proto__', 'constructor', 'toString', 'toJSON', 'length', 'polluted', '0')],
	[1, text],
);

/** Own fields all of them, `__proto__` included, as JSON.parse makes them. */
const toObject = (entries: Array<[string, unknown]>): object =>
	Object.fromEntries(entries) as object;

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 3, depthSize: 'small' },
		text,
		of(null, true, false, 0, -0, 1, -1, 0.1, 1e300, 1e21, 2 ** 53, 5e-324),
		fc.array(tie('json'), { maxLength: 3 }),
		fc.array(fc.tuple(name, tie('json')), { maxLength: 4 }).map(toObject),
	),
}));

const code = some(
	[8, of(...Object.keys(ERROR_CATALOGUE))],
	[2, of('NEW_CODE', 'constructor', '__proto__', '')],
	[1, json],
);
const nested = fc.record({ error: fc.record({ code, message: json, details: json }) });
/** The flat envelope repeats the status of the response, which is drawn apart: often the same one. */
const flat = fc.record({
	...{ code, error: json, message: json },
	statusCode: fc.oneof(of(400, 403, 404, 409, 429, 500, 502, 503), json),
});

const record = fc
	.tuple(
		fc.oneof(fc.uuid(), json),
		of('PAID', 'COMPLETED', 'PENDING', 'toString'),
		of(...AMOUNTS, ...AMOUNTS, 1, '25.00', null, undefined),
		fc.array(fc.tuple(name, json), { maxLength: 3 }),
	)
	.map(([id, status, netAmount, others]) => ({
		...{ id, status, netAmount, createdAt: '2026-05-05T12:00:00Z' },
		...toObject(others),
	}));
const count = fc.oneof(of(0, 1, 2, 3, 1e9, 2 ** 53, -1, 0.5), json);

/** What every operation can take for a success, with anything inside. */
const success = fc
	.tuple(record, fc.array(record, { maxLength: 3 }), count, count, json)
	.map(([one, rows, total, totalPages, content]) => ({
		...{ payment: one, withdrawal: one, product: one, customer: one, refund: one, apiKey: one },
		...{ payments: rows, withdrawals: rows, products: rows, pagination: { total, totalPages } },
		balance: { available: 100, total: content },
		content: typeof content === 'string' ? content : 'statement',
		...{ currentLimit: 1, remaining: 1e6, fee: 1, minAmount: 10, perTransactionLimit: null },
		checkoutUrl: content,
	}));

/** Rare, for they cost as much as a hundred others. */
const heavy = fc.nat({ max: 1 }).chain((isCut) => {
	const deep = `${'['.repeat(9_000)}${']'.repeat(9_000 - isCut)}`;
	return fc.constantFrom(deep, `{"payments":[{"id":${deep}}]}`, `"${'x'.repeat(100_000)}"`);
});

const whole = fc.oneof(success, nested, flat, json).map((value) => JSON.stringify(value) ?? '');
const bytes = some<string | Buffer>(
	[400, whole],
	[40, fc.tuple(whole, fc.nat({ max: 300 })).map(([value, end]) => breakOff(value, end))],
	[50, echo.map((key) => `<html><body>%PDF-1.4: ${key}</body></html>`)],
	[12, fc.constantFrom('', ' ', 'null', '"', '\ufeff{}', '{"id":"x"}')],
	[12, fc.uint8Array({ maxLength: 40 }).map((content) => Buffer.from(content))],
	[1, heavy],
);

const headerValue = some<unknown>(
	[4, of('0', '1', '2.5', '-1', '299', '301', '1e999', '99999999999999999999', 'NaN', '', 'soon')],
	[2, of('Fri, 31 Dec 9999 23:59:59 GMT', 'Sat, 21 Nov 2026 12:00:30 GMT', '1795262430000')],
	[2, of(3, -3, null, undefined, true, ['1', '2'], {}, 10n, Symbol('x'))],
	[1, text],
);
const headerName = some(
	[1, fc.constantFrom('Retry-After', 'X-RateLimit-Reset', 'retry-after', '__proto__')],
	[1, name],
);
const headers = some<unknown>(
	[
		10,
		fc
			.tuple(
				of('application/json', 'text/html', 'text/plain', 'application/pdf'),
				fc.array(fc.tuple(headerName, headerValue), { maxLength: 3 }),
			)
			.map(([type, others]) => ({ 'content-type': type, ...toObject(others) })),
	],
	[1, of({}, undefined, null, 'text', [])],
);

const status = some<unknown>(
	[10, of(200, 201, 400, 403, 404, 409, 429, 500, 502, 503)],
	[4, fc.integer({ min: 100, max: 599 })],
	[1, of(0, -1, 999, NaN, undefined, '200', null)],
);

const answer: fc.Arbitrary<Reply> = fc
	.tuple(status, headers, bytes, fc.nat({ max: 40 }))
	.map(([statusCode, given, content, form]) => {
		const odd = [content, undefined, new ArrayBuffer(3)];
		const body = form < odd.length ? odd[form] : Buffer.from(content);
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

const errorCode = of(
	...['ECONNABORTED', 'ETIMEDOUT', 'ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'ERR_CANCELED'],
	...['CERT_HAS_EXPIRED', 'constructor', '__proto__', '', 404, null, undefined, {}],
);
const thrown: fc.Arbitrary<Reply> = fc
	.tuple(
		fc.array(fc.tuple(errorCode, json), { minLength: 1, maxLength: 4 }),
		fc.boolean(),
		fc.nat({ max: 10 }),
	)
	.map(([links, isCyclic, form]): Reply => {
		if (form < 2) return { thrown: form === 0 ? links[0]?.[1] : undefined };
		const errors = links.map(([ownCode, message]) =>
			Object.assign(new Error('x'), { message, ...(ownCode !== undefined && { code: ownCode }) }),
		);
		errors.forEach((error, index) => (error.cause = errors[index + 1]));
		if (isCyclic) errors.at(-1)!.cause = errors[0];
		return { thrown: errors[0] };
	});
const noAnswer: fc.Arbitrary<Reply> = of(undefined, null, 'text', 7, {}).map((given) => ({
	answer: given as IN8nHttpFullResponse,
}));

/** Any reply that a server, a gateway, the network or n8n's helper may give. */
export const reply = some<Reply>([40, answer], [10, accepted], [8, thrown], [1, noAnswer]);
