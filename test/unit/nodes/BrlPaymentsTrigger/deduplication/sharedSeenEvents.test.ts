import type { SeenEvents } from '../../../../../nodes/BrlPaymentsTrigger/deduplication/seenEvents';
import {
	shareSeenEvents,
	type SeenEventsTask,
} from '../../../../../nodes/BrlPaymentsTrigger/deduplication/sharedSeenEvents';
import { freshNodeId } from '../support/webhookContext';

/** Reports each of its calls, and fails when two are under way. */
class FakeSeenEvents implements SeenEvents {
	readonly isShared = false;
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

let seenEvents: FakeSeenEvents;
let node: string;
beforeEach(() => {
	seenEvents = new FakeSeenEvents();
	node = freshNodeId();
});

async function share<T>(run: SeenEventsTask<T>['run'], ...names: string[]): Promise<T> {
	const own = seenEvents;
	return await shareSeenEvents(node, async (use) => await use(own), { names, run });
}

/** Records its name. @returns which of its entries were known */
const record = async (name: string) =>
	await share(async (shared) => [...(await shared.record([name]))!], name);

test('those that come together share one call, and each gets its own entries only', async () => {
	seenEvents.entries.add('b');
	expect(await Promise.all(['a', 'b', 'c'].map(record))).toEqual([[], ['b'], []]);
	expect(seenEvents.calls).toEqual(['record a b c']);
});

test('of two about the same, the second one meets what the first one left', async () => {
	expect(await Promise.all(['a', 'b', 'a'].map(record))).toEqual([[], [], ['a']]);
	expect(seenEvents.calls).toEqual(['record a b', 'record a']);
});

test('steps of different ones are joined, and never two calls at a time', async () => {
	const twoSteps = async (name: string) =>
		await share(async (shared) => {
			await shared.record([name]);
			await shared.forget([name]);
		}, name);
	const oneMore = share(async (shared) => {
		await shared.record(['c1']);
		await shared.record(['c2']);
	}, 'c');
	await Promise.all([oneMore, twoSteps('a'), twoSteps('b')]);
	expect(seenEvents.calls[0]).toBe('record c1 a b');
	expect(seenEvents.calls.slice(1).sort()).toEqual(['forget a b', 'record c2']);
});

test('one that fails does not fail the others', async () => {
	const failing = share(async () => await Promise.reject(new Error('broken')), 'a');
	const [failed, done] = await Promise.allSettled([failing, record('b')]);
	expect(failed).toMatchObject({ status: 'rejected', reason: new Error('broken') });
	expect(done).toEqual({ status: 'fulfilled', value: [] });
});

test('a call that fails fails for all who share it, and for no others', async () => {
	seenEvents.fails = 'forget';
	const removing = share(async (shared) => await shared.forget(['a']), 'a');
	const results = await Promise.allSettled([removing, record('b')]);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('nodes share nothing', async () => {
	const [one, other] = [seenEvents, new FakeSeenEvents()];
	const first = record('a');
	[seenEvents, node] = [other, freshNodeId()];
	await Promise.all([first, record('b')]);
	expect([one.calls, other.calls]).toEqual([['record a'], ['record b']]);
});
