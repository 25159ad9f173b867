import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { withDurableStore, type StoreAccess } from '../../shared/n8n/durableStore';
import { toFailure, toNodeError } from '../../shared/failures/itemError';
import { maskText } from '../../shared/privacy/text';
import { maskPersonalData } from '../../shared/privacy/value';
import { realRuntime } from '../../shared/concurrency/runtime';
import { getInMemoryDedup, nodeName } from '../deduplication/inMemoryDedup';
import { explainMissingId, fetchCurrentState } from './currentState';
import { contradictionIn, FOREIGN_DELIVERY_ID, type Distrust } from './events';
import { openSeenEvents, type SeenEvents } from '../deduplication/seenEvents';
import { readOptions, type TriggerOptions } from '../description/options';
import { inColumns, type TriggerOutput } from './output';
import { getOutputIndex } from '../description/outputPerEvent';
import { executeFailedPoll } from '../polling/failedPoll';
import { toIdentities } from '../polling/identity';
import { POLL_MARK, type PolledEvent, type PollMark } from '../polling/deliveryMetadata';
import { findMemory } from '../polling/memory';
import {
	ENTRIES_OF_POLLING,
	isSentAgainOnPurpose,
	recognizeDelivered,
	recognizePolled,
} from '../polling/recognition';
import { fetchSample } from '../polling/sample';
import { readPollSettings, type ReceiveBy } from '../polling/settings';
import { remember, type DeliveryMark } from '../deduplication/persistentDedup';
import { shareSeenEvents } from '../deduplication/sharedSeenEvents';
import { MARK } from '../receive/webhook';

/**
 * Runs at the head of the execution that a delivery or a poll started, on whichever process n8n chose:
 * remembers the events, and ends the run for those that another execution has had.
 */
export async function executeDelivery(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { options, receiveBy } = readSettings(context);
	const outputs: INodeExecutionData[][] = [[]];
	const put = (index: number, item: INodeExecutionData) => (outputs[index] ??= []).push(item);

	const items = await toItems(context, receiveBy, options);
	const polled = await recognizeItems(context, items, options, receiveBy);
	for (const [item, { json }] of items.entries()) {
		const { [MARK]: mark, [POLL_MARK]: pollMark, ...output } = json;
		const event = output as unknown as TriggerOutput;
		if (pollMark !== undefined) confirm(context, event);
		const isNew =
			polled.get(pollMark) ??
			(mark === undefined ||
				(await isNews(context, event, mark as unknown as DeliveryMark, options, receiveBy, item)));
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
		put(getOutputIndex(event, options.events, options.oneOutputPerEvent), {
			json: inColumns({
				...output,
				...(options.maskPersonalData ? maskPersonalData(current) : current),
			}),
			pairedItem: { item },
		});
	}
	return Array.from(outputs, (list) => list ?? []);
}

/** @throws NodeOperationError for a value that a field cannot have */
function readSettings(context: IExecuteFunctions): {
	options: TriggerOptions;
	receiveBy: ReceiveBy;
} {
	const parameter = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, 0, fallback);
	try {
		const { receiveBy } = readPollSettings(parameter);
		return { options: readOptions(parameter), receiveBy };
	} catch (error) {
		throw toNodeError(toFailure(error), context.getNode(), 0);
	}
}

/** What started the execution; for Execute Step without a webhook, a sample. */
async function toItems(
	context: IExecuteFunctions,
	receiveBy: ReceiveBy,
	options: TriggerOptions,
): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const isEmpty = items.every(({ json }) => Object.keys(json).length === 0);
	if (context.getMode() !== 'manual' || receiveBy === 'webhook' || !isEmpty) return items;
	try {
		const sample = await fetchSample(context, options.events);
		const body = options.maskPersonalData ? maskPersonalData(sample.body) : sample.body;
		return [{ json: { ...sample, body } }];
	} catch (error) {
		throw toNodeError(toFailure(error), context.getNode(), 0);
	}
}

/** @returns for the mark of each polled item, whether to continue with it */
async function recognizeItems(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	options: TriggerOptions,
	receiveBy: ReceiveBy,
): Promise<ReadonlyMap<unknown, boolean>> {
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
	const verdicts = await withDurableStore(context, async (store) => {
		// In queue mode, other workers write to the same row.
		const isShared = findMemory(context) === undefined;
		const seenEvents = openSeenEventsFor(context, store, options, { receiveBy, isShared });
		return await recognizePolled(seenEvents, events, warner(context));
	});
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
	context: IExecuteFunctions,
	event: TriggerOutput,
	mark: DeliveryMark,
	options: TriggerOptions,
	receiveBy: ReceiveBy,
	itemIndex: number,
): Promise<boolean> {
	// Test runs leave no trace.
	if (context.getMode() === 'manual') return true;
	const claims = getInMemoryDedup(getNodeKey(context), options.rememberedDeliveries);
	const now = realRuntime.now();
	const warn = warner(context);
	// A claim here shows that webhooks and executions are in one process, and that no other one writes.
	const by = { isRetry: context.getMode() === 'retry', isShared: !claims.has(mark) };
	// What its signed status denies has not happened: a poll may still find it later.
	const isPolledToo = receiveBy === 'both' && !contradictionIn(event);
	const identities = isPolledToo ? toIdentities(event) : [];

	const task = {
		names: [mark.id, mark.key, ...mark.fingerprints, ...identities],
		run: async (seenEvents: SeenEvents) => {
			const recollection = options.deduplicate
				? await remember(seenEvents, mark, by, warn)
				: 'first';
			if (recollection !== 'first' || identities.length === 0) {
				return { recollection, isNewToPolling: true };
			}
			const delivered = { identities, emission: mark.emission };
			const isAgain = isSentAgainOnPurpose(event);
			const isNewToPolling = await recognizeDelivered(seenEvents, delivered, isAgain, warn);
			return { recollection, isNewToPolling };
		},
	};
	const open = async <T>(use: (seenEvents: SeenEvents) => Promise<T>): Promise<T> =>
		await withDurableStore(
			context,
			async (store) => await use(openSeenEventsFor(context, store, options, { receiveBy, ...by })),
		);
	// A group of deliveries takes long. Another process that writes could meanwhile overwrite what all
	// of them have recorded.
	const { recollection, isNewToPolling } = by.isShared
		? await open(task.run)
		: await shareSeenEvents(getNodeKey(context), open, task);
	if (recollection === 'foreignSignature') {
		claims.disown(mark, now);
		stop(context, FOREIGN_DELIVERY_ID, itemIndex);
		return false;
	}
	// In the process that receives webhooks, copies now get a response without an execution.
	if (options.deduplicate) claims.confirm(mark);
	if (recollection === 'copy') return false;
	if (isPolledToo) confirm(context, event);
	return isNewToPolling || !options.deduplicate;
}

/** From now on, it is not news to the polls of this process. */
function confirm(context: IExecuteFunctions, event: TriggerOutput): void {
	if (context.getMode() === 'manual' || !event.resourceType) return;
	const lists = findMemory(context)?.lists;
	lists?.[event.resourceType].confirm(toIdentities(event), realRuntime.now());
}

function openSeenEventsFor(
	context: IExecuteFunctions,
	store: StoreAccess,
	{ replayWindowMs }: TriggerOptions,
	{ receiveBy, isShared }: { receiveBy: ReceiveBy; isShared: boolean },
): SeenEvents {
	const least = receiveBy === 'webhook' ? 0 : ENTRIES_OF_POLLING;
	const retention = { keepMs: 2 * replayWindowMs, least, isShared };
	return openSeenEvents(store, getNodeKey(context), realRuntime.now(), retention);
}

function getNodeKey(context: IExecuteFunctions): string {
	return nodeName(context.getWorkflow().id, context.getNode().id);
}

function warner(context: IExecuteFunctions): (message: string) => void {
	return (message) => context.logger.warn(`BRL Payments Trigger: ${maskText(message)}`);
}
