import type {
	IDataObject,
	IExecuteFunctions,
	IExecutionContext,
	INodeExecutionData,
	ISourceData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { isAgentTool } from '../../shared/n8n/agentTool';
import { fingerprint } from '../../shared/text/fingerprint';
import { isText, toText } from '../../shared/input/text';
import { isWithdrawalTxId } from '../../shared/input/uuid';
import type { Root } from './names';

/** What n8n says about the execution that the node runs in. Times in epoch ms. */
export interface ExecutionFacts {
	/** Names this n8n and the workflow. */
	readonly origin: string;
	readonly executionId: string;
	readonly mode: WorkflowExecuteMode;
	/** Whether a person pressed Execute or ran an evaluation: for this execution, or for the one that it retries. */
	readonly isStartedByHand: boolean;
	/** Whether another workflow called this one, as a sub-workflow. */
	readonly isSubExecution: boolean;
	/** Whether an agent calls this node as its tool. */
	readonly isAgentTool: boolean;
	/** Whether an event of the BRL Payments Trigger started it. */
	readonly isEvent: boolean;
	/** Names the run of the node, see {@link nameRun}. */
	readonly run: string;
	/** The root of an item; undefined if nothing of the execution outlives its end. */
	rootOf(itemIndex: number): Root | undefined;
}

/** What of n8n's execution context is read here. */
type Establishment = Pick<IExecutionContext, 'establishedAt' | 'source' | 'triggerNode'>;

/** Reads them from n8n. */
export function readFacts(context: IExecuteFunctions): ExecutionFacts {
	// Absent before n8n 1.121.
	const established = (
		context as Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>
	).getExecutionContext?.();
	const mode = context.getMode();
	// n8n offers the token as a part of the address at which an execution that waits is resumed.
	const address = toText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const [, token = ''] = /[?&]signature=([\da-f]{64})(?:&|$)/.exec(address) ?? [];
	const executionId = context.getExecutionId();
	const delivery = findStartingDelivery(context);
	const origin = fingerprint([context.getInstanceId(), context.getWorkflow().id ?? '']);
	const isTool = isAgentTool(context);
	const lasting = nameLasting(established, token, isTool ? executionId : undefined);
	return {
		origin,
		executionId,
		mode,
		isStartedByHand: mode === 'manual' || mode === 'evaluation' || established?.source === 'manual',
		isSubExecution: mode === 'integrated' || established?.parentExecutionId !== undefined,
		isAgentTool: isTool,
		isEvent: delivery !== undefined,
		run: nameRun(context.getExecuteData().source?.main?.[0]),
		rootOf(itemIndex) {
			if (delivery === undefined) {
				return lasting && { ...lasting, name: fingerprint([origin, lasting.name]), isEvent: false };
			}
			const subject = subjectOfItem(context, delivery, itemIndex);
			const bornAt = delivery.receivedAt;
			return { name: fingerprint([origin, 'event', subject]), bornAt, isEvent: true };
		},
	};
}

/**
 * Names the execution so that its retries have the same name, also after kill -9, and no other execution has
 * it: by the time at which it was established, and a random token.
 *
 * @param established as n8n reports it; undefined before n8n 1.121
 * @param callOfTool ID of the execution in which an agent calls this node as its tool
 * @returns undefined if a retry may have another name than the first attempt
 */
function nameLasting(
	established: Establishment | undefined,
	token: string,
	callOfTool: string | undefined,
): Pick<Root, 'name' | 'bornAt'> | undefined {
	// In queue mode n8n 1.x lets another worker take over the execution of a dead one, and establishes it
	// again then. Since 2.0, none takes over; versions from 2.1 on name the trigger. And an older n8n, or one
	// before 2.20 that was killed, saved no time: then the retry is established again.
	if (established?.triggerNode !== undefined && established.source !== 'retry') {
		const { establishedAt } = established;
		return { name: `established:${establishedAt}:${token}`, bornAt: establishedAt };
	}
	// A call of an agent that is made again is stopped by Duplicate Guard, whatever its root.
	return callOfTool === undefined
		? undefined
		: { name: `execution:${callOfTool}`, bornAt: undefined };
}

/**
 * Names one run of the node within the execution: by where its items came from, which n8n saves with a run
 * that waits, and gives to each of its tries and retries. It is another one in each round of a loop.
 *
 * n8n's index of the run is no name. Every retry of an execution removes the last run if it failed: after
 * two, of which the first was killed, the same run has a lower index, or another run the same one.
 */
export function nameRun(source: ISourceData | null | undefined): string {
	if (!source) return '';
	const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
	return fingerprint([previousNode, previousNodeOutput, previousNodeRun]);
}

/** What the BRL Payments Trigger started the execution with. */
interface StartingDelivery {
	/** See {@link getSubject}; of the first event if a poll brought several. */
	readonly subject: string;
	/** When this n8n received it, epoch ms; undefined if that cannot be read. */
	readonly receivedAt: number | undefined;
	/** Name of the trigger if a poll brought several events: each item has its own subject. */
	readonly triggerOfSeveral?: string;
}

/** n8n puts the name of the package before it, another one if the node is under development. */
const TRIGGER_TYPE = /\.brlPaymentsTrigger$/;
/** Statuses that webhooks report which name the payment by its ID, most of them by that only (docs/api.md#event-bodies). */
const NAMED_BY_ID: readonly string[] = ['MED_FROZEN', 'PAID', 'PARTIAL_REFUND', 'REFUNDED'];

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
	const isWithdrawal = isText(withdrawalId) || isWithdrawalTxId(txId);
	const ids =
		isWithdrawal || NAMED_BY_ID.includes(toText(status))
			? [paymentId, withdrawalId, id, txId]
			: [txId, paymentId, id];
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
	try {
		return read(name, 0, -1);
	} catch {
		// Another trigger of this workflow started the execution.
		return [];
	}
}
