import { useBench } from '../support/harness';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, sent } from '../support/wire';

const bench = useBench();

describe('Customer: Get', () => {
	const get = {
		resource: 'customer',
		operation: 'get',
		customerId: '={{ $json.id }}',
		options: { maxConcurrency: 1 },
	};

	it('keeps an ID with any characters in one piece', async () => {
		const { error } = await bench.run(get, [{ id: `cus_${AWKWARD}` }, { id: 'cus_a' }]);

		expect(sent(bench)).toEqual([`GET /v1/customers/cus_${AWKWARD_ENCODED}`]);
		// No such slug exists, which the server can only say of the whole ID.
		expect(error?.httpCode).toBe('400');
	});

	it('sends nothing for an ID of the own system', async () => {
		const { error } = await bench.run(get, [{ id: '42' }, { id: 'cus_a' }]);

		expect(error?.message).toBe('Row 1: Customer ID "42" does not begin with "cus_"');
		expect(bench.requests()).toEqual([]);
	});
});

describe('Customer: Get by External ID', () => {
	const getByExternalId = {
		resource: 'customer',
		operation: 'getByExternalId',
		externalId: '={{ $json.id }}',
		options: { maxConcurrency: 1 },
	};

	it.each(['.', '..'])('sends nothing for the ID "%s", which would lead elsewhere', async (id) => {
		const { error } = await bench.run(getByExternalId, [{ id }, { id }]);

		expect(error?.message).toBe(`Row 1: "${id}" cannot be used as an ID`);
		expect(bench.requests()).toEqual([]);
	});

	it('accepts 100 characters and sends nothing for 101', async () => {
		const id = 'ç'.repeat(100);
		bench.sandbox.seed.customer({ externalId: id });

		const { error } = await bench.run(getByExternalId, [{ id }, { id: `${id}x` }]);

		expect(bench.requests().map(({ status }) => status)).toEqual([200]);
		expect(error?.message).toContain('101 characters');
	});
});

describe('Customer: Delete', () => {
	it('deletes each item and says so', async () => {
		const one = bench.sandbox.seed.customer({ customerId: 'cus_one' });
		const other = bench.sandbox.seed.customer({ customerId: 'cus_other' });

		const run = await bench.run(
			{
				resource: 'customer',
				operation: 'delete',
				customerId: '={{ $json.id }}',
				options: { maxConcurrency: 1 },
			},
			[{ id: one.customerId }, { id: other.customerId }],
		);

		expect(sent(bench)).toEqual(['DELETE /v1/customers/cus_one', 'DELETE /v1/customers/cus_other']);
		expectNoKeys(bench);
		expect([one.isActive, other.isActive]).toEqual([false, false]);
		expect(run.output()).toEqual([
			{ json: { deleted: true, customerId: 'cus_one' }, pairedItem: { item: 0 } },
			{ json: { deleted: true, customerId: 'cus_other' }, pairedItem: { item: 1 } },
		]);
	});
});

describe('Customer: Delete by another ID', () => {
	it.each([
		['3fa85f64-5717-4562-b3fc-2c963f66afa6', 'Get by External ID does not return it'],
		['42', 'use Get by External ID'],
	])('%s says where the right one is', async (customerId, remedy) => {
		const { error } = await bench.run(
			{ resource: 'customer', operation: 'delete', customerId, options: {} },
			[{}],
		);

		expect(error?.description).toContain(remedy);
		expect(error?.description).toContain('the dashboard');
		expect(bench.requests()).toEqual([]);
	});
});
