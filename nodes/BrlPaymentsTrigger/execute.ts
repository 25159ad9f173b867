import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { realRuntime } from '../shared/concurrency/runtime';
import { ApiFailure } from '../shared/failures/failure';
import { toFailure, toNodeError } from '../shared/failures/itemError';
import { getStoreName } from '../shared/n8n/durableStore';
import { maskPersonalData } from '../shared/privacy/value';
import { fetchCurrentState } from './currentState';
import { readOptions, type TriggerOptions } from './description';
import { checkStatus } from './events';
import {
	DELIVERY_MARK,
	inColumns,
	POLL_MARK,
	toIdentities,
	type DeliveryMark,
	type PolledEvent,
	type PollMark,
	type TriggerItem,
} from './item';
import { readNames } from './names';
import { findMemory } from './polling/memory';
import { fetchSample } from './polling/poll';
import { claimsOf } from './seen/claims';
import { remember, type SeenQuestion, type Verdict } from './seen/store';

/**
 * Runs at the head of the execution that a delivery or a poll started, on whichever process n8n chose:
 * remembers the events, and ends the run for those that another execution has had.
 */
export async function executeTrigger(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const { items, options } = await begin(context);
	// All at once: the events of one poll share a call of the database.
	const verdicts = await Promise.all(
		items.map(async ({ json }) => await recognize(context, options, json)),
	);
	const found: Array<{ item: number; event: TriggerItem; current: IDataObject }> = [];
	for (const [item, { json }] of items.entries()) {
		const event = { ...json } as unknown as TriggerItem & typeof json;
		delete event[DELIVERY_MARK];
		delete event[POLL_MARK];
		const verdict = verdicts[item];
		if (verdict === 'copy' || verdict === 'polled') continue;
		// The nodes that follow may trust the event of each item.
		const distrust = verdict === 'foreign' ? FOREIGN_SIGNATURE : contradictionIn(event);
		if (distrust) {
			const { message, description } = distrust;
			if (!context.continueOnFail()) {
				throw new NodeOperationError(context.getNode(), message, { description, itemIndex: item });
			}
			context.logger.warn(`BRL Payments Trigger ended an execution: ${message}`);
			continue;
		}
		const current = options.fetchCurrentState ? await fetchCurrentState(context, event) : {};
		found.push({ item, event, current });
	}
	const events = found.map(({ event, current }) => ({ ...event, ...current }));
	const namesOf = await readNames(context, events);
	const output = found.map(({ item, event, current }, index) => {
		// What was pinned by hand stays as it is.
		const names = event.body === undefined ? {} : namesOf(events[index] ?? event);
		const added = { ...current, ...names };
		const shown = options.maskPersonalData ? maskPersonalData(added) : added;
		return { json: inColumns({ ...event, ...shown }), pairedItem: { item } };
	});
	return [output];
}

/**
 * Reads the settings and what started the execution; for Execute Step without a webhook, a sample.
 * @throws NodeApiError or NodeOperationError, also for a poll that failed
 */
async function begin(
	context: IExecuteFunctions,
): Promise<{ options: TriggerOptions; items: readonly INodeExecutionData[] }> {
	try {
		const options = readOptions((name, fallback) => context.getNodeParameter(name, 0, fallback));
		const items = context.getInputData();
		for (const { json } of items) {
			const mark = json[POLL_MARK] as unknown as PollMark | undefined;
			if (mark && 'failure' in mark) throw new ApiFailure(mark.failure);
		}
		const isEmpty = items.every(({ json }) => Object.keys(json).length === 0);
		const isSampled = isEmpty && context.getMode() === 'manual' && options.receiveBy !== 'webhook';
		if (!isSampled) return { options, items };
		const sample = await fetchSample(context, options.events);
		const body = options.maskPersonalData ? maskPersonalData(sample.body) : sample.body;
		return { options, items: [{ json: { ...sample, body } }] };
	} catch (error) {
		throw toNodeError(toFailure(error), context.getNode(), 0);
	}
}

/** Remembers what an item brings, unless it is pinned, or a test: those leave no trace. */
async function recognize(
	context: IExecuteFunctions,
	{ deduplicate, receiveBy, replayWindowMs: windowMs }: TriggerOptions,
	json: IDataObject,
): Promise<Verdict> {
	const poll = json[POLL_MARK] as unknown as PolledEvent | undefined;
	const delivery = json[DELIVERY_MARK] as unknown as DeliveryMark | undefined;
	const event = json as unknown as TriggerItem;
	if (context.getMode() === 'manual') return 'first';
	const ask = async (question: SeenQuestion, isShared: boolean) =>
		await remember({ context, question, windowMs, isPolled: receiveBy !== 'webhook', isShared });
	if (poll) {
		confirm(context, event);
		const keys = poll.identities.map((identity) => `event ${identity}`);
		// In queue mode, other workers write to the same row.
		const isShared = findMemory(context) === undefined;
		return await ask({ keys, run: `${poll.run} ${poll.identities[0]}` }, isShared);
	}
	if (!delivery) return 'first';
	const { keys, signatures } = delivery;
	// What its signed status denies has not happened: a poll may still find it later.
	const isPolledToo = receiveBy === 'both' && !contradictionIn(event);
	const question = {
		run: delivery.run,
		keys: deduplicate ? keys.map((key) => `id ${key}`) : [],
		signatures: deduplicate ? signatures : [],
		event: isPolledToo ? toIdentities(event) : [],
	};
	const claims = claimsOf(getStoreName(context));
	// A claim here shows that webhooks and executions are in one process, and that no other one writes.
	const isShared = !claims.has(keys);
	const verdict = deduplicate || isPolledToo ? await ask(question, isShared) : 'first';
	if (verdict === 'foreign') claims.revoke(keys, signatures, realRuntime.now());
	// In the process that receives webhooks, copies now get a response without an execution.
	else claims.confirm(keys);
	if (isPolledToo && (verdict === 'first' || verdict === 'polled')) confirm(context, event);
	return verdict === 'polled' && !deduplicate ? 'first' : verdict;
}

/** From now on, it is not news to the polls of this process. */
function confirm(context: IExecuteFunctions, event: TriggerItem): void {
	const { resourceType } = event;
	const lists = findMemory(context)?.lists;
	if (!resourceType || !lists) return;
	const identities = toIdentities(event);
	for (const each of Object.values(lists))
		each[resourceType].confirm(identities, realRuntime.now());
}

const FOREIGN_SIGNATURE = {
	message: 'The signature of this delivery was used before with another delivery ID or event',
	description:
		'Someone may have resent a delivery under another ID or event name. Two events with the same body in the same second look the same. Look up the payment or withdrawal: if the event is genuine, retry this execution to continue.',
};

/** Whether the signed status says that the event cannot have happened, in words. */
function contradictionIn({ event, status }: TriggerItem): typeof FOREIGN_SIGNATURE | undefined {
	if (checkStatus(event, status) !== 'contradicts') return undefined;
	return {
		message: `The delivery says ${event}, but the status in its signed body is ${status}`,
		description:
			'Someone may have changed the event in transit, because only the body is signed. Look up the payment or withdrawal before you act.',
	};
}
