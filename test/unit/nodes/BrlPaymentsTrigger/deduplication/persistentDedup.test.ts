import { withDurableStore, type StoreAccess } from '../../../../../nodes/shared/n8n/durableStore';
import {
	openSeenEvents,
	type SeenEvents,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	namesOfDelivery,
	recognizeDelivered,
	recognizePolled,
	remember,
	toIdentities,
	type DeliveryMark,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/persistentDedup';
import { FakeDeduplication } from '../../../support/deduplicationStore';

// What copies, retries, polls and foreign signatures come to, one after the other: test/engine/trigger.
// A store that fails: seenEvents.test.ts.

let database: FakeDeduplication;
beforeEach(() => {
	database = new FakeDeduplication();
});

const open = (store: StoreAccess, isShared = true) =>
	openSeenEvents(store, 'example', 0, { keepMs: 600_000, isShared }, () => {});
type Use<T> = (seenEvents: SeenEvents) => Promise<T>;
const inStore = async <T>(use: Use<T>, isShared?: boolean) =>
	await withDurableStore(database.context(), async (store) => await use(open(store, isShared)));

/** The store as a process uses it that dies right before or after its k-th call. */
async function dying(k: number, when: 'before' | 'after', use: Use<unknown>): Promise<void> {
	await withDurableStore(database.context(), async (store) => {
		let calls = 0;
		await new Promise<void>((die, reject) => {
			const call = async <T>(run: () => Promise<T>): Promise<T> => {
				const number = (calls += 1);
				const isDone = number < k || (number === k && when === 'after');
				const result = isDone ? await run() : undefined;
				if (number < k) return result as T;
				die();
				return await new Promise<never>(() => {});
			};
			const seenEvents = open({
				...store,
				record: async (...asked) => await call(async () => await store.record(...asked)),
				forget: async (entries) => await call(async () => await store.forget(entries)),
			});
			use(seenEvents).then(() => die(), reject);
		});
	});
}

/** The execution of a delivery. */
const delivery =
	(changed: Partial<DeliveryMark> = {}, isRetry = false): Use<unknown> =>
	async (seenEvents) => {
		const id = changed.id ?? 'a';
		const own = { id, key: id, contents: ['content'], fingerprints: ['sig-1'], emission: 'run-1' };
		return await remember(seenEvents, namesOfDelivery({ ...own, ...changed }), isRetry);
	};

describe('a delivery', () => {
	const recall = async (changed: Partial<DeliveryMark> = {}) => await inStore(delivery(changed));
	const retry = async (changed: Partial<DeliveryMark> = {}) =>
		await inStore(delivery(changed, true));
	const killed = async (changed: Partial<DeliveryMark> = {}, calls = 1) =>
		await dying(calls, 'after', delivery(changed));
	/** The next execution, of a copy. */
	const copy = { emission: 'run-2' };
	/** Another delivery with the signature of the first one, and the genuine one. */
	const foreign = { id: 'b', emission: 'run-2' };
	const genuine = { id: 'b', fingerprints: ['sig-2'], emission: 'run-3' };

	test('that was let through before it was ever seen is known afterwards without the wish', async () => {
		expect(await recall({ key: 'a again 1' })).toBe('first');
		expect(await recall(copy)).toBe('copy');
	});

	test.each([
		['two calls where no other process writes', false, 2],
		['three calls where one may', true, 3],
	])('costs %s', async (_, isShared, calls) => {
		expect(await inStore(delivery(), isShared)).toBe('first');
		expect(database.calls).toHaveLength(calls);
	});

	describe('with the signature of another one', () => {
		beforeEach(async () => void (await recall()));

		test('leaves nothing behind but that it was refused', async () => {
			const before = database.row();
			const again = { ...foreign, key: 'b again 1', fingerprints: ['sig-2', 'sig-1'] };
			expect(await recall(again)).toBe('foreignSignature');
			expect(database.row()).toHaveLength(before.length + 1);
			expect(database.holds('refused b again 1 run-2')).toBe(true);
		});

		test('continues when a person runs it again, and then the id is known', async () => {
			expect(await recall(foreign)).toBe('foreignSignature');
			expect(await retry(foreign)).toBe('first');
			expect(await recall(genuine)).toBe('copy');
			// Nor does that let in another one with the same signature.
			expect(await retry({ id: 'c', emission: 'run-4' })).toBe('foreignSignature');
		});

		test('stays a copy when it is run again after the genuine delivery has come', async () => {
			await recall(foreign);
			expect(await recall(genuine)).toBe('first');
			expect(await retry(foreign)).toBe('copy');
		});

		test('is refused for each of several signatures, those of copies included', async () => {
			await recall({ ...copy, fingerprints: ['sig-1', 'sig-2'] });
			for (const fingerprints of [['sig-2'], ['sig-4', 'sig-1']]) {
				expect(await recall({ ...foreign, fingerprints })).toBe('foreignSignature');
			}
		});

		describe('killed after its first call', () => {
			beforeEach(async () => await killed(foreign));

			test('leaves its id to the genuine delivery', async () => {
				expect(await recall(genuine)).toBe('first');
				expect(await recall({ ...genuine, emission: 'run-4' })).toBe('copy');
			});

			test('is refused when it comes once more', async () => {
				expect(await recall({ ...foreign, emission: 'run-4' })).toBe('foreignSignature');
				// The signature still belongs to the first id.
				expect(await recall({ emission: 'run-5' })).toBe('copy');
				expect(await recall(genuine)).toBe('first');
			});

			test('is refused when it is run again, and continues the second time', async () => {
				expect(await retry(foreign)).toBe('foreignSignature');
				expect(await retry(foreign)).toBe('first');
			});
		});
	});

	describe('killed after its first call', () => {
		test('as a copy: it stays one when it is run again, however often', async () => {
			await recall();
			await killed(copy);
			expect(await retry(copy)).toBe('copy');
			expect(await retry(copy)).toBe('copy');
		});

		test('continues when it is run again, and a copy after that does not', async () => {
			await killed();
			expect(await retry()).toBe('first');
			expect(await retry()).toBe('first');
			expect(await recall(copy)).toBe('copy');
		});

		test('gives way to a copy that came before it was run again', async () => {
			await killed();
			expect(await recall(copy)).toBe('first');
			expect(await retry()).toBe('copy');
			expect(await retry(copy)).toBe('first');
			expect(await recall({ emission: 'run-3' })).toBe('copy');
		});

		test('like its copy: one of them continues, whichever is run again first', async () => {
			await killed();
			await killed(copy);
			expect(await retry(copy)).toBe('first');
			expect(await retry()).toBe('copy');
			expect(await retry(copy)).toBe('first');
		});

		test('or after its second one, next to others: it continues when it is run again', async () => {
			await recall();
			await killed(genuine, 2);
			expect(await retry(genuine)).toBe('first');
		});
	});
});

describe('a polled event', () => {
	const mark = (emission: string, ...identities: string[]) => ({ emission, identities });
	const poll =
		(...marks: Array<ReturnType<typeof mark>>): Use<boolean[]> =>
		async (seenEvents) =>
			await recognizePolled(seenEvents, marks);
	const polled = async (...marks: Array<ReturnType<typeof mark>>) => await inStore(poll(...marks));
	/** The event as a webhook brings it, in this execution. */
	const webhook =
		(emission: string, ...identities: string[]): Use<boolean> =>
		async (seenEvents) =>
			await recognizeDelivered(seenEvents, { emission, identities }, false);
	const delivered = async (...given: [string, ...string[]]) => await inStore(webhook(...given));

	test('is recognized on its own, next to others', async () => {
		expect(await polled(mark('1', 'a', 'A'), mark('1', 'b', 'B'))).toEqual([true, true]);
		expect(await polled(mark('2', 'b', 'B'), mark('2', 'c', 'C'))).toEqual([false, true]);
	});

	test('that repeats another one still does when its execution is run again', async () => {
		await polled(mark('1', 'a'));
		for (let time = 0; time < 2; time += 1) expect(await polled(mark('2', 'a'))).toEqual([false]);
		expect(await polled(mark('1', 'a'))).toEqual([true]);
	});

	test('continues if the store always fails', async () => {
		const nothing = async () => await Promise.reject(new Error('The database is gone'));
		const seenEvents = open({ record: nothing, forget: nothing, count: nothing });
		expect(await poll(mark('1', 'a'))(seenEvents)).toEqual([true]);
		expect(await webhook('w', 'a')(seenEvents)).toBe(true);
		expect(await delivery()(seenEvents)).toBe('first');
	});

	describe('killed at any call of the store, and run again', () => {
		const moments = [1, 2, 3, 4].flatMap((k) => [[k, 'before'] as const, [k, 'after'] as const]);

		test.each(moments)('call %i, %s: a delivery that polling was faster than', async (k, when) => {
			await polled(mark('1', 'a', 'A'));
			await dying(k, when, webhook('w', 'a', 'A'));
			expect(await delivered('w', 'a', 'A')).toBe(false);
			expect(await delivered('next', 'a', 'A')).toBe(true);
		});

		test.each(moments)('call %i, %s: a poll that a delivery was faster than', async (k, when) => {
			await delivered('w', 'A');
			await dying(k, when, poll(mark('1', 'a', 'A')));
			expect(await polled(mark('1', 'a', 'A'))).toEqual([false]);
		});

		test.each(moments)('call %i, %s: the first, which nothing else repeats', async (k, when) => {
			await dying(k, when, poll(mark('1', 'a')));
			// The next poll finds the event again.
			const again = await polled(mark('2', 'a'));
			const retried = await polled(mark('1', 'a'));
			expect([again, retried].filter(([isNew]) => isNew)).toHaveLength(1);
		});

		test.each(moments)('call %i, %s: the first delivery, and the poll', async (k, when) => {
			await dying(k, when, webhook('w', 'A'));
			const [byPoll] = await polled(mark('1', 'a', 'A'));
			expect([byPoll, await delivered('w', 'A')].filter(Boolean)).toHaveLength(1);
		});

		const pairs = moments.flatMap((one) => moments.map((other) => [...one, ...other] as const));
		test.each(pairs)('twice, at call %i, %s, and at call %i, %s: exactly once', async (...at) => {
			const [k, when, other, otherwise] = at;
			for (const order of ['123', '213', '321', '231']) {
				database = new FakeDeduplication();
				await dying(k, when, poll(mark('1', 'a', 'A')));
				await dying(other, otherwise, poll(mark('2', 'a', 'A')));
				const known: boolean[] = [];
				for (const emission of order) known.push(...(await polled(mark(emission, 'a', 'A'))));
				expect([order, known.filter(Boolean).length]).toEqual([order, 1]);
			}
		});

		test('after its first call, and nobody retries it: the next poll brings the event', async () => {
			await dying(1, 'after', poll(mark('1', 'a', 'A')));
			expect(await polled(mark('2', 'a', 'A'))).toEqual([true]);
			expect(await polled(mark('1', 'a', 'A'))).toEqual([false]);
			expect(await polled(mark('2', 'a', 'A'))).toEqual([true]);
		});
	});
});

test('the names of an event: by its ID and by its txId, the same over versions', () => {
	const event = {
		...{ event: 'PAYMENT_PAID', status: 'PAID' },
		...{ paymentId: 'p1', withdrawalId: null, txId: 'PAY1' },
	};
	expect(toIdentities(event)).toEqual(['Hgbfs0J9tA', 'E65Jm0wopt']);
	expect(toIdentities({ ...event, txId: null })).toEqual(['Hgbfs0J9tA']);
	expect(toIdentities({ ...event, paymentId: null })).toEqual(['E65Jm0wopt']);
	const refunded = toIdentities({ ...event, event: 'PAYMENT_REFUNDED' });
	for (const name of refunded) expect(toIdentities(event)).not.toContain(name);
	const inPart = { ...event, event: 'PAYMENT_REFUNDED', status: 'PARTIAL_REFUND' };
	for (const name of refunded) expect(toIdentities(inPart)).not.toContain(name);
});
