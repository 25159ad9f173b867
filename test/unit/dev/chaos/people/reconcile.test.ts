import type { Owed } from '../../../../../dev/chaos/people/intent';
import {
	findCauses,
	keepsPromise,
	reconcile as compare,
	type BookedEffect,
	type CausedEffect,
	type Observation,
	type Run,
} from '../../../../../dev/chaos/people/reconcile';
import type { Promised } from '../../../../../dev/chaos/people/strategies';

/** Two payouts that look alike. */
const ANA = 'list-00001';
const BIA = 'list-00002';
const LOOK = { pixKey: 'supplier@example.com', amountCents: 1_000 };

const owed = (id: string, least: 0 | 1 = 1): Owed => ({
	payout: { id, ...LOOK, document: '', reference: '' },
	least,
});
const OWED = [owed(ANA), owed(BIA)];

const reconcile = (
	owed: readonly Owed[],
	effects: readonly CausedEffect[],
	promised: Promised,
	observations: readonly Observation[] = [],
) => compare(owed, effects, observations, promised);

const run = (step: number, start: Run['start'], root?: Run): Run => ({
	list: 0,
	step,
	start,
	pressedAt: step * 1_000,
	rootStep: root?.rootStep ?? step,
	rootStart: root?.rootStart ?? start,
});

const byHand = run(0, 'execute');
const inProduction = run(1, 'runInProduction');
const retried = run(2, 'retrySaved', inProduction);
const inProductionAgain = run(3, 'runInProduction');
const byHandAgain = run(4, 'execute');

const effect = (
	payout: string | undefined,
	by: Run | undefined,
	look: Partial<typeof LOOK> = {},
): CausedEffect => ({
	id: `withdrawal of ${payout}`,
	payout,
	...LOOK,
	...look,
	idempotencyKey: 'example',
	createdAt: 0,
	receivedAt: (by?.pressedAt ?? 0) + 1,
	run: by,
});
const BOTH = [effect(ANA, byHand), effect(BIA, byHand)];

describe('what is owed compared with what is booked', () => {
	it.each([[[effect(ANA, byHand)]], [BOTH]])(
		'takes no effect or one for a payout that was removed',
		(effects) => {
			const result = reconcile([owed(ANA), owed(BIA, 0)], effects, 'once');
			expect(result).toMatchObject({ owed: 1, missing: [], double: 0 });
			expect(keepsPromise(result, new Set(), 'once')).toBe(true);
		},
	);

	it('is not kept either where the person could not finish, if every list must end', () => {
		const result = reconcile(OWED, BOTH, 'once');
		expect(keepsPromise(result, new Set([BIA]), 'once')).toBe(false);
		expect(keepsPromise(result, new Set([BIA]), 'oncePerProductionExecution')).toBe(true);
	});

	it('is kept without references where n8n does not show as paid what is not', () => {
		const result = reconcile(OWED, [effect(ANA, byHand)], 'oncePerProductionExecution');
		expect(keepsPromise(result, new Set([BIA]), 'oncePerProductionExecution')).toBe(true);
		expect(keepsPromise(result, new Set([ANA]), 'oncePerProductionExecution')).toBe(false);
		expect(keepsPromise(result, new Set([BIA]), 'once')).toBe(false);
	});
});

describe('a payout with two effects', () => {
	const twice = (promised: 'once' | 'oncePerProductionExecution', ...runs: Run[]) =>
		reconcile(OWED, [...runs.map((by) => effect(ANA, by)), effect(BIA, byHand)], promised);

	it.each([
		['a new execution by hand', byHand, byHandAgain],
		['a new production execution', byHand, inProduction],
		['a retry', inProduction, retried],
	])('is double with references, after %s', (_what, first, second) => {
		const result = twice('once', first, second);
		expect(result).toMatchObject({ double: 1, announced: 0, overpaidCents: 1_000 });
		expect(keepsPromise(result, new Set(), 'once')).toBe(false);
	});

	it.each([
		['a new production execution', byHand, inProduction],
		['another production execution', inProduction, inProductionAgain],
		['the retry of a new production execution', byHand, retried],
	])('is announced without references, after %s', (_what, first, second) => {
		const result = twice('oncePerProductionExecution', first, second);
		expect(result).toMatchObject({ double: 0, announced: 1 });
		expect(result.repetitions[0]).toMatchObject({
			payout: ANA,
			announced: [{ run: second }],
			double: [],
		});
		expect(keepsPromise(result, new Set(), 'oncePerProductionExecution')).toBe(true);
	});

	it.each([
		['a new execution by hand', inProduction, byHandAgain],
		['the retry of the same production execution', inProduction, retried],
		['the same production execution', inProduction, inProduction],
	])('is double without references, after %s', (_what, first, second) => {
		const result = twice('oncePerProductionExecution', first, second);
		expect(result).toMatchObject({ double: 1, announced: 0 });
		expect(keepsPromise(result, new Set(), 'oncePerProductionExecution')).toBe(false);
	});

	it('is double where no run asked for it', () => {
		const effects = [effect(ANA, byHand), effect(ANA, undefined), effect(BIA, byHand)];
		expect(reconcile(OWED, effects, 'oncePerProductionExecution').double).toBe(1);
	});
});

describe('what was shown compared with what is booked', () => {
	const saw = (by: Run, shown: Partial<Observation> = {}): Observation => ({
		id: ANA,
		said: 'paid',
		given: { pixKey: LOOK.pixKey, amount: LOOK.amountCents / 100 },
		nodeRun: `step ${by.step}`,
		endedAt: undefined,
		run: by,
		readAt: by.pressedAt + 500,
		...shown,
	});
	const judge = (seen: Observation[], effects = BOTH, promised: Promised = 'once') =>
		reconcile(OWED, effects, promised, seen);

	it.each([
		['before it was made', saw(byHandAgain, { said: 'notPaid', endedAt: -1 })],
		[
			'of a row that was wrong',
			saw(byHandAgain, { said: 'notPaid', given: { pixKey: '', amount: 1 } }),
		],
		['of a row that was only stopped', saw(byHandAgain, { said: 'stopped' })],
	])('takes no denial for false %s', (_what, observation) => {
		expect(judge([observation]).falseStatements).toEqual([]);
	});
});

describe('the run that asked for an effect', () => {
	const runs = [inProduction, byHand];
	const booked: BookedEffect = {
		id: 'withdrawal',
		payout: ANA,
		...LOOK,
		idempotencyKey: 'example',
		createdAt: 1_500,
	};
	const request = (receivedAt: number, status: number | undefined = 201, key = 'example') => ({
		...{ payout: ANA, idempotencyKey: key, receivedAt, status },
	});
	const findCause = (requests: ReturnType<typeof request>[], list = 0) =>
		findCauses([booked], requests, runs, () => list)[0]!.run;

	it('is the last that was started before the request arrived', () => {
		expect(findCause([request(1_000)])).toBe(inProduction);
		expect(findCause([request(999)])).toBe(byHand);
	});

	it('is that of the last request under its key before it was booked', () => {
		expect(findCause([request(100), request(1_400), request(1_600)])).toBe(inProduction);
		expect(findCause([request(100), request(1_400, 201, 'other')])).toBe(byHand);
	});

	it('is not that of a request which met another at work', () => {
		expect(findCause([request(100, undefined), request(1_400, 409)])).toBe(byHand);
	});
});
