/** What people enter in the table BRL Payouts, or by Settle Reference, is checked against what the service says. */
import { checkReferenced, wasPaidBefore } from '../support/checks';
import { dataTables, restart } from '../support/ledger';
import { FINE, MISMATCHES, rowsOf, usePayouts } from '../support/money';
import { alike, CORRECTED, INVOICES } from '../support/payouts';
import { HOUR, MINUTE } from '../support/values';

const bench = usePayouts();
const TWO = alike('NF-1', 'NF-2');
const [FIRST = {}, SECOND = {}] = TWO;
const EACH_ONCE = { 'NF-1': 1, 'NF-2': 1 };

/** Neither has an answer; only the second one was paid. */
const loseBoth = async (): Promise<string> => {
	await bench.pay(TWO, { lost: { 'NF-1': 'dropBefore', 'NF-2': 'dropAfter' } });
	bench.clock.advance(10 * MINUTE);
	return bench.idOf('NF-2')!;
};
/** A person calls the first one paid. */
const enterPaid = (withdrawalId: string): void => {
	bench.clock.advance(1_000);
	dataTables().editRow(rowsOf('NF-1')[0]!.id, { status: 'paid', withdrawalId });
};

describe.each<[string, (id: string) => unknown]>([
	[
		'by Settle Reference',
		async (id) => expect((await bench.settle('NF-1', 'paid', id)).error).toBeUndefined(),
	],
	['in the table', enterPaid],
])('one withdrawal that is entered for another reference by mistake %s', (_where, enter) => {
	it('is taken back as soon as a run has recorded whose it is: both are paid once', async () => {
		const own = await loseBoth();
		await enter(own);

		expect((await bench.pay([FIRST])).ids).toEqual([own]);
		expect((await bench.pay([SECOND])).ids).toEqual([own]);

		const last = await bench.payAsTold(TWO);
		expect(last.codes).toEqual(FINE);
		bench.expectLiving(EACH_ONCE, last);
	});

	it('is called paid by Get by Reference only for the reference that a run has recorded it for', async () => {
		const own = await loseBoth();
		await enter(own);
		await bench.pay([SECOND]);

		expect(await bench.getReference('NF-1')).toMatchObject({
			...{ status: 'in doubt', withdrawalId: own, alsoNamedFor: ['NF-2'] },
		});
		expect(await bench.getReference('NF-2')).toMatchObject({
			...{ status: 'paid', withdrawalId: own, alsoNamedFor: ['NF-1'] },
		});
	});
});

describe('a payout that was made by hand beside the recorded one', () => {
	const settle = async (id: string) =>
		expect((await bench.settle('NF-1', 'paid', id)).error).toBeUndefined();
	const addRow = (withdrawalId: string) =>
		void dataTables().addRow({
			...{ reference: 'NF-1', status: 'paid', environment: 'test', withdrawalId },
		});

	// Otherwise Check Batch and Get by Reference would deny what Withdrawal > Create does not pay again.
	it.each<[string, (id: string) => unknown, boolean]>([
		['by Settle Reference, after the bank has refused that one', settle, true],
		['in a row, and was refused itself', addRow, false],
	])('and entered %s: everybody says the one that has paid', async (_what, enter, isAlive) => {
		const [known = ''] = (await bench.pay([FIRST])).ids;
		const added = bench.sandbox.seed.withdrawal({
			...{ pixKey: FIRST.pixKey as string, amountCents: 1001, description: 'by hand' },
		});
		const [living, refused] = isAlive ? [added.id, known] : [known, added.id];
		bench.sandbox.setWithdrawalStatus(refused, 'FAILED');
		bench.clock.advance(HOUR);
		await enter(added.id);

		expect(wasPaidBefore(await checkReferenced(bench, [FIRST]))).toEqual([true]);
		const shown = { status: 'paid', withdrawalId: living };
		expect(await bench.getReference('NF-1')).toMatchObject(shown);
		expect((await bench.pay([FIRST])).json).toMatchObject([{ id: living, alreadyPaid: true }]);
		expect(bench.idsPaid).toEqual([known]);
	});
});

describe('a Paid that is taken back with Not Paid', () => {
	it('of a reference that was never sent: the next run pays it', async () => {
		const [foreign] = await bench.payElsewhere([FIRST]);
		await bench.settle('NF-1', 'paid', foreign);

		const taken = await bench.settle('NF-1', 'notPaid');

		expect(taken).toEqual({ reference: 'NF-1', status: 'never sent' });
		bench.expectOnce(await bench.pay(TWO), [false, false], { ...EACH_ONCE, 'other tool': 1 });
	});

	it.each<[string, (id: string) => unknown]>([
		['said', async (id) => await bench.settle('NF-1', 'paid', id)],
		['entered in the row of the attempt', enterPaid],
	])('%s by mistake: what the list shows of the attempt has to be ruled out', async (_w, enter) => {
		await bench.pay([FIRST], { lost: 'dropAfter' });
		const [foreign = ''] = await bench.payElsewhere([FIRST]);
		bench.clock.advance(25 * HOUR);
		await enter(foreign);

		const { error } = await bench.settle('NF-1', 'notPaid');

		expect(error.withdrawalIds.toSorted()).toEqual([bench.idOf('NF-1'), foreign].toSorted());
		expect((await bench.settle('NF-1', 'paid', bench.idOf('NF-1'))).error).toBeUndefined();
		bench.expectOnce(await bench.pay([FIRST]), [true], { 'NF-1': 1, 'other tool': 1 });
	});
});

it('paid, in a row that somebody has edited, with the ID of a payout of another amount: is a mismatch', async () => {
	await loseBoth();
	const [other = ''] = await bench.payElsewhere([CORRECTED[0]!]);
	enterPaid(other);

	const { errors } = await bench.pay([FIRST]);

	expect(errors).toMatchObject([{ code: 'REFERENCE_MISMATCH', withdrawalIds: [other] }]);
});

it('a corrected row whose withdrawal cannot be read is a mismatch by what the table says, and never shown as paid', async () => {
	const settings = { credential: { apiKey: bench.keyWith('withdrawals:write') } };
	const { ids } = await bench.pay(INVOICES, settings);
	restart();

	expect((await bench.pay(CORRECTED, settings)).codes).toEqual(MISMATCHES);
	expect((await bench.pay(INVOICES, settings)).ids).toEqual(ids);
	expect(bench.living).toEqual(EACH_ONCE);
});

it('a key under which the service only ever answers with an error leads to the list once it is dead', async () => {
	let key: unknown;
	bench.sandbox.faults.add({
		...{ method: 'POST', kind: 'error', code: 'INTERNAL_ERROR', times: Infinity },
		when: ({ idempotencyKey }) => (key ??= idempotencyKey) === idempotencyKey,
	});
	await bench.pay([FIRST]);
	bench.clock.advance(25 * HOUR);
	bench.expectOnce(await bench.pay([FIRST]), [false], { 'NF-1': 1 });
});
