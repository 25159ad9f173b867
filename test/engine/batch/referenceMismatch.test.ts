/** Check Batch names rows whose reference was paid with other content, or that share one. */
import type { IDataObject } from 'n8n-workflow';
import { useBench } from '../support/harness';
import {
	batchOf,
	checkReferenced,
	problemCodes,
	problemsOf,
	wasPaidBefore,
} from '../support/checks';
import { dataTables } from '../support/ledger';
import { INVOICES, referenced } from '../support/references';

const bench = useBench();
const [ONE, TWO] = INVOICES as [IDataObject, IDataObject];

describe.each([
	['amount', { amount: 11 }],
	['PIX key', { pixKey: 'other@recipient.example' }],
])('a reference that was paid with another %s', (_what, change) => {
	it('is a problem of its row, as Create would refuse it', async () => {
		const workflow = referenced();
		const ids = (await bench.start(workflow, INVOICES)).ids;
		const changed = [{ ...ONE, ...change }, TWO];

		const checked = await checkReferenced(bench, changed);

		expect(wasPaidBefore(checked)).toEqual([null, true]);
		expect(problemCodes(checked)).toEqual([['REFERENCE_MISMATCH'], []]);
		expect(problemsOf(checked)[0]?.[0]).toMatchObject({
			message: expect.stringContaining('"NF-1" was paid before with another amount or PIX key'),
			withdrawalIds: [ids[0]],
		});
		expect((await bench.start(workflow, changed)).codes).toEqual(['REFERENCE_MISMATCH', undefined]);
	});

	it('is one also where the withdrawal can no longer be read', async () => {
		await bench.start(referenced(), INVOICES);
		bench.sandbox.faults.add({
			...{ kind: 'error', code: 'NOT_FOUND', times: Infinity, method: 'GET' },
			when: ({ url }) => /withdrawals\/[\da-f]{8}-/.test(url),
		});

		const checked = await checkReferenced(bench, [{ ...ONE, ...change }, TWO]);

		expect(problemCodes(checked)).toEqual([['REFERENCE_MISMATCH'], []]);
	});
});

describe('two rows with the same reference', () => {
	it('name each other where they ask for different payouts, and count nowhere', async () => {
		const checked = await checkReferenced(bench, [ONE, TWO, { ...ONE, amount: 50 }]);

		expect(problemsOf(checked).map((problems) => problems.map(({ message }) => message))).toEqual([
			[expect.stringContaining('Row 3 has the same reference')],
			[],
			[expect.stringContaining('Row 1 has the same reference')],
		]);
		expect(batchOf(checked)).toMatchObject({ okCount: 1, sumAmount: 20.02 });
	});

	it('are the same also with blanks around it', async () => {
		const checked = await checkReferenced(bench, [ONE, { ...TWO, invoice: ' NF-1' }]);

		expect(problemCodes(checked)).toEqual([['REFERENCE_MISMATCH'], ['REFERENCE_MISMATCH']]);
	});

	it('leave the first one in order where they are equal', async () => {
		const checked = await checkReferenced(bench, [ONE, TWO, ONE]);

		expect(problemCodes(checked)).toEqual([[], [], ['DUPLICATE_IN_BATCH']]);
		expect(problemsOf(checked)[2]?.[0]).toMatchObject({ duplicateOf: 0 });
		expect(batchOf(checked)).toMatchObject({ okCount: 2, sumAmount: 30.03 });
	});

	it('leave the one that was paid in order', async () => {
		await bench.start(referenced(), INVOICES);

		const checked = await checkReferenced(bench, [{ ...ONE, amount: 50 }, ONE, TWO]);

		expect(wasPaidBefore(checked)).toEqual([null, true, true]);
		expect(problemCodes(checked)).toEqual([['REFERENCE_MISMATCH'], [], []]);
	});
});

describe('a reference that Create would refuse', () => {
	it.each<[string, unknown, string]>([
		['returns nothing', '', 'returned nothing for this item'],
		['is no text', true, 'cannot identify a payout'],
		['is an error of the spreadsheet', '#N/A', 'the error of a formula'],
	])('is a problem of its row: it %s', async (_what, invoice, message) => {
		const checked = await checkReferenced(bench, [{ ...ONE, invoice } as IDataObject, TWO]);

		expect(problemCodes(checked)).toEqual([['INVALID_INPUT'], []]);
		expect(problemsOf(checked)[0]?.[0]?.message).toContain(message);
		expect(checked.json[0]).not.toHaveProperty('paidBefore');
		expect(wasPaidBefore(checked)[1]).toBe(false);
	});

	it('is named next to what else is wrong with the row', async () => {
		const broken = { amount: '1.234', pixKey: 'nobody', invoice: '' };

		const checked = await checkReferenced(bench, [broken, TWO]);

		expect(problemCodes(checked)[0]).toEqual([
			'INVALID_INPUT',
			'INVALID_AMOUNT',
			'INVALID_PIX_KEY',
		]);
	});
});

it('does not say whether a row that cannot be read was paid before', async () => {
	await bench.start(referenced(), INVOICES);

	const checked = await checkReferenced(bench, [{ ...ONE, amount: '1.234' }, TWO]);

	expect(wasPaidBefore(checked)).toEqual([null, true]);
	expect(checked.json[0]?.reference).toBe('NF-1');
	expect(dataTables().rows()).toHaveLength(2);
});
