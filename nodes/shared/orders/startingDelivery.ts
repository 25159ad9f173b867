import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isAgentTool } from '../n8n/agentTool';
import { toText } from '../validation/text';
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
/** Events whose webhook names the payment by its ID only. */
const WITHOUT_TX_ID: ReadonlySet<string> = new Set(['MED_RECEIVED', 'PAYMENT_REFUNDED']);
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
 * not lead to a second payout. The txId comes first: a delivery that is resent by hand has it in each event
 * that had it before. A polled row has both IDs, and takes the one that the webhook of its event has.
 *
 * @param output as the trigger returned it
 */
export function getSubject({ deliveryId, event, source, body }: IDataObject): string {
	// Not an item of the trigger: another one was put in its place.
	if (typeof body !== 'object' || body === null) return `id:${toText(deliveryId)}`;
	const { txId, paymentId, withdrawalId, id, status } = body as IDataObject;
	const hasNoTxId = source === 'polling' && WITHOUT_TX_ID.has(toText(event));
	const resource = (hasNoTxId ? [id] : [txId, paymentId, withdrawalId, id]).find(isText);
	return isText(status) && resource !== undefined
		? `signed:${resource}:${status}`
		: `body:${fingerprint(body)}`;
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value !== '';
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
