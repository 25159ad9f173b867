import type { IExecuteFunctions } from 'n8n-workflow';
import { GroupCommit } from '../../shared/concurrency/sharedCalls';
import { getStoreName, withDurableStore } from '../../shared/n8n/durableStore';
import { maskText } from '../../shared/privacy/text';

/** What an execution asks about one event. All of it is recorded; what was there before decides. */
export interface SeenQuestion {
	/** What it is recognized by. */
	readonly keys: readonly string[];
	/** Names this execution: one that is run again is no copy of itself. */
	readonly run: string;
	/** Those that a delivery came with. */
	readonly signatures?: readonly string[];
	/** Of a delivery: its event, as polls recognize it. */
	readonly event?: readonly string[];
}

/**
 * `first`: continue. `copy`: another execution has it. `polled`: a poll has brought the event, and this is its
 * first delivery. `foreign`: a signature came with another delivery ID or event before.
 */
export type Verdict = 'first' | 'copy' | 'polled' | 'foreign';

function entriesOf({ keys, run, signatures = [], event = [] }: SeenQuestion) {
	return {
		keys,
		run: [`run ${run}`],
		signatures: signatures.map((signature) => `signature ${signature}`),
		event: event.map((identity) => `event ${identity}`),
		/** A later delivery of the same event was sent on purpose, for example after a dispute was won. */
		delivered: event.map((identity) => `delivered ${identity}`),
	};
}

/**
 * What remains of a question. A copy stays one when a person runs it again. What was refused does not: it
 * may be genuine, and a person may decide so. Neither may stop another event.
 */
const KEPT = {
	first: ['keys', 'run', 'signatures', 'event', 'delivered'],
	copy: ['keys', 'signatures'],
	polled: ['keys', 'signatures', 'event', 'delivered'],
	foreign: ['run'],
} as const;

/** @param known what was there before, and what earlier questions of the same call have left there */
export function decide(question: SeenQuestion, known: ReadonlySet<string>): Verdict {
	const { keys, run, signatures, event, delivered } = entriesOf(question);
	const isKnown = (entry: string) => known.has(entry);
	if (run.some(isKnown)) return 'first';
	if (keys.some(isKnown)) return 'copy';
	if (signatures.some(isKnown)) return 'foreign';
	return event.some(isKnown) && !delivered.some(isKnown) ? 'polled' : 'first';
}

/** Four entries of each of 15 deliveries a second: more than one n8n was seen to take. */
const ENTRIES_PER_MS = 0.06;
/**
 * How many entries the row keeps at least: of 4,000 deliveries, or of 10,000 events that a poll may find in
 * its lists days later. n8n reads and writes the row as a whole.
 */
const LEAST_ENTRIES = { webhook: 16_000, polling: 80_000 };
/** How often a store that fails is tried. */
const MAX_ATTEMPTS = 5;

interface Asked {
	readonly context: IExecuteFunctions;
	readonly question: SeenQuestion;
	/** Nothing younger than two windows is forgotten. */
	readonly windowMs: number;
	readonly isPolled: boolean;
	/** Whether another process may write to the row, and overwrite what this one has written. */
	readonly isShared: boolean;
}

const groups = new Map<string, GroupCommit<Asked, Verdict>>();
/** What this process has recorded last, by store. */
const recorded = new Map<string, Set<string>>();
const MOST_RECORDED = 4_000;

/**
 * Remembers an event in n8n's own database, which survives restarts and spans processes, and says whether
 * it was there before. Those that ask at the same time share one call. If the database keeps failing, the
 * event continues: a duplicate is better than a loss.
 */
export async function remember(asked: Asked): Promise<Verdict> {
	const name = getStoreName(asked.context);
	const group = groups.get(name) ?? new GroupCommit<Asked, Verdict>(rememberTogether);
	groups.set(name, group);
	return await group.ask(asked);
}

async function rememberTogether(asked: readonly Asked[]): Promise<Verdict[]> {
	const [{ context, windowMs, isPolled, isShared }] = asked as [Asked];
	const questions = asked.map(({ question }) => question);
	const name = getStoreName(context);
	const recent = recorded.get(name) ?? new Set<string>();
	recorded.set(name, recent);
	const entries = [...new Set(entriesToRecord(asked, recent))];
	const least = isPolled ? LEAST_ENTRIES.polling : LEAST_ENTRIES.webhook;
	const bound = Math.max(least, Math.ceil(2 * windowMs * ENTRIES_PER_MS)) + entries.length;
	return await withDurableStore(context, async (store) => {
		let known: Set<string> | undefined;
		await persist(context, async () => {
			const before = await store.record(entries, bound);
			known ??= new Set(before);
			// Whether they are really there: n8n reads the row and writes it back.
			return !isShared || before.size === entries.length;
		});
		const late: string[] = [];
		const verdicts = questions.map((question) => {
			const verdict = known ? decide(question, known) : 'first';
			const own = entriesOf(question);
			for (const entry of KEPT[verdict].flatMap((kind) => own[kind])) {
				if (!entries.includes(entry)) late.push(entry);
				known?.add(entry);
				if (known) recent.add(entry);
			}
			return verdict;
		});
		if (late.length > 0) await persist(context, async () => void (await store.record(late, bound)));
		if (recent.size > MOST_RECORDED) recent.clear();
		const useless = known ? entries.filter((entry) => !known?.has(entry)) : [];
		if (useless.length > 0) await persist(context, async () => await store.forget(useless));
		return verdicts;
	});
}

/**
 * What is recorded at once. The run of what this process knows as a copy is not: if n8n were killed before it
 * is forgotten, a person who retries that execution and the first one would have the event twice.
 */
function entriesToRecord(asked: readonly Asked[], recent: ReadonlySet<string>): string[] {
	const seen = new Set(recent);
	const isSeen = (entry: string) => seen.has(entry);
	return asked.flatMap(({ context, question }) => {
		const own = entriesOf(question);
		const { run, keys, event, delivered } = own;
		const isCopy = keys.some(isSeen) || (event.some(isSeen) && !delivered.some(isSeen));
		// Only the database knows the runs of before a restart, and Retry On Fail asks once more.
		const isAgain = context.getMode() === 'retry' || run.some(isSeen);
		const entries = Object.values(own).flat();
		for (const entry of entries) seen.add(entry);
		return isCopy && !isAgain ? entries.filter((entry) => !run.includes(entry)) : entries;
	});
}

/** Tries until a call does not return false. */
async function persist(
	{ logger }: IExecuteFunctions,
	call: () => Promise<boolean | void>,
): Promise<void> {
	for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
		try {
			if ((await call()) !== false) return;
		} catch (error) {
			const reason = error instanceof Error ? maskText(error.message) : 'unknown reason';
			logger.warn(`BRL Payments Trigger: events cannot be remembered (${attempt}): ${reason}`);
		}
	}
}
