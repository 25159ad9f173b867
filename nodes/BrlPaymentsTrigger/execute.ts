import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { withDurableStore } from '../api/durableStore';
import { maskText } from '../api/personalData/text';
import { maskPersonalData } from '../api/personalData/value';
import { claimsOf, nodeName } from './claims';
import { fetchCurrentState } from './currentState';
import { contradictionIn, FOREIGN_DELIVERY_ID, type Distrust } from './distrust';
import { openLedger } from './ledger';
import { readOptions, type TriggerOptions } from './options';
import type { TriggerOutput } from './output';
import { outputIndexOf } from './outputPerEvent';
import { remember, type DeliveryMark } from './remember';
import { MARK } from './webhook';

/**
 * Runs at the head of the execution that a delivery started, on whichever process n8n chose:
 * remembers the delivery, or ends the run when it is a copy.
 */
export async function executeDelivery(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const options = readOptions((name, fallback) => context.getNodeParameter(name, 0, fallback));
	const outputs: INodeExecutionData[][] = [[]];
	const put = (index: number, item: INodeExecutionData) => (outputs[index] ??= []).push(item);

	for (const [item, { json }] of context.getInputData().entries()) {
		const { [MARK]: mark, ...output } = json;
		const isNew =
			mark === undefined ||
			!options.deduplicate ||
			(await isFirst(context, mark as unknown as DeliveryMark, options, item));
		if (!isNew) continue;
		const event = output as unknown as TriggerOutput;
		// What lies behind a single output may take each item for what its event says. With an output
		// for each event, such an item leaves by the last one.
		const contradiction = options.oneOutputPerEvent ? undefined : contradictionIn(event);
		if (contradiction) {
			stop(context, contradiction, item);
			continue;
		}
		const current = options.fetchCurrentState ? await fetchCurrentState(context, event) : {};
		put(outputIndexOf(event, options.events, options.oneOutputPerEvent), {
			json: { ...output, ...(options.maskPersonalData ? maskPersonalData(current) : current) },
			pairedItem: { item },
		});
	}
	return Array.from(outputs, (items) => items ?? []);
}

/** @throws NodeOperationError unless the user wants failures to continue: an item must not, then. */
function stop(
	context: IExecuteFunctions,
	{ message, description }: Distrust,
	itemIndex: number,
): void {
	if (!context.continueOnFail()) {
		throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
	}
	context.logger.warn(`BRL Payments Trigger ended a run: ${message}`);
}

async function isFirst(
	context: IExecuteFunctions,
	mark: DeliveryMark,
	options: TriggerOptions,
	itemIndex: number,
): Promise<boolean> {
	// Test runs leave no trace.
	if (context.getMode() === 'manual') return true;
	const node = nodeName(context.getWorkflow().id, context.getNode().id);
	const claims = claimsOf(node, options.rememberedDeliveries);
	const now = Date.now();
	const warn = (message: string) =>
		context.logger.warn(`BRL Payments Trigger: ${maskText(message)}`);
	const recollection = await withDurableStore(context, async (store) => {
		const ledger = openLedger(store, node, now, 2 * options.replayWindowMs);
		// Where webhooks and executions are in one process, there is no other one.
		const isRetry = context.getMode() === 'retry';
		return await remember(ledger, mark, { isRetry, isShared: !claims.has(mark.key) }, warn);
	});
	// In the process that answers, copies now learn of it without an execution of their own.
	if (recollection === 'foreignSignature') {
		claims.disown(mark.key, mark.fingerprints, now);
		stop(context, FOREIGN_DELIVERY_ID, itemIndex);
		return false;
	}
	claims.confirm(mark.key);
	return recollection === 'first';
}
