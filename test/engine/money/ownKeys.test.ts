import { useBench } from '../support/harness';
import { payEach, TWO } from '../support/payouts';
import { buildWorkflow } from '../support/workflow';

const bench = useBench();
const INVOICES = TWO.map((item, index) => ({ ...item, invoice: `invoice-${index + 1}` }));
const payInvoices = payEach({ idempotencyKey: '={{ $json.invoice }}', maxConcurrency: 1 });

describe("the user's own idempotency key", () => {
	it('pays once in several executions', async () => {
		const workflow = buildWorkflow({ parameters: payInvoices });

		await bench.start(workflow, INVOICES);
		const { json } = await bench.start(workflow, INVOICES);

		expect(json.map(({ netAmount }) => netAmount)).toEqual([10.01, 20.02]);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('pays nothing again when n8n was killed', async () => {
		const killed = await bench.run(payInvoices, INVOICES, { isLooped: true });

		const { error } = await bench.retryAfterKill(killed);

		expect(error).toBeUndefined();
		expect(bench.keys).toEqual(['invoice-1', 'invoice-2']);
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('gets an explanation when the content differs', async () => {
		await bench.run(payInvoices, INVOICES);

		const { error } = await bench.run(
			payInvoices,
			INVOICES.map((item) => ({ ...item, amount: 33 })),
		);

		expect(error?.message).toContain('was already sent with different content');
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is never replaced after a refusal, so a later execution cannot pay a second time', async () => {
		// The first attempt of each item, and its repetition.
		bench.refuseNext(4);

		const { error } = await bench.run(payInvoices, INVOICES);
		expect(error?.description).toContain('with another key, for example with -2 at the end');
		await bench.run(payInvoices, INVOICES);
		await bench.run(payInvoices, INVOICES);

		expect(bench.keys.every((key) => INVOICES.some(({ invoice }) => invoice === key))).toBe(true);
		expect([[], [1001, 2002]]).toContainEqual(bench.paid);
	});

	it('is to be changed when all responses under it are stored refusals', async () => {
		bench.assume('storedFailures');
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		const { error } = await bench.run(payInvoices, INVOICES);
		expect(error?.description).toContain('with another key, for example with -2 at the end');

		// The service has its provider back, and still returns the stored responses under that key.
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		expect((await bench.run(payInvoices, INVOICES)).error).toBeDefined();
		const renamed = INVOICES.map((item) => ({ ...item, invoice: `${item.invoice}-2` }));
		expect((await bench.run(payInvoices, renamed)).error).toBeUndefined();
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is sent with 100 characters', async () => {
		const items = INVOICES.map((item, index) => ({
			...item,
			invoice: `${index}`.padEnd(100, 'x'),
		}));

		const run = await bench.run(payInvoices, items);

		bench.expectPaid([1001, 2002], run);
	});

	it.each([
		['has 101 characters', 'x'.repeat(101)],
		['has a blank inside', 'invoice 1'],
		['has an accent', 'transferência-1'],
		['has a line break', 'invoice\n1'],
	])('is refused when it %s', async (_name, invoice) => {
		const { error } = await bench.run(payInvoices, [{ ...INVOICES[0], invoice }, INVOICES[1]!]);

		expect(error?.message).toMatch(/^Row 1: The idempotency key has /);
		expect(bench.requests()).toEqual([]);
	});

	it('is refused before anything is sent when two items have the same', async () => {
		const { error } = await bench.run(
			payInvoices,
			INVOICES.map((item) => ({ ...item, invoice: 'invoice-1' })),
		);

		expect(error?.message).toBe(
			'Row 1: Rows 1 and 2 have the same idempotency key, so only one of them would take effect',
		);
		expect(bench.requests()).toEqual([]);
	});
});
