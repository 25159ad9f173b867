import { useBench } from '../support/harness';
import { AWKWARD, AWKWARD_ENCODED, expectNoKeys, sent } from '../support/wire';

const bench = useBench();

const customer = (operation: string, id: object) => ({
	...{ resource: 'customer', operation, ...id, options: { maxConcurrency: 1 } },
});
const ID = { customerId: '={{ $json.id }}' };

describe('Customer: Get', () => {
	it('keeps an ID with any characters in one piece', async () => {
		const items = [{ id: `cus_${AWKWARD}` }, { id: 'cus_a' }];

		const { error } = await bench.run(customer('get', ID), items);

		expect(sent(bench)).toEqual([`GET /v1/customers/cus_${AWKWARD_ENCODED}`]);
		// No such slug exists, which the server can only say of the whole ID.
		expect(error?.httpCode).toBe('400');
	});

	it('sends nothing for an ID of the own system', async () => {
		const { error } = await bench.run(customer('get', ID), [{ id: '42' }, { id: 'cus_a' }]);

		expect(error?.message).toBe('Row 1: Customer ID "42" does not begin with "cus_"');
		expect(bench.requests()).toEqual([]);
	});
});

describe('Customer: Get by External ID', () => {
	const getByExternalId = customer('getByExternalId', { externalId: '={{ $json.id }}' });

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
		const ids = ['cus_one', 'cus_other'];
		const customers = ids.map((customerId) => bench.sandbox.seed.customer({ customerId }));

		const run = await bench.run(
			customer('delete', ID),
			ids.map((id) => ({ id })),
		);

		expect(sent(bench)).toEqual(ids.map((id) => `DELETE /v1/customers/${id}`));
		expectNoKeys(bench);
		expect(customers.map(({ isActive }) => isActive)).toEqual([false, false]);
		expect(run.json).toEqual(ids.map((customerId) => ({ deleted: true, customerId })));
		expect(run.sources).toEqual([0, 1]);
	});

	it.each([
		['3fa85f64-5717-4562-b3fc-2c963f66afa6', 'Get by External ID does not return it'],
		['42', 'use Get by External ID'],
	])('by the ID %s says where the right one is', async (customerId, remedy) => {
		const { error } = await bench.run(customer('delete', { customerId }), [{}]);

		expect(error?.description).toContain(remedy);
		expect(error?.description).toContain('the dashboard');
		expect(bench.requests()).toEqual([]);
	});
});
