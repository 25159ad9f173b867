import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { ItemResult } from '../../../../nodes/BrlPayments/orderRequest';
import type { ItemOutcome } from '../../../../nodes/BrlPayments/items';
import {
	reportRun,
	ROW_STATES,
	type RowState,
	type RunFacts,
} from '../../../../nodes/BrlPayments/report';
import { wordPayouts, wordRun } from '../../../../nodes/BrlPayments/reportWords';

// What n8n shows of them: test/engine/items.

type Outcome = ItemOutcome<ItemResult[]>;
const done = (json: IDataObject = {}): Outcome => ({ state: 'done', result: [{ json }] });
const BEFORE = done({ id: 'w9', alreadyPaid: true });
const NOT_STARTED: Outcome = { state: 'notStarted' };
const failed = (effect: 'none' | 'unknown', withdrawalIds?: string[]): Outcome => ({
	state: 'failed',
	failure: {
		...{ code: 'X', message: '', description: '', httpStatus: null, retryable: false },
		...{ effect, withdrawalIds },
	},
});

/** A batch of payouts that a trigger started, sent for the first time. */
const about = (changed: Partial<RunFacts> = {}): RunFacts => ({
	...{ kind: 'payout', isCancelled: false },
	...changed,
});

const MIXED = [
	...[done({ id: 'w1' }), done({ id: 'w2' }), failed('none'), failed('unknown'), NOT_STARTED],
];
const REFUSED = [failed('none'), NOT_STARTED];

test.each<[string, Outcome, RowState]>([
	['was paid now', done({ id: 'w1' }), 'done'],
	['was paid before', BEFORE, 'before'],
	['was charged before', done({ id: 'p1', alreadyCreated: true }), 'before'],
	['may have taken effect', failed('unknown'), 'inDoubt'],
	['failed without effect', failed('none'), 'refused'],
	['was not started', NOT_STARTED, 'notStarted'],
])('the report knows a row that %s', (_, outcome, state) => {
	expect(reportRun([outcome], about())).toMatchObject({ [state]: { count: 1 } });
});

test('names each withdrawal of payouts once, at most a hundred', () => {
	const rows = [...Array(102).keys(), 0].map((index) => done({ id: `w${index}` }));
	const { done: group } = reportRun(rows, about());
	expect(group?.withdrawalIds).toHaveLength(100);
	expect(group?.moreWithdrawals).toBe(2);
	expect(reportRun(rows, about({ kind: 'order' })).done).not.toHaveProperty('withdrawalIds');
});

test('has each row exactly once, in ranges', () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...MIXED, BEFORE)), (outcomes) => {
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

const DUPLICATE = new Set(['POSSIBLE_DUPLICATE']);
const EQUAL = new Set(['EQUAL_ROWS']);

const wordsOf = (outcomes: readonly Outcome[], changed: Partial<RunFacts> = {}) => {
	const facts = about(changed);
	const words = wordRun(reportRun(outcomes, facts), facts);
	return `${words.account} ${words.howToContinue} ${words.withdrawals}`;
};

test.each<[string, Outcome[], Partial<RunFacts>, string, string?]>([
	[
		'payouts',
		MIXED,
		{},
		'2 of 5 rows sent now: rows 1-2; 1 in doubt: row 4; 1 refused: row 3; 1 not',
	],
	['reads', MIXED, { kind: 'read' }, '1 failed: row 3; 1 not started: row 5.'],
	['what was paid before', [BEFORE, failed('none')], {}, '1 made before: row 1'],
	// This run may have paid it, or an earlier attempt.
	[
		'what it may have paid',
		[BEFORE, failed('none')],
		{ mayHaveMade: true },
		'1 made now or before',
	],
	['what was perhaps sent', MIXED, { hasActed: true }, '1 not sent this time'],
	['its withdrawals', [...MIXED, BEFORE], {}, 'Sent now: w1, w2. Made before: w9.'],
	['those of others', [done(), failed('none', ['w3', 'w4'])], {}, 'Named in the messages: w3, w4.'],
	['references', MIXED, { hasReferences: true }, 'each reference is paid once.'],
	[
		'External IDs',
		MIXED,
		{ kind: 'order', hasReferences: true },
		'each External ID is charged once.',
	],
	['a stop by a person', MIXED, { isCancelled: true }, 'offers no Retry'],
	['a new execution', MIXED, {}, 'A new execution would pay everyone again.'],
	['a row in doubt', MIXED, {}, 'do what the message of each row in doubt says, and'],
	['a row to correct', MIXED, {}, 'without the rows that took effect.'],
	[
		'a row to correct in a loop',
		MIXED,
		{ hasActed: true },
		'without the rows that took effect, here or in other rounds and nodes.',
	],
	['duplicates', MIXED, { codes: DUPLICATE }, 'Do not retry another execution', 'choose Retry'],
	['late references', MIXED, { codes: DUPLICATE, hasReferences: true }, 'is paid once'],
	[
		'rows that another node may have paid',
		REFUSED,
		{ codes: EQUAL, hasActed: true },
		'send only what this one has not sent in any round or node',
		'choose Retry in',
	],
	['refunds', MIXED, { kind: 'order' }, 'Retry in the list Executions within 24 hours'],
	['nothing', REFUSED, {}, 'Nothing was paid now. To continue', 'repeated'],
	['nothing now', REFUSED, { hasActed: true }, 'choose Retry in the list', 'Nothing was paid'],
])('the error that ends a run speaks of %s', (_, outcomes, facts, says, saysNot = 'undefined') => {
	expect(wordsOf(outcomes, facts)).toContain(says);
	expect(wordsOf(outcomes, facts)).not.toContain(saysNot);
});

test.each<[Partial<RunFacts>, string]>([
	[{}, 'Nothing was paid now.'],
	[{ kind: 'order' }, 'Nothing took effect now.'],
	[
		{ hasActed: true },
		'What this execution did in other rounds or nodes, a new one would do again.',
	],
	[
		{ hasActed: true, codes: EQUAL },
		'Do not choose Retry: it stops here again. In a new execution, send only what this one has not sent in any round or node: the rest would be paid again.',
	],
	[{ hasActed: true, hasReferences: true }, ''],
	[{ hasActed: true, kind: 'write' }, ''],
	[{ kind: 'read' }, ''],
])('it leaves a single row to its own words: %j', (facts, account) => {
	expect(wordsOf([failed('none')], facts).trim()).toBe(account);
});

const PENDING =
	'PENDING means that the bank has not confirmed yet: Withdrawal > Wait for Status waits for it.';
const EVERY_SECOND = Array.from({ length: 24 }, (_, index) => [done(), failed('none')][index % 2]!);

test.each<[Outcome[], Partial<RunFacts>, string]>([
	[
		[...MIXED.slice(0, 4), failed('none')],
		{},
		`2 of 5 rows sent now: rows 1-2; 1 in doubt: row 4; 2 refused: rows 3 (NF-3), 5. ${PENDING}`,
	],
	[
		[done(), BEFORE, failed('none')],
		{ isTest: true },
		'1 of 3 rows accepted with the test key: row 1; 1 made before: row 2; 1 refused: row 3 (NF-3). No money moved.',
	],
	[[done()], { isTest: true }, 'Accepted with the test key. No money moved.'],
	[[done()], {}, `Sent now. ${PENDING}`],
	[[failed('none')], {}, ''],
	[[BEFORE], {}, 'Nothing was paid now: this payout was made before.'],
	[[BEFORE], { mayHaveMade: true }, 'This payout was made, now or before.'],
	[
		EVERY_SECOND,
		{},
		`12 of 24 rows sent now: rows 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, and 2 more; 12 refused: rows 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, and 2 more. ${PENDING}`,
	],
])(
	'a run of payouts that n8n shows as a success names rows to look at: %#',
	(outcomes, changed, says) => {
		const facts = about(changed);
		const nameOf = (index: number) => (index === 2 ? 'NF-3' : '');
		expect(wordPayouts(reportRun(outcomes, facts), facts, nameOf)).toBe(says);
	},
);
