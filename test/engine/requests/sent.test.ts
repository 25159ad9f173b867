/** What each operation sends for two items or more, letter by letter, and that each output item is about its own. */
import type { IDataObject } from 'n8n-workflow';
import { OPERATIONS, rowsFor } from '../../support/operations';
import { useBench } from '../support/harness';
import { CPF } from '../support/values';
import { expectNoKeys, expectOwnKeys, sent } from '../support/wire';
import { operation, type Parameters } from '../support/workflow';

const bench = useBench();
// What goes out is compared letter by letter.
beforeEach(() => bench.assume('listFilters', 'listOrder'));

type Line = (row: IDataObject) => string;
/** An address with what it names of the row, encoded. */
const get =
	(path: string, field = 'id', method = 'GET'): Line =>
	(row) =>
		`${method} /v1/${path.replace('*', encodeURIComponent(row[field] as string))}`;
const remove = (path: string, field?: string): Line => get(path, field, 'DELETE');
const post =
	(path: string, body: (row: IDataObject) => object, field?: string): Line =>
	(row) =>
		`${get(path, field, 'POST')(row)} ${JSON.stringify(body(row))}`;

const SENT: Readonly<Record<string, Line | string[]>> = {
	'apiKey.get': get('auth/self'),
	'balance.get': get('balance'),
	'customer.delete': remove('customers/*', 'customerId'),
	'customer.get': get('customers/*', 'customerId'),
	'customer.getByExternalId': get('customers/external/*', 'externalId'),
	'document.getReceipt': get('documents/payments/*/receipt?format=text'),
	'document.getStatement': get(
		'documents/statements?startDate=2026-10-01&endDate=2026-10-31&format=text',
	),
	'payment.create': post('payments', ({ amount, methods, mode, order }) => ({
		...{ amount, methods, mode },
		customer: {
			...{ name: 'Maria Silva', email: 'maria@example.com' },
			...{ document: CPF, documentType: 'CPF' },
		},
		...{ externalId: order, description: 'Order 1042' },
	})),
	'payment.downloadBoleto': get('payments/*/boleto'),
	'payment.get': get('payments/*'),
	'payment.getAll': get('payments?status=*&page=1&limit=100', 'status'),
	'payment.getByTxId': get('payments/txid/*', 'txId'),
	'payment.getPixQrCode': get('payments/*'),
	'payment.refund': post('payments/*/refund', () => ({ reason: 'Order cancelled' }), 'paymentId'),
	'payment.simulate': post('payments/*/simulate', () => ({ status: 'EXPIRED' })),
	'payment.waitForStatus': get('payments/*'),
	'product.create': post('products', ({ name, amount, externalId }) => ({
		...{ name, amount, description: 'All courses', externalId },
	})),
	'product.delete': remove('products/*'),
	'product.deleteImage': remove('products/*/image'),
	'product.getAll': get('products?page=1&limit=100'),
	'product.getByExternalId': get('products/external/*', 'externalId'),
	// All items together.
	'withdrawal.checkBatch': ['GET /v1/balance', 'GET /v1/withdrawals/limits'],
	'withdrawal.create': post('withdrawals', ({ amount, pixKey }) => ({
		...{ amount, destination: { pixKey } },
	})),
	'withdrawal.get': get('withdrawals/*'),
	'withdrawal.getAll': get('withdrawals?status=*&page=1&limit=100', 'status'),
	// The ledger knows that it was never sent.
	'withdrawal.getByReference': [],
	'withdrawal.getLimits': get('withdrawals/limits'),
	'withdrawal.waitForStatus': get('withdrawals/*'),
};
/** Files are compared in product.test.ts; what a person settles is in engine/money. */
const ELSEWHERE = ['product.uploadImage', 'withdrawal.settleReference'];
const ONCE = ['payment.create', 'payment.refund', 'product.create', 'withdrawal.create'];

const run = async (name: string, more: Parameters = {}) => {
	const sample = OPERATIONS[name]!;
	const { keys, seed } = bench.sandbox;
	const items = rowsFor(sample, seed);
	const parameters = { ...sample.parameters, ...more };
	const execution = await bench.run(operation(name, parameters, { maxConcurrency: 1 }), items, {
		credential: { apiKey: sample.isTest ? keys.test : keys.live },
	});
	expect(execution.error?.message).toBeUndefined();
	return { items, json: execution.json, sources: execution.sources as number[] };
};

it('every operation has its line', () =>
	expect([...Object.keys(SENT), ...ELSEWHERE].sort()).toEqual(Object.keys(OPERATIONS).sort()));

it.each(Object.entries(SENT))('%s', async (name, line) => {
	const { items, json, sources } = await run(name);

	const lines = sent(bench);
	expect(Array.isArray(line) ? lines.sort() : lines).toEqual(
		Array.isArray(line) ? line : items.map(line),
	);
	if (ONCE.includes(name)) expectOwnKeys(bench);
	else if (name !== 'payment.simulate') expectNoKeys(bench);
	expect(new Set(sources)).toEqual(new Set(items.keys()));
	for (const [index, row] of json.entries()) {
		for (const [field, value] of Object.entries(items[sources[index]!]!)) {
			if (field in row) expect([field, row[field]]).toEqual([field, value]);
		}
	}
});

/** What is shown with Simplify is in the schemas, see test/engine/schemas. */
it.each([
	['apiKey.get', ['createdAt', 'description']],
	['customer.get', ['metadata']],
	['payment.get', ['currency', 'metadata', 'feeAmount']],
	['payment.getByTxId', ['currency']],
	['payment.getAll', ['currency']],
	['payment.waitForStatus', ['currency']],
	['withdrawal.get', ['pixKeyType', 'isSandbox']],
	['withdrawal.getAll', ['currency']],
	['withdrawal.waitForStatus', ['currency']],
])('%s without Simplify shows all, such as %j', async (name, fields) => {
	const [simple] = (await run(name)).json;
	const [whole] = (await run(name, { simplify: false })).json;

	for (const field of fields) expect(simple).not.toHaveProperty(field);
	expect(Object.keys(whole!)).toEqual(expect.arrayContaining(fields));
});
