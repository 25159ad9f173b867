import { present as presentAll, selectGroups } from '../../../../../dev/chaos/people/campaign';
import { planLists } from '../../../../../dev/chaos/people/lists';
import type { Episode } from '../../../../../dev/chaos/people/person';
import { reconcile, type CausedEffect, type Run } from '../../../../../dev/chaos/people/reconcile';
import { owedBy } from '../../../../../dev/chaos/people/intent';
import { WITH_REFERENCES as strategy } from '../../../../../dev/chaos/people/strategies';
import type { Options } from '../../../../../dev/chaos/options';

const options: Options = {
	...{ seed: 7, payouts: 40, kills: 2, people: true, mutation: undefined, queue: false },
	only: ['ours', 'random-key'],
};
const lists = planLists(7, 'example', 80);

const run = (step: number, start: Run['start']): Run => ({
	...{ list: 0, step, start, pressedAt: step, rootStep: step, rootStart: start },
});

const STEPS: Episode['steps'] = [
	{ edits: [], start: 'execute', status: 'crashed', shownAsPaid: 0, errors: new Map() },
	{
		...{ edits: ['fixRows'], start: 'retrySaved', status: 'success', shownAsPaid: 37 },
		errors: new Map([['TIMEOUT', 2]]),
	},
];
const episodes = [lists[0]!, lists[1]!].map((list): Episode => ({
	...{ list, intent: list.intent, steps: STEPS, isFinished: true, explanations: [] },
	...{ stops: 1, waits: 3, inDoubt: [], lookedUp: [], settled: [], refusals: [] },
	observations: [],
}));

const payouts = lists.flatMap(({ intent }) => intent.list.map(({ payout }) => payout));
const paidOnce = payouts.map(({ id, pixKey, amountCents }): CausedEffect => ({
	...{ id: `withdrawal of ${id}`, payout: id, pixKey, amountCents },
	...{ idempotencyKey: 'example', createdAt: 0, receivedAt: 0, run: run(0, 'execute') },
}));

function present(effects: readonly CausedEffect[]) {
	const owed = episodes.flatMap(({ intent }) => owedBy(intent));
	const reconciliation = reconcile(owed, effects, [], strategy.promised);
	const result = {
		byStrategy: [{ strategy, episodes, reconciliation }],
		faultCounts: { requests: 10, struck: 3 },
		...{ byOthers: 9, victims: ['n8n', 'n8n'], milliseconds: 61_000 },
	};
	const lines: string[] = [];
	const isKept = presentAll(options, [result], false, (text) => lines.push(text));
	return { isKept, text: lines.join('\n') };
}

it('says that the promise was kept, what people did, and how to repeat it', () => {
	const { isKept, text } = present(paidOnce);
	expect(isKept).toBe(true);
	expect(text).not.toContain('did not keep');
	expect(text).toMatch(/fixes wrong rows +│ +2 /);
	expect(text).toMatch(/executions that crashed +│ +2 /);
	for (const line of [
		'3 of 10 requests met a fault; other tools paid 9 times; killed with -9: n8n 2 times',
		'List 0 (stop, Retry On Fail): Execute workflow (crashed, 0 shown as paid); fixes wrong rows, Retry with saved workflow (success, 37 shown as paid, 2 × TIMEOUT).',
		'npm run campaign -- --people --seed 7 --payouts 40 --kills 2',
	]) {
		expect(text).toContain(line);
	}
});

it('names payouts that were made twice, with everything that was done to their list', () => {
	const again = { receivedAt: 1, run: run(1, 'runInProduction') };
	const twice = paidOnce.slice(0, 2).map((effect) => ({ ...effect, ...again }));
	const { isKept, text } = present([...paidOnce, ...twice]);
	expect(isKept).toBe(false);
	const [, broken] = text.split('did not keep the promise:');
	expect(broken).toContain(
		`- ${payouts[0]!.id}, ${payouts[1]!.id.slice(-5)}: paid in list 0, step 1: Execute workflow; then in list 0, step 2: runs it in production`,
	);
	expect(broken).toContain('List 0 (stop');
	expect(broken).not.toContain('List 1');
});

it.each([
	[{}, [['reference', 'automatic'], ['random-key']]],
	[{ only: ['ours'] as const }, [['reference', 'automatic']]],
	[{ queue: true }, [['reference']]],
	[{ people: false }, [['automatic'], ['random-key']]],
])('runs with %o', (given, expected) => {
	const groups = selectGroups({ ...options, ...given });
	expect(groups.map(({ strategies }) => strategies.map(({ name }) => name))).toEqual(expected);
});
