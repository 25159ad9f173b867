import fc from 'fast-check';
import {
	summarizeRun,
	type ItemGroup,
	type RunFacts,
	type RunSummary,
} from '../../../../../nodes/BrlPayments/execution/runSummary';
import {
	about,
	done,
	toDuplicate,
	failed,
	notStarted,
	paidBefore,
	type Outcome,
} from '../../../support/runOutcomes';

const getIndexes = (summary: RunSummary) =>
	Object.values(summary).flatMap((group: number | ItemGroup) =>
		typeof group === 'number'
			? []
			: group.items.flatMap(([first, last]) =>
					Array.from({ length: last - first + 1 }, (_, offset) => first + offset),
				),
	);

test('says the outcome of each item, in ranges', () => {
	const outcomes = [
		...[done(), done(), done(), failed('none'), failed('unknown'), done()],
		...[notStarted, notStarted],
	];

	expect(summarizeRun(outcomes, about())).toEqual({
		itemCount: 8,
		done: {
			count: 4,
			items: [
				[0, 2],
				[5, 5],
			],
		},
		failed: { count: 1, items: [[3, 3]] },
		unknown: { count: 1, items: [[4, 4]] },
		notStarted: { count: 2, items: [[6, 7]] },
	});
});

test.each<[string, Outcome, string]>([
	['was paid now', done({ id: 'w1' }), 'done'],
	['had been paid before', paidBefore('w1'), 'paidBefore'],
	['was stopped by the guard', toDuplicate('w1', 'w2'), 'duplicates'],
	[
		'may itself be the payout that the guard found',
		failed('unknown', { code: 'POSSIBLE_DUPLICATE' }),
		'unknown',
	],
	['took effect earlier', failed('done'), 'doneEarlier'],
	['may have taken effect', failed('unknown'), 'unknown'],
	['failed without effect', failed('none'), 'failed'],
	['was not started', notStarted, 'notStarted'],
])('what %s counts as such', (_, outcome, state) => {
	expect(Object.keys(summarizeRun([outcome], about()))).toEqual(['itemCount', state]);
});

test.each<[RunFacts['kind'], boolean, string]>([
	['payout', true, 'notStartedAgain'],
	['order', true, 'notStartedAgain'],
	['repeatable', true, 'notStartedAgain'],
	['read', true, 'notStarted'],
	['payout', false, 'notStarted'],
])('a repetition of a %s that has done something (%o) is %s', (kind, hasActed, state) => {
	const facts = about({ kind, isRepetition: true, hasActed });

	expect(Object.keys(summarizeRun([notStarted], facts))).toEqual(['itemCount', state]);
});

describe('withdrawals', () => {
	test('are named, also those that the guard found', () => {
		const outcomes = [done({ id: 'w1' }), done({ id: 'w2' }), toDuplicate('w3', 'w4')];
		const summary = summarizeRun(outcomes, about());

		expect(summary.done?.withdrawalIds).toEqual(['w1', 'w2']);
		expect(summary.duplicates?.withdrawalIds).toEqual(['w3', 'w4']);
		expect(summary.done).not.toHaveProperty('moreWithdrawals');
	});

	test('are those of payouts only', () => {
		const summary = summarizeRun([done({ id: 'p1' })], about({ kind: 'order' }));

		expect(summary.done).not.toHaveProperty('withdrawalIds');
	});
});

test('10,000 items that end by turns take less than 200 kB', () => {
	const outcomes = Array.from({ length: 10_000 }, (_, index) =>
		index % 2 === 0 ? done({ id: '00000000-0000-4000-8000-000000000000' }) : failed('none'),
	);

	expect(JSON.stringify(summarizeRun(outcomes, about())).length).toBeLessThan(200_000);
});

test('names every item exactly once', () => {
	const any = fc.constantFrom(
		...[done(), notStarted, failed('none'), failed('unknown'), failed('done')],
		...[paidBefore('w1'), toDuplicate('w1')],
	);
	fc.assert(
		fc.property(fc.array(any, { maxLength: 60 }), (outcomes) => {
			const named = getIndexes(summarizeRun(outcomes, about()));
			expect(named.sort((one, other) => one - other)).toEqual(outcomes.map((_, i) => i));
		}),
	);
});
