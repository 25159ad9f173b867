import type { IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import type { Connection, Environment } from '../../shared/client/connection';
import { getStoreName } from '../../shared/n8n/durableStore';
import { fingerprint } from '../../shared/text/fingerprint';
import type { ResourceType } from '../events';
import { resourceOf } from '../item';

/** An event that a list shows now. Times in epoch ms. */
export interface ListedEvent {
	/** See `toIdentities`; the first one names it here. */
	readonly identities: readonly string[];
	/** When its payment or withdrawal was created; NaN if the list does not say. */
	readonly createdAt: number;
	/** The latest time that its row shows, by the clock of the service; NaN if there is none. */
	readonly changedAt: number;
	readonly isSelected: boolean;
}

type Emission = Readonly<Record<'createdAt' | 'at' | 'times', number>>;

/** What is kept of a list in the static data of the workflow. */
interface SavedList {
	readonly since?: number;
	readonly watchedSince?: number;
	readonly known?: ReadonlyArray<[id: string, createdAt: number]>;
	readonly emissions?: ReadonlyArray<[id: string, emission: Emission]>;
	readonly key?: string;
}

/** An execution that has not confirmed an event by then may not exist. */
const PATIENCE_MS = 5 * 60_000;
/**
 * In queue mode executions run in other processes, and nothing is ever confirmed here. So an event counts as
 * known after this many emissions, of which the head of the execution ends each repetition.
 */
const MAX_EMISSIONS = 3;

/**
 * What polling knows of one list of one trigger node: which of the events that the list shows are no
 * news. An event is known when the head of its execution has confirmed it, not when a poll has emitted
 * it: between the two n8n may be killed, or drop what a poll brought because the workflow was changed.
 */
export class SeenEvents {
	/** The page that the next poll continues with, see `PolledRows`. */
	nextPage = 1;
	/** Identity -> when its resource was created. */
	private readonly known: Map<string, number>;
	/** By the first identity. */
	private readonly emissions: Map<string, Emission>;
	/** Rows that are older were never watched. Undefined until the list was read to its end once. */
	private since: number | undefined;
	/** Before that, only what has changed since then is news. */
	private watchedSince: number | undefined;
	private lastReadAt: number | undefined;
	/** Fingerprint of the API key that the list was read with. */
	private key: string | undefined;
	private isOtherKey = false;
	private activation: unknown;

	/** @param saved see `save` */
	constructor(saved = '{}') {
		const { since, watchedSince, known, emissions, key } = JSON.parse(saved) as SavedList;
		this.since = since;
		this.key = key;
		this.watchedSince = watchedSince;
		this.known = new Map(known);
		this.emissions = new Map(emissions);
	}

	/**
	 * @param clockLead how far the clock of the service is ahead, milliseconds
	 * @param activation the same for all polls of one activation
	 */
	takeNews<T extends ListedEvent>(
		listed: readonly T[],
		now: number,
		clockLead: number,
		activation: unknown,
	): T[] {
		if (this.isOtherKey && listed.length > 0) this.compareAccount(listed);
		if (activation !== this.activation) this.repeatEmissions();
		this.activation = activation;
		return listed.filter(({ identities, changedAt, isSelected, ...event }) => {
			const createdAt = Number.isNaN(event.createdAt) ? now : event.createdAt;
			const isOld =
				this.since === undefined
					? !(changedAt > (this.watchedSince ?? Infinity) + clockLead)
					: createdAt < this.since;
			if (!isOld && isSelected && !identities.some((id) => this.known.has(id))) {
				return this.isDue(identities, createdAt, now);
			}
			this.learn(identities, createdAt);
			return false;
		});
	}

	/** The head of an execution has seen this event, or a webhook has brought it. */
	confirm(identities: readonly string[], now: number): void {
		const emission = identities.map((id) => this.emissions.get(id)).find(Boolean);
		this.learn(identities, emission?.createdAt ?? now);
	}

	/** The list cannot be read to its end yet: what happens from now on is news all the same. */
	watchFrom(startedAt: number): void {
		if (this.since === undefined) this.watchedSince ??= startedAt;
	}

	/**
	 * Another API key may show another account: what it shows then is not what happened since the last poll. The next
	 * reading shows whether: the same account lists payments or withdrawals that are known.
	 */
	noticeKey(key: string): void {
		const isOther = this.key !== undefined && this.key !== key;
		this.isOtherKey ||= isOther && this.since !== undefined;
		this.key = key;
	}

	/** The list was read to its end. @param since how far back; what is older is not considered again */
	finishReading(since: number, now: number): void {
		this.since = since;
		this.watchedSince = undefined;
		this.lastReadAt = now;
		this.isOtherKey = false;
		for (const [id, createdAt] of this.known) if (createdAt < since) this.known.delete(id);
		for (const [id, { createdAt }] of this.emissions)
			if (createdAt < since) this.emissions.delete(id);
	}

	/** As one text: of anything else, n8n would watch each part. */
	save(): string {
		const { since, watchedSince, key } = this;
		const [known, emissions] = [[...this.known], [...this.emissions]];
		return JSON.stringify({ since, watchedSince, known, emissions, key } satisfies SavedList);
	}

	private compareAccount(listed: readonly ListedEvent[]): void {
		this.isOtherKey = false;
		const known = new Set([...this.known.keys(), ...this.emissions.keys()].map(resourceOf));
		if (listed.some(({ identities }) => identities.some((id) => known.has(resourceOf(id))))) return;
		// As at a first activation, except for what has changed since the last poll.
		this.since = undefined;
		this.watchedSince = this.lastReadAt;
	}

	/** n8n may have dropped what was emitted before an update or a restart. */
	private repeatEmissions(): void {
		for (const [id, emission] of this.emissions) {
			if (emission.times === 1) this.emissions.set(id, { ...emission, at: 0 });
		}
	}

	private isDue(identities: readonly string[], createdAt: number, at: number): boolean {
		const [id = ''] = identities;
		const earlier = this.emissions.get(id);
		if (earlier && at - earlier.at < PATIENCE_MS) return false;
		const times = (earlier?.times ?? 0) + 1;
		this.emissions.set(id, { createdAt, at, times });
		if (times >= MAX_EMISSIONS) this.learn(identities, createdAt);
		return true;
	}

	private learn(identities: readonly string[], createdAt: number): void {
		for (const id of identities) {
			this.known.set(id, createdAt);
			this.emissions.delete(id);
		}
	}
}

type Lists = Readonly<Record<ResourceType, SeenEvents>>;

/** What polling remembers of one trigger node in this process. */
export interface PollMemory {
	/** Of test and of live: whoever tries something with a test key misses no live event meanwhile. */
	readonly lists: Readonly<Record<Environment, Lists>>;
	/** Whether a poll is under way: another one must not begin. */
	isBusy: boolean;
	hasReportedFailure: boolean;
}

type NodeContext = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>;
type PollContext = NodeContext & Pick<IPollFunctions, 'getWorkflowStaticData'>;
type Saved = Partial<Record<string, string>>;

/** By workflow and node; n8n's static data is lost when a node is renamed, these are not. */
const memories = new Map<string, PollMemory>();

const openLists = (saved: Saved, environment: Environment): Lists => ({
	payment: new SeenEvents(saved[`${environment} payment`]),
	withdrawal: new SeenEvents(saved[`${environment} withdrawal`]),
});

/** The memory of this process; if it has none, what an earlier one has saved. */
export function openMemory(context: PollContext): PollMemory {
	const known = findMemory(context);
	if (known) return known;
	const saved = context.getWorkflowStaticData('node') as Saved;
	const [production, sandbox] = [openLists(saved, 'production'), openLists(saved, 'sandbox')];
	const memory = { lists: { production, sandbox }, isBusy: false, hasReportedFailure: false };
	memories.set(getStoreName(context), memory);
	return memory;
}

/** The lists that an API key shows. */
export function listsOf({ lists }: PollMemory, connection: Connection): Lists {
	const { environment, baseUrl, keyPrefix } = connection;
	const shown = lists[environment];
	// Names the key without showing it.
	const key = fingerprint([baseUrl, keyPrefix]);
	for (const list of [shown.payment, shown.withdrawal]) list.noticeKey(key);
	return shown;
}

/** The memory of a node that is polled in this process; undefined if another one polls. */
export function findMemory(context: NodeContext): PollMemory | undefined {
	return memories.get(getStoreName(context));
}

/** n8n saves it with the next execution that a poll starts, before that exists, and after each activation. */
export function saveMemory(context: PollContext, { lists }: PollMemory): void {
	const data = context.getWorkflowStaticData('node');
	for (const [environment, both] of Object.entries(lists)) {
		for (const [type, list] of Object.entries(both)) {
			data[`${environment} ${type}`] = list.save();
		}
	}
}

/** Polling was turned off: when it is turned on again, the state that is found is no news. */
export function forgetMemory(context: PollContext): void {
	memories.delete(getStoreName(context));
	const data = context.getWorkflowStaticData('node');
	for (const name of Object.keys(data)) delete data[name];
}
