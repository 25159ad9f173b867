import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withDurableStore } from '../api/durableStore';
import { failureOf, nodeErrorOf } from '../api/itemError';
import { maskText } from '../api/personalData/text';
import { maskPersonalData } from '../api/personalData/value';
import { realTools } from '../api/tools';
import { fetchCurrentState } from './currentState';
import { readOptions, type TriggerOptions } from './options';
import type { TriggerOutput } from './output';
import { outputIndexOf } from './outputPerEvent';
import { identitiesOf } from './polling/identity';
import { POLL_MARK, type PolledEvent, type PollMark } from './polling/mark';
import { findMemory } from './polling/memory';
import { MAX_ENTRIES, recognizeDelivered, recognizePolled } from './polling/recognition';
import { fetchSample } from './polling/sample';
import { readPollSettings, type ReceiveBy } from './polling/settings';
import { remember, type DeliveryMark } from './remember';
import { MARK } from './webhook';

/**
 * Runs at the head of the execution that a delivery or a poll started, on whichever process n8n chose:
 * remembers the events, and ends the run for those that another execution has had.
 */
export async function executeDelivery(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const parameter = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, 0, fallback);
	const options = readOptions(parameter);
	const { receiveBy } = readPollSettings(parameter);
	const outputs: INodeExecutionData[][] = [[]];
	const put = (index: number, item: INodeExecutionData) => (outputs[index] ??= []).push(item);

	const items = await itemsOf(context, receiveBy, options);
	const polled = await recognizeItems(context, items);
	for (const [item, { json }] of items.entries()) {
		const { [MARK]: mark, [POLL_MARK]: pollMark, ...output } = json;
		const event = output as unknown as TriggerOutput;
		const isNew =
			polled.get(pollMark) ??
			(mark === undefined ||
				(await isFirst(context, event, mark as unknown as DeliveryMark, options, receiveBy)));
		confirm(context, event);
		if (!isNew) continue;
		const current = options.fetchCurrentState ? await fetchCurrentState(context, event) : {};
		put(outputIndexOf(event.event, options.events, options.oneOutputPerEvent), {
			json: { ...output, ...(options.maskPersonalData ? maskPersonalData(current) : current) },
			pairedItem: { item },
		});
	}
	return Array.from(outputs, (list) => list ?? []);
}

/** What started the execution; for Execute Step without a webhook, a sample. */
async function itemsOf(
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
		throw nodeErrorOf(failureOf(error), context.getNode(), 0, '');
	}
}

/** @returns for the mark of each polled item, whether to go on with it */
async function recognizeItems(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
): Promise<ReadonlyMap<unknown, boolean>> {
	const marks = items.flatMap(({ json }) => (json[POLL_MARK] ?? []) as unknown as PollMark);
	const events: PolledEvent[] = [];
	for (const mark of marks) {
		if ('failure' in mark) throw nodeErrorOf(mark.failure, context.getNode(), 0, '');
		events.push(mark);
	}
	if (events.length === 0) return new Map();
	const verdicts = await withDurableStore(
		context,
		async (store) => await recognizePolled(store, events, warner(context)),
	);
	return new Map(events.map((mark, index) => [mark, verdicts[index] ?? true]));
}

async function isFirst(
	context: IExecuteFunctions,
	event: TriggerOutput,
	mark: DeliveryMark,
	{ deduplicate, rememberedDeliveries }: TriggerOptions,
	receiveBy: ReceiveBy,
): Promise<boolean> {
	// Test runs leave no trace.
	if (context.getMode() === 'manual') return true;
	const identities = receiveBy === 'both' ? identitiesOf(event) : [];
	// What polling has recorded is in the same row, and has to last as long as it looks back.
	const capacity = Math.max(rememberedDeliveries, receiveBy === 'both' ? MAX_ENTRIES / 3 : 0);
	return await withDurableStore(context, async (store) => {
		const warn = warner(context);
		if (deduplicate) {
			const recollection = await remember(store, mark, capacity, warn);
			if (recollection === 'foreignSignature') {
				context.logger.warn(
					'BRL Payments Trigger ended a run: the signature of its delivery came with another delivery ID before.',
				);
			}
			if (recollection !== 'first') return false;
		}
		if (identities.length === 0) return true;
		return (
			(await recognizeDelivered(store, { identities, emission: mark.emission }, warn)) ||
			!deduplicate
		);
	});
}

/** From now on it is no news to the polls of this process. */
function confirm(context: IExecuteFunctions, event: TriggerOutput): void {
	if (context.getMode() === 'manual' || !event.resourceType) return;
	const lists = findMemory(context)?.lists;
	lists?.[event.resourceType].confirm(identitiesOf(event), realTools.now());
}

function warner(context: IExecuteFunctions): (message: string) => void {
	return (message) => context.logger.warn(`BRL Payments Trigger: ${maskText(message)}`);
}
