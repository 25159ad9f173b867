import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { getOutputIndex } from '../description/properties';
import { getStoreName, withDurableStore } from '../../shared/n8n/durableStore';
import { toFailure, toNodeError } from '../../shared/failures/itemError';
import { maskText } from '../../shared/privacy/text';
import { maskPersonalData } from '../../shared/privacy/value';
import { realRuntime } from '../../shared/concurrency/runtime';
import { getInMemoryDedup } from '../deduplication/inMemoryDedup';
import { explainMissingId, fetchCurrentState } from './currentState';
import { readNames } from './names';
import { contradictionIn, FOREIGN_DELIVERY_ID, type Distrust } from '../events/events';
import { openSeenEvents, type SeenEvents } from '../deduplication/seenEvents';
import { shareSeenEvents } from '../deduplication/sharedSeenEvents';
import {
	readOptions,
	type TriggerOptions,
	readPollSettings,
	type ReceiveBy,
} from '../description/options';
import { inColumns, type TriggerOutput } from '../events/output';
import { executeFailedPoll, fetchSample } from '../polling/poll';
import { findMemory } from '../polling/memory';
import {
	ENTRIES_OF_POLLING,
	isSentAgainOnPurpose,
	POLL_MARK,
	recognizeDelivered,
	recognizePolled,
	toIdentities,
	type PolledEvent,
	type PollMark,
	DELIVERY_MARK,
	namesOfDelivery,
	remember,
	type DeliveryMark,
} from '../deduplication/persistentDedup';

/** One execution: what it was started with, and what the user has set. */
interface Run {
	readonly context: IExecuteFunctions;
	readonly node: string;
	readonly options: TriggerOptions;
	readonly receiveBy: ReceiveBy;
	readonly items: readonly INodeExecutionData[];
}

/**
 * Runs at the head of the execution that a delivery or a poll started, on whichever process n8n chose:
 * remembers the events, and ends the run for those that another execution has had.
 */
export async function executeDelivery(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const run = await begin(context);
	const { items, options } = run;
	const outputs: INodeExecutionData[][] = [[]];
	const put = (index: number, item: INodeExecutionData) => (outputs[index] ??= []).push(item);

	const polled = await recognizeItems(run);
	const going: Array<{ item: number; event: TriggerOutput; current: IDataObject }> = [];
	for (const [item, { json }] of items.entries()) {
		const { [DELIVERY_MARK]: mark, [POLL_MARK]: pollMark, ...output } = json;
		const event = output as unknown as TriggerOutput;
		if (pollMark !== undefined) confirm(context, event);
		const isNew =
			polled.get(pollMark) ??
			(mark === undefined || (await isNews(run, event, mark as unknown as DeliveryMark, item)));
		if (!isNew) continue;
		// Nodes after a single output may trust the event of each item. With an output for each event,
		// such an item goes to the last one.
		const contradiction = options.oneOutputPerEvent ? undefined : contradictionIn(event);
		if (contradiction) {
			stop(context, contradiction, item);
			continue;
		}
		const current = options.fetchCurrentState
			? await fetchCurrentState(context, event)
			: explainMissingId(event);
		going.push({ item, event, current });
	}
	const found = going.map(({ event, current }) => ({ ...event, ...current }));
	const namesOf = await readNames(context, found);
	for (const [index, { item, event, current }] of going.entries()) {
		const names = namesOf(found[index] ?? event);
		// What was pinned by hand stays as it is.
		const own = event.body === undefined ? current : { ...current, ...names };
		put(getOutputIndex(event, options.events, options.oneOutputPerEvent), {
			json: inColumns({ ...event, ...(options.maskPersonalData ? maskPersonalData(own) : own) }),
			pairedItem: { item },
		});
	}
	return Array.from(outputs, (list) => list ?? []);
}

/**
 * Reads the settings and what started the execution; for Execute Step without a webhook, a sample.
 * @throws NodeApiError or NodeOperationError
 */
async function begin(context: IExecuteFunctions): Promise<Run> {
	const parameter = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, 0, fallback);
	try {
		const { receiveBy } = readPollSettings(parameter);
		const options = readOptions(parameter);
		const run = { context, node: getStoreName(context), options, receiveBy };
		const items = context.getInputData();
		const isEmpty = items.every(({ json }) => Object.keys(json).length === 0);
		if (context.getMode() !== 'manual' || receiveBy === 'webhook' || !isEmpty) {
			return { ...run, items };
		}
		const sample = await fetchSample(context, options.events);
		const body = options.maskPersonalData ? maskPersonalData(sample.body) : sample.body;
		return { ...run, items: [{ json: { ...sample, body } }] };
	} catch (error) {
		throw toNodeError(toFailure(error), context.getNode(), 0);
	}
}

/** @returns for the mark of each polled item, whether to continue with it */
async function recognizeItems(run: Run): Promise<ReadonlyMap<unknown, boolean>> {
	const { context, items, options } = run;
	const marks = items.flatMap(({ json }) => (json[POLL_MARK] ?? []) as unknown as PollMark);
	const events: PolledEvent[] = [];
	const verdictByMark = new Map<unknown, boolean>();
	for (const mark of marks) {
		if ('failure' in mark) {
			await executeFailedPoll(context, mark.failure, options.events);
			verdictByMark.set(mark, false);
		} else events.push(mark);
	}
	if (events.length === 0) return verdictByMark;
	// In queue mode, other workers write to the same row.
	const isShared = findMemory(context) === undefined;
	const verdicts = await withSeenEvents(
		run,
		isShared,
		async (seenEvents) => await recognizePolled(seenEvents, events),
	);
	events.forEach((mark, index) => verdictByMark.set(mark, verdicts[index] ?? true));
	return verdictByMark;
}

/**
 * @throws NodeOperationError unless Continue On Fail is on: then the item is dropped, because it
 * must not continue.
 */
function stop(
	context: IExecuteFunctions,
	{ message, description }: Distrust,
	itemIndex: number,
): void {
	if (!context.continueOnFail()) {
		throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
	}
	context.logger.warn(`BRL Payments Trigger ended an execution: ${message}`);
}

async function isNews(
	run: Run,
	event: TriggerOutput,
	mark: DeliveryMark,
	itemIndex: number,
): Promise<boolean> {
	const { context, node, options, receiveBy } = run;
	// Test runs leave no trace.
	if (context.getMode() === 'manual') return true;
	const isRetry = context.getMode() === 'retry';
	const claims = getInMemoryDedup(node, options.rememberedDeliveries);
	// A claim here shows that webhooks and executions are in one process, and that no other one writes.
	const isShared = !claims.has(mark);
	const now = realRuntime.now();
	// What its signed status denies has not happened: a poll may still find it later.
	const isPolledToo = receiveBy === 'both' && !contradictionIn(event);
	const identities = isPolledToo ? toIdentities(event) : [];

	const task = {
		names: [mark.id, mark.key, ...mark.fingerprints, ...identities],
		run: async (seenEvents: SeenEvents) => {
			const result = options.deduplicate
				? await remember(seenEvents, namesOfDelivery(mark), isRetry)
				: 'first';
			if (result !== 'first' || identities.length === 0) return { result, isNewToPolling: true };
			const delivered = { identities, emission: mark.emission };
			const isAgain = isSentAgainOnPurpose(event);
			return {
				result,
				isNewToPolling: await recognizeDelivered(seenEvents, delivered, isAgain),
			};
		},
	};
	const open = async <T>(use: (seenEvents: SeenEvents) => Promise<T>): Promise<T> =>
		await withSeenEvents(run, isShared, use);
	// A group of deliveries takes long. Another process that writes could meanwhile overwrite what all
	// of them have recorded.
	const { result, isNewToPolling } = isShared
		? await open(task.run)
		: await shareSeenEvents(node, open, task);
	if (result === 'foreignSignature') {
		claims.disown(mark, now);
		stop(context, FOREIGN_DELIVERY_ID, itemIndex);
		return false;
	}
	// In the process that receives webhooks, copies now get a response without an execution.
	if (options.deduplicate) claims.confirm(mark);
	if (result === 'copy') return false;
	if (isPolledToo) confirm(context, event);
	return isNewToPolling || !options.deduplicate;
}

/** From now on, it is not news to the polls of this process. */
function confirm(context: IExecuteFunctions, event: TriggerOutput): void {
	if (context.getMode() === 'manual' || !event.resourceType) return;
	const lists = findMemory(context)?.lists;
	lists?.[event.resourceType].confirm(toIdentities(event), realRuntime.now());
}

/** Exclusive use, within this process, of what the node has seen. */
async function withSeenEvents<T>(
	{ context, node, options, receiveBy }: Run,
	isShared: boolean,
	use: (seenEvents: SeenEvents) => Promise<T>,
): Promise<T> {
	const least = receiveBy === 'webhook' ? 0 : ENTRIES_OF_POLLING;
	const retention = { keepMs: 2 * options.replayWindowMs, least, isShared };
	const warn = (message: string) =>
		context.logger.warn(`BRL Payments Trigger: ${maskText(message)}`);
	return await withDurableStore(
		context,
		async (store) => await use(openSeenEvents(store, node, realRuntime.now(), retention, warn)),
	);
}
