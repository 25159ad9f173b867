import type {
	IExecuteFunctions,
	IExecutionContext,
	ISourceData,
	WorkflowExecuteMode,
	IDataObject,
	INodeExecutionData,
} from 'n8n-workflow';
import { isAgentTool } from '../n8n/agentTool';
import { toText, isText } from '../validation/text';
import { fingerprint } from './key';

/** What n8n says about the execution that the node runs in. Times in epoch ms. */
export interface ExecutionFacts {
	readonly executionId: string;
	readonly mode: WorkflowExecuteMode;
	/** Whether a person pressed Execute or ran an evaluation: for this execution, or for the one that it retries. */
	readonly isStartedByHand: boolean;
	/** When the execution was first established, if that outlives it, see {@link lastingTimestamp}. */
	readonly establishedAt: number | undefined;
	/**
	 * Names n8n's random token of the execution, which its retries keep and no other execution has;
	 * undefined on an n8n that has none.
	 */
	readonly token?: string | undefined;
	/** What the BRL Payments Trigger started it with; undefined if something else started it. */
	readonly delivery: StartingDelivery | undefined;
	/** Whether another workflow called this one, as a sub-workflow. */
	readonly isSubExecution: boolean;
	/** Whether an agent calls this node as its tool. */
	readonly isAgentTool: boolean;
	/** Names the run of the node, see `nameRun`. */
	readonly run: string;
}

/** What of n8n's execution context is read here. */
export type Establishment = Pick<IExecutionContext, 'establishedAt' | 'source' | 'triggerNode'>;

/** Reads them from n8n. */
export function executionFacts(context: IExecuteFunctions): ExecutionFacts {
	// Absent before n8n 1.121.
	const established = (
		context as Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>
	).getExecutionContext?.();
	const mode = context.getMode();
	// n8n offers the token as a part of the address at which an execution that waits is resumed.
	const address = toText(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	const [, token] = /[?&]signature=([\da-f]{64})(?:&|$)/.exec(address) ?? [];
	return {
		executionId: context.getExecutionId(),
		mode,
		isStartedByHand: mode === 'manual' || mode === 'evaluation' || established?.source === 'manual',
		establishedAt: lastingTimestamp(established),
		token: token && fingerprint(token),
		delivery: findStartingDelivery(context),
		isSubExecution: mode === 'integrated' || established?.parentExecutionId !== undefined,
		isAgentTool: isAgentTool(context),
		run: nameRun(context.getExecuteData().source?.main?.[0]),
	};
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

/**
 * The time that identifies an execution when it is started a second time, epoch ms.
 *
 * @param established as n8n reports it; undefined before n8n 1.121
 * @returns undefined if the second start may have another time than the first
 */
export function lastingTimestamp(established: Establishment | undefined): number | undefined {
	// In queue mode n8n 1.x lets another worker take over the execution of a dead one, and establishes it
	// again then. Since 2.0, none takes over; versions from 2.1 on name the trigger.
	if (established?.triggerNode === undefined) return undefined;
	// An older n8n, or one before 2.20 that was killed, saved no time: the retry was established again, and
	// its time says nothing about the first attempt.
	return established.source === 'retry' ? undefined : established.establishedAt;
}

/**
 * Names the logical execution: the same name for Retry On Fail, for a retried execution, for one
 * that is retried after n8n was killed, and for a second one that a copy of the same delivery, or
 * another one about the same resource in the same status, has started. Every other execution has
 * its own name.
 *
 * @param stored the name that was stored earlier in the execution, if it was
 */
export function chooseExecutionIdentity(
	stored: string | undefined,
	{ executionId, establishedAt, token, delivery }: ExecutionFacts,
): string {
	if (stored !== undefined) return stored;
	if (delivery !== undefined) return identityOfDelivery(delivery.subject);
	// After kill -9 the retried execution has another id and an empty context. Only the time at which
	// it was established and the token survive. Two executions may begin in the same millisecond, and
	// the token tells them apart. It counts only beside that time: n8n's Engine 2.0 gives no time, and
	// another token to every run of a node.
	if (establishedAt === undefined) return `execution:${executionId}`;
	return ['established', establishedAt, ...(token === undefined ? [] : [token])].join(':');
}

/** @param subject see `getSubject` */
export function identityOfDelivery(subject: string): string {
	return `delivery:${subject}`;
}

/** When the execution certainly had not sent anything yet, epoch ms; undefined if nothing shows it. */
export function getBirth({ establishedAt, delivery }: ExecutionFacts): number | undefined {
	return establishedAt ?? delivery?.receivedAt;
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
