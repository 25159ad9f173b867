import { summarizeRun, type RunFacts } from '../../../../../nodes/BrlPayments/execution/runSummary';
import {
	wordPayouts,
	wordSummary,
} from '../../../../../nodes/BrlPayments/execution/runSummaryText';
import {
	about,
	done,
	toDuplicate,
	failed,
	notStarted,
	paidBefore,
	type Outcome,
} from '../../../support/runOutcomes';

const toWords = (outcomes: readonly Outcome[], run: RunFacts) =>
	wordSummary(summarizeRun(outcomes, run), run);
const toText = (outcomes: readonly Outcome[], run: RunFacts) => {
	const { account, howToContinue } = toWords(outcomes, run);
	return `${account} ${howToContinue}`.trim();
};

const FIRST = 'Row 1 is the first item.';
const RETRY =
	'To continue, choose Retry in the list Executions, within 24 hours: nothing that took effect is repeated.';
const WARNING = 'Pressing Execute again starts over and would pay them again.';

test.each<[string, Outcome[], RunFacts['kind'], string]>([
	['no item', [], 'payout', ''],
	['a payout that failed', [failed('none')], 'payout', 'Nothing was paid.'],
	['an order that failed', [failed('none')], 'order', 'Nothing took effect.'],
	['a read that failed', [failed('none')], 'read', ''],
	['a payout in doubt', [failed('unknown')], 'payout', ''],
	['a payout made earlier', [failed('done')], 'payout', ''],
	['a payout that was not started', [notStarted], 'payout', ''],
])('says of %s only what its error does not', (_, outcomes, kind, account) => {
	expect(toWords(outcomes, about({ kind }))).toEqual({
		account,
		howToContinue: '',
		withdrawals: '',
	});
});

test('a single payout that failed does not deny what the execution has paid before', () => {
	const { account } = toWords([failed('none')], about({ hasActed: true }));

	expect(account).toBe('This row was not paid.');
});

describe('the account of the items', () => {
	test('says which were paid, which may have been, which were not and which never began', () => {
		const outcomes = [
			...[done(), done(), done(), failed('none'), failed('unknown'), done()],
			...[notStarted, notStarted],
		];

		expect(toText(outcomes, about())).toBe(
			'4 of 8 rows were paid now (rows 1-3, 6), 1 with unknown outcome (row 5), ' +
				`1 failed without effect (row 4), 2 not started (rows 7-8). ${FIRST} ${RETRY} ${WARNING}`,
		);
	});

	test('leaves out what there is none of', () => {
		expect(toText([failed('unknown'), failed('unknown')], about())).toBe(
			`0 of 2 rows were paid now, 2 with unknown outcome (rows 1-2). ${FIRST} ${RETRY} ${WARNING}`,
		);
	});

	test('names at most a hundred withdrawals', () => {
		const outcomes = Array.from({ length: 103 }, (_, index) => done({ id: `w${index}` }));
		const { withdrawals } = toWords([...outcomes, failed('none')], about());

		expect(withdrawals).toMatch(/ w99 and 3 more\.$/);
		expect(withdrawals).not.toContain('w100');
	});

	test('keeps apart what had been paid before', () => {
		const outcomes = [done({ id: 'w1' }), paidBefore('w2'), paidBefore('w3'), failed('none')];

		expect(toText(outcomes, about())).toContain(
			'1 of 4 rows were paid now (row 1), 2 had been paid before (rows 2-3), 1 failed',
		);
		expect(toWords(outcomes, about()).withdrawals).toBe('Paid now: w1. Paid before: w2, w3.');
	});

	test('keeps apart what the guard stopped, and does not call it paid: the equal payouts may be of other items', () => {
		const equal = ['w1', 'w2'];
		const outcomes = [toDuplicate(...equal), toDuplicate(...equal), done({ id: 'w3' })];
		const text = toText(outcomes, about());

		expect(text).toContain('2 were not paid, as there are equal payouts (rows 1-2)');
		expect(text).toContain('Compare the equal payouts with your list');
		expect(text).not.toContain('Every row is paid');
		expect(toWords(outcomes, about()).withdrawals).toMatch(/^Paid now: w3\. Equal payouts: w1, w2/);
	});

	test('does not call paid now what another execution may have paid under the same own key', () => {
		const text = toText([done({ id: 'w1' }), failed('none')], about({ hasOwnKeys: true }));

		expect(text).toContain('1 of 2 rows are paid (row 1)');
		expect(text).not.toContain('paid now');
	});

	test('keeps apart what took effect earlier and could not be sent now', () => {
		expect(toText([failed('done'), failed('done'), done(), failed('none')], about())).toContain(
			'1 of 4 rows were paid now (row 3), 2 took effect earlier (rows 1-2), 1 failed without effect (row 4)',
		);
	});

	test('does not deny what an earlier attempt may have done', () => {
		const outcomes = [done(), failed('none'), notStarted, notStarted];

		expect(toText(outcomes, about({ isRepetition: true, hasActed: true }))).toContain(
			'2 not started; an earlier attempt may have done them (rows 3-4)',
		);
	});

	test.each<[RunFacts['kind'], string]>([
		['payout', '1 of 2 rows were paid now (row 1), '],
		['order', '1 of 2 rows took effect (row 1), '],
		['repeatable', '1 of 2 rows took effect (row 1), '],
		['read', '1 of 2 rows finished (row 1), '],
	])('speaks of a %s as it is', (kind, text) => {
		expect(toText([done({ id: 'w1' }), failed('none')], about({ kind }))).toContain(text);
	});
});

describe('the hint after a run of payouts', () => {
	const hint = (outcomes: readonly Outcome[], hasSent = true) => {
		const run = about({ hasSent });
		const nameOf = (item: number) => (item === 5 ? '' : `NF-${item + 1}`);
		return wordPayouts(summarizeRun(outcomes, run), run, nameOf);
	};

	test('counts what was paid now and before, and names the rest', () => {
		const outcomes = [done(), failed('none'), paidBefore('w1'), toDuplicate('w2'), done()];

		expect(hint([...outcomes, failed('none')])).toBe(
			'2 paid now, 1 already paid, 3 not paid: rows 2 (NF-2), 4 (NF-4) and 6.',
		);
		expect(hint([done(), failed('unknown')])).toBe(
			'1 paid now, 0 already paid, 0 not paid; 1 unknown: row 2 (NF-2).',
		);
	});

	test('names ten rows at most', () => {
		const outcomes = Array.from({ length: 22 }, () => failed('none'));

		expect(hint(outcomes)).toMatch(/^0 paid now, .* 10 \(NF-10\) and 12 more\.$/);
	});

	test('says it where nothing was paid now', () => {
		expect(hint([paidBefore('w1'), paidBefore('w2')], false)).toBe(
			'Nothing was paid now: all 2 rows were paid before.',
		);
		expect(hint([paidBefore('w1')], false)).toBe('Nothing was paid now: this row was paid before.');
	});

	test('does not deny what this run may have paid, where it has asked again', () => {
		expect(hint([paidBefore('w1'), paidBefore('w2')])).toBe(
			'All 2 rows are paid. Some or all may have been paid before.',
		);
		expect(hint([paidBefore('w1')])).toBe('This row is paid. It may have been paid before.');
	});

	test('is not given for one new payout, whose item shows it', () => {
		expect(hint([done()])).toBe('');
	});
});

describe('a run of which every item is paid', () => {
	const SETTLED = [done({ id: 'w1' }), paidBefore('w2'), failed('done')];

	test('says so', () => {
		expect(toText(SETTLED, about())).toMatch(
			/\(row 3\)\. Row 1 is the first item\. Every row is paid\.$/,
		);
	});

	test('is none of which one has failed', () => {
		expect(toText([...SETTLED, failed('none')], about())).not.toContain('Every row is paid');
	});

	test('is one of payouts', () => {
		expect(toText(SETTLED, about({ kind: 'order' }))).not.toContain('Every row is paid');
	});
});

describe('the way to continue', () => {
	const waysFor = (changed: Partial<RunFacts>, outcomes = [done(), failed('none')]) =>
		toWords(outcomes, about(changed)).howToContinue;

	test('is a retry, and the warning that another start is another order', () => {
		expect(waysFor({ isManual: true })).toBe(`${RETRY} ${WARNING}`);
		expect(waysFor({ kind: 'order' })).toContain('starts over and would repeat them.');
	});

	test('is to run again where each payout has a reference', () => {
		expect(waysFor({ hasReferences: true })).toBe(
			'To continue, fix the problem and run the workflow again: each reference is paid once.',
		);
	});

	test('is to press Execute again with a live key, where the guard stops what was paid', () => {
		expect(waysFor({ isManual: true, isGuarded: true })).toBe(
			'To continue, fix the problem and press Execute again: Duplicate Guard stops each row that equals a payout of the last 24 hours, and the others are paid.',
		);
	});

	test.each<[string, Partial<RunFacts>]>([
		['a test key, with which the guard is off', { isManual: true }],
		['charges, which have no guard', { kind: 'order', isManual: true, isGuarded: true }],
		['a guard that is off, or could not check', { isManual: true, isGuarded: false }],
	])('is a retry with %s', (_, changed) => {
		expect(waysFor(changed)).toContain(RETRY);
	});

	test.each<[string, Partial<RunFacts>, string]>([
		[
			'of a trigger',
			{},
			'choose Retry in the list Executions. Retry repeats the saved rows: to correct a row, correct it in your list and start the workflow again instead; this is safe.',
		],
		['by hand', { isManual: true }, 'press Execute again.'],
		['of a delivery', { isDelivered: true }, 'choose Retry in the list Executions.'],
	])('after a run %s without any effect warns of nothing', (_, changed, way) => {
		expect(waysFor(changed, [failed('none'), notStarted])).toBe(
			`To continue, fix the problem and ${way}`,
		);
	});

	test('after paid rows, says how to correct another, which a retry cannot', () => {
		const outcomes = [done(), failed('none'), paidBefore('w1'), notStarted];

		expect(waysFor({ paidCount: 2 }, outcomes)).toBe(
			`${RETRY} Retry repeats the saved rows, so it cannot use a correction. To correct a row, remove the rows that were paid (rows 1, 3) from the list, correct the rest, and start the workflow again. Fill in Reference to make this unnecessary.`,
		);
		expect(waysFor({ paidCount: 5 }, outcomes)).toContain(
			'(rows 1, 3, and those paid earlier in this execution)',
		);
	});

	test.each<[string, Outcome]>([
		['is in doubt', failed('unknown')],
		['may have been paid earlier', notStarted],
	])('says nothing of correcting a row where one %s', (_, other) => {
		const facts = { isRepetition: true, hasActed: true };

		expect(waysFor(facts, [done(), failed('none'), other])).toBe(`${RETRY} ${WARNING}`);
	});

	describe('where a row cannot be right and nothing was ever sent', () => {
		const refused = (changed: Partial<RunFacts> = {}, outcomes = [failed('none'), notStarted]) =>
			waysFor({ isRefusedWhole: true, hasActed: false, ...changed }, outcomes);

		test('is to correct it and to start again, which repeats nothing', () => {
			expect(refused()).toBe(
				'Nothing was paid. Correct the row in your list and start the workflow again; this is safe. Do not use Retry: it repeats the saved rows.',
			);
			expect(refused({ kind: 'order' })).toMatch(/^Nothing took effect\. Correct the row /);
			expect(refused({}, [failed('none'), failed('none'), notStarted])).toContain(
				'Correct the rows in your list and start',
			);
		});

		test('names the node, too, if no row is right', () => {
			expect(refused({}, [failed('none'), failed('none')])).toContain(
				'Correct the rows in your list or this node and start',
			);
		});

		test('is to press Execute again in the editor', () => {
			expect(refused({ isManual: true })).toBe(
				'Nothing was paid. Correct the row in your list and press Execute again; this is safe.',
			);
		});

		test('does not call it safe in a retry: another one may have paid', () => {
			expect(refused({ isRepetition: true })).toContain('start the workflow again. Do not use');
		});

		test('is not to start again where earlier rounds have paid', () => {
			expect(refused({ hasActed: true, paidCount: 3 })).toContain(
				'remove the rows that were paid (those paid earlier in this execution)',
			);
		});
	});

	test('is a retry where one is in doubt, whose key must not change, and the guard stops the rest', () => {
		const outcomes = [done(), failed('unknown'), notStarted];

		expect(waysFor({ isManual: true, isGuarded: true }, outcomes)).toBe(RETRY);
	});

	test('warns in a repetition, whose earlier attempts may have had effect', () => {
		expect(waysFor({ isRepetition: true, hasActed: true }, [failed('none'), notStarted])).toContain(
			WARNING,
		);
	});

	test('is no retry after the execution was stopped', () => {
		const text = waysFor({ isCancelled: true }, [done(), notStarted]);

		expect(text).toContain('send only the rest in a new execution.');
		expect(text).not.toContain('choose Retry');
	});

	test.each(['read', 'repeatable'] as const)('needs no words for a %s', (kind) => {
		expect(waysFor({ kind })).toBe('');
	});
});
