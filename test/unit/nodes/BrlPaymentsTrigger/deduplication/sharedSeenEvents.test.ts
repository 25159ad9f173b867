import type { SeenEvents } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	shareSeenEvents,
	type SeenEventsTask,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/sharedSeenEvents';
import { freshNodeId } from '../support/webhookContext';

/** A seenEvents that reports each of its calls, and fails when two are under way. */
class FakeLedger implements SeenEvents {
	readonly entries = new Set<string>();
	readonly calls: string[] = [];
	fails: 'record' | 'forget' | undefined;
	private isBusy = false;

	async record(entries: readonly string[]): Promise<ReadonlySet<string>> {
		return await this.alone('record', entries, () => {
			const known = entries.filter((entry) => this.entries.has(entry));
			for (const entry of entries) this.entries.add(entry);
			return new Set(known);
		});
	}

	async forget(entries: readonly string[]): Promise<void> {
		await this.alone('forget', entries, () => {
			for (const entry of entries) this.entries.delete(entry);
		});
	}

	private async alone<T>(kind: 'record' | 'forget', entries: readonly string[], act: () => T) {
		if (this.isBusy) throw new Error('Two calls at a time');
		this.isBusy = true;
		await new Promise(setImmediate);
		this.isBusy = false;
		this.calls.push(`${kind} ${entries.join(' ')}`);
		if (this.fails === kind) throw new Error(`cannot ${kind}`);
		return act();
	}
}

let seenEvents: FakeLedger;
let node: string;
beforeEach(() => {
	seenEvents = new FakeLedger();
	node = freshNodeId();
});

const share = async <T>(task: SeenEventsTask<T>): Promise<T> =>
	await shareSeenEvents(node, async (use) => await use(seenEvents), task);

/** Records its name. @returns whether it was known */
const recording = (name: string): SeenEventsTask<boolean> => ({
	names: [name],
	run: async (shared) => (await shared.record([name])).has(name),
});

test('those that come together share one call', async () => {
	expect(
		await Promise.all(['a', 'b', 'c'].map(async (name) => await share(recording(name)))),
	).toEqual([false, false, false]);
	expect(seenEvents.calls).toEqual(['record a b c']);
});

test('those that come while a call is under way share the next one', async () => {
	const first = share(recording('a'));
	await Promise.resolve();
	await Promise.resolve();
	const later = ['b', 'c'].map(async (name) => await share(recording(name)));
	await Promise.all([first, ...later]);
	expect(seenEvents.calls).toEqual(['record a', 'record b c']);
});

test('each gets its own entries only', async () => {
	seenEvents.entries.add('b');
	const known = ['a', 'b'].map(
		async (name) =>
			await share({ names: [name], run: async (shared) => [...(await shared.record([name]))] }),
	);
	expect(await Promise.all(known)).toEqual([[], ['b']]);
});

test('of two about the same, the second one meets what the first one left', async () => {
	const results = ['a', 'b', 'a'].map(async (name) => await share(recording(name)));
	expect(await Promise.all(results)).toEqual([false, false, true]);
	expect(seenEvents.calls).toEqual(['record a b', 'record a']);
});

test('what one removes is gone before the next one about the same begins', async () => {
	const refused: SeenEventsTask<void> = {
		names: ['a'],
		run: async (shared) => {
			await shared.record(['a']);
			await shared.forget(['a']);
		},
	};
	const [, isKnown] = await Promise.all([share(refused), share(recording('a'))]);
	expect(isKnown).toBe(false);
	expect(seenEvents.calls).toEqual(['record a', 'forget a', 'record a']);
});

test('steps of different ones are joined, and never two calls at a time', async () => {
	const twoSteps = (name: string): SeenEventsTask<void> => ({
		names: [name],
		run: async (shared) => {
			await shared.record([name]);
			await shared.forget([name]);
		},
	});
	const oneMore: SeenEventsTask<void> = {
		names: ['c'],
		run: async (shared) => {
			await shared.record(['c1']);
			await shared.record(['c2']);
		},
	};
	await Promise.all([share(twoSteps('a')), share(twoSteps('b')), share(oneMore)]);
	expect(seenEvents.calls[0]).toBe('record a b c1');
	expect(seenEvents.calls.slice(1).sort()).toEqual(['forget a b', 'record c2']);
});

test('one that fails does not fail the others', async () => {
	const failing: SeenEventsTask<never> = {
		names: ['a'],
		run: async () => {
			throw new Error('broken');
		},
	};
	const [failed, done] = await Promise.allSettled([share(failing), share(recording('b'))]);
	expect(failed).toMatchObject({ status: 'rejected', reason: new Error('broken') });
	expect(done).toEqual({ status: 'fulfilled', value: false });
});

test('a call that fails fails for all who share it, and for no others', async () => {
	seenEvents.fails = 'forget';
	const removing: SeenEventsTask<void> = {
		names: ['a'],
		run: async (shared) => await shared.forget(['a']),
	};
	const results = await Promise.allSettled([share(removing), share(recording('b'))]);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
	seenEvents.fails = undefined;
	expect(await share(recording('b'))).toBe(true);
});

test('nodes share nothing', async () => {
	const other = new FakeLedger();
	await Promise.all([
		share(recording('a')),
		shareSeenEvents(freshNodeId(), async (use) => await use(other), recording('b')),
	]);
	expect([seenEvents.calls, other.calls]).toEqual([['record a'], ['record b']]);
});
