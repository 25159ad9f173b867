import { omit } from 'lodash';
import type { BodyReader } from '../../../../../nodes/shared/transport/outcome';
import {
	readAnything,
	readBalance,
	readContent,
	readCreated,
	readCurrent,
	readLimits,
	readObject,
	readPage,
	readPdf,
	readRecord,
	readText,
} from '../../../../../nodes/shared/transport/schemas';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const read = (reader: BodyReader, json: unknown, headers: Record<string, string> = {}) =>
	reader(Buffer.from(JSON.stringify(json)), { 'content-type': 'application/json', ...headers });
const readBytes = (reader: BodyReader, body: string, type = 'application/json') =>
	reader(Buffer.from(body), { 'content-type': type });

test.each([{}, { payment: 'p1' }, { payment: [] }, null])(
	'readRecord takes the record out of its envelope, as it is, and refuses %j',
	(json) => {
		const payment = { id: 'p1', newField: { a: [1] }, nothing: null };
		expect(read(readRecord('payment'), { payment, more: 1 })).toEqual(payment);
		expect(read(readRecord('payment'), json)).toBeUndefined();
	},
);

describe('readCreated', () => {
	const reader = readCreated('withdrawal', ({ netAmount }) => netAmount === 10);
	const WITHDRAWAL = { id: ID, status: 'PENDING', netAmount: 10 };

	test('takes a record that names its ID and is what was asked for', () => {
		expect(read(reader, { withdrawal: WITHDRAWAL })).toEqual(WITHDRAWAL);
		expect(read(reader, WITHDRAWAL)).toEqual(WITHDRAWAL);
		expect(read(readCreated('product'), { product: { id: ID } })).toEqual({ id: ID });
	});

	test.each<[string, unknown]>([
		['no ID', { withdrawal: omit(WITHDRAWAL, 'id') }],
		['an ID of another form', { withdrawal: { ...WITHDRAWAL, id: 'w1' } }],
		['another amount than was asked for', { withdrawal: { ...WITHDRAWAL, netAmount: 11 } }],
	])('takes %s for no success', (_, json) => {
		expect(read(reader, json)).toBeUndefined();
	});
});

const checkoutUrl = 'https://pay.example.com/c/1';
const own = { id: ID, checkoutUrl };
const PAYMENT = readRecord('payment');

test.each<[string, BodyReader, object, object | undefined]>([
	['a payment, with the address beside it', PAYMENT, { payment: { id: ID }, checkoutUrl }, own],
	['a new one the same', readCreated('payment'), { payment: { id: ID }, checkoutUrl }, own],
	['the address that it has itself', PAYMENT, { payment: own, checkoutUrl: 'other' }, own],
	['no payment', PAYMENT, { checkoutUrl }, undefined],
	['a new payment without its ID', readCreated('payment'), { payment: { id: 'p1' } }, undefined],
])('of payments is read: %s', (_, reader, json, payment) => {
	expect(read(reader, json)).toEqual(payment);
});

test.each<[string, object, Record<string, string>, boolean]>([
	['the record', { withdrawal: { id: 'w1' } }, {}, true],
	['no other record', { withdrawal: { id: 'w2' } }, {}, false],
	['none out of a cache', { withdrawal: { id: 'w1' } }, { age: '12' }, false],
	['no other envelope', { payment: { status: 'PAID' } }, {}, false],
])('readCurrent reads %s', (_, json, headers, isRead) => {
	const record = read(readCurrent('withdrawal', 'w1'), json, headers);
	expect(record).toEqual(isRead ? { id: 'w1' } : undefined);
});

describe('readPage', () => {
	const rows = [{ id: 'p1' }, { id: 'p2' }];
	const counts = { total: 5, totalPages: 3 };
	const none = { total: undefined, totalPages: undefined };

	test.each([
		[{ page: 1, limit: 2, ...counts }, counts],
		[undefined, none],
		[{ total: '5', totalPages: '3' }, none],
	])('reads rows, and counts if they can be used: %j', (pagination, counted) => {
		const page = read(readPage('payments'), { payments: rows, pagination });
		expect(page).toEqual({ rows, ...counted });
	});

	test.each<[Record<string, string>, string | undefined]>([
		[{ age: '12' }, 'age: 12'],
		[{ warning: '110 - "Response is Stale"' }, 'warning: 110 - "Response is Stale"'],
		[{ 'x-cache': 'Hit from edge' }, 'x-cache: Hit from edge'],
		[{ 'cf-cache-status': 'HIT' }, 'cf-cache-status: HIT'],
		[{ age: '0' }, undefined],
		[{ 'x-cache': 'MISS' }, undefined],
		[{ warning: '299 - "Deprecated"' }, undefined],
	])('says by which header a cache shows itself: %j', (sent, cachedBy) => {
		const page = read(readPage('payments'), { payments: [] }, sent) as { cachedBy?: string };
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
		const money = { currentLimit: 5000, remaining: 4900, fee: 1.5, minAmount: 10 };
		const limits = { ...money, perTransactionLimit: null, isNightTime: false };
		expect(read(readLimits, limits)).toEqual(limits);
		expect(read(readLimits, omit(limits, field))).toBeUndefined();
		expect(read(readLimits, { ...limits, [field]: '1' })).toBeUndefined();
	},
);

const balance = { available: 10, total: 12, currency: 'BRL' };

test.each<[string, BodyReader, string, unknown]>([
	['a balance', readBalance, JSON.stringify({ balance }), balance],
	['no balance without what is available', readBalance, '{"balance":{"total":12}}', undefined],
	['no balance without its envelope', readBalance, JSON.stringify(balance), undefined],
	['a content, which may be empty', readContent, '{"content":""}', { content: '' }],
	['no content of null', readContent, '{"content":null}', undefined],
	['any object', readObject, '{"message":"deleted"}', { message: 'deleted' }],
	['no list for an object', readObject, '[1]', undefined],
	['the record of anything', readAnything('payment'), '{"payment":{"id":"p1"}}', { id: 'p1' }],
	['blanks', readAnything('payment'), ' \r\n', {}],
	['a record that is none', readAnything('payment'), '{"payment":"p1"}', { payment: 'p1' }],
	['a page of anything', readAnything('payment'), '<html>', { response: '<html>' }],
	['a text of anything', readAnything('payment'), '"done"', { response: 'done' }],
	['a list of anything', readAnything('payment'), '[{"id":"p1"}]', { response: [{ id: 'p1' }] }],
	['null of anything', readAnything('payment'), 'null', { response: null }],
])('is read: %s', (_, reader, body, value) => {
	expect(readBytes(reader, body)).toEqual(value);
});

test.each([
	['%PDF-1.7 example', 'application/pdf', true],
	['%PDF-1.7 example', 'Application/PDF; charset=binary', true],
	['%PDF-1.7 example', '', false],
	['%PDF-1.7 example', 'text/html', false],
	['<html></html>', 'application/pdf', false],
	['', 'application/pdf', false],
])('%o as %s: is a PDF %o', (body, type, isPdf) => {
	expect(readBytes(readPdf, body, type)).toEqual(isPdf ? Buffer.from(body) : undefined);
});

test.each([
	['<p>Olá</p>', 'text/html', 'text/html; charset=utf-8', '<p>Olá</p>'],
	['<p>Olá</p>', 'text/plain', 'text/html', undefined],
	['', 'text/plain', 'text/plain', ''],
] as const)('readText reads %o, asked for as %s, of type %s', (body, wanted, type, text) => {
	expect(readBytes(readText(wanted), body, type)).toBe(text);
});
