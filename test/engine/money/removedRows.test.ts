/** Rows of the table BRL Payouts that somebody has removed, or added beside others. */
import { checkReferenced, wasPaidBefore } from '../support/checks';
import { useBench } from '../support/harness';
import { dataTables } from '../support/ledger';
import {
	errorsOf,
	getIds,
	getReference,
	HOUR,
	INVOICES,
	livingOf,
	lose,
	MINUTE,
	paidBefore,
	payElsewhere,
	referenced,
	rowsOf,
	settleReference,
} from '../support/references';

const bench = useBench();
const [ONE = {}] = INVOICES;

describe('a reference in doubt whose attempt somebody has removed from the table', () => {
	const removeAttempt = () => {
		const attempt = rowsOf('NF-1').find(({ status }) => status === 'sending');
		dataTables().deleteRow(attempt!.id);
	};
	/** Paid, and the answer lost; the key is dead, so the list shows a candidate. */
	const beInDoubt = async (workflow: ReturnType<typeof referenced>) => {
		const found = lose(bench, 'dropAfter');
		await bench.start(workflow, [ONE]);
		found();
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
			expect(errorsOf(execution)).toMatchObject([{ code: 'PAYOUT_IN_DOUBT', effect: 'unknown' }]);
		}
		expect(await getReference(bench, 'NF-1')).toMatchObject({ status: 'in doubt' });
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});

	it('is paid after a person has looked, and found another tool’s payout', async () => {
		const workflow = referenced();
		const lost = lose(bench, 'dropBefore');
		await bench.start(workflow, [ONE]);
		lost();
		await payElsewhere(bench, [ONE]);
		bench.clock.advance(25 * HOUR);
		await bench.start(workflow, [ONE]);
		removeAttempt();
		bench.clock.advance(10 * MINUTE);
		const settled = await settleReference(bench, 'NF-1', 'notPaid');
		bench.clock.advance(10 * MINUTE);

		const again = await bench.start(workflow, [ONE]);

		expect(settled.error).toBeUndefined();
		expect(errorsOf(again)).toEqual([undefined]);
		expect(paidBefore(again)).toEqual([false]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1, 'other tool': 1 });
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
		expect(await getReference(bench, 'NF-1')).toMatchObject({ status: 'paid', withdrawalId: id });
		const again = await bench.start(workflow, [ONE]);

		expect(getIds(again)).toEqual([id]);
		expect(livingOf(bench)).toEqual({ 'NF-1': 1 });
	});
});
