import { OPERATIONS, rowsFor } from '../../support/operations';
import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { operation } from '../support/workflow';

const bench = useBench();

describe('a key without the scope', () => {
	// Of a file there is nothing to send; what is in the ledger is asked first.
	const named = Object.entries(OPERATIONS).filter(
		([name, { scope }]) => scope !== undefined && name !== 'product.uploadImage',
	);

	it.each(named)('%s names it: $scope', async (name, sample) => {
		const credential = { apiKey: bench.keyWith('webhooks:read') };
		const { scope, parameters } = sample;

		const rows = rowsFor(sample, bench.sandbox.seed);
		const { error } = await bench.run(operation(name, parameters), rows, { credential });

		expect(error?.name).toBe('NodeApiError');
		expect(error?.httpCode).toBe('403');
		expect(error?.message).toMatch(
			/^(Row 1( \(R\$ 100,00\))?: )?The API key is not allowed to do this$/,
		);
		expect(error?.description).toContain(`create a key with the scope ${scope}, and paste`);
	});
});

it.each([['payment.create', { chargeBy: 'product' }]])(
	'a key that may %s, but not look up its product, names products:read',
	async (name, more) => {
		const apiKey = bench.keyWith('payments:write', 'products:write');
		const productId = { __rl: true, mode: 'externalId', value: '={{ $json.product }}' };

		const { error } = await bench.run(
			operation(name, { productId, ...more }),
			[{ product: 'plan-monthly' }, { product: 'plan-yearly' }],
			{ credential: { apiKey } },
		);

		expect(error?.httpCode).toBe('403');
		expect(error?.description).toContain('create a key with the scope products:read, and paste');
		expect(bench.requests().every(({ method }) => method === 'GET')).toBe(true);
	},
);

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
});

it.each([
	['no key', { apiKey: '' }, 'The credential has no API key'],
	['the other environment', { environment: 'production' as const }, 'fixed to production'],
])('a wrong credential is refused before anything is sent: %s', async (_, credential, message) => {
	const { error } = await bench.run(payEach(), TWO, { credential });

	expect(error?.name).toBe('NodeOperationError');
	expect(error?.message).toContain(message);
	expect(bench.requests()).toEqual([]);
});
