import { withDurableStore, type StoreAccess } from '../../../../../nodes/shared/n8n/durableStore';
import {
	openSeenEvents,
	type SeenEvents,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	recognizeDelivered,
	recognizePolled,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';
import { FakeDeduplication } from '../../../support/deduplicationStore';

let database: FakeDeduplication;
let warnings: string[];
beforeEach(() => {
	database = new FakeDeduplication();
	warnings = [];
});

const warn = (message: string) => void warnings.push(message);
const open = (store: StoreAccess) =>
	openSeenEvents(store, 'example', 0, { keepMs: 600_000, isShared: true }, warn);
const inStore = async <T>(use: (seenEvents: SeenEvents) => Promise<T>) =>
	await withDurableStore(database.context(), async (store) => await use(open(store)));
const mark = (emission: string, ...identities: string[]) => ({ emission, identities });
const polled = async (...marks: Array<ReturnType<typeof mark>>) =>
	await inStore(async (seenEvents) => await recognizePolled(seenEvents, marks));
let deliveries = 0;
const delivered = async (...identities: string[]) =>
	await run(`delivery ${++deliveries}`, identities);
/** The execution of a delivery, run once more when it is named again. */
const run = async (emission: string, identities: string[]) =>
	await inStore(
		async (seenEvents) => await recognizeDelivered(seenEvents, { emission, identities }, false),
	);

// Polls, deliveries and retries one after the other: test/engine/trigger/polling.test.ts.

test('several events at a time are recognized each on its own', async () => {
	expect(await polled(mark('1', 'a', 'A'), mark('1', 'b', 'B'))).toEqual([true, true]);
	expect(await polled(mark('2', 'b', 'B'), mark('2', 'c', 'C'))).toEqual([false, true]);
});

test('a repetition stays one when its execution is run again', async () => {
	await polled(mark('1', 'a'));
	for (let time = 0; time < 2; time += 1) expect(await polled(mark('2', 'a'))).toEqual([false]);
	expect(await polled(mark('1', 'a'))).toEqual([true]);
});

describe('killed at any call of the store, and run again', () => {
	class Killed extends Error {}

	/** The store as a process sees it that dies right before or after its k-th call. */
	async function dying(
		k: number,
		when: 'before' | 'after',
		use: (seenEvents: SeenEvents) => Promise<unknown>,
	) {
		await withDurableStore(database.context(), async (store) => {
			let calls = 0;
			const die = new Promise<never>((_, reject) => {
				const call = async <T>(run: () => Promise<T>): Promise<T> => {
					calls += 1;
					if (calls === k && when === 'before') reject(new Killed());
					if (calls > k || (calls === k && when === 'before'))
						return await new Promise<T>(() => {});
					const result = await run();
					if (calls === k) {
						reject(new Killed());
						return await new Promise<T>(() => {});
					}
					return result;
				};
				const seenEvents = open({
					...store,
					record: async (...asked) => await call(async () => await store.record(...asked)),
					forget: async (entries) => await call(async () => await store.forget(entries)),
				});
				void use(seenEvents).then(() => reject(new Killed()));
			});
			await die.catch((error: unknown) => {
				if (!(error instanceof Killed)) throw error;
			});
		});
	}
	const moments = [1, 2, 3, 4].flatMap((k) => [[k, 'before'] as const, [k, 'after'] as const]);

	const poll = (emission: string, ...identities: string[]) => {
		return async (seenEvents: SeenEvents) =>
			await recognizePolled(seenEvents, [mark(emission, ...identities)]);
	};
	const delivery = (...identities: string[]) => {
		return async (seenEvents: SeenEvents) =>
			await recognizeDelivered(seenEvents, { emission: 'w', identities }, false);
	};

	test.each(moments)('call %i, %s: a delivery that polling was faster than', async (k, when) => {
		await polled(mark('1', 'a', 'A'));
		await dying(k, when, delivery('a', 'A'));
		expect(await run('w', ['a', 'A'])).toBe(false);
		expect(await delivered('a', 'A')).toBe(true);
	});

	test.each(moments)('call %i, %s: a poll that a delivery was faster than', async (k, when) => {
		await delivered('A');
		await dying(k, when, poll('1', 'a', 'A'));
		expect(await polled(mark('1', 'a', 'A'))).toEqual([false]);
	});

	test.each(moments)('call %i, %s: the first, which nothing else repeats', async (k, when) => {
		await dying(k, when, poll('1', 'a'));
		// The next poll finds the event again.
		const again = await polled(mark('2', 'a'));
		const retried = await polled(mark('1', 'a'));
		expect([again, retried].filter(([isNew]) => isNew)).toHaveLength(1);
	});

	test('after its first call, and nobody retries it: the next poll brings the event', async () => {
		await dying(1, 'after', poll('1', 'a', 'A'));
		expect(await polled(mark('2', 'a', 'A'))).toEqual([true]);
		expect(await polled(mark('1', 'a', 'A'))).toEqual([false]);
		expect(await polled(mark('2', 'a', 'A'))).toEqual([true]);
	});

	const pairs = moments.flatMap((one) => moments.map((other) => [...one, ...other] as const));
	const ORDERS = [
		['1', '2', '3'],
		['2', '1', '3'],
		['3', '2', '1'],
		['2', '3', '1'],
	];

	test.each(pairs)('twice, at call %i, %s, and at call %i, %s: exactly once', async (...at) => {
		const [k, when, other, otherwise] = at;
		for (const order of ORDERS) {
			database = new FakeDeduplication();
			await dying(k, when, poll('1', 'a', 'A'));
			await dying(other, otherwise, poll('2', 'a', 'A'));
			const known: boolean[] = [];
			for (const emission of order) known.push(...(await polled(mark(emission, 'a', 'A'))));
			expect([order, known.filter(Boolean).length]).toEqual([order, 1]);
		}
	});

	test.each(moments)('call %i, %s: the first delivery, and the poll', async (k, when) => {
		await dying(k, when, delivery('A'));
		const [byPoll] = await polled(mark('1', 'a', 'A'));
		expect([byPoll, await run('w', ['A'])].filter(Boolean)).toHaveLength(1);
	});
});

describe('a store that fails', () => {
	test('once: it is tried again', async () => {
		await polled(mark('1', 'a'));
		database.failAt(1);
		expect(await polled(mark('2', 'a'))).toEqual([false]);
		expect(warnings).toHaveLength(1);
	});

	test('to remove an entry: the other events continue', async () => {
		await polled(mark('1', 'a'));
		await polled(mark('2', 'a'));
		// The second one is run again. What it records in its second step is looked at.
		database.failAt(4);
		expect(await polled(mark('2', 'a'), mark('2', 'b'))).toEqual([false, true]);
		expect(warnings).toHaveLength(1);
	});

	test('always: the events continue', async () => {
		const seenEvents = open({
			record: async () => await Promise.reject(new Error('The database is gone')),
			forget: async () => {},
			count: async () => 0,
		});
		expect(await recognizePolled(seenEvents, [mark('1', 'a')])).toEqual([true]);
		expect(await recognizeDelivered(seenEvents, mark('1', 'a'), false)).toBe(true);
		expect(warnings).toHaveLength(10);
	});
});
