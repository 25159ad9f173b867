import {
	isFalse,
	judge,
	keepsPromise,
	type Effect,
	type Statement,
} from '../../../../../dev/chaos/report/reconcile';
import type { Payout } from '../../../../../dev/chaos/load';

const payouts: Payout[] = [
	{ payee: 'one@example.com', amountCents: 1_000 },
	{ payee: 'two@example.com', amountCents: 2_500 },
];

const paidOnce = (): Effect[] => payouts.map((payout) => ({ ...payout }));

const saying = (first: Statement, second: Statement = 'paid'): Map<string, Statement> =>
	new Map([
		['one@example.com', first],
		['two@example.com', second],
	]);

/** All counts that are not zero. */
const found = (
	effects: Effect[],
	statements: ReadonlyMap<string, Statement>,
	toldBefore?: ReadonlySet<string>,
) => {
	const { faults, ...sums } = judge(payouts, effects, statements, toldBefore);
	const counts = Object.entries(sums).filter(([name]) => !['payouts', 'effects'].includes(name));
	return {
		...Object.fromEntries(counts.filter(([, count]) => count !== 0)),
		named: faults.map(({ payout }) => payout.payee),
	};
};

it('finds nothing where each is paid once and said to be paid', () => {
	expect(found(paidOnce(), saying('paid'))).toEqual({ named: [] });
	const judgement = judge(payouts, paidOnce(), saying('paid'));
	expect(judgement).toMatchObject({ payouts: 2, effects: 2 });
	expect(keepsPromise(judgement)).toBe(true);
});

it('counts each effect beyond the first as double, with its amount', () => {
	const effects = [...paidOnce(), payouts[1]!, payouts[1]!];
	expect(found(effects, saying('paid'))).toEqual({
		double: 2,
		atRiskCents: 5_000,
		named: ['two@example.com'],
	});
});

it('does not let a payout that is missing make up for one that is double', () => {
	expect(found([payouts[0]!, payouts[0]!], saying('paid'))).toEqual({
		double: 1,
		missing: 1,
		atRiskCents: 3_500,
		named: ['one@example.com', 'two@example.com'],
	});
});

it.each<Statement>(['paid', 'nothing'])('misses what has no effect while n8n says "%s"', (said) => {
	expect(found([payouts[1]!], saying(said))).toEqual({
		missing: 1,
		atRiskCents: 1_000,
		named: ['one@example.com'],
	});
});

it('takes a payout of which no statement is known for one of which nothing is said', () => {
	expect(found([payouts[1]!], new Map([['two@example.com', 'paid']]))).toMatchObject({
		missing: 1,
	});
});

it.each<Statement>(['unknown', 'notPaid', 'notStarted', 'notReached'])(
	'leaves to a person what has no effect while n8n says "%s"',
	(said) => {
		expect(found([payouts[1]!], saying(said))).toEqual({ needPerson: 1, named: [] });
	},
);

it('leaves to a person what has an effect that n8n is not sure of', () => {
	expect(found(paidOnce(), saying('unknown'))).toEqual({ needPerson: 1, named: [] });
});

it.each<Statement>(['notPaid', 'notStarted'])(
	'calls "%s" a false statement where the books show an effect',
	(said) => {
		expect(found(paidOnce(), saying(said))).toEqual({
			needPerson: 1,
			falseStatements: 1,
			named: ['one@example.com'],
		});
	},
);

it('keeps what was said falsely before the end, once for each payout', () => {
	const toldBefore = new Set(['one@example.com']);
	expect(found(paidOnce(), saying('paid'), toldBefore)).toEqual({
		falseStatements: 1,
		named: ['one@example.com'],
	});
	expect(found(paidOnce(), saying('notPaid'), toldBefore)).toMatchObject({ falseStatements: 1 });
});

it('knows a false statement when it is made', () => {
	expect(isFalse('notStarted', 1)).toBe(true);
	expect(isFalse('notPaid', 2)).toBe(true);
	expect(isFalse('notPaid', 0)).toBe(false);
	expect(isFalse('unknown', 1)).toBe(false);
	expect(isFalse('paid', 1)).toBe(false);
});

it('calls an error unexplained that names an item and not whether it was paid', () => {
	for (const effects of [paidOnce(), [payouts[1]!]]) {
		expect(found(effects, saying('failed'))).toEqual({
			needPerson: 1,
			unexplained: 1,
			named: ['one@example.com'],
		});
	}
});

it('reports what was paid although n8n says nothing of it', () => {
	expect(found(paidOnce(), saying('nothing'))).toEqual({
		unreported: 1,
		named: ['one@example.com'],
	});
	expect(found(paidOnce(), saying('notReached'))).toEqual({
		unreported: 1,
		needPerson: 1,
		named: ['one@example.com'],
	});
});

it('counts what belongs to no payout, by payee or by amount', () => {
	const stranger = { payee: 'stranger@example.com', amountCents: 1_000 };
	const otherAmount = { ...payouts[0]!, amountCents: 1_001 };
	expect(found([...paidOnce(), stranger], saying('paid'))).toMatchObject({ foreign: 1 });
	expect(found([otherAmount, payouts[1]!], saying('paid'))).toMatchObject({ foreign: 1 });
});

describe('the promise', () => {
	const kept = judge(payouts, paidOnce(), saying('paid'));

	it.each(['double', 'missing', 'falseStatements', 'unexplained', 'foreign'] as const)(
		'is broken by one that is counted as %s',
		(count) => {
			expect(keepsPromise({ ...kept, [count]: 1 })).toBe(false);
		},
	);

	it('is not broken by what is left to a person', () => {
		expect(keepsPromise({ ...kept, needPerson: 1 })).toBe(true);
	});
});
