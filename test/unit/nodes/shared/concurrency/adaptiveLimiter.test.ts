import type { Outcome, Unclear } from '../../../../../nodes/shared/transport/outcome';
import {
	adapt,
	toAnswer,
	AdaptiveLimiter,
	type Sample,
	type PaceState,
} from '../../../../../nodes/shared/concurrency/adaptiveLimiter';
import { refused } from '../../../support/failedRequest';

const GOOD: Sample = { latencyMs: 100, isTrouble: false };
const TROUBLE: Sample = { latencyMs: 100, isTrouble: true };
const round = (count: number, answer = GOOD): Sample[] =>
	Array.from({ length: count }, () => answer);

/** In the middle of a run that has seen the service at its best. */
const STATE: PaceState = { limit: 16, isExploring: false, baselineMs: 100 };

const SUCCESS: Outcome = { kind: 'success', status: 201, headers: {}, body: {} };
const LOST: Unclear = { kind: 'unclear', cause: 'timeout', status: null, neverSent: false };

// How the pace begins and doubles: test/engine/items/order.test.ts.
describe('after a round', () => {
	test.each<[string, Partial<PaceState>, Sample[], Partial<PaceState>]>([
		['of good responses, the first pace doubles', { isExploring: true }, round(16), { limit: 32 }],
		['of good responses, it grows in small steps', {}, round(16), { limit: 18 }],
		['of good responses, it grows by one at least', { limit: 2 }, round(2), { limit: 3 }],
		['of good responses, up to what the user allows', { limit: 99 }, round(99), { limit: 100 }],
		['with a single mishap, it grows', {}, [...round(15), TROUBLE], { limit: 18 }],
		[
			'with trouble, it halves and explores no more',
			{ isExploring: true },
			[...round(14), TROUBLE, TROUBLE],
			{ limit: 8, isExploring: false },
		],
		['of nothing but trouble, it keeps two', { limit: 2 }, round(2, TROUBLE), { limit: 2 }],
		[
			'of responses that take more than twice as long, it shrinks by a quarter',
			{ isExploring: true },
			round(16, { ...GOOD, latencyMs: 250 }),
			{ limit: 12, isExploring: false },
		],
	])('%s', (_, state, samples, expected) => {
		expect(adapt({ ...STATE, ...state }, samples, 100)).toMatchObject(expected);
	});

	test('it comes to terms with a service that stays slower', () => {
		let state = STATE;
		const slower = { ...GOOD, latencyMs: 300 };
		for (let count = 0; count < 100; count += 1) state = adapt(state, round(4, slower), 100);
		expect(state.limit).toBeGreaterThan(STATE.limit);
	});
});

test.each<[string, Outcome, boolean | undefined]>([
	['a success', SUCCESS, false],
	['a conflict', refused('CODE', { status: 409 }), false],
	['a response that is cut off', { ...LOST, cause: 'malformed', status: 200 }, false],
	['a page of a gateway that refuses', { ...LOST, cause: 'gateway', status: 403 }, false],
	['an error of the service', refused('CODE', { status: 500 }), true],
	['a lost response', LOST, true],
	['a lost connection', { ...LOST, cause: 'connectionLost' }, true],
	['a server that is not there', { ...LOST, cause: 'unreachable', neverSent: true }, true],
	['a gateway without service', { ...LOST, cause: 'gateway', status: 502 }, true],
	['a rate limit', refused('CODE', { status: 429 }), undefined],
	['a request that n8n kept back', { kind: 'blocked', reason: 'x' }, undefined],
])('%s shows trouble: %o', (_, outcome, isTrouble) => {
	const sample = isTrouble === undefined ? null : { latencyMs: 7, isTrouble };
	expect(toAnswer(outcome, 7)).toEqual(sample);
});

describe('a run', () => {
	/** Tasks that end when the test says so. */
	function start(pace: AdaptiveLimiter, count: number) {
		const started: number[] = [];
		const ends: Array<() => void> = [];
		const all = Promise.all(
			Array.from({ length: count }, async (_, index) => {
				await pace.run(async () => {
					started.push(index);
					await new Promise<void>((resolve) => (ends[index] = resolve));
				});
			}),
		);
		return { started, ends, all };
	}
	const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));
	const atOnce = { now: () => 0, nextTurn: async () => await Promise.resolve() };

	test('lets another start while one waits aside, which continues however many there are', async () => {
		const pace = new AdaptiveLimiter(1, atOnce);
		const steps: string[] = [];
		let goOn: (text: string) => void = () => undefined;
		const waiting = new Promise<string>((resolve) => (goOn = resolve));
		const first = pace.run(async () => steps.push(await pace.aside(waiting)));
		const { started, ends, all } = start(pace, 2);
		await turn();
		expect(started).toEqual([0]);

		goOn('continued');
		await first;
		expect(steps).toEqual(['continued']);
		await turn();
		expect(started).toEqual([0]);

		ends[0]?.();
		await turn();
		ends[1]?.();
		await all;
		expect(started).toEqual([0, 1]);
	});

	test('does not judge a new limit by what was sent under the old one', () => {
		const pace = new AdaptiveLimiter(20);
		for (let count = 0; count < 5; count += 1) pace.note(SUCCESS, 1000, 1050);
		expect(pace.limit).toBe(10);

		// Sent before the change at 1050, and lost.
		for (let count = 0; count < 10; count += 1) pace.note(LOST, 1049, 3000);
		expect(pace.limit).toBe(10);

		for (let count = 0; count < 10; count += 1) pace.note(LOST, 1050, 3000);
		expect(pace.limit).toBe(5);
	});

	test('prepares a long list of quick items in few turns', async () => {
		let now = 1_000;
		let turns = 0;
		const nextTurn = async () => {
			turns += 1;
			await turn();
		};
		const pace = new AdaptiveLimiter(20, { now: () => now, nextTurn });
		const quick = async () => await Promise.resolve((now += 0.1));

		await Promise.all(Array.from({ length: 1_000 }, async () => await pace.run(quick)));

		expect(turns).toBe(20);
	});

	test('continues after a task that failed', async () => {
		const pace = new AdaptiveLimiter(1);
		await expect(pace.run(async () => await Promise.reject(new Error('broken')))).rejects.toThrow(
			'broken',
		);
		expect(await pace.run(async () => 'next')).toBe('next');
	});
});
