import type { IDataObject } from 'n8n-workflow';
import { useMoney } from '../support/money';
import { payEach, TWO } from '../support/payouts';
import { CONTINUE, HOUR } from '../support/references';

const bench = useMoney();
const INVOICES = TWO.map((item, index) => ({ ...item, invoice: `invoice-${index + 1}` }));
const [FIRST = {}, SECOND = {}] = INVOICES as IDataObject[];
const payInvoices = payEach({ idempotencyKey: '={{ $json.invoice }}', maxConcurrency: 1 });
const pay = async (items: IDataObject[] = INVOICES) => await bench.run(payInvoices, items);

describe("the user's own idempotency key", () => {
	it('pays once in several executions', async () => {
		const runs = [await pay(), await pay()];
		expect(runs[1]?.json).toMatchObject([{ netAmount: 10.01 }, { netAmount: 20.02 }]);
		bench.expectPaid([1001, 2002], ...runs);
	});

	it('pays nothing again when n8n was killed', async () => {
		const killed = await bench.run(payInvoices, INVOICES, { isLooped: true });
		bench.expectPaid([1001, 2002], await bench.retryAfterKill(killed));
		expect(bench.keys).toEqual(['invoice-1', 'invoice-2']);
	});

	it('gets an explanation when the content differs', async () => {
		await pay();
		const { error } = await pay(INVOICES.map((item) => ({ ...item, amount: 33 })));
		expect(error?.message).toContain('was already sent with different content');
		expect(bench.paid).toEqual([1001, 2002]);
	});

	it('is never replaced after a refusal, so a later execution cannot pay a second time', async () => {
		// The first attempt of each item, and its repetition.
		bench.refuseNext(4);

		const { error } = await pay();
		expect(error?.description).toContain('with another key, for example with -2 at the end');
		await pay();
		await pay();

		expect(bench.keys.every((key) => INVOICES.some(({ invoice }) => invoice === key))).toBe(true);
		expect([[], [1001, 2002]]).toContainEqual(bench.paid);
	});

	it('is to be changed when all responses under it are stored refusals', async () => {
		bench.assume('storedFailures');
		bench.sandbox.account.withdrawalProviderUnavailable = true;
		const { error } = await pay();
		expect(error?.description).toContain('with another key, for example with -2 at the end');

		// The service has its provider back, and still returns the stored responses under that key.
		bench.sandbox.account.withdrawalProviderUnavailable = false;
		expect((await pay()).error).toBeDefined();
		const renamed = INVOICES.map((item) => ({ ...item, invoice: `${item.invoice}-2` }));
		bench.expectPaid([1001, 2002], await pay(renamed));
	});

	it('names a payout that the bank refused since, instead of calling it paid', async () => {
		const { ids } = await pay();
		bench.sandbox.setWithdrawalStatus(ids[0]!, 'FAILED', 'Account closed');
		bench.clock.advance(HOUR);

		const { errors, json } = await bench.run(payInvoices, INVOICES, CONTINUE);

		expect(errors[0]).toMatchObject({ code: 'WITHDRAWAL_NOT_PAID', effect: 'none' });
		expect(json[1]).toMatchObject({ netAmount: 20.02, alreadyPaid: true });
	});

	it('is sent with 100 characters', async () => {
		const long = INVOICES.map((item, index) => ({ ...item, invoice: `${index}`.padEnd(100, 'x') }));
		bench.expectPaid([1001, 2002], await pay(long));
	});

	it.each([
		['has 101 characters', 'x'.repeat(101)],
		['has a blank inside', 'invoice 1'],
		['has an accent', 'transferência-1'],
		['has a line break', 'invoice\n1'],
	])('is refused when it %s', async (_name, invoice) => {
		const { error } = await pay([{ ...FIRST, invoice }, SECOND]);
		expect(error?.message).toMatch(/^Row 1: The idempotency key has /);
		expect(bench.requests()).toEqual([]);
	});

	it('is refused before anything is sent when two items have the same', async () => {
		const { error } = await pay([FIRST, { ...SECOND, invoice: 'invoice-1' }]);
		expect(error?.message).toBe(
			'Row 1: Rows 1 and 2 have the same idempotency key, so only one of them would take effect',
		);
		expect(bench.requests()).toEqual([]);
	});

	it('is refused in the second round of a loop if it is constant', async () => {
		const { json, error } = await bench.payTwo({ isLooped: true }, { idempotencyKey: 'constant' });
		expect(json).toEqual([]);
		expect(error?.message).toContain(
			'An earlier round of this execution used the same idempotency key',
		);
		expect(bench.paid).toEqual([1001]);
	});

	it.each([null, '', 'undefined'])(
		'is refused where its expression returns %j',
		async (invoice) => {
			const { errors } = await bench.run(payInvoices, [{ ...FIRST, invoice }, SECOND], CONTINUE);
			expect(errors[0]?.message).toContain('The expression for Idempotency Key returned nothing');
			expect(bench.paid).toEqual([2002]);
		},
	);
});
