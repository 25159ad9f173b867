import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import { getStoreName } from '../../shared/n8n/durableStore';
import type { ResourceType } from '../events/events';
import { toKeyId } from '../../shared/text/fingerprint';
import type { Connection } from '../../shared/client/connection';

/** An event that a list shows now. */
export interface ListedEvent {
	/** See `toIdentities`; the first one names it here. */
	readonly identities: readonly string[];
	/** When its payment or withdrawal was created, epoch ms; NaN if the list does not say. */
	readonly createdAt: number;
	/** The latest time that its row shows, epoch ms by the clock of the service; NaN if there is none. */
	readonly changedAt: number;
	readonly isSelected: boolean;
}

/** What is kept of a list in the static data of the workflow. */
interface SavedEvents {
	/** Epoch ms; undefined before the list was read for the first time. */
	since?: number;
	/** Epoch ms, see `KnownEvents.noteUnread`. */
	watchedSince?: number;
	/** Each identity, directly followed by the minute of its creation in base 36, separated by blanks. */
	known: string;
}

interface Pending {
	readonly createdAt: number;
	readonly activation: unknown;
	emittedAt: number;
	times: number;
}

const ID_LENGTH = 10;
const MINUTE_MS = 60_000;
/** An execution that has not confirmed an event by then may not exist. */
const PATIENCE_MS = 5 * MINUTE_MS;
/**
 * In queue mode executions run in other processes, and nothing is ever confirmed here. So an event
 * counts as known after this many emissions. Until then, the head of its execution ends each
 * repetition.
 */
const MAX_EMISSIONS = 3;

/**
 * What polling knows of one list of one trigger node: which of the events that the list shows are no
 * news. An event is known when the head of its execution has confirmed it, not when a poll has emitted
 * it: between the two n8n may be killed, or drop what a poll brought because the workflow was changed.
 */
export class KnownEvents {
	/** The page that the next poll continues with, see `PolledRows`. */
	nextPage = 1;
	/** Identity -> when its resource was created, epoch ms. */
	private readonly known = new Map<string, number>();
	private readonly pending = new Map<string, Pending>();
	/** Rows that are older were never watched, so the state in which they are found is no news. */
	private since = Infinity;
	/** If the list could not be read at first: what has changed since then is still news. */
	private watchedSince = Infinity;
	private lastReadAt = Infinity;
	private isAccountUnsure = false;

	constructor(saved?: SavedEvents) {
		if (!saved) return;
		this.since = saved.since ?? Infinity;
		this.watchedSince = saved.watchedSince ?? Infinity;
		for (const entry of saved.known.split(' ')) {
			const minute = Number.parseInt(entry.slice(ID_LENGTH), 36);
			if (!Number.isNaN(minute)) this.known.set(entry.slice(0, ID_LENGTH), minute * MINUTE_MS);
		}
	}

	/**
	 * The events that are to be emitted now.
	 * @param clockLead how far the clock of the service is ahead, milliseconds
	 * @param activation the same for all polls of one activation: what was emitted in an earlier one may
	 * have been dropped by n8n
	 */
	takeNews<T extends ListedEvent>(
		listed: readonly T[],
		now: number,
		clockLead: number,
		activation: unknown,
	): T[] {
		if (this.isAccountUnsure) this.compareAccount(listed);
		return listed.filter((event) => {
			const createdAt = Number.isNaN(event.createdAt) ? now : event.createdAt;
			const isOld =
				this.since === Infinity
					? !(event.changedAt > this.watchedSince + clockLead)
					: createdAt < this.since;
			if (isOld || !event.isSelected || event.identities.some((id) => this.known.has(id))) {
				this.learn(event.identities, createdAt);
				return false;
			}
			return this.isDue(event.identities, createdAt, now, activation);
		});
	}

	/** The head of an execution has seen these events, or a webhook has brought them. */
	confirm(identities: readonly string[], now: number): void {
		const pending = identities.map((id) => this.pending.get(id)).find(Boolean);
		this.learn(identities, pending?.createdAt ?? now);
	}

	/**
	 * The list could not be read to its end. Until that succeeds once, the state in which rows are
	 * found is no news; but what happens from now on is, however long reading fails.
	 * @param startedAt when the reading began, epoch ms
	 */
	noteUnread(startedAt: number): void {
		if (this.since === Infinity) this.watchedSince = Math.min(this.watchedSince, startedAt);
	}

	/**
	 * Another API key is in use, which may be a new key of the same account or that of another one. The
	 * next reading shows which: the same account lists events that are known.
	 */
	noteOtherKey(): void {
		if (this.since !== Infinity) this.isAccountUnsure = true;
	}

	/**
	 * The list was read to its end.
	 * @param since how far back, epoch ms; what is older is not looked at again
	 */
	finishReading(since: number, now: number): void {
		this.since = since;
		this.watchedSince = Infinity;
		this.lastReadAt = now;
		this.isAccountUnsure = false;
		for (const [id, createdAt] of this.known) if (createdAt < since) this.known.delete(id);
		for (const [id, { createdAt }] of this.pending) if (createdAt < since) this.pending.delete(id);
	}

	/** @returns undefined before the first attempt to read the list */
	save(): SavedEvents | undefined {
		const { since, watchedSince } = this;
		if (since === Infinity) {
			return watchedSince === Infinity ? undefined : { watchedSince, known: '' };
		}
		const known = [...this.known].map(
			([id, createdAt]) => id + Math.ceil(createdAt / MINUTE_MS).toString(36),
		);
		return { since, known: known.join(' ') };
	}

	private compareAccount(listed: readonly ListedEvent[]): void {
		if (listed.some(({ identities }) => identities.some((id) => this.known.has(id)))) {
			this.isAccountUnsure = false;
		} else {
			// As at a first activation, except for what has changed since the last poll.
			this.since = Infinity;
			this.watchedSince = this.lastReadAt;
		}
	}

	private isDue(
		identities: readonly string[],
		createdAt: number,
		now: number,
		activation: unknown,
	): boolean {
		const [id = ''] = identities;
		const earlier = this.pending.get(id);
		if (!earlier) {
			this.pending.set(id, { createdAt, activation, emittedAt: now, times: 1 });
			return true;
		}
		const isDropped = earlier.times === 1 && earlier.activation !== activation;
		const patience = PATIENCE_MS * 4 ** (earlier.times - 1);
		if (!isDropped && now - earlier.emittedAt < patience) return false;
		earlier.emittedAt = now;
		earlier.times += 1;
		if (earlier.times >= MAX_EMISSIONS) this.learn(identities, createdAt);
		return true;
	}

	private learn(identities: readonly string[], createdAt: number): void {
		for (const id of identities) {
			this.known.set(id, createdAt);
			this.pending.delete(id);
		}
	}
}

/** What polling remembers of one trigger node in this process. */
export interface PollMemory {
	lists: Readonly<Record<ResourceType, KnownEvents>>;
	/** Environment and fingerprint of the API key that the lists were read with. */
	account: string | undefined;
	/** Whether a poll is under way: another one must not begin. */
	isBusy: boolean;
	hasReportedFailure: boolean;
	/** Counts the polls, so that the lists take turns in being read first. */
	polls: number;
}

type NodeContext = Pick<IExecuteFunctions, 'getNode' | 'getWorkflow'>;

/** By workflow and node; n8n's static data is lost when a node is renamed, these are not. */
const memories = new Map<string, PollMemory>();

const LISTS = ['payment', 'withdrawal'] as const;

/** The memory of this process; if it has none, what an earlier one has saved. */
export function openMemory(context: NodeContext & Pick<IPollFunctions, 'getWorkflowStaticData'>) {
	const name = getStoreName(context);
	const found = memories.get(name);
	if (found) return found;
	const saved = context.getWorkflowStaticData('node');
	const memory: PollMemory = {
		lists: {
			payment: new KnownEvents(saved.payment as SavedEvents | undefined),
			withdrawal: new KnownEvents(saved.withdrawal as SavedEvents | undefined),
		},
		account: typeof saved.account === 'string' ? saved.account : undefined,
		isBusy: false,
		hasReportedFailure: false,
		polls: 0,
	};
	memories.set(name, memory);
	return memory;
}

/**
 * Another API key may show another account: what it shows then is not what happened since the last
 * poll. Between test and live it certainly does; otherwise each list decides by what it shows.
 */
export function noteAccount(memory: PollMemory, connection: Connection): void {
	const { environment, baseUrl, keyPrefix } = connection;
	// Names the key without showing it.
	const account = `${environment} ${toKeyId(baseUrl, keyPrefix)}`;
	const earlier = memory.account;
	memory.account = account;
	if (earlier === undefined || earlier === account) return;
	if (earlier.split(' ')[0] !== environment) {
		memory.lists = { payment: new KnownEvents(), withdrawal: new KnownEvents() };
		return;
	}
	for (const type of LISTS) memory.lists[type].noteOtherKey();
}

/** The memory of a node that is polled in this process; undefined if another one polls. */
export function findMemory(context: NodeContext): PollMemory | undefined {
	return memories.get(getStoreName(context));
}

/**
 * Hands what is known to n8n, which saves it with the next execution that a poll starts, and after
 * each activation. It never decides anything: n8n saves it before the execution exists.
 */
export function saveMemory(
	context: Pick<IPollFunctions, 'getWorkflowStaticData'>,
	memory: PollMemory,
): void {
	const saved = context.getWorkflowStaticData('node');
	for (const type of LISTS) {
		const list = memory.lists[type].save();
		const { since, watchedSince, known } = (saved[type] ?? {}) as IDataObject;
		const isFirst = list?.since === undefined ? watchedSince === undefined : since === undefined;
		if (list && (list.known !== known || isFirst)) saved[type] = { ...list };
	}
	if (saved.account !== memory.account) saved.account = memory.account;
}

/** Polling was turned off: when it is turned on again, the state that is found is no news. */
export function forgetMemory(
	context: NodeContext & Pick<IPollFunctions, 'getWorkflowStaticData'>,
): void {
	memories.delete(getStoreName(context));
	const saved = context.getWorkflowStaticData('node');
	for (const name of [...LISTS, 'account']) if (saved[name] !== undefined) delete saved[name];
}
