import { useBench } from '../support/harness';
import { UUID } from '../support/values';
import { expectNoKeys, sent } from '../support/wire';
import { operation } from '../support/workflow';

const bench = useBench();

const customer = (name: string) =>
	operation(
		`customer.${name}`,
		{ customerId: '={{ $json.id }}', externalId: '={{ $json.id }}' },
		{ maxConcurrency: 1 },
	);

// The last two would lead elsewhere.
it.each([
	['get', '42', 'Customer ID "42" does not begin with "cus_"'],
	['getByExternalId', '.', '"." cannot be used as an ID'],
	['getByExternalId', '..', '".." cannot be used as an ID'],
])('Customer: %s sends nothing for the ID "%s"', async (name, id, message) => {
	const { error } = await bench.run(customer(name), [{ id }, { id: 'cus_a' }]);

	expect(error?.message).toBe(`Row 1: ${message}`);
	expect(bench.requests()).toEqual([]);
});

it('Customer: Get by External ID accepts 100 characters and sends nothing for 101', async () => {
	const id = 'ç'.repeat(100);
	bench.sandbox.seed.customer({ externalId: id });

	const { error } = await bench.run(customer('getByExternalId'), [{ id }, { id: `${id}x` }]);

	expect(bench.requests().map(({ status }) => status)).toEqual([200]);
	expect(error?.message).toContain('101 characters');
});

describe('Customer: Delete', () => {
	it('deletes each item and says so', async () => {
		const ids = ['cus_one', 'cus_other'];
		const customers = ids.map((customerId) => bench.sandbox.seed.customer({ customerId }));

		const run = await bench.run(
			customer('delete'),
			ids.map((id) => ({ id })),
		);

		expect(sent(bench)).toEqual(ids.map((id) => `DELETE /v1/customers/${id}`));
		expectNoKeys(bench);
		expect(customers.map(({ isActive }) => isActive)).toEqual([false, false]);
		expect(run.json).toEqual(ids.map(() => ({ deleted: true })));
		expect(run.sources).toEqual([0, 1]);
	});

	it.each([
		[UUID, 'Get by External ID does not return it'],
		['42', 'use Get by External ID'],
	])('by the ID %s says where the right one is', async (id, remedy) => {
		const { error } = await bench.run(customer('delete'), [{ id }]);

		expect(error?.description).toContain(remedy);
		expect(error?.description).toContain('the dashboard');
		expect(bench.requests()).toEqual([]);
	});
});
