import { useBench } from '../support/harness';
import { UUID } from '../support/values';
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

it.each([
	[UUID, 'Get by External ID does not return it'],
	['42', 'use Get by External ID'],
])('Customer: Delete by the ID %s says where the right one is', async (id, remedy) => {
	const { error } = await bench.run(customer('delete'), [{ id }]);

	expect(error?.description).toContain(remedy);
	expect(error?.description).toContain('the dashboard');
	expect(bench.requests()).toEqual([]);
});
