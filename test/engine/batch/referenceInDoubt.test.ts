/** Check Batch does not call new what an earlier attempt may have paid. */
import {
	batchOf,
	checkReferenced,
	problemCodes,
	problemsOf,
	wasPaidBefore,
} from '../support/checks';
import { dataTables } from '../support/ledger';
import {
	BOTH,
	CORRECTED,
	HOUR,
	INVOICES,
	referenced,
	rowsOf,
	usePayouts,
} from '../support/references';

const bench = usePayouts();
const NULLS = [null, null];

/** Both were paid, nobody knows it, and the list shows withdrawals that may be them. */
async function leaveInDoubt(): Promise<void> {
	const workflow = referenced();
	await bench.payUnseen(workflow);
	bench.clock.advance(25 * HOUR);
	const run = await bench.start(workflow, INVOICES);
	expect(run.codes).toEqual(['PAYOUT_IN_DOUBT', 'PAYOUT_IN_DOUBT']);
}

it('is a problem that names the withdrawals to look at', async () => {
	await leaveInDoubt();

	const checked = await checkReferenced(bench, INVOICES);

	expect(wasPaidBefore(checked)).toEqual(NULLS);
	expect(problemCodes(checked)).toEqual([['PAYOUT_IN_DOUBT'], ['PAYOUT_IN_DOUBT']]);
	expect(problemsOf(checked)[0]?.[0]).toMatchObject({
		message: expect.stringContaining('Settle Reference'),
		withdrawalIds: [bench.idOf('NF-1')],
	});
	expect(batchOf(checked)).toMatchObject({ okCount: 0, newCount: 0, sumTotal: 0 });
});

it('is none any more once a person has said so', async () => {
	await leaveInDoubt();
	await bench.settle('NF-1', 'paid', bench.idOf('NF-1'));
	await bench.settle('NF-2', 'notPaid');

	const checked = await checkReferenced(bench, INVOICES);

	// A late request may still pay the second: Create finds out.
	expect(wasPaidBefore(checked)).toEqual([true, null]);
	expect(problemCodes(checked)).toEqual([[], []]);
});

it('is compared with what a person has settled', async () => {
	await leaveInDoubt();
	await bench.settle('NF-1', 'paid', bench.idOf('NF-1'));
	await bench.settle('NF-2', 'paid', bench.idOf('NF-2'));

	const checked = await checkReferenced(bench, CORRECTED);

	expect(problemCodes(checked)).toEqual([['REFERENCE_MISMATCH'], ['REFERENCE_MISMATCH']]);
});

it('counts as to be paid where an attempt only lacks its answer: Create finds out', async () => {
	const workflow = referenced();
	await bench.payUnseen(workflow);

	const checked = await checkReferenced(bench, INVOICES);

	expect(wasPaidBefore(checked)).toEqual(NULLS);
	expect(problemCodes(checked)).toEqual([[], []]);
	expect(batchOf(checked)).toMatchObject({ newCount: 2, paidBeforeCount: 0, sumAmount: 30.03 });
	expect(rowsOf().map(({ status }) => status)).toEqual(['sending', 'sending']);

	await bench.start(workflow, INVOICES);
	expect(wasPaidBefore(await checkReferenced(bench, INVOICES))).toEqual([true, true]);
	expect(bench.living).toEqual(BOTH);
});

it('is a problem where somebody has made a row unreadable, of that row alone', async () => {
	await bench.start(referenced(), INVOICES);
	const { id } = rowsOf('NF-1')[0]!;
	dataTables().editRow(id, { status: 'oops' });

	const checked = await checkReferenced(bench, INVOICES);

	expect(wasPaidBefore(checked)).toEqual([null, true]);
	expect(problemCodes(checked)).toEqual([['PAYOUT_IN_DOUBT'], []]);
	expect(problemsOf(checked)[0]?.[0]?.message).toContain(`Row ${id} of the table BRL Payouts`);
});

it('is a problem where a person entered the withdrawal of another reference', async () => {
	const [, other] = (await bench.start(referenced(), INVOICES)).ids;
	const { id } = rowsOf('NF-1')[0]!;
	bench.clock.advance(HOUR);
	dataTables().editRow(id, { status: 'paid', withdrawalId: other! });

	const checked = await checkReferenced(bench, INVOICES);

	expect(problemCodes(checked)).toEqual([['PAYOUT_IN_DOUBT'], []]);
	expect(problemsOf(checked)[0]?.[0]?.message).toContain('Two payouts claim the withdrawal');
});
