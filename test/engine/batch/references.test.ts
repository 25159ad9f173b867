/** Check Batch with references: it says what was paid before, what is in doubt, and what Create would refuse. */
import type { IDataObject } from 'n8n-workflow';
import {
	batchOf,
	checkReferenced,
	problemCodes,
	problemsOf,
	wasPaidBefore,
} from '../support/checks';
import type { Execution } from '../support/execution';
import { dataTables } from '../support/ledger';
import { rowsOf, usePayouts } from '../support/money';
import { BOTH, INVOICES, payEach, referenced } from '../support/payouts';
import { HOUR } from '../support/values';

const bench = usePayouts();
const [ONE, TWO] = INVOICES as [IDataObject, IDataObject];
const NEW = { amount: 30.03, pixKey: 'ana@recipient.example', invoice: 'NF-3' };

const check = async (items: IDataObject[]) => await checkReferenced(bench, items);
/** Of each row, whether it was paid before, and its problems. */
const verdictsOf = (checked: Execution) =>
	problemCodes(checked).map((codes, row) => [wasPaidBefore(checked)[row], ...codes]);
const firstProblem = (checked: Execution) => problemsOf(checked)[0]?.[0];
const editFirst = (cells: Record<string, string>) =>
	dataTables().editRow(rowsOf('NF-1')[0]!.id, cells);
const hide = (id: string | undefined) =>
	bench.sandbox.faults.add({
		...{ kind: 'error', code: 'NOT_FOUND', times: Infinity },
		...{ method: 'GET', path: `/v1/withdrawals/${id}` },
	});

describe('what was paid before without a reference', () => {
	const verdicts = async () => verdictsOf(await check([ONE, TWO]));

	it('is not called unpaid for a day, and then is known once it is recorded', async () => {
		const { ids } = await bench.run(payEach({}), [ONE]);
		expect(await verdicts()).toEqual([[null], [false]]);

		await bench.settle('NF-1', 'paid', ids[0]);
		expect(await verdicts()).toEqual([[true], [false]]);
		// It is no longer that of a row without a reference.
		const other = { ...ONE, invoice: 'NF-9' };
		expect(verdictsOf(await check([other, TWO]))).toEqual([[false], [false]]);
	});

	it('counts for 24 hours', async () => {
		await bench.run(payEach({}), [ONE]);
		bench.clock.advance(24 * HOUR + HOUR);
		expect(await verdicts()).toEqual([[false], [false]]);
	});
});

describe('what was paid before', () => {
	it('is named with its withdrawal as it is now, and only what is new counts', async () => {
		const { ids } = await bench.start(referenced(), INVOICES);
		bench.sandbox.setWithdrawalStatus(ids[0]!, 'PROCESSING');
		bench.sandbox.setWithdrawalStatus(ids[1]!, 'COMPLETED');
		// With fees, what was paid has used 33,03 of it, which is compared with no limit.
		Object.assign(bench.sandbox.account, { dayLimitCents: 6_456, nightLimitCents: 6_456 });
		const [posts, rows] = [bench.posts, dataTables().rows()];

		const checked = await check([TWO, NEW, ONE]);

		expect(
			checked.json.map(({ reference, paidBefore, withdrawalId, status, problems }) => [
				...([reference, paidBefore, withdrawalId, status, problems] as unknown[]),
			]),
		).toEqual([
			['NF-2', true, ids[1], 'COMPLETED', []],
			['NF-3', false, undefined, undefined, []],
			['NF-1', true, ids[0], 'PROCESSING', []],
		]);
		expect(batchOf(checked)).toMatchObject({
			...{ ok: true, problem: null, newCount: 1, paidBeforeCount: 2 },
			...{ paidBeforeAmount: 30.03, amount: 30.03, fees: 1.5, total: 31.53 },
		});
		expect(checked.hints).toContain(
			'3 of 3 rows are fine. Paid before: 2. To pay: R$ 30,03 + R$ 1,50 fees.',
		);
		expect(bench.posts).toBe(posts);
		expect(dataTables().rows()).toEqual(rows);
	});

	it('is warned of where a row is the same under another reference', async () => {
		const { ids } = await bench.start(referenced(), INVOICES);
		const again = { ...ONE, invoice: 'NF 1' };

		const checked = await check([again, ONE, TWO]);

		expect(checked.json.map(({ warnings }) => warnings as unknown)).toEqual([
			['Same PIX key and amount as row 2 (NF-1), which was paid before.'],
			[],
			[],
		]);
		const made = bench.sandbox.books.withdrawals.find(({ id }) => id === ids[0]);
		const createdAt = new Date(made!.createdAt).toISOString();
		expect(checked.json[1]).toMatchObject({ createdAt });
	});

	it('is nothing that the bank has refused since', async () => {
		const { ids } = await bench.start(referenced(), INVOICES);
		bench.sandbox.setWithdrawalStatus(ids[0]!, 'FAILED');

		const checked = await check(INVOICES);

		expect(wasPaidBefore(checked)).toEqual([false, true]);
		expect(batchOf(checked)).toMatchObject({ newCount: 1, amount: 10.01 });
	});

	it('is believed of the table where a withdrawal can no longer be read', async () => {
		const [id, other] = (await bench.start(referenced(), INVOICES)).ids;
		bench.sandbox.setWithdrawalStatus(other!, 'COMPLETED');
		hide(id);

		const checked = await check(INVOICES);

		expect(verdictsOf(checked)).toEqual([[true], [true]]);
		expect(checked.json.map(({ status }) => status as string)).toEqual(['UNKNOWN', 'COMPLETED']);
	});

	it('is nothing without a table, and none is created', async () => {
		expect(wasPaidBefore(await check(INVOICES))).toEqual([false, false]);
		expect(dataTables().has()).toBe(false);
	});
});

describe('what an earlier attempt may have paid', () => {
	/** Both were paid, nobody knows it, and nothing can arrive any more. */
	beforeEach(async () => {
		await bench.payUnseen(referenced());
		bench.clock.advance(25 * HOUR);
	});

	it('is known once a person has said so', async () => {
		expect(verdictsOf(await check(INVOICES))).toEqual([[null], [null]]);
		await bench.settle('NF-1', 'paid', bench.idOf('NF-1'));
		await bench.settle('NF-2', 'notPaid', '', { notThese: [bench.idOf('NF-2')!] });

		expect(verdictsOf(await check(INVOICES))).toEqual([[true], [false]]);
	});
});

it('counts as to be paid where an attempt only lacks its answer: Create finds out', async () => {
	const workflow = referenced();
	await bench.payUnseen(workflow);

	const checked = await check(INVOICES);

	expect(verdictsOf(checked)).toEqual([[null], [null]]);
	expect(batchOf(checked)).toMatchObject({ newCount: 2, paidBeforeCount: 0, amount: 30.03 });
	expect(rowsOf().map(({ status }) => status)).toEqual(['sending', 'sending']);

	await bench.start(workflow, INVOICES);
	expect(wasPaidBefore(await check(INVOICES))).toEqual([true, true]);
	expect(bench.living).toEqual(BOTH);
});

describe('a row of the table', () => {
	beforeEach(async () => void (await bench.start(referenced(), INVOICES)));

	it('that somebody has made unreadable is a problem of that reference alone', async () => {
		editFirst({ status: 'oops' });

		const checked = await check(INVOICES);

		expect(verdictsOf(checked)).toEqual([[null, 'PAYOUT_IN_DOUBT'], [true]]);
		expect(firstProblem(checked)?.message).toContain('Somebody has changed a row of "NF-1"');
	});
});

describe('a reference', () => {
	it.each([
		['amount', { amount: 11 }],
		['PIX key', { pixKey: 'other@recipient.example' }],
	])('that was paid with another %s is a problem, as Create would refuse it', async (_, change) => {
		const workflow = referenced();
		const { ids } = await bench.start(workflow, INVOICES);
		const changed = [{ ...ONE, ...change }, TWO];

		const checked = await check(changed);

		expect(verdictsOf(checked)).toEqual([[null, 'REFERENCE_MISMATCH'], [true]]);
		expect(firstProblem(checked)).toMatchObject({
			message: expect.stringContaining('"NF-1" was paid before with another amount or PIX key'),
			withdrawalIds: [ids[0]],
		});
		expect((await bench.start(workflow, changed)).codes).toEqual(['REFERENCE_MISMATCH', undefined]);

		// Also where the withdrawal can no longer be read.
		hide(ids[0]);
		expect(problemCodes(await check(changed))).toEqual([['REFERENCE_MISMATCH'], []]);
	});

	it('of two rows that ask for different payouts leaves the first one in order, as Create sends it', async () => {
		const checked = await check([ONE, TWO, { ...ONE, amount: 50 }, { ...NEW, invoice: ' NF-2' }]);

		const messages = problemsOf(checked).map(([problem]) => problem?.message as string);
		const shared = [1, 2].map((row) =>
			expect.stringContaining(`Row ${row} has the same reference`),
		);
		expect(messages).toEqual([undefined, undefined, ...shared]);
		expect(batchOf(checked)).toMatchObject({ newCount: 2, amount: 30.03 });
	});

	it('that is empty is a problem of its row', async () => {
		const checked = await check([{ ...ONE, invoice: '' }, TWO]);

		expect(verdictsOf(checked)).toEqual([[undefined, 'INVALID_INPUT'], [false]]);
		expect(firstProblem(checked)?.message).toContain('Reference is empty in this row');
	});

	it('of a row that cannot be read is not said to be paid, or not', async () => {
		await bench.start(referenced(), INVOICES);

		const checked = await check([{ ...ONE, amount: '1.234' }, TWO]);

		expect(wasPaidBefore(checked)).toEqual([null, true]);
		expect(checked.json[0]?.reference).toBe('NF-1');
		expect(dataTables().rows()).toHaveLength(2);
	});
});

it.each<[string, () => void, string]>([
	['the module is switched off', () => (dataTables().isOff = true), 'n8n 2.3 or later'],
	['the table was renamed', () => dataTables().rename('Paid'), 'give it its name back'],
])(
	'where the table cannot be read says once, for the whole batch, that %s',
	async (_what, trouble, remedy) => {
		await bench.start(referenced(), INVOICES);
		trouble();

		const checked = await check(INVOICES);

		expect(verdictsOf(checked)).toEqual([[null], [null]]);
		expect(batchOf(checked)).toMatchObject({
			...{ ok: false, newCount: 2, paidBeforeCount: 0 },
			problems: [{ code: 'LEDGER_UNAVAILABLE', message: expect.stringContaining(remedy) }],
		});
	},
);
