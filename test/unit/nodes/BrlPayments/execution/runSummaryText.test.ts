import { summarizeRun, type RunFacts } from '../../../../../nodes/BrlPayments/execution/runSummary';
import { wordSummary } from '../../../../../nodes/BrlPayments/execution/runSummaryText';
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
	const { account, wayOn } = toWords(outcomes, run);
	return `${account} ${wayOn}`.trim();
};

const FIRST = 'The first item is item 0.';
const RETRY =
	'To continue, choose Retry in the list Executions, within 24 hours: nothing that took effect is repeated.';
const WARNING = 'Pressing Execute again starts over and would pay them again.';

describe('a run of less than two items', () => {
	test.each<[string, Outcome[], RunFacts['kind'], string]>([
		['no item', [], 'payout', ''],
		['a payout that failed', [failed('none')], 'payout', 'Nothing was paid.'],
		['an order that failed', [failed('none')], 'order', 'Nothing took effect.'],
		['a read that failed', [failed('none')], 'read', ''],
		['a payout in doubt', [failed('unknown')], 'payout', ''],
		['a payout made earlier', [failed('done')], 'payout', ''],
		['a payout that was not started', [notStarted], 'payout', ''],
	])('says of %s only what its error does not', (_, outcomes, kind, account) => {
		const words = { account, wayOn: '', withdrawals: '' };
		expect(toWords(outcomes, about({ kind }))).toEqual(words);
	});
});

describe('the account of the items', () => {
	test('says which were paid, which may have been, which were not and which never began', () => {
		const outcomes = [
			...[done(), done(), done(), failed('none'), failed('unknown'), done()],
			...[notStarted, notStarted],
		];

		expect(toText(outcomes, about())).toBe(
			'4 of 8 items were paid now (items 0-2, 5), 1 with unknown outcome (item 4), ' +
				`1 failed without effect (item 3), 2 not started (items 6-7). ${FIRST} ${RETRY} ${WARNING}`,
		);
	});

	test('leaves out what there is none of', () => {
		expect(toText([failed('unknown'), failed('unknown')], about())).toBe(
			`0 of 2 items were paid now, 2 with unknown outcome (items 0-1). ${FIRST} ${RETRY} ${WARNING}`,
		);
	});

	test('names the withdrawals', () => {
		const outcomes = [done({ id: 'w1' }), done({ id: 'w2' }), failed('none')];

		expect(toWords(outcomes, about()).withdrawals).toBe('Paid now: w1, w2.');
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
			'1 of 4 items were paid now (item 0), 2 had been paid before (items 1-2), 1 failed',
		);
		expect(toWords(outcomes, about()).withdrawals).toBe('Paid now: w1. Paid before: w2, w3.');
	});

	test('keeps apart what the guard stopped, with the payouts that it found', () => {
		const outcomes = [done({ id: 'w1' }), toDuplicate('w2', 'w3'), failed('none')];

		expect(toText(outcomes, about())).toContain(
			'1 were not paid, as there are equal payouts (item 1), 1 failed without effect (item 2)',
		);
		expect(toWords(outcomes, about()).withdrawals).toBe('Paid now: w1. Equal payouts: w2, w3.');
	});

	test('does not call an item paid because an equal payout was found, which may be of another one', () => {
		const equal = ['w1', 'w2'];
		const outcomes = [toDuplicate(...equal), toDuplicate(...equal), done({ id: 'w3' })];
		const text = toText(outcomes, about());

		expect(text).toContain('2 were not paid, as there are equal payouts (items 0-1)');
		expect(text).toContain('Compare the equal payouts with your list');
		expect(text).not.toContain('Every item is paid');
	});

	test('does not call paid now what another execution may have paid under the same own key', () => {
		const text = toText([done({ id: 'w1' }), failed('none')], about({ hasOwnKeys: true }));

		expect(text).toContain('1 of 2 items are paid (item 0)');
		expect(text).not.toContain('paid now');
	});

	test('counts a possible duplicate whose own effect is unknown as unknown', () => {
		const outcomes = [done(), failed('unknown', { code: 'POSSIBLE_DUPLICATE' })];

		expect(toText(outcomes, about())).toContain('1 with unknown outcome (item 1)');
	});

	test('keeps apart what took effect earlier and could not be sent now', () => {
		expect(toText([failed('done'), failed('done'), done(), failed('none')], about())).toContain(
			'1 of 4 items were paid now (item 2), 2 took effect earlier (items 0-1), 1 failed without effect (item 3)',
		);
	});

	test('does not deny what an earlier attempt may have done', () => {
		const outcomes = [done(), failed('none'), notStarted, notStarted];

		expect(toText(outcomes, about({ isRepetition: true }))).toContain(
			'2 not started again, but possibly done by an earlier attempt (items 2-3)',
		);
	});

	test.each<[RunFacts['kind'], string]>([
		['payout', '1 of 2 items were paid now (item 0), '],
		['order', '1 of 2 items took effect (item 0), '],
		['repeatable', '1 of 2 items took effect (item 0), '],
		['read', '1 of 2 items finished (item 0), '],
	])('speaks of a %s as it is', (kind, text) => {
		expect(toText([done({ id: 'w1' }), failed('none')], about({ kind }))).toContain(text);
	});
});

describe('a run of which every item is paid', () => {
	const SETTLED = [done({ id: 'w1' }), paidBefore('w2'), failed('done')];

	test('says that nothing is left to do', () => {
		expect(toText(SETTLED, about())).toMatch(
			/\(item 2\)\. The first item is item 0\. Every item is paid: nothing is left to do\.$/,
		);
	});

	test.each<[string, Outcome]>([
		['failed', failed('none')],
		['has an unknown outcome', failed('unknown')],
		['was not started', notStarted],
	])('is none of which one %s', (_, outcome) => {
		expect(toText([...SETTLED, outcome], about())).not.toContain('nothing is left to do');
	});

	test('is one of payouts', () => {
		expect(toText(SETTLED, about({ kind: 'order' }))).not.toContain('nothing is left');
	});
});

describe('the way to continue', () => {
	const waysFor = (changed: Partial<RunFacts>, outcomes = [done(), failed('none')]) =>
		toWords(outcomes, about(changed)).wayOn;

	test('is a retry, and the warning that another start is another order', () => {
		expect(waysFor({})).toBe(`${RETRY} ${WARNING}`);
		expect(waysFor({ kind: 'order' })).toContain('starts over and would repeat them.');
	});

	test('is to run again where each payout has a reference', () => {
		expect(waysFor({ hasReferences: true })).toBe(
			'To continue, fix the problem and run the workflow again: each reference is paid once.',
		);
	});

	test('is to press Execute again with a live key, where the guard stops what was paid', () => {
		expect(waysFor({ isManual: true, isGuarded: true })).toBe(
			'To continue, fix the problem and press Execute again: Duplicate Guard stops each item that equals a payout of the last 24 hours, and the others are paid.',
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
		['of a trigger', {}, 'choose Retry in the list Executions.'],
		['by hand', { isManual: true }, 'press Execute again.'],
	])('after a run %s without any effect warns of nothing', (_, changed, way) => {
		expect(waysFor(changed, [failed('none'), notStarted])).toBe(
			`To continue, fix the problem and ${way}`,
		);
	});

	test('asks for no correction where nothing was wrong', () => {
		expect(waysFor({ hasReferences: true }, [done(), failed('unknown'), notStarted])).toBe(
			'To continue, run the workflow again: each reference is paid once.',
		);
	});

	test('is a retry where one is in doubt, whose key must not change, and the guard stops the rest', () => {
		const outcomes = [done(), failed('unknown'), notStarted];

		expect(waysFor({ isManual: true, isGuarded: true }, outcomes)).toBe(RETRY);
	});

	test('warns in a repetition, whose earlier attempts may have had effect', () => {
		expect(waysFor({ isRepetition: true }, [failed('none'), notStarted])).toContain(WARNING);
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
