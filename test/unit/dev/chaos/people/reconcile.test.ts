import type { Owed } from '../../../../../dev/chaos/people/intent';
import {
	findCauses,
	keepsPromise,
	reconcile,
	type BookedEffect,
	type CausedEffect,
	type Observation,
	type Reconciliation,
	type Run,
} from '../../../../../dev/chaos/people/reconcile';
import type { Promised } from '../../../../../dev/chaos/people/strategies';

/** Three payouts that look alike, as in almost every list of the campaign. */
const IDS = ['list-00001', 'list-00002', 'list-00003'] as const;
const [ANA, BIA] = IDS;
const LOOK = { pixKey: 'supplier@example.com', amountCents: 1_000 };

const owe = (id: string, least: 0 | 1 = 1): Owed => ({
	payout: { id, ...LOOK, document: '', reference: `NF ${id}` },
	least,
});
const OWED = IDS.map((id) => owe(id));

const run = (step: number, start: Run['start'], root?: Run): Run => ({
	...{ list: 0, step, start, pressedAt: step * 1_000 },
	...{ rootStep: root?.rootStep ?? step, rootStart: root?.rootStart ?? start },
});
const byHand = run(0, 'execute');
const inProduction = run(1, 'runInProduction');
const retried = run(2, 'retrySaved', inProduction);
const inProductionAgain = run(3, 'runInProduction');
const byHandAgain = run(4, 'execute');

const pay = (payout: string, by: Run | undefined, more: Partial<CausedEffect> = {}) => ({
	...{ id: `withdrawal of ${payout}`, payout, ...LOOK, idempotencyKey: `key of ${payout}` },
	...{ run: by, receivedAt: (by?.pressedAt ?? 0) + 90, createdAt: (by?.pressedAt ?? 0) + 100 },
	...more,
});
const show = (id: string, by: Run, shown: Partial<Observation> = {}): Observation => ({
	...{ id, said: 'paid', withdrawalId: `withdrawal of ${id}`, run: by },
	given: { pixKey: LOOK.pixKey, amount: LOOK.amountCents / 100 },
	...{ nodeRun: `step ${by.step}`, endedAt: by.pressedAt + 500, readAt: by.pressedAt + 600 },
	...shown,
});

/** All are paid in the first execution; the last one shows the same once more. */
const PAID: readonly CausedEffect[] = IDS.map((id) => pay(id, byHand));
const SHOWN = [
	...IDS.map((id) => show(id, byHand, { alreadyPaid: false })),
	...IDS.map((id) => show(id, byHandAgain, { alreadyPaid: true })),
];
const without = (id: string) => PAID.filter(({ payout }) => payout !== id);
const replace = (...broken: Observation[]) => [
	...SHOWN.filter(({ id, run }) => !broken.some((each) => each.id === id && each.run === run)),
	...broken,
];

const FINDINGS = [
	...(['double', 'missing', 'missingWithSuccess', 'wrongIds'] as const),
	...(['falseStatements', 'foreign'] as const),
] satisfies Array<keyof Reconciliation>;
type Finding = (typeof FINDINGS)[number];

interface Case {
	owed?: readonly Owed[];
	effects?: readonly CausedEffect[];
	shown?: readonly Observation[];
	promised?: Promised;
	/** Of lists that n8n does not show as paid completely. */
	unfinished?: string[];
}

/** What is found, by name, and whether the promise was kept. */
function judge({ owed = OWED, effects = PAID, shown = SHOWN, ...record }: Case) {
	const { promised = 'once', unfinished = [] } = record;
	const result = reconcile(owed, effects, shown, promised);
	const findings = FINDINGS.filter((name) => {
		const found = result[name];
		return (typeof found === 'number' ? found : found.length) > 0;
	});
	return { findings, isKept: keepsPromise(result, new Set(unfinished), promised) };
}

/** From one honest record, each breaks one thing: so a campaign that finds nothing has looked. */
it.each<[fault: string, Case, Finding[]]>([
	[
		'a row of the list counts as paid',
		{
			effects: without(ANA),
			shown: replace(
				show(ANA, byHand, { said: 'unknown', withdrawalId: undefined as never }),
				show(ANA, byHandAgain, { withdrawalId: 'of another tool', alreadyPaid: true }),
			),
		},
		['missing', 'missingWithSuccess', 'wrongIds'],
	],
	[
		'a repetition gets a new key',
		{ effects: [...PAID, pay(ANA, byHandAgain, { id: 'again' })] },
		['double'],
	],
	[
		'two rows that look alike are shown with the withdrawals of each other',
		{
			shown: replace(
				show(ANA, byHandAgain, { withdrawalId: `withdrawal of ${BIA}` }),
				show(BIA, byHandAgain, { withdrawalId: `withdrawal of ${ANA}` }),
			),
		},
		['wrongIds'],
	],
	[
		'a row is paid in the place of one that looks like it',
		{ effects: [...without(ANA), pay(BIA, byHand, { id: `withdrawal of ${ANA}` })] },
		['double', 'missing', 'missingWithSuccess', 'wrongIds'],
	],
	[
		'a row is left out, and nothing is said about it',
		{ effects: without(ANA), shown: SHOWN.filter(({ id }) => id !== ANA) },
		['missing'],
	],
	[
		'a refusal is taken for the answer to an attempt that had none',
		{
			shown: replace(show(ANA, byHandAgain, { said: 'notPaid', withdrawalId: undefined as never })),
		},
		['falseStatements'],
	],
	[
		'two executions say that they have just paid it',
		{ shown: replace(show(ANA, byHandAgain, { alreadyPaid: false })) },
		['falseStatements'],
	],
	[
		'an error does not say whether the row was paid',
		{ shown: replace(show(ANA, byHandAgain, { said: 'unknown', isUnclear: true })) },
		['falseStatements'],
	],
	[
		'a row is paid as it was before it was corrected',
		{ effects: [...PAID, pay(ANA, byHand, { id: 'wrong', amountCents: 900 })] },
		['foreign'],
	],
])('catches it if %s', (_fault, record, findings) => {
	expect(judge(record)).toEqual({ findings, isKept: false });
});

const denied = (more: Partial<Observation>) => ({
	shown: [
		...SHOWN,
		show(ANA, retried, { said: 'notPaid', withdrawalId: undefined as never, ...more }),
	],
});

it.each<[what: string, Case]>([
	['an honest record', {}],
	['no effect of a payout that was removed', { owed: [owe(ANA, 0)], effects: [], shown: [] }],
	['one effect of it', { owed: [owe(ANA, 0), owe(BIA), owe(IDS[2])] }],
	['a denial before it was made', denied({ endedAt: -1 })],
	['a denial of a row that was wrong', denied({ given: { pixKey: '', amount: 1 } })],
	['a row that was only stopped', denied({ said: 'stopped' })],
	[
		'a list that is not finished, without references',
		{ promised: 'oncePerProductionExecution', unfinished: [ANA] },
	],
])('finds nothing in %s', (_what, record) => {
	expect(judge(record)).toEqual({ findings: [], isKept: true });
});

it.each<[Promised, unfinished: string[], isKept: boolean]>([
	['once', [ANA], false],
	['oncePerProductionExecution', [ANA], true],
	['oncePerProductionExecution', [BIA], false],
])('what is missing, "%s", with %j unfinished: kept %s', (promised, unfinished, isKept) => {
	const record = { effects: without(ANA), shown: [], promised, unfinished };
	expect(judge(record)).toEqual({ findings: ['missing'], isKept });
});

it('with references, every list must end', () => {
	expect(judge({ unfinished: [BIA] })).toEqual({ findings: [], isKept: false });
});

it.each<[Promised, verdict: string, after: string, ...runs: Array<Run | undefined>]>([
	['once', 'double', 'a new execution by hand', byHand, byHandAgain],
	['once', 'double', 'a new production execution', byHand, inProduction],
	['once', 'double', 'a retry', inProduction, retried],
	['oncePerProductionExecution', 'announced', 'production', byHand, inProduction],
	['oncePerProductionExecution', 'announced', 'another one', inProduction, inProductionAgain],
	['oncePerProductionExecution', 'announced', 'the retry of a new one', byHand, retried],
	['oncePerProductionExecution', 'double', 'an execution by hand', inProduction, byHandAgain],
	['oncePerProductionExecution', 'double', 'the retry of the same', inProduction, retried],
	['oncePerProductionExecution', 'double', 'the same execution', inProduction, inProduction],
	['oncePerProductionExecution', 'double', 'nobody', byHand, undefined],
])('with "%s", a second effect is %s, after %s', (promised, verdict, _after, ...runs) => {
	const effects = [...runs.map((by) => pay(ANA, by)), ...without(ANA)];
	const result = reconcile(OWED, effects, [], promised);
	expect(result).toMatchObject({ double: 0, announced: 0, [verdict]: 1, overpaidCents: 1_000 });
	expect(result.repetitions).toMatchObject([{ payout: ANA, [verdict]: [{ run: runs[1] }] }]);
	expect(keepsPromise(result, new Set(), promised)).toBe(verdict === 'announced');
});

describe('the run that asked for an effect', () => {
	const booked: BookedEffect = {
		...{ id: 'withdrawal', payout: ANA, ...LOOK, idempotencyKey: 'example', createdAt: 1_500 },
	};
	const request = (receivedAt: number, status: number | undefined = 201, key = 'example') => ({
		...{ payout: ANA, idempotencyKey: key, receivedAt, status },
	});

	it.each<[what: string, requests: Array<ReturnType<typeof request>>, Run]>([
		['the last that was started before the request arrived', [request(1_000)], inProduction],
		['one that was started before it', [request(999)], byHand],
		[
			'that of the last request under its key before it was booked',
			[request(100), request(1_400), request(1_600)],
			inProduction,
		],
		['not that under another key', [request(100), request(1_400, 201, 'other')], byHand],
		[
			'not that of a request which met another at work',
			[request(100, undefined), request(1_400, 409)],
			byHand,
		],
	])('is %s', (_what, requests, expected) => {
		const [effect] = findCauses([booked], requests, [inProduction, byHand], () => 0);
		expect(effect!.run).toBe(expected);
	});
});
