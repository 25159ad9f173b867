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

const toWords = (outcomes: readonly Outcome[], facts: Partial<RunFacts> = {}) => {
	const run = about(facts);
	return wordSummary(summarizeRun(outcomes, run), run);
};
const toText = (outcomes: readonly Outcome[], facts?: Partial<RunFacts>) => {
	const { account, howToContinue } = toWords(outcomes, facts);
	return `${account} ${howToContinue}`.trim();
};

const FAILED = failed('none');
const RETRY =
	'To continue, choose Retry in the list Executions: nothing that took effect is repeated.';
/** The ledger knows each payout; of everything else, the service recognizes the key. */
const RETRY_ORDER = RETRY.replace('Executions:', 'Executions, within 24 hours:');
const WARNING = 'Pressing Execute again starts over and would pay them again.';
const CONTINUE = `Row 1 is the first item. ${RETRY} ${WARNING}`;

type Case = [what: string, outcomes: Outcome[], facts: Partial<RunFacts>, text: string];

test.each<Case>([
	['no item', [], {}, ''],
	['a payout that failed', [FAILED], {}, 'Nothing was paid.'],
	['a payout that failed, after others', [FAILED], { hasActed: true }, 'This row was not paid.'],
	['an order that failed', [FAILED], { kind: 'order' }, 'Nothing took effect.'],
	['a read that failed', [FAILED], { kind: 'read' }, ''],
	['a payout in doubt', [failed('unknown')], {}, ''],
	['a payout made earlier', [failed('done')], {}, ''],
	['a payout that was not started', [notStarted], {}, ''],
])('says of %s only what its error does not', (_, outcomes, facts, account) => {
	expect(toWords(outcomes, facts)).toMatchObject({ account, withdrawals: '' });
});

describe('the account of the items', () => {
	const ALL = [done(), done(), done(), FAILED, failed('unknown'), done(), notStarted, notStarted];
	const EQUAL = [toDuplicate('w1', 'w2'), toDuplicate('w1', 'w2'), done({ id: 'w3' })];
	const REPEATED = { isRepetition: true, hasActed: true };

	test.each<Case>([
		[
			'says which were paid, which may have been, which were not and which never began',
			ALL,
			{},
			`4 of 8 rows were paid now (rows 1-3, 6), 1 with unknown outcome (row 5), 1 failed without effect (row 4), 2 not started (rows 7-8). ${CONTINUE}`,
		],
		[
			'keeps apart what had been paid before',
			[done(), paidBefore('w2'), paidBefore('w3'), FAILED],
			{},
			'1 of 4 rows were paid now (row 1), 2 had been paid before (rows 2-3), 1 failed',
		],
		[
			'keeps apart what the guard stopped',
			EQUAL,
			{},
			'2 were not paid, as there are equal payouts (rows 1-2)',
		],
		['says what to do with equal payouts', EQUAL, {}, 'Compare the equal payouts with your list'],
		[
			'keeps apart what took effect earlier and could not be sent now',
			[failed('done'), failed('done'), done(), FAILED],
			{},
			'1 of 4 rows were paid now (row 3), 2 took effect earlier (rows 1-2), 1 failed without effect (row 4)',
		],
		[
			'does not deny what an earlier attempt may have done',
			[done(), FAILED, notStarted, notStarted],
			REPEATED,
			'2 not started; an earlier attempt may have done them (rows 3-4)',
		],
		['speaks of orders', [done(), FAILED], { kind: 'order' }, '1 of 2 rows took effect (row 1), '],
		['speaks of reads', [done(), FAILED], { kind: 'read' }, '1 of 2 rows finished (row 1), '],
		[
			'says if every row is paid',
			[done(), paidBefore('w2'), failed('done')],
			{},
			'(row 3). Row 1 is the first item. Every row is paid.',
		],
	])('%s', (_, outcomes, facts, text) => {
		expect(toText(outcomes, facts)).toContain(text);
	});

	test.each<[string, Outcome[], Partial<RunFacts>]>([
		['where the guard found payouts that may be of other items', EQUAL, {}],
		['where one has failed', [done(), paidBefore('w2'), failed('done'), FAILED], {}],
		['of charges', [done(), paidBefore('w2'), failed('done')], { kind: 'order' }],
	])('does not call every row paid %s', (_, outcomes, facts) => {
		expect(toText(outcomes, facts)).not.toContain('Every row is paid');
	});

	test('names withdrawals by what they are, and at most a hundred', () => {
		const name = (...outcomes: Outcome[]) => toWords([...outcomes, FAILED]).withdrawals;
		const many = Array.from({ length: 103 }, (_, index) => done({ id: `w${index}` }));

		expect(name(done({ id: 'w1' }), paidBefore('w2'), paidBefore('w3'))).toBe(
			'Paid now: w1. Paid before: w2, w3.',
		);
		expect(name(...EQUAL)).toMatch(/^Paid now: w3\. Equal payouts: w1, w2/);
		expect(name(...many)).toMatch(/ w99 and 3 more\.$/);
	});
});

describe('the hint after a run of payouts', () => {
	const BOTH = [paidBefore('w1'), paidBefore('w2')];

	test.each<[string, Outcome[], boolean, string]>([
		[
			'counts what was paid now and before, and names the rest',
			[done(), FAILED, paidBefore('w1'), toDuplicate('w2'), done(), FAILED],
			true,
			'2 paid now, 1 already paid, 3 not paid: rows 2 (NF-2), 4 (NF-4) and 6.',
		],
		[
			'names what is unknown',
			[done(), failed('unknown')],
			true,
			'1 paid now, 0 already paid, 0 not paid; 1 unknown: row 2 (NF-2).',
		],
		[
			'names ten rows at most',
			Array.from({ length: 12 }, () => FAILED),
			true,
			'0 paid now, 0 already paid, 12 not paid: rows 1 (NF-1), 2 (NF-2), 3 (NF-3), 4 (NF-4), 5 (NF-5), 6, 7 (NF-7), 8 (NF-8), 9 (NF-9), 10 (NF-10) and 2 more.',
		],
		[
			'says it if nothing was paid now',
			BOTH,
			false,
			'Nothing was paid now: all 2 rows were paid before.',
		],
		['says so of one', BOTH.slice(1), false, 'Nothing was paid now: this row was paid before.'],
		[
			'does not deny what this run may have paid, if it has asked again',
			BOTH,
			true,
			'All 2 rows are paid. Some or all may have been paid before.',
		],
		['nor of one', BOTH.slice(1), true, 'This row is paid. It may have been paid before.'],
		['is not given for one new payout, whose item shows it', [done()], true, ''],
	])('%s', (_, outcomes, hasSent, hint) => {
		const run = about({ hasSent });
		const nameOf = (item: number) => (item === 5 ? '' : `NF-${item + 1}`);
		expect(wordPayouts(summarizeRun(outcomes, run), run, nameOf)).toBe(hint);
	});
});

describe('the way to continue', () => {
	const PAID = [done(), FAILED];
	const NOTHING = [FAILED, notStarted];
	const REPEATED = { isRepetition: true, hasActed: true };
	const REFUSED = { isRefusedWhole: true, hasActed: false };

	test.each<Case>([
		['is a retry, not another start', PAID, { isManual: true }, `${RETRY} ${WARNING}`],
		[
			'is to run again if each payout has a reference',
			PAID,
			{ hasReferences: true },
			'To continue, fix the problem and run the workflow again: each reference is paid once.',
		],
		[
			'is to press Execute again with a live key, where the guard stops what was paid',
			PAID,
			{ isManual: true, isGuarded: true },
			'To continue, fix the problem and press Execute again: Duplicate Guard stops each row that equals a payout of the last 24 hours, and the others are paid.',
		],
		[
			'of a trigger without any effect warns of nothing',
			NOTHING,
			{},
			'To continue, fix the problem and choose Retry in the list Executions. Retry repeats the saved rows: to correct a row, correct it in your list and start the workflow again instead; this is safe.',
		],
		[
			'by hand without any effect warns of nothing',
			NOTHING,
			{ isManual: true },
			'To continue, fix the problem and press Execute again.',
		],
		[
			'of a delivery without any effect warns of nothing',
			NOTHING,
			{ isDelivered: true },
			'To continue, fix the problem and choose Retry in the list Executions.',
		],
		[
			'says after paid rows how to correct another, which a retry cannot',
			[done(), FAILED, paidBefore('w1'), notStarted],
			{ paidCount: 2 },
			`${RETRY} Retry repeats the saved rows, so it cannot use a correction. To correct a row, remove the rows that were paid (rows 1, 3) from the list, correct the rest, and start the workflow again. Fill in Reference to make this unnecessary.`,
		],
		[
			'corrects no row if one is in doubt',
			[...PAID, failed('unknown')],
			REPEATED,
			`${RETRY} ${WARNING}`,
		],
		['corrects no row if one may be paid', [...PAID, notStarted], REPEATED, `${RETRY} ${WARNING}`],
		[
			'is to correct what cannot be right, and to start again, which repeats nothing',
			NOTHING,
			REFUSED,
			'Nothing was paid. Correct the row in your list and start the workflow again; this is safe. Do not use Retry: it repeats the saved rows.',
		],
		[
			'is to press Execute again in the editor after that',
			NOTHING,
			{ ...REFUSED, isManual: true },
			'Nothing was paid. Correct the row in your list and press Execute again; this is safe.',
		],
		[
			'is a retry if one is in doubt, and the guard stops the rest',
			[done(), failed('unknown'), notStarted],
			{ isManual: true, isGuarded: true },
			RETRY,
		],
		['needs no words for a read', PAID, { kind: 'read' }, ''],
	])('%s', (_, outcomes, facts, way) => {
		expect(toWords(outcomes, facts).howToContinue).toBe(way);
	});

	test.each<Case>([
		['warns of orders', PAID, { kind: 'order' }, 'starts over and would repeat them.'],
		[
			'is a retry for charges, which have no guard',
			PAID,
			{ kind: 'order', isGuarded: true },
			RETRY_ORDER,
		],
		['is a retry if the guard is off', PAID, { isManual: true, isGuarded: false }, RETRY],
		['warns in a repetition', NOTHING, REPEATED, WARNING],
		[
			'counts the rows that earlier rounds have paid',
			PAID,
			{ paidCount: 5 },
			'(row 1, and those paid earlier in this execution)',
		],
		[
			'after a refusal of an order',
			NOTHING,
			{ ...REFUSED, kind: 'order' },
			'Nothing took effect. C',
		],
		[
			'after several refusals',
			[FAILED, ...NOTHING],
			REFUSED,
			'Correct the rows in your list and start',
		],
		[
			'names the node if no row is right',
			[FAILED, FAILED],
			REFUSED,
			'your list or this node and start',
		],
		[
			'does not call it safe in a retry: another one may have paid',
			NOTHING,
			{ ...REFUSED, isRepetition: true },
			'start the workflow again. Do not use',
		],
		[
			'is not to start again with the rows that earlier rounds have paid',
			NOTHING,
			{ isRefusedWhole: true, hasActed: true, paidCount: 3 },
			'remove the rows that were paid (those paid earlier in this execution)',
		],
	])('%s', (_, outcomes, facts, way) => {
		expect(toWords(outcomes, facts).howToContinue).toContain(way);
	});

	test('is no retry after the execution was stopped', () => {
		const { howToContinue } = toWords([done(), notStarted], { isCancelled: true });

		expect(howToContinue).toContain('send only the rest in a new execution.');
		expect(howToContinue).not.toContain('choose Retry');
	});
});
