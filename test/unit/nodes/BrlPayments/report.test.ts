import fc from 'fast-check';
import { reportRun, ROW_STATES, type RowState } from '../../../../nodes/BrlPayments/report';
import { wordPayouts, wordRun } from '../../../../nodes/BrlPayments/reportWords';
import {
	about,
	done,
	failed,
	notStarted,
	paidBefore,
	toDuplicate,
	type Outcome,
} from '../../support/runOutcomes';

describe('the report', () => {
	test('says what became of each row, in ranges', () => {
		const outcomes = [
			...[done(), done(), failed('none'), failed('unknown'), done()],
			...[paidBefore('w1'), notStarted, notStarted],
		];

		expect(reportRun(outcomes, about())).toEqual({
			itemCount: 8,
			done: {
				count: 3,
				items: [
					[0, 1],
					[4, 4],
				],
			},
			refused: { count: 1, items: [[2, 2]] },
			inDoubt: { count: 1, items: [[3, 3]] },
			before: { count: 1, items: [[5, 5]], withdrawalIds: ['w1'] },
			notStarted: { count: 2, items: [[6, 7]] },
		});
	});

	test.each<[string, Outcome, RowState]>([
		['was paid now', done({ id: 'w1' }), 'done'],
		['was paid before', paidBefore('w1'), 'before'],
		['was charged before', done({ id: 'p1', alreadyCreated: true }), 'before'],
		['was stopped by Duplicate Guard', toDuplicate('w1', 'w2'), 'refused'],
		['may have taken effect', failed('unknown'), 'inDoubt'],
		['failed without effect', failed('none'), 'refused'],
		['was not started', notStarted, 'notStarted'],
	])('knows a row that %s', (_, outcome, state) => {
		expect(reportRun([outcome], about())).toMatchObject({ [state]: { count: 1 } });
	});

	test('names each withdrawal of payouts once, at most a hundred', () => {
		const rows = [...Array(102).keys(), 0].map((index) => done({ id: `w${index}` }));
		const { done: group } = reportRun(rows, about());
		expect(group?.withdrawalIds).toHaveLength(100);
		expect(group?.moreWithdrawals).toBe(2);
		expect(reportRun(rows, about({ kind: 'order' })).done).not.toHaveProperty('withdrawalIds');
	});

	test('has each row exactly once', () => {
		const outcome = fc.constantFrom(
			...[done(), paidBefore('w'), failed('none'), failed('unknown'), notStarted],
		);
		fc.assert(
			fc.property(fc.array(outcome), (outcomes) => {
				const report = reportRun(outcomes, about());
				const indexes = ROW_STATES.flatMap((state) =>
					(report[state]?.items ?? []).flatMap(([first, last]) =>
						Array.from({ length: last - first + 1 }, (_, nth) => first + nth),
					),
				);
				expect(indexes.sort((one, other) => one - other)).toEqual([...outcomes.keys()]);
			}),
		);
	});
});

const MIXED = [
	done({ id: 'w1' }),
	done({ id: 'w2' }),
	failed('none'),
	failed('unknown'),
	notStarted,
];
const wordsOf = (outcomes: readonly Outcome[], facts = about()) =>
	wordRun(reportRun(outcomes, facts), facts);

describe('the error that ends a run', () => {
	test.each<[string, ReturnType<typeof about>, string]>([
		[
			'payouts',
			about(),
			'2 of 5 rows sent now: rows 1-2; 1 in doubt: row 4; 1 not paid: row 3; 1 not sent: row 5. Row 1 is the first item.',
		],
		[
			'reads',
			about({ kind: 'read' }),
			'2 of 5 rows finished: rows 1-2; 1 in doubt: row 4; 1 failed without effect: row 3; 1 not started: row 5. Row 1 is the first item.',
		],
	])('tells the rows of %s', (_, facts, account) => {
		expect(wordsOf(MIXED, facts).account).toBe(account);
	});

	test('does not say that a payout was paid before if this run may have paid it', () => {
		const outcomes = [paidBefore('w1'), failed('none')];
		expect(wordsOf(outcomes).account).toContain('1 made before: row 1');
		expect(wordsOf(outcomes, about({ hasSent: true })).account).toContain('1 made now or before');
	});

	test('does not say of rows that an earlier attempt may have paid that they were never sent', () => {
		expect(wordsOf(MIXED, about({ hasActed: true })).account).toContain('1 not sent this time');
	});

	test('names what the rows are to be compared with', () => {
		expect(wordsOf([done(), toDuplicate('w3', 'w4')]).withdrawals).toBe(
			'Named in the messages: w3, w4.',
		);
	});

	test('names what was paid', () => {
		expect(wordsOf([done({ id: 'w1' }), paidBefore('w2'), failed('none')]).withdrawals).toBe(
			'Sent now: w1. Made before: w2.',
		);
	});

	const REFUSED = [failed('none'), notStarted];
	test.each<[string, Outcome[], ReturnType<typeof about>, string, string?]>([
		['with references', MIXED, about({ hasReferences: true }), 'each reference is paid once.'],
		[
			'with External IDs',
			MIXED,
			about({ kind: 'order', hasReferences: true }),
			'each External ID is charged once.',
		],
		['stopped by a person', MIXED, about({ isCancelled: true }), 'offers no Retry'],
		[
			'without references',
			MIXED,
			about(),
			'choose Retry in the list Executions: nothing that took effect is repeated. A new execution would pay everyone again.',
		],
		['with a row in doubt', MIXED, about(), 'do what the message of each row in doubt says, and'],
		['with a row to correct', MIXED, about(), 'leave out the rows that took effect'],
		['refunds', MIXED, about({ kind: 'order' }), 'Retry in the list Executions within 24 hours'],
		['nothing was paid', REFUSED, about(), 'Nothing was paid. To continue', 'repeated'],
		[
			'nothing now, and perhaps earlier',
			REFUSED,
			about({ hasActed: true }),
			'choose Retry in the list Executions',
			'Nothing was paid',
		],
	])('says how to continue: %s', (_, outcomes, facts, says, saysNot) => {
		const { howToContinue } = wordsOf(outcomes, facts);
		expect(howToContinue).toContain(says);
		if (saysNot !== undefined) expect(howToContinue).not.toContain(saysNot);
	});

	test.each([
		[about(), 'Nothing was paid.'],
		[about({ kind: 'order' }), 'Nothing took effect.'],
		[about({ hasActed: true }), ''],
		[about({ kind: 'read' }), ''],
	])('leaves a single row to its own words: %j', (facts, account) => {
		expect(wordsOf([failed('none')], facts)).toEqual({
			...{ account, howToContinue: '', withdrawals: '' },
		});
	});
});

describe('a run of payouts that n8n shows as a success', () => {
	const PENDING =
		'PENDING means that the bank has not confirmed yet: Withdrawal > Wait for Status waits for it.';
	const say = (outcomes: readonly Outcome[], facts = about()) =>
		wordPayouts(reportRun(outcomes, facts), facts, (index) => (index === 2 ? 'NF-3' : ''));

	test('names the rows that a person has to look at', () => {
		expect(say([...MIXED.slice(0, 4), failed('none')])).toBe(
			`2 of 5 rows sent now: rows 1-2; 1 in doubt: row 4; 2 not paid: rows 3 (NF-3), 5. ${PENDING}`,
		);
	});

	test('says of a test key that no money moved', () => {
		const isTest = about({ isTest: true });
		expect(say([done(), paidBefore('w1'), failed('none')], isTest)).toBe(
			'1 of 3 rows accepted with the test key: row 1; 1 made before: row 2; 1 not paid: row 3 (NF-3). No money moved.',
		);
		expect(say([done()], isTest)).toBe('Accepted with the test key. No money moved.');
		expect(say([failed('none')], isTest)).toBe('');
	});

	test('names ten rows at most', () => {
		const every = Array.from({ length: 24 }, (_, index) =>
			index % 2 === 0 ? done() : failed('none'),
		);
		expect(say(every)).toContain(
			'12 not paid: rows 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, and 2 more.',
		);
	});

	test('says of a single row what its output does not show', () => {
		expect(say([done({ id: 'w1' })])).toBe(`Sent now. ${PENDING}`);
		expect(say([failed('none')])).toBe('');
		expect(say([paidBefore('w1')])).toBe('Nothing was paid now: this payout was made before.');
		expect(say([paidBefore('w1')], about({ hasSent: true }))).toContain('made, now or before');
	});
});
