import type { IDataObject, IExecuteFunctions, IPollFunctions } from 'n8n-workflow';
import { getStoreName } from '../../shared/n8n/durableStore';
import type { ResourceType } from '../events/events';
import { toKeyId } from '../../shared/orders/key';
import type { Connection } from '../../shared/client/connection';
import { KnownEvents, type SavedEvents } from './knownEvents';

/** What polling remembers of one trigger node in this process. */
export interface PollMemory {
	lists: Readonly<Record<ResourceType, KnownEvents>>;
	/** Environment and fingerprint of the API key that the lists were read with. */
	account: string | undefined;
	/** Whether a poll is under way: another one must not begin. */
	isBusy: boolean;
	/** Whether the current failure of polling was reported to the user. */
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
