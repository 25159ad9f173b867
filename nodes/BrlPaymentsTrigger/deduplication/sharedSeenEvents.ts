import { GroupCommit, KeyedMutex } from '../../shared/concurrency/sharedCalls';
import type { SeenEvents } from './seenEvents';

/** What one delivery asks about the events seen. */
export interface SeenEventsTask<T> {
	/** What its entries are about: tasks with a name in common take effect one after the other. */
	readonly names: readonly string[];
	run(seenEvents: SeenEvents): Promise<T>;
}

type OpenSeenEvents = <T>(use: (seenEvents: SeenEvents) => Promise<T>) => Promise<T>;

interface Waiting extends SeenEventsTask<unknown> {
	readonly open: OpenSeenEvents;
}

const groups = new Map<string, GroupCommit<Waiting, PromiseSettledResult<unknown>>>();

/**
 * Runs the task together with all others of the node that wait for it, with as many calls as
 * one of them would need: while an execution waits, n8n keeps an expression engine for it.
 * @throws what the task throws
 */
export async function shareSeenEvents<T>(
	node: string,
	open: OpenSeenEvents,
	task: SeenEventsTask<T>,
): Promise<T> {
	const group = groups.get(node) ?? new GroupCommit(runGroup);
	groups.set(node, group);
	const result = await group.ask({ ...task, open });
	if (result.status === 'rejected') throw result.reason;
	return result.value as T;
}

async function runGroup(tasks: readonly Waiting[]): Promise<Array<PromiseSettledResult<unknown>>> {
	const results = new Map<Waiting, PromiseSettledResult<unknown>>();
	let left = [...tasks];
	while (left[0]) {
		const { open } = left[0];
		const together = independent(left);
		const settled = await open(async (seenEvents) => {
			const shared = joinCalls(seenEvents);
			return await Promise.allSettled(together.map(async (task) => await task.run(shared)));
		});
		together.forEach((task, index) => results.set(task, settled[index]!));
		left = left.filter((task) => !results.has(task));
	}
	return tasks.map((task) => results.get(task)!);
}

/** Those that share no name with an earlier one: always at least the first. */
function independent(tasks: readonly Waiting[]): Waiting[] {
	const taken = new Set<string>();
	return tasks.filter(({ names }) => {
		const isFree = !names.some((name) => taken.has(name));
		for (const name of names) taken.add(name);
		return isFree;
	});
}

/** Calls that come while one is under way share the next one; the store takes only one at a time. */
export function joinCalls(seenEvents: SeenEvents): SeenEvents {
	const turns = new KeyedMutex();
	const records = new GroupCommit<
		{ readonly entries: readonly string[]; readonly isChecked: boolean },
		ReadonlySet<string> | undefined
	>(async (asked) => {
		const all = asked.flatMap(({ entries }) => entries);
		const isChecked = asked.some((each) => each.isChecked);
		const known = await turns.run('', async () => await seenEvents.record(all, isChecked));
		return asked.map(
			({ entries }) => known && new Set(entries.filter((entry) => known.has(entry))),
		);
	});
	const removals = new GroupCommit<readonly string[], undefined>(async (asked) => {
		await turns.run('', async () => await seenEvents.forget(asked.flat()));
		return [];
	});
	return {
		isShared: seenEvents.isShared,
		record: async (entries, isChecked = false) => await records.ask({ entries, isChecked }),
		forget: async (entries) => await removals.ask(entries),
	};
}
