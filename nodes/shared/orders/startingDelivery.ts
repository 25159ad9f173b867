import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isAgentTool } from '../n8n/agentTool';
import { isText, toText } from '../validation/text';
import { fingerprint } from './key';

/** What the BRL Payments Trigger started the execution with. */
export interface StartingDelivery {
	/** See {@link getSubject}; of the first event if a poll brought several. */
	readonly subject: string;
	/** When this n8n received it, epoch ms; undefined if that cannot be read. */
	readonly receivedAt: number | undefined;
	/** Name of the trigger if a poll brought several events: each item has its own subject. */
	readonly triggerOfSeveral?: string;
}

/** n8n puts the name of the package before it, another one if the node is under development. */
const TRIGGER_TYPE = /\.brlPaymentsTrigger$/;
/** Statuses that events report whose webhook names the payment by its ID only (docs/api.md#event-bodies). */
const NAMED_BY_ID: ReadonlySet<string> = new Set(['MED_FROZEN', 'PARTIAL_REFUND', 'REFUNDED']);
/** More outputs than the trigger can have. */
const MAX_OUTPUTS = 20;

/**
 * Finds the delivery that started the execution, if a BRL Payments Trigger before this node received it.
 * Nodes between the two may have changed the items, so the trigger's own output is read.
 */
export function findStartingDelivery(context: IExecuteFunctions): StartingDelivery | undefined {
	for (const { name, type } of nodesBefore(context)) {
		if (!TRIGGER_TYPE.test(type)) continue;
		const events = getOutput(context, name).filter(({ json }) => isText(json.deliveryId));
		const [first] = events;
		if (first === undefined) continue;
		const { receivedAt: time } = first.json;
		const receivedAt = isText(time) ? Date.parse(time) : NaN;
		return {
			subject: getSubject(first.json),
			receivedAt: Number.isNaN(receivedAt) ? undefined : receivedAt,
			...(events.length > 1 ? { triggerOfSeveral: name } : {}),
		};
	}
	return undefined;
}

/**
 * What the event that an item comes from is about. If a poll brought several events and n8n does not know
 * which one, because a node in between does not pair its items, the first one counts.
 */
export function subjectOfItem(
	context: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>,
	{ subject, triggerOfSeveral }: StartingDelivery,
	itemIndex: number,
): string {
	if (triggerOfSeveral === undefined) return subject;
	try {
		const proxy = context.getWorkflowDataProxy(itemIndex) as { $: ReadNode };
		return getSubject(proxy.$(triggerOfSeveral).item.json);
	} catch {
		return subject;
	}
}

/**
 * Names what an event is about by what is signed of it: the payment or withdrawal and its status, or else
 * the whole body. Event name and delivery ID are headers that anyone on the way can change, and that must
 * not lead to a second payout. A body may have several IDs: the one counts that the webhook of the event
 * always has, so a polled row, a delivery that is resent by hand, and one that is rendered again with one
 * ID more are about the same.
 *
 * @param output as the trigger returned it
 */
export function getSubject({ deliveryId, body }: IDataObject): string {
	// Not an item of the trigger: another one was put in its place.
	if (typeof body !== 'object' || body === null) return `id:${toText(deliveryId)}`;
	const { txId, paymentId, withdrawalId, id, status, refundId } = body as IDataObject;
	const ids = NAMED_BY_ID.has(toText(status))
		? [paymentId, id, txId]
		: [txId, paymentId, withdrawalId, id];
	const resource = ids.find(isText);
	if (!isText(status) || resource === undefined) return `body:${fingerprint(body)}`;
	// A payment becomes REFUNDED once. Before, each of its refunds may be partial, or fail.
	const isOneOfSeveral = isText(refundId) && status !== 'REFUNDED';
	return ['signed', resource, status, ...(isOneOfSeveral ? [refundId] : [])].join(':');
}

/**
 * No node comes before a tool: what led to the call comes before the agent that calls it. The caller is the
 * agent or the node right before it: versions of n8n differ in which one they name.
 */
function nodesBefore(context: IExecuteFunctions): Array<{ name: string; type: string }> {
	if (!isAgentTool(context)) return context.getParentNodes(context.getNode().name);
	const callers = new Set<unknown>();
	const { pairedItem } = context.getInputData()[0] ?? {};
	if (typeof pairedItem === 'object' && !Array.isArray(pairedItem)) {
		callers.add(pairedItem.sourceOverwrite?.previousNode);
	}
	try {
		callers.add(context.getInputSourceData().previousNode);
	} catch {
		// Nothing came before.
	}
	return [...callers]
		.filter(isText)
		.flatMap((name) => [name, ...context.getChildNodes(name).map((child) => child.name)])
		.flatMap((name) => context.getParentNodes(name));
}

type ReadNode = (name: string) => { readonly item: INodeExecutionData };
type ReadItems = (name: string, output: number, run: number) => INodeExecutionData[];

/** What a node returned when it last ran: after a crash n8n keeps a blank run before the real one. */
function getOutput(context: IExecuteFunctions, name: string): INodeExecutionData[] {
	const { $items: read } = context.getWorkflowDataProxy(0) as { $items: ReadItems };
	const items: INodeExecutionData[] = [];
	try {
		for (let output = 0; output < MAX_OUTPUTS; output += 1) items.push(...read(name, output, -1));
	} catch {
		// That was the last output, or another trigger of this workflow started the execution.
	}
	return items;
}
