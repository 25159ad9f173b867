import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { UUID } from '../support/values';
import type { Parameters } from '../support/workflow';

const bench = useBench();

describe('a key without the scope', () => {
	const operations: Array<[resource: string, operation: string, Parameters, scope: string]> = [
		['balance', 'get', {}, 'balance:read'],
		['customer', 'get', { customerId: 'cus_a' }, 'customers:read'],
		['customer', 'getByExternalId', { externalId: 'a' }, 'customers:read'],
		['customer', 'delete', { customerId: 'cus_a' }, 'customers:write'],
		['document', 'getReceipt', { paymentId: UUID }, 'documents:read'],
		[
			'document',
			'getStatement',
			{ startDate: '2026-01-01', endDate: '2026-01-02' },
			'documents:read',
		],
		['payment', 'create', { amount: '10' }, 'payments:write'],
		['payment', 'get', { paymentId: UUID }, 'payments:read'],
		['payment', 'getAll', {}, 'payments:read'],
		['payment', 'getByTxId', { txId: 'PAY1' }, 'payments:read'],
		['payment', 'downloadBoleto', { paymentId: UUID }, 'payments:read'],
		['payment', 'getPixQrCode', { paymentId: UUID }, 'payments:read'],
		['payment', 'waitForStatus', { paymentId: UUID }, 'payments:read'],
		['payment', 'refund', { paymentId: UUID }, 'payments:refund'],
		['product', 'create', { name: 'One', amount: '10' }, 'products:write'],
		['product', 'getAll', {}, 'products:read'],
		['product', 'getByExternalId', { externalId: 'a' }, 'products:read'],
		['product', 'delete', { productId: { mode: 'id', value: UUID } }, 'products:write'],
		['product', 'deleteImage', { productId: { mode: 'id', value: UUID } }, 'products:write'],
		['withdrawal', 'create', { amount: '10', pixKey: '52998224725' }, 'withdrawals:write'],
		['withdrawal', 'get', { withdrawalId: UUID }, 'withdrawals:read'],
		['withdrawal', 'getAll', {}, 'withdrawals:read'],
		['withdrawal', 'getLimits', {}, 'withdrawals:read'],
		['withdrawal', 'waitForStatus', { withdrawalId: UUID }, 'withdrawals:read'],
		[
			'withdrawal',
			'checkBatch',
			{ amount: '10', pixKey: '52998224725' },
			'withdrawals:read and balance:read',
		],
	];

	it.each(operations)('%s %s names it', async (resource, operation, parameters, scope) => {
		const apiKey = bench.keyWith('webhooks:read');

		const given = { resource, operation, options: {}, ...parameters };
		const { error } = await bench.run(given, [{}, {}], { credential: { apiKey } });

		expect(error?.name).toBe('NodeApiError');
		expect(error?.httpCode).toBe('403');
		expect(error?.message).toMatch(/^(Row 1: )?The API key is not allowed to do this$/);
		expect(error?.description).toContain(`Give the key the scope ${scope} in the dashboard`);
	});
});

describe('a key with the scope of the operation, but not that of looking up its product', () => {
	const byExternalId = { mode: 'externalId', value: '={{ $json.product }}' };
	const items = [{ product: 'plan-monthly' }, { product: 'plan-yearly' }];

	it.each<[resource: string, operation: string, Parameters]>([
		['payment', 'create', { chargeBy: 'product', productId: byExternalId }],
		['product', 'delete', { productId: byExternalId }],
		['product', 'deleteImage', { productId: byExternalId }],
	])('%s %s names products:read', async (resource, operation, parameters) => {
		const scopes = ['payments:write', 'products:write'];
		const apiKey = bench.sandbox.createKey({ environment: 'SANDBOX', scopes });

		const { error } = await bench.run({ resource, operation, options: {}, ...parameters }, items, {
			credential: { apiKey },
		});

		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('Give the key the scope products:read in the dashboard');
		expect(bench.requests().every(({ method }) => method === 'GET')).toBe(true);
	});
});

describe('a key that is not accepted', () => {
	const run = async (apiKey: string) =>
		await bench.run(payEach({ maxConcurrency: 1 }), TWO, { credential: { apiKey } });
	const createKey = (restriction: object) =>
		bench.sandbox.createKey({ environment: 'SANDBOX', ...restriction });

	const UNKNOWN = 'unknown, revoked, expired';
	it.each<[string, () => string, message: string]>([
		['is unknown', () => `brlpay_test_0000000000_${'x'.repeat(32)}`, UNKNOWN],
		['has expired', () => createKey({ expiresAt: '2026-01-01T00:00:00Z' }), UNKNOWN],
		[
			'may not be used from here',
			() => createKey({ ipAllowlist: ['203.0.113.0/24'] }),
			'may not be used from the IP address of this n8n',
		],
	])('is reported when it %s', async (_what, makeKey, message) => {
		const { error } = await run(makeKey());

		expect(error?.message).toContain(message);
		expect(bench.requests()).toHaveLength(1);
	});

	it('does not repeat an earlier attempt as harmless when the key was revoked in between', async () => {
		bench.sandbox.faults.add({ kind: 'dropAfter' });
		bench.sandbox.faults.add({ kind: 'error', code: 'INVALID_API_KEY' });

		const { error } = await run(bench.sandbox.keys.test);

		expect(bench.paid).toEqual([1001]);
		expect(error?.message).toMatch(/^Row 1: It is not known whether this took effect: /);
	});
});

describe('a credential that is wrong', () => {
	it.each([
		['no key', { apiKey: '' }, 'The credential has no API key'],
		['half a key', { apiKey: 'brlpay_test_0000000000_short' }, 'The API key is not complete'],
		['a base URL without protocol', { baseUrl: 'api.example.com' }, 'The base URL is not a web'],
		['plain http', { baseUrl: 'http://api.example.com' }, 'The base URL starts with http://'],
		['the other environment', { environment: 'production' as const }, 'fixed to production'],
	])('is refused before anything is sent: %s', async (_name, credential, message) => {
		const { error } = await bench.run(payEach(), TWO, { credential });

		expect(error?.name).toBe('NodeOperationError');
		expect(error?.message).toContain(message);
		expect(bench.requests()).toEqual([]);
	});
});

describe('a server that cannot be reached', () => {
	it('is named, and nothing is called unknown', async () => {
		// Nothing listens on the discard port.
		const { error } = await bench.run(payEach({ maxConcurrency: 1 }), TWO, {
			credential: { baseUrl: 'http://127.0.0.1:9' },
		});

		expect(error?.message).toBe('Row 1: The server cannot be reached');
		expect(error?.description).toContain('Nothing was sent.');
		expect(error?.description).toContain('http://127.0.0.1:9');
		expect(error?.description).toContain('1 failed without effect (row 1), 1 not started');
	});
});
