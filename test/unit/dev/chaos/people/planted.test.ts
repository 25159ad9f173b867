/**
 * Faults that are planted into what was observed. From one honest record, each test breaks one thing: so
 * a campaign that finds nothing has looked.
 */
import type { Owed } from '../../../../../dev/chaos/people/intent';
import {
	keepsPromise,
	reconcile,
	type CausedEffect,
	type Observation,
	type Reconciliation,
	type Run,
} from '../../../../../dev/chaos/people/reconcile';

/** Three payouts that look alike, as in almost every list of the campaign. */
const IDS = ['list-00001', 'list-00002', 'list-00003'] as const;
const [ANA, BIA] = IDS;
const LOOK = { pixKey: 'supplier@example.com', amountCents: 1_000 };
const owed = IDS.map((id): Owed => ({
	payout: { id, ...LOOK, document: '', reference: `NF ${id}` },
	least: 1,
}));

const startAt = (step: number): Run => ({
	...{ list: 0, step, start: 'execute', pressedAt: step * 1_000 },
	...{ rootStep: step, rootStart: 'execute' },
});
const [first, second] = [startAt(1), startAt(2)];
/** What another tool paid; it looks like all the others. */
const OF_OTHER_TOOL = 'withdrawal of another tool';

const pay = (payout: string, run = first, id = `withdrawal of ${payout}`): CausedEffect => ({
	...{ id, payout, ...LOOK, idempotencyKey: `key of ${payout}`, run },
	...{ createdAt: run.pressedAt + 100, receivedAt: run.pressedAt + 90 },
});
const show = (id: string, run: Run, shown: Partial<Observation> = {}): Observation => ({
	...{ id, said: 'paid', withdrawalId: `withdrawal of ${id}`, run },
	given: { pixKey: LOOK.pixKey, amount: LOOK.amountCents / 100 },
	...{ nodeRun: `step ${run.step}`, endedAt: run.pressedAt + 500, readAt: run.pressedAt + 600 },
	...shown,
});

/** All are paid in the first execution; the second one shows the same once more. */
const EFFECTS = IDS.map((id) => pay(id));
const SHOWN = [
	...IDS.map((id) => show(id, first, { alreadyPaid: false })),
	...IDS.map((id) => show(id, second, { alreadyPaid: true })),
];
const without = (id: string) => EFFECTS.filter(({ payout }) => payout !== id);
const replace = (...broken: Observation[]) => [
	...SHOWN.filter(({ id, run }) => !broken.some((each) => each.id === id && each.run === run)),
	...broken,
];

/** What is found, by name: everything else is as it should be. */
function findings(effects: readonly CausedEffect[], observations: readonly Observation[]) {
	const result = reconcile(owed, effects, observations, 'once');
	const count = (value: number | readonly unknown[]) =>
		typeof value === 'number' ? value : value.length;
	const names = [
		...(['double', 'missing', 'missingWithSuccess', 'wrongIds'] as const),
		...(['falseStatements', 'foreign'] as const),
	] satisfies Array<keyof Reconciliation>;
	const found = names.filter((name) => count(result[name]) > 0);
	expect(keepsPromise(result, new Set(), 'once')).toBe(found.length === 0);
	return found;
}

it('finds nothing in an honest record', () => {
	expect(findings(EFFECTS, SHOWN)).toEqual([]);
});

it.each<[string, CausedEffect[], Observation[], Array<keyof Reconciliation>]>([
	[
		'a row of the list counts as paid',
		without(ANA),
		replace(
			show(ANA, first, { said: 'unknown', withdrawalId: undefined as never }),
			show(ANA, second, { withdrawalId: OF_OTHER_TOOL, alreadyPaid: true }),
		),
		['missing', 'missingWithSuccess', 'wrongIds'],
	],
	['a repetition gets a new key', [...EFFECTS, pay(ANA, second, 'again')], SHOWN, ['double']],
	[
		'two rows that look alike are shown with the withdrawals of each other',
		EFFECTS,
		replace(
			show(ANA, second, { withdrawalId: `withdrawal of ${BIA}` }),
			show(BIA, second, { withdrawalId: `withdrawal of ${ANA}` }),
		),
		['wrongIds'],
	],
	[
		'a row is paid in the place of one that looks like it',
		[...without(ANA), pay(BIA, first, `withdrawal of ${ANA}`)],
		SHOWN,
		['double', 'missing', 'missingWithSuccess', 'wrongIds'],
	],
	[
		'a row is left out, and nothing is said about it',
		without(ANA),
		SHOWN.filter(({ id }) => id !== ANA),
		['missing'],
	],
	[
		'a refusal is taken for the answer to an attempt that had none',
		EFFECTS,
		replace(show(ANA, second, { said: 'notPaid', withdrawalId: undefined as never })),
		['falseStatements'],
	],
	[
		'two executions say that they have just paid it',
		EFFECTS,
		replace(show(ANA, second, { alreadyPaid: false })),
		['falseStatements'],
	],
	[
		'an error does not say whether the row was paid',
		EFFECTS,
		replace(show(ANA, second, { said: 'unknown', isUnclear: true })),
		['falseStatements'],
	],
	[
		'a row is paid as it was before it was corrected',
		[...EFFECTS, { ...pay(ANA, first, 'wrong'), amountCents: 900 }],
		SHOWN,
		['foreign'],
	],
])('catches it if %s', (_fault, effects, observations, found) => {
	expect(findings(effects, observations)).toEqual(found);
});
