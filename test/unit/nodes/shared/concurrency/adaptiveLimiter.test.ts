import type { Outcome } from '../../../../../nodes/shared/transport/outcome';
import {
	adapt,
	toAnswer,
	FIRST_LIMIT,
	firstPace,
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
const LOST: Outcome = { kind: 'unclear', cause: 'timeout', status: null, neverSent: false };

describe('the first pace', () => {
	test('is five at a time, or fewer where the user allows no more', () => {
		expect(firstPace(20).limit).toBe(FIRST_LIMIT);
		expect(firstPace(3).limit).toBe(3);
		expect(firstPace(1).limit).toBe(1);
	});
});

describe('after a round', () => {
	test('of good responses the first pace doubles, up to what the user allows', () => {
		let state = firstPace(30);
		const limits = Array.from({ length: 4 }, () => {
			state = adapt(state, round(state.limit), 30);
			return state.limit;
		});
		expect(limits).toEqual([10, 20, 30, 30]);
	});

	test('of good responses it grows in small steps once it has met its limits', () => {
		expect(adapt(STATE, round(16), 100).limit).toBe(18);
		expect(adapt({ ...STATE, limit: 2 }, round(2), 100).limit).toBe(3);
	});

	test('with trouble it halves and explores no more', () => {
		const state = adapt({ ...STATE, isExploring: true }, [...round(14), TROUBLE, TROUBLE], 100);
		expect(state).toMatchObject({ limit: 8, isExploring: false });
	});

	test('with a single mishap among many it grows', () => {
		expect(adapt(STATE, [...round(15), TROUBLE], 100).limit).toBe(18);
	});

	test('of nothing but trouble it keeps two at a time', () => {
		let state = STATE;
		for (let count = 0; count < 10; count += 1) state = adapt(state, round(4, TROUBLE), 100);
		expect(state.limit).toBe(2);
	});

	test('of responses that take more than twice as long it shrinks by a quarter', () => {
		expect(adapt(STATE, round(16, { ...GOOD, latencyMs: 250 }), 100)).toMatchObject({
			limit: 12,
			isExploring: false,
		});
	});

	test('comes to terms with a service that stays slower', () => {
		let state = STATE;
		const slower = { ...GOOD, latencyMs: 300 };
		for (let count = 0; count < 100; count += 1) state = adapt(state, round(4, slower), 100);
		expect(state.limit).toBeGreaterThan(STATE.limit);
	});
});

describe('what an outcome says', () => {
	test.each<[string, Outcome]>([
		['a success', SUCCESS],
		['a refusal', refused('CODE')],
		['a conflict', refused('CODE', { status: 409 })],
		['a response that is cut off', { ...LOST, cause: 'malformed', status: 200 } as Outcome],
		['a page of a gateway that refuses', { ...LOST, cause: 'gateway', status: 403 } as Outcome],
	])('%s is a response', (_, outcome) => {
		expect(toAnswer(outcome, 7)).toEqual({ latencyMs: 7, isTrouble: false });
	});

	test.each<[string, Outcome]>([
		['an error of the service', refused('CODE', { status: 500 })],
		['a lost response', LOST],
		['a lost connection', { ...LOST, cause: 'connectionLost' } as Outcome],
		['a server that is not there', { ...LOST, cause: 'unreachable', neverSent: true } as Outcome],
		['a gateway without service', { ...LOST, cause: 'gateway', status: 502 } as Outcome],
	])('%s is trouble', (_, outcome) => {
		expect(toAnswer(outcome, 7)).toEqual({ latencyMs: 7, isTrouble: true });
	});

	test.each<[string, Outcome]>([
		['a rate limit', refused('CODE', { status: 429 })],
		['a request that n8n kept back', { kind: 'blocked', reason: 'x' }],
	])('%s is nothing to go by', (_, outcome) => {
		expect(toAnswer(outcome, 7)).toBeNull();
	});
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

	test('starts more as soon as it may', async () => {
		const pace = new AdaptiveLimiter(20, atOnce);
		const { started } = start(pace, 30);
		await turn();
		expect(started).toHaveLength(5);

		for (let count = 0; count < 5; count += 1) pace.note(SUCCESS, 1000, 1050);
		await turn();

		expect(pace.limit).toBe(10);
		expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});

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
