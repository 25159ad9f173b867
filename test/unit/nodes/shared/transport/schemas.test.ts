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
	});

	test('asks for no more than the ID where nothing else is expected', () => {
		expect(read(readCreated('product'), { product: { id: ID } })).toEqual({ id: ID });
	});

	test.each<[string, unknown]>([
		['no ID', { withdrawal: without(WITHDRAWAL, 'id') }],
		['an ID of another form', { withdrawal: { ...WITHDRAWAL, id: 'w1' } }],
		['another amount than was asked for', { withdrawal: { ...WITHDRAWAL, netAmount: 11 } }],
		['no amount', { withdrawal: without(WITHDRAWAL, 'netAmount') }],
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

describe('readCurrent', () => {
	const body = Buffer.from('{"withdrawal":{"id":"w1","status":"PENDING"}}');
	const reader = readCurrent('withdrawal', 'w1');

	test('reads the record', () => {
		expect(reader(body, JSON_HEADERS)).toEqual({ id: 'w1', status: 'PENDING' });
	});

	test.each([
		['another record', Buffer.from('{"withdrawal":{"id":"w2"}}'), JSON_HEADERS],
		['one out of a cache', body, { ...JSON_HEADERS, age: '12' }],
		['another envelope', Buffer.from('{"payment":{"status":"PAID"}}'), JSON_HEADERS],
	])('does not read %s', (_what, bytes, headers) => {
		expect(reader(bytes, headers)).toBeUndefined();
	});
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
