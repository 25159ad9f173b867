import type { Owed } from '../../../../../dev/chaos/people/intent';
import {
	findCauses,
	keepsPromise,
	reconcile,
	type BookedEffect,
	type CausedEffect,
	type Run,
} from '../../../../../dev/chaos/people/reconcile';

const ANA = 'ana@example.com';
const BIA = 'bia@example.com';

const owed = (pixKey: string, amountCents: number, least: 0 | 1 = 1): Owed => ({
	payee: { pixKey, amountCents, document: '', reference: '' },
	least,
});
const OWED = [owed(ANA, 1_000), owed(BIA, 2_000)];

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

const effect = (payee: string, by: Run | undefined, amountCents?: number): CausedEffect => ({
	payee,
	amountCents: amountCents ?? (payee === ANA ? 1_000 : 2_000),
	idempotencyKey: 'example',
	createdAt: 0,
	receivedAt: (by?.pressedAt ?? 0) + 1,
	run: by,
});

describe('what is owed compared with what is booked', () => {
	it('finds nothing wrong where each payee has one effect of its amount', () => {
		const result = reconcile(OWED, [effect(ANA, byHand), effect(BIA, byHand)], 'once');
		expect(result).toMatchObject({
			...{ owed: 2, effects: 2, double: 0, announced: 0, overpaidCents: 0 },
			...{ missing: [], foreign: [], repetitions: [] },
		});
		expect(keepsPromise(result, new Set(), 'once')).toBe(true);
	});

	it('misses a payee of the list', () => {
		const result = reconcile(OWED, [effect(ANA, byHand)], 'once');
		expect(result.missing).toEqual([OWED[1]]);
		expect(keepsPromise(result, new Set(), 'once')).toBe(false);
	});

	it.each([[[effect(ANA, byHand)]], [[effect(ANA, byHand), effect(BIA, byHand)]]])(
		'takes no effect or one for a payee who was removed',
		(effects) => {
			const result = reconcile([owed(ANA, 1_000), owed(BIA, 2_000, 0)], effects, 'once');
			expect(result).toMatchObject({ owed: 1, missing: [], double: 0 });
			expect(keepsPromise(result, new Set(), 'once')).toBe(true);
		},
	);

	it('counts a second effect for a payee who was removed', () => {
		const effects = [effect(ANA, byHand), effect(ANA, byHandAgain), effect(BIA, byHand)];
		expect(reconcile([owed(ANA, 1_000, 0), OWED[1]!], effects, 'once').double).toBe(1);
	});

	it.each([
		['of another amount', effect(ANA, byHand, 1_001)],
		['to no one on the list', effect('former-ana@example.com', byHand, 1_000)],
	])('takes no effect %s for what is owed', (_what, odd) => {
		const result = reconcile(OWED, [odd, effect(BIA, byHand)], 'once');
		expect(result).toMatchObject({ foreign: [odd], missing: [OWED[0]], double: 0 });
		const both = reconcile(OWED, [odd, effect(ANA, byHand), effect(BIA, byHand)], 'once');
		expect(keepsPromise(both, new Set(), 'once')).toBe(false);
	});

	it('is not kept either where the person could not finish, if no one should have to look', () => {
		const result = reconcile(OWED, [effect(ANA, byHand), effect(BIA, byHand)], 'once');
		expect(keepsPromise(result, new Set([BIA]), 'once')).toBe(false);
		expect(keepsPromise(result, new Set([BIA]), 'oncePerProductionExecution')).toBe(true);
	});

	it('is kept without references where n8n does not show as paid who is not', () => {
		const result = reconcile(OWED, [effect(ANA, byHand)], 'oncePerProductionExecution');
		expect(keepsPromise(result, new Set([BIA]), 'oncePerProductionExecution')).toBe(true);
		expect(keepsPromise(result, new Set([ANA]), 'oncePerProductionExecution')).toBe(false);
		expect(keepsPromise(result, new Set([BIA]), 'once')).toBe(false);
	});

	it('promises nothing for others', () => {
		const result = reconcile(OWED, [effect(ANA, byHand), effect(ANA, byHandAgain)], 'nothing');
		expect(result).toMatchObject({ double: 1, overpaidCents: 1_000 });
		expect(keepsPromise(result, new Set([ANA]), 'nothing')).toBe(true);
	});
});

describe('a payee with two effects', () => {
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
			payee: ANA,
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

	it('is judged in the order of the requests, not of the books', () => {
		const effects = [effect(ANA, inProduction), effect(ANA, byHand), effect(BIA, byHand)];
		const result = reconcile(OWED, effects, 'oncePerProductionExecution');
		expect(result).toMatchObject({ double: 0, announced: 1 });
	});

	it('counts each effect after the first', () => {
		const runs = [byHand, inProduction, retried, byHandAgain];
		const result = twice('oncePerProductionExecution', ...runs);
		expect(result).toMatchObject({ double: 2, announced: 1, overpaidCents: 3_000 });
	});

	it('is double where no run asked for it', () => {
		const effects = [effect(ANA, byHand), effect(ANA, undefined), effect(BIA, byHand)];
		expect(reconcile(OWED, effects, 'oncePerProductionExecution').double).toBe(1);
	});
});

describe('the run that asked for an effect', () => {
	const runs = [inProduction, byHand];
	const booked: BookedEffect = {
		payee: ANA,
		amountCents: 1_000,
		idempotencyKey: 'example',
		createdAt: 1_500,
	};
	const request = (receivedAt: number, status: number | undefined = 201, key = 'example') => ({
		...{ payee: ANA, idempotencyKey: key, receivedAt, status },
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

	it('is one of the same list', () => {
		expect(findCause([request(1_400)], 1)).toBeUndefined();
	});

	it('is inferred from the books where no request is found', () => {
		expect(findCause([])).toBe(inProduction);
	});
});
