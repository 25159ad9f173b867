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

it('a key that may charge, but not look up the product, names products:read', async () => {
	const apiKey = bench.keyWith('payments:write', 'products:write');
	const productId = { __rl: true, mode: 'externalId', value: '={{ $json.product }}' };

	const { error } = await bench.run(
		operation('payment.create', { productId, chargeBy: 'product' }),
		[{ product: 'plan-monthly' }, { product: 'plan-yearly' }],
		{ credential: { apiKey } },
	);

	expect(error?.httpCode).toBe('403');
	expect(error?.description).toContain('create a key with the scope products:read, and paste');
	expect(bench.requests().every(({ method }) => method === 'GET')).toBe(true);
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
