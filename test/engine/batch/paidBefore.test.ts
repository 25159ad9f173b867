/** Check Batch says of each reference whether it was paid before, and counts only what is new. */
import { useBench } from '../support/harness';
import { batchOf, checkReferenced, problemCodes, wasPaidBefore } from '../support/checks';
import { dataTables } from '../support/ledger';
import { alike, HOUR, INVOICES, referenced } from '../support/references';
import { restart } from '../support/restart';

const bench = useBench();
const NEW = { amount: 30.03, pixKey: 'ana@recipient.example', invoice: 'NF-3' };

it('knows what any workflow has paid, and sends nothing', async () => {
	await bench.start(referenced(), INVOICES);
	const posts = bench.posts;

	const checked = await checkReferenced(bench, [INVOICES[1]!, NEW, INVOICES[0]!]);

	expect(checked.json.map(({ reference }) => reference as string)).toEqual([
		'NF-2',
		'NF-3',
		'NF-1',
	]);
	expect(wasPaidBefore(checked)).toEqual([true, false, true]);
	expect(problemCodes(checked)).toEqual([[], [], []]);
	expect(bench.posts).toBe(posts);
});

it('names the withdrawal, with its status as it is now', async () => {
	const ids = (await bench.start(referenced(), INVOICES)).ids;
	bench.sandbox.setWithdrawalStatus(ids[0]!, 'PROCESSING');
	bench.sandbox.setWithdrawalStatus(ids[1]!, 'COMPLETED');

	const { json } = await checkReferenced(bench, [...INVOICES, NEW]);

	expect(json.map(({ withdrawalId, status }) => [withdrawalId, status] as unknown[])).toEqual([
		[ids[0], 'PROCESSING'],
		[ids[1], 'COMPLETED'],
		[undefined, undefined],
	]);
});

it('counts only what is new', async () => {
	await bench.start(referenced(), INVOICES);

	const checked = await checkReferenced(bench, [...INVOICES, NEW]);

	expect(batchOf(checked)).toMatchObject({
		...{ ok: true, count: 3, okCount: 3, newCount: 1, paidBeforeCount: 2 },
		...{ sumPaidBefore: 30.03, sumAmount: 30.03, sumFees: 1.5, sumTotal: 31.53 },
	});
});

it('compares what was paid before with no limit', async () => {
	await bench.start(referenced(), INVOICES);
	// With fees, what was paid has used 33,03 of it.
	Object.assign(bench.sandbox.account, { dayLimitCents: 6_456, nightLimitCents: 6_456 });

	const checked = await checkReferenced(bench, [...INVOICES, NEW]);

	expect(problemCodes(checked)).toEqual([[], [], []]);
	expect(batchOf(checked)).toMatchObject({ ok: true, sumTotal: 31.53 });
});

it('takes a new row for a copy of one that was paid in the last six days, and not later', async () => {
	const list = alike('NF-2', 'NF-1');
	await bench.start(referenced(), alike('NF-1'));
	bench.clock.advance(24 * HOUR);

	const next = await checkReferenced(bench, list);
	bench.clock.advance(5 * 24 * HOUR);
	const later = await checkReferenced(bench, list);

	expect(wasPaidBefore(next)).toEqual([false, true]);
	expect(problemCodes(next)).toEqual([['DUPLICATE_IN_BATCH'], []]);
	expect(problemCodes(later)).toEqual([[], []]);
});

it('takes nothing for paid that only looks like it', async () => {
	await bench.start(referenced(), alike('NF-1', 'NF-2'));

	const checked = await checkReferenced(bench, [...alike('NF-3'), INVOICES[1]!]);

	expect(wasPaidBefore(checked)).toEqual([false, null]);
});

it('does not count as paid what the bank has refused since', async () => {
	const paid = await bench.start(referenced(), INVOICES);
	bench.sandbox.setWithdrawalStatus(paid.ids[0]!, 'FAILED');

	const checked = await checkReferenced(bench, INVOICES);
	expect(wasPaidBefore(checked)).toEqual([false, true]);
	expect(batchOf(checked)).toMatchObject({ newCount: 1, sumAmount: 10.01 });
});

it.each([1, 25, 24 * 400])('knows it after %d hours, and a restart', async (hours) => {
	await bench.start(referenced(), INVOICES);
	bench.clock.advance(hours * HOUR);
	restart();

	expect(wasPaidBefore(await checkReferenced(bench, INVOICES))).toEqual([true, true]);
});

it('believes the table where a withdrawal can no longer be read', async () => {
	const [id, other] = (await bench.start(referenced(), INVOICES)).ids;
	bench.sandbox.setWithdrawalStatus(other!, 'COMPLETED');
	bench.sandbox.faults.add({
		...{ kind: 'error', code: 'NOT_FOUND', times: Infinity },
		...{ method: 'GET', path: `/v1/withdrawals/${id}` },
	});

	const checked = await checkReferenced(bench, INVOICES);

	expect(wasPaidBefore(checked)).toEqual([true, true]);
	expect(problemCodes(checked)).toEqual([[], []]);
	expect(checked.json.map(({ status }) => status as string)).toEqual(['UNKNOWN', 'COMPLETED']);
});

it('keeps test and live payouts apart', async () => {
	await bench.start(referenced(), INVOICES);

	const checked = await checkReferenced(bench, INVOICES, { credential: bench.liveCredential });

	expect(wasPaidBefore(checked)).toEqual([false, false]);
});

it('says nothing of rows without a reference', async () => {
	await bench.start(referenced(), INVOICES);

	const run = await bench.run(
		{
			...{ resource: 'withdrawal', operation: 'checkBatch', options: {} },
			...{ amount: '={{ $json.amount }}', pixKey: '={{ $json.pixKey }}' },
		},
		INVOICES,
	);

	expect(run.json.every((row) => !('paidBefore' in row) && !('reference' in row))).toBe(true);
	expect(batchOf(run)).toMatchObject({ newCount: 2, paidBeforeCount: 0 });
});

it('creates no table, and writes nothing into it', async () => {
	expect(wasPaidBefore(await checkReferenced(bench, INVOICES))).toEqual([false, false]);
	expect(dataTables().has()).toBe(false);
	await bench.start(referenced(), INVOICES);
	const before = dataTables().rows();

	await checkReferenced(bench, [...INVOICES, NEW]);

	expect(dataTables().rows()).toEqual(before);
});
