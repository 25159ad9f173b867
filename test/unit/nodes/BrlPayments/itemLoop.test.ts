import fc from 'fast-check';
import { ApiFailure, type Failure } from '../../../../nodes/api/failure';
import { InputError } from '../../../../nodes/api/input/inputError';
import { FIRST_LIMIT, Pace } from '../../../../nodes/api/pace';
import {
	describeAftermath,
	runItems,
	type ItemOutcome,
	type RunFacts,
} from '../../../../nodes/BrlPayments/itemLoop';

interface FakeCall {
	index: number;
	isCancelled: boolean;
}

const calls = (count: number): FakeCall[] =>
	Array.from({ length: count }, (_, index) => ({ index, isCancelled: false }));

const refuse = (index: number): never => {
	throw new InputError(`item ${index}`, 'Correct it.');
};

/** Items start at once, and not one in each turn of the event loop. */
const paceOf = (most: number) => new Pace(most, { nextTurn: async () => await Promise.resolve() });

/** Lets everything that can go on go on. */
const settle = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** Items that end when the test says so. */
class Workbench {
	readonly started: number[] = [];
	private readonly endings = new Map<number, (error?: Error) => void>();

	readonly work = async ({ index }: FakeCall): Promise<number> => {
		this.started.push(index);
		await new Promise<void>((resolve, reject) => {
			this.endings.set(index, (error) => (error ? reject(error) : resolve()));
		});
		return index * 10;
	};

	async end(index: number, error?: Error): Promise<void> {
		this.endings.get(index)?.(error);
		await settle();
	}
}

const statesOf = (outcomes: ReadonlyArray<ItemOutcome<unknown>>) =>
	outcomes.map(({ state }) => state);

describe('runItems', () => {
	test('reports in the order of the items, in whatever order they end', async () => {
		const bench = new Workbench();
		const running = runItems(calls(3), paceOf(3), false, bench.work);
		await settle();
		for (const index of [2, 0, 1]) await bench.end(index);

		expect(await running).toEqual([
			{ state: 'done', result: 0 },
			{ state: 'done', result: 10 },
			{ state: 'done', result: 20 },
		]);
	});

	test('starts an item as soon as another one has ended, and never more at a time than allowed', async () => {
		const bench = new Workbench();
		const running = runItems(calls(4), paceOf(2), false, bench.work);
		await settle();
		expect(bench.started).toEqual([0, 1]);
		await bench.end(1);
		expect(bench.started).toEqual([0, 1, 2]);
		await bench.end(0);
		await bench.end(2);
		await bench.end(3);

		expect(statesOf(await running)).toEqual(['done', 'done', 'done', 'done']);
	});

	test('keeps to the bound and runs each item once, however many there are', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 0, max: 40 }),
				fc.integer({ min: 1, max: FIRST_LIMIT }),
				async (count, concurrency) => {
					let running = 0;
					let most = 0;
					const seen: number[] = [];
					await runItems(calls(count), paceOf(concurrency), false, async ({ index }) => {
						running += 1;
						most = Math.max(most, running);
						seen.push(index);
						await settle();
						running -= 1;
					});
					expect(most).toBe(Math.min(count, concurrency));
					expect(seen).toEqual(calls(count).map(({ index }) => index));
				},
			),
			{ numRuns: 50 },
		);
	});

	test('starts nothing after a failure, and awaits what is under way', async () => {
		const bench = new Workbench();
		const running = runItems(calls(5), paceOf(2), false, bench.work);
		let isOver = false;
		void running.then(() => {
			isOver = true;
		});
		await settle();
		await bench.end(0, new InputError('item 0', 'Correct it.'));
		expect(isOver).toBe(false);
		await bench.end(1);

		const outcomes = await running;

		expect(bench.started).toEqual([0, 1]);
		expect(statesOf(outcomes)).toEqual([
			'failed',
			'done',
			'notStarted',
			'notStarted',
			'notStarted',
		]);
		expect(outcomes[1]).toEqual({ state: 'done', result: 10 });
	});

	test('tries every item with Continue On Fail', async () => {
		const outcomes = await runItems(calls(4), paceOf(1), true, async ({ index }) =>
			index % 2 === 0 ? refuse(index) : index,
		);

		expect(outcomes).toEqual([
			{ state: 'failed', failure: expect.objectContaining({ message: 'item 0' }) },
			{ state: 'done', result: 1 },
			{ state: 'failed', failure: expect.objectContaining({ message: 'item 2' }) },
			{ state: 'done', result: 3 },
		]);
	});

	test.each([true, false])(
		'starts nothing after the execution was stopped (Continue On Fail %p)',
		async (keepGoing) => {
			const items = calls(3);
			const outcomes = await runItems(items, paceOf(1), keepGoing, async ({ index }) => {
				for (const item of items) item.isCancelled = true;
				return index;
			});

			expect(statesOf(outcomes)).toEqual(['done', 'notStarted', 'notStarted']);
		},
	);

	test('keeps what the client says about a failure', async () => {
		const failure: Failure = {
			code: 'TIMEOUT',
			message: 'lost',
			description: 'Retry.',
			httpStatus: null,
			retryable: true,
			effect: 'unknown',
		};
		const outcomes = await runItems(calls(2), paceOf(2), true, async () => {
			throw new ApiFailure(failure);
		});

		expect(outcomes).toEqual([
			{ state: 'failed', failure },
			{ state: 'failed', failure },
		]);
	});
});

describe('describeAftermath', () => {
	const done: ItemOutcome<number> = { state: 'done', result: 1 };
	const notStarted: ItemOutcome<number> = { state: 'notStarted' };
	const failed = (effect: Failure['effect']): ItemOutcome<number> => ({
		state: 'failed',
		failure: {
			code: 'X',
			message: '',
			description: '',
			httpStatus: null,
			retryable: false,
			effect,
		},
	});

	/** A batch of payouts, sent for the first time under automatic keys. */
	const about = (changed: Partial<RunFacts> = {}): RunFacts => ({
		kind: 'payout',
		isRepetition: false,
		hasOwnKeys: false,
		isCancelled: false,
		...changed,
	});
	const RETRY =
		'To go on, open Executions and choose Retry there, within 24 hours: none of those that took effect is repeated.';
	const WARNING = 'Pressing Execute again is a new order and would pay them again.';

	test('says nothing about a single item', () => {
		expect(describeAftermath([failed('none')], about())).toBe('');
		expect(describeAftermath([], about())).toBe('');
	});

	test('says which items took effect, which may have, which did not and which never began', () => {
		const outcomes = [
			done,
			done,
			done,
			failed('none'),
			failed('unknown'),
			done,
			notStarted,
			notStarted,
		];

		expect(describeAftermath(outcomes, about())).toBe(
			'4 of 8 items took effect (items 0-2, 5), 1 with unknown outcome (item 4), ' +
				`1 failed without effect (item 3), 2 not started (items 6-7). ${RETRY} ${WARNING}`,
		);
	});

	test('leaves out what there is none of', () => {
		expect(describeAftermath([failed('none'), notStarted], about())).toBe(
			`0 of 2 items took effect, 1 failed without effect (item 0), 1 not started (item 1). ${RETRY}`,
		);
		expect(describeAftermath([failed('unknown'), failed('unknown')], about())).toBe(
			`0 of 2 items took effect, 2 with unknown outcome (items 0-1). ${RETRY} ${WARNING}`,
		);
	});

	test('does not deny what an earlier attempt may have done', () => {
		const again = about({ isRepetition: true });
		expect(describeAftermath([done, failed('none'), notStarted, notStarted], again)).toBe(
			'1 of 4 items took effect (item 0), 1 failed without effect (item 1), ' +
				`2 not started again, but perhaps done by an earlier attempt (items 2-3). ${RETRY} ${WARNING}`,
		);
		expect(describeAftermath([failed('none'), notStarted], again)).toContain(WARNING);
		expect(describeAftermath([failed('none'), notStarted], { ...again, kind: 'read' })).toBe(
			'0 of 2 items finished, 1 failed without effect (item 0), 1 not started (item 1).',
		);
	});

	test('counts as done what took effect too long ago to be sent again', () => {
		expect(describeAftermath([failed('done'), failed('done'), done, failed('none')], about())).toBe(
			'1 of 4 items took effect (item 2), 2 took effect earlier (items 0-1), 1 failed without effect (item 3).',
		);
	});

	test('warns of another start only where that would repeat something', () => {
		const outcomes = [done, failed('none')];

		expect(describeAftermath(outcomes, about({ kind: 'once' }))).toMatch(
			/is repeated\. Pressing Execute again is a new order and would repeat them\.$/,
		);
		expect(describeAftermath(outcomes, about({ hasOwnKeys: true }))).toMatch(/is repeated\.$/);
		expect(describeAftermath(outcomes, about({ kind: 'repeatable' }))).toBe(
			'1 of 2 items took effect (item 0), 1 failed without effect (item 1).',
		);
	});

	test('offers no retry where n8n has none', () => {
		const text = describeAftermath([done, notStarted], about({ isCancelled: true }));

		expect(text).toContain('send only items that did not take effect, in a new one.');
		expect(text).not.toContain('choose Retry');
	});

	test('calls items of a read finished, and promises nothing about them', () => {
		expect(describeAftermath([done, failed('none')], about({ kind: 'read' }))).toBe(
			'1 of 2 items finished (item 0), 1 failed without effect (item 1).',
		);
	});

	test('counts every item exactly once', () => {
		fc.assert(
			fc.property(
				fc.array(
					fc.constantFrom(done, notStarted, failed('none'), failed('unknown'), failed('done')),
					{ minLength: 2, maxLength: 60 },
				),
				(outcomes) => {
					const text = describeAftermath(outcomes, about());
					const named = [...text.matchAll(/\(items? ([^)]*)\)/g)].flatMap(([, list = '']) =>
						list.split(', ').flatMap((part) => {
							const [first = 0, last = first] = part.split('-').map(Number);
							return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
						}),
					);
					expect(named.sort((one, other) => one - other)).toEqual(outcomes.map((_, i) => i));
				},
			),
		);
	});
});
