import type { BodyReader } from '../../../../../nodes/shared/transport/outcome';
import {
	readAnything,
	readBalance,
	readContent,
	readCreated,
	readLimits,
	readNewPayment,
	readObject,
	readCurrent,
	readPage,
	readPayment,
	readPdf,
	readRecord,
	readText,
} from '../../../../../nodes/shared/transport/schemas';

const JSON_HEADERS = { 'content-type': 'application/json' };
const read = (reader: BodyReader, json: unknown) =>
	reader(Buffer.from(JSON.stringify(json)), JSON_HEADERS);
const readBytes = (reader: BodyReader, body: string, type = 'application/json') =>
	reader(Buffer.from(body), { 'content-type': type });

const LIMITS = {
	currentLimit: 5000,
	used: 100,
	remaining: 4900,
	isNightTime: false,
	fee: 1.5,
	dayStartHour: 6,
	dayEndHour: 20,
	minAmount: 10,
	perTransactionLimit: null,
};

const without = (record: object, field: string) =>
	Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));

describe('readRecord', () => {
	test('takes the record out of its envelope, with fields that the API does not list', () => {
		const payment = { id: 'p1', newField: { a: [1] }, nothing: null };

		expect(read(readRecord('payment'), { payment, more: 1 })).toEqual(payment);
	});

	test.each([{}, { payment: null }, { payment: 'p1' }, { payment: [] }, { id: 1 }, [], null, 'p1'])(
		'refuses %j',
		(json) => {
			expect(read(readRecord('payment'), json)).toBeUndefined();
		},
	);
});

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

describe('readCreated', () => {
	const reader = readCreated('withdrawal', ({ netAmount }) => netAmount === 10);
	const WITHDRAWAL = { id: ID, status: 'PENDING', netAmount: 10 };

	test('takes a record that names its ID and is what was asked for', () => {
		expect(read(reader, { withdrawal: WITHDRAWAL })).toEqual(WITHDRAWAL);
		expect(read(reader, WITHDRAWAL)).toEqual(WITHDRAWAL);
		expect(read(readCreated('product'), { product: { id: ID } })).toEqual({ id: ID });
	});

	// No ID, or another amount: test/engine/money/truth.test.ts.
	test.each<[string, unknown]>([
		['another record', { payment: WITHDRAWAL }],
		['an error', { error: { code: 'NOT_FOUND' } }],
	])('takes %s for no success', (_, json) => {
		expect(read(reader, json)).toBeUndefined();
	});
});

describe('readPayment and readNewPayment', () => {
	const checkoutUrl = 'https://pay.example.com/c/1';

	test.each([readPayment, readNewPayment])('take in the checkout address beside it', (reader) => {
		expect(read(reader, { payment: { id: ID }, checkoutUrl })).toEqual({ id: ID, checkoutUrl });
	});

	test('keep the address that the payment has itself, or none', () => {
		const own = { id: 'p1', checkoutUrl };
		expect(read(readPayment, { payment: own, checkoutUrl: 'other' })).toEqual(own);
		expect(read(readPayment, { payment: { id: 'p1' } })).toEqual({ id: 'p1' });
	});

	test('need a payment, and a new one its ID', () => {
		expect(read(readPayment, { checkoutUrl })).toBeUndefined();
		for (const json of [{ payment: { id: 'p1' } }, { payment: { status: 'PENDING' } }, {}]) {
			expect(read(readNewPayment, json)).toBeUndefined();
		}
	});
});

test.each<[string, object, object, boolean]>([
	['the record', { withdrawal: { id: 'w1' } }, {}, true],
	['no other record', { withdrawal: { id: 'w2' } }, {}, false],
	['none out of a cache', { withdrawal: { id: 'w1' } }, { age: '12' }, false],
	['no other envelope', { payment: { status: 'PAID' } }, {}, false],
])('readCurrent reads %s', (_, json, headers, isRead) => {
	const body = Buffer.from(JSON.stringify(json));
	const record = readCurrent('withdrawal', 'w1')(body, { ...JSON_HEADERS, ...headers });
	expect(record).toEqual(isRead ? { id: 'w1' } : undefined);
});

describe('readPage', () => {
	const rows = [{ id: 'p1' }, { id: 'p2' }];

	test('reads rows and counts', () => {
		const pagination = { page: 1, limit: 2, total: 5, totalPages: 3 };

		expect(read(readPage('payments'), { payments: rows, pagination })).toEqual({
			rows,
			total: 5,
			totalPages: 3,
		});
	});

	test.each([undefined, null, {}, { total: '5', totalPages: '3' }, 'none'])(
		'reads rows without usable counts: %j',
		(pagination) => {
			expect(read(readPage('payments'), { payments: rows, pagination })).toEqual({
				rows,
				total: undefined,
				totalPages: undefined,
			});
		},
	);

	test.each([
		[{ age: '12' }, 'age: 12'],
		[{ warning: '110 - "Response is Stale"' }, 'warning: 110 - "Response is Stale"'],
		[{ 'x-cache': 'Hit from edge' }, 'x-cache: Hit from edge'],
		[{ 'x-cache-status': 'STALE' }, 'x-cache-status: STALE'],
		[{ 'cf-cache-status': 'HIT' }, 'cf-cache-status: HIT'],
		[{ age: '0' }, undefined],
		[{ age: 'new' }, undefined],
		[{ 'x-cache': 'MISS' }, undefined],
		[{ warning: '299 - "Deprecated"' }, undefined],
		[{ server: 'hit' }, undefined],
	])('says by which header a cache shows itself: %j', (sent, cachedBy) => {
		const page = readPage('payments')(Buffer.from('{"payments":[]}'), sent) as {
			cachedBy?: string;
		};
		expect(page.cachedBy).toBe(cachedBy);
	});

	test.each([{}, { payments: null }, { payments: {} }, { payments: ['p1'] }, rows])(
		'refuses %j',
		(json) => {
			expect(read(readPage('payments'), json)).toBeUndefined();
		},
	);
});

test.each(['currentLimit', 'remaining', 'fee', 'minAmount', 'perTransactionLimit'])(
	'readLimits refuses limits without %s, by which payouts are judged',
	(field) => {
		expect(read(readLimits, LIMITS)).toEqual(LIMITS);
		expect(read(readLimits, without(LIMITS, field))).toBeUndefined();
		expect(read(readLimits, { ...LIMITS, [field]: '1' })).toBeUndefined();
	},
);

test('readBalance needs the available balance', () => {
	const balance = { available: 10, total: 12, currency: 'BRL' };

	expect(read(readBalance, { balance })).toEqual(balance);
	expect(read(readBalance, { balance: without(balance, 'available') })).toBeUndefined();
	expect(read(readBalance, balance)).toBeUndefined();
});

test('readContent needs text, which may be empty', () => {
	expect(read(readContent, { content: '' })).toEqual({ content: '' });
	expect(read(readContent, { content: null })).toBeUndefined();
	expect(read(readContent, {})).toBeUndefined();
});

test('readObject takes any object and nothing else', () => {
	expect(read(readObject, { message: 'deleted' })).toEqual({ message: 'deleted' });
	expect(read(readObject, [1])).toBeUndefined();
	expect(read(readObject, null)).toBeUndefined();
	expect(readBytes(readObject, '<html>')).toBeUndefined();
});

test('readAnything takes the record, else the object, else nothing for an empty body', () => {
	const reader = readAnything('payment');

	expect(read(reader, { payment: { id: 'p1' } })).toEqual({ id: 'p1' });
	expect(read(reader, { message: 'done' })).toEqual({ message: 'done' });
	expect(readBytes(reader, '')).toEqual({});
	expect(readBytes(reader, '<html>')).toBeUndefined();
	expect(readBytes(reader, '"done"')).toBeUndefined();
});

test.each([
	['%PDF-1.7 example', 'application/pdf', true],
	['%PDF-1.7 example', '', false],
	['%PDF-1.7 example', 'Application/PDF; charset=binary', true],
	['%PDF-1.7 example', 'text/html', false],
	['<html></html>', 'application/pdf', false],
	['', 'application/pdf', false],
])('%o as %s: is a PDF %o', (body, type, isPdf) => {
	expect(readBytes(readPdf, body, type)).toEqual(isPdf ? Buffer.from(body) : undefined);
});

test('readText takes the type that was asked for', () => {
	expect(readBytes(readText('text/html'), '<p>Olá</p>', 'text/html; charset=utf-8')).toBe(
		'<p>Olá</p>',
	);
	expect(readBytes(readText('text/plain'), '<p>Olá</p>', 'text/html')).toBeUndefined();
	expect(readBytes(readText('text/plain'), '', 'text/plain')).toBe('');
});
