import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { CPF } from '../support/values';

const bench = useBench();
const payouts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ amount: 10 + n, pixKey: CPF }));

/** Refuses the item with this amount. */
const refuse = (amount: number) =>
	bench.sandbox.faults.add({
		kind: 'error',
		code: 'BLOCKLIST_DENIED',
		when: ({ rawBody }) => rawBody.includes(`"amount":${amount},`),
	});

describe('a failure without Continue On Fail', () => {
	it('starts nothing new', async () => {
		refuse(12);

		const { error } = await bench.run(payEach({ maxConcurrency: 1 }), payouts(6));

		expect(bench.requests()).toHaveLength(3);
		expect(bench.paid).toEqual([1000, 1100]);
		expect(error?.context.itemIndex).toBe(2);
		expect(error?.description).toMatch(
			/2 of 6 items were paid now \(items 0-1\), 1 failed without effect \(item 2\), 3 not started \(items 3-5\)\./,
		);
		expect(error?.description).toContain(
			'choose Retry in the list Executions, within 24 hours: nothing that took effect is repeated',
		);
		expect(error?.description).toContain('would pay them again.');
	});

	it('keeps the outcome of each item with the error, for workflows to read', async () => {
		refuse(12);

		const { error } = await bench.run(payEach({ maxConcurrency: 1 }), payouts(6));

		expect(error).toMatchObject({
			effect: 'none',
			summary: {
				itemCount: 6,
				done: {
					count: 2,
					items: [[0, 1]],
					withdrawalIds: [expect.any(String), expect.any(String)],
				},
				failed: { count: 1, items: [[2, 2]] },
				notStarted: { count: 3, items: [[3, 5]] },
			},
		});
	});

	it('waits for what is under way, and counts it', async () => {
		refuse(10);
		// Item 1 is at the server when item 0 fails, and gets its response only after that.
		bench.sandbox.faults.add({
			kind: 'delay',
			ms: 5_000,
			when: ({ rawBody }) => rawBody.includes('"amount":11,'),
		});
		const running = bench.run(payEach({ maxConcurrency: 2 }), payouts(4));
		await bench.until(
			() => bench.requests().length === 2 && bench.requests().some(({ status }) => status === 400),
		);
		bench.clock.advance(5_000);
		const { error } = await running;

		expect(bench.paid).toEqual([1100]);
		expect(error?.context.itemIndex).toBe(0);
		expect(error?.description).toMatch(
			/1 of 4 items were paid now \(item 1\), 1 failed without effect \(item 0\), 2 not started \(items 2-3\)\./,
		);
	});

	it('speaks of finished items where nothing took effect, in a read', async () => {
		const seeded = bench.sandbox.seed.payment();
		const { error } = await bench.run(
			{
				resource: 'payment',
				operation: 'get',
				paymentId: '={{ $json.id }}',
				options: { maxConcurrency: 1 },
			},
			[{ id: seeded.id }, { id: 'nonsense' }],
		);

		expect(error?.name).toBe('NodeOperationError');
		expect(error?.context.itemIndex).toBe(1);
		expect(error?.description).toContain(
			'1 of 2 items finished (item 0), 1 failed without effect (item 1).',
		);
		expect(error?.description).not.toContain('choose Retry');
	});

	it('does not count other items when there is only one', async () => {
		refuse(10);

		const { error } = await bench.run(payEach(), payouts(1));

		expect(error?.description).not.toContain('items');
	});
});

describe('a run without items', () => {
	it('does nothing', async () => {
		const { error } = await bench.run(payEach(), []);

		expect(error).toBeUndefined();
		expect(bench.requests()).toEqual([]);
	});
});
