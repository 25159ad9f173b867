import { useBench } from '../support/harness';
import { payEach } from '../support/payouts';
import { NODE } from '../support/names';
import { CPF } from '../support/values';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();
const payouts = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ amount: 10 + n, pixKey: CPF }));

/** Refuses the item with this amount. */
const refuse = (amount: number) => bench.fail('BLOCKLIST_DENIED', `"amount":${amount},`);

describe('a failure without Continue On Fail', () => {
	it('starts nothing new', async () => {
		refuse(12);

		const { error } = await bench.run(payEach({ maxConcurrency: 1 }), payouts(6));

		expect(bench.requests()).toHaveLength(3);
		expect(bench.paid).toEqual([1000, 1100]);
		expect(error).toHaveProperty('itemIndex', 2);
		expect(error?.description).toMatch(
			/2 of 6 rows accepted with the test key: rows 1-2; 1 refused: row 3; 3 not sent: rows 4-6\./,
		);
		expect(error?.description).toContain(
			'choose Retry in the list Executions: nothing that took effect is repeated',
		);
		expect(error?.description).toContain('without the rows that took effect');
		// For workflows to read.
		expect(error).toMatchObject({
			effect: 'none',
			summary: {
				itemCount: 6,
				done: { count: 2, items: [[0, 1]], withdrawalIds: bench.idsPaid },
				refused: { count: 1, items: [[2, 2]] },
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
		expect(error).toHaveProperty('itemIndex', 0);
		expect(error?.description).toMatch(
			/1 of 4 rows accepted with the test key: row 2; 1 refused: row 1; 2 not sent: rows 3-4\./,
		);
	});
});

describe('rows that cannot be right', () => {
	const REFERENCED = payEach({}, { reference: '={{ $json.invoice }}' });
	const named = (...changes: object[]) =>
		changes.map((change, n) => ({ amount: 20, pixKey: CPF, invoice: `NF-${n + 1}`, ...change }));

	it('are all named, each with its own reason, as people count them', async () => {
		const items = named({}, { pixKey: '529.982.247-26' }, {}, { amount: -1 });

		const { error } = await bench.run(REFERENCED, items);

		expect(error?.message).toBe('Row 2 (NF-2): The PIX key is a CPF with wrong check digits');
		expect(error?.description).toContain('<br>Row 4 (NF-4): Amount is negative<br>');
		expect(error?.description).toContain(
			'0 of 4 rows accepted with the test key; 2 refused: rows 2, 4; 2 not sent: rows 1, 3. Row 1 is the first item.',
		);
		expect(error).toHaveProperty('itemIndex', 1);
		// With an index there, n8n's editor would add `[item 1]` to the message.
		expect(error?.context).not.toHaveProperty('itemIndex', 1);
		expect(bench.requests()).toEqual([]);
	});

	it('are not said to be paid possibly when the execution is retried', async () => {
		const failed = await bench.run(payEach(), named({}, { amount: -1 }), { mode: 'trigger' });
		const { error } = await bench.retry(failed);

		for (const { description } of [failed.error!, error!]) {
			expect(description).toContain('1 refused: row 2; 1 not sent: row 1.');
			expect(description).toContain('Nothing was paid now. To continue, do what each message says');
		}
		expect(bench.requests()).toEqual([]);
	});

	it('are called empty where they are, and need no reference to be named', async () => {
		const empty = await bench.run(payEach(), named({}, { amount: '', pixKey: null }));
		const nameless = await bench.run(REFERENCED, named({}, { amount: -1, invoice: undefined }));

		expect(empty.error?.message).toBe('Row 2: This row has neither an amount nor a PIX key');
		expect(nameless.error?.message).toMatch(/^Row 2: /);
	});
});

it('a hint names Execute Once: n8n passes only the first item', async () => {
	const workflow = buildWorkflow({ parameters: payEach() });
	workflow.nodes[NODE]!.executeOnce = true;

	const { hints } = await bench.start(workflow, payouts(2));

	expect(bench.paid).toHaveLength(1);
	expect(hints.join()).toContain("'Execute Once' is on in the Settings of this node");
});

it('a run without items does nothing', async () => {
	const { error } = await bench.run(payEach(), []);

	expect(error).toBeUndefined();
	expect(bench.requests()).toEqual([]);
});
