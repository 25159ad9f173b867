/** Rows of the table BRL Payouts that somebody has removed, or added beside others. */
import { checkReferenced, wasPaidBefore } from '../support/checks';
import { dataTables } from '../support/ledger';
import { HOUR, INVOICES, MINUTE, referenced, rowsOf, usePayouts } from '../support/references';

const bench = usePayouts();
const [ONE = {}] = INVOICES;

describe('a reference in doubt whose attempt somebody has removed from the table', () => {
	const removeAttempt = () => {
		const attempt = rowsOf('NF-1').find(({ status }) => status === 'sending');
		dataTables().deleteRow(attempt!.id);
	};
	/** Paid, and the answer lost; the key is dead, so the list shows a candidate. */
	const beInDoubt = async (workflow: ReturnType<typeof referenced>) => {
		await bench.start(workflow, [ONE], { lost: 'dropAfter' });
		bench.clock.advance(25 * HOUR);
		await bench.start(workflow, [ONE]);
		removeAttempt();
		bench.clock.advance(MINUTE);
	};

	it.each([0, 25 * HOUR])('is not paid again: %i ms later', async (later) => {
		const workflow = referenced();
		await beInDoubt(workflow);
		bench.clock.advance(later);

		const again = await bench.start(workflow, [ONE]);
		const corrected = await bench.start(workflow, [{ ...ONE, description: 'corrected' }]);

		for (const execution of [again, corrected]) {
			expect(execution.errors).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' }]);
		}
		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'in doubt' });
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});

	it('is paid after a person has looked, and found another tool’s payout', async () => {
		const workflow = referenced();
		await bench.start(workflow, [ONE], { lost: 'dropBefore' });
		await bench.payElsewhere([ONE]);
		bench.clock.advance(25 * HOUR);
		await bench.start(workflow, [ONE]);
		removeAttempt();
		bench.clock.advance(10 * MINUTE);
		const settled = await bench.settle('NF-1', 'notPaid');
		bench.clock.advance(10 * MINUTE);

		const again = await bench.start(workflow, [ONE]);

		expect(settled.error).toBeUndefined();
		expect(again.errors).toEqual([undefined]);
		expect(again.paidBefore).toEqual([false]);
		expect(bench.living).toEqual({ 'NF-1': 1, 'other tool': 1 });
	});
});

describe('a payout that the bank has refused, entered by hand beside the one that has paid', () => {
	it('is denied by nobody', async () => {
		const workflow = referenced();
		await bench.start(workflow, [ONE]);
		const [{ id } = { id: '' }] = bench.sandbox.books.withdrawals;
		const refused = bench.sandbox.seed.withdrawal({
			...{ pixKey: ONE.pixKey as string, amountCents: 1001, description: 'refused' },
		});
		bench.sandbox.setWithdrawalStatus(refused.id, 'FAILED');
		bench.clock.advance(HOUR);
		dataTables().addRow({
			...{ reference: 'NF-1', status: 'paid', environment: 'test', withdrawalId: refused.id },
		});

		expect(wasPaidBefore(await checkReferenced(bench, [ONE]))).toEqual([true]);
		expect(await bench.getReference('NF-1')).toMatchObject({ status: 'paid', withdrawalId: id });
		const again = await bench.start(workflow, [ONE]);

		expect(again.ids).toEqual([id]);
		expect(bench.living).toEqual({ 'NF-1': 1 });
	});
});
