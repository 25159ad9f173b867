import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withDurableStore } from '../api/durableStore';
import { maskText } from '../api/personalData/text';
import { maskPersonalData } from '../api/personalData/value';
import { fetchCurrentState } from './currentState';
import { readOptions } from './options';
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
			(await isFirst(context, mark as unknown as DeliveryMark, options.rememberedDeliveries));
		if (!isNew) continue;
		const event = output as unknown as TriggerOutput;
		const current = options.fetchCurrentState ? await fetchCurrentState(context, event) : {};
		put(outputIndexOf(event.event, options.events, options.oneOutputPerEvent), {
			json: { ...output, ...(options.maskPersonalData ? maskPersonalData(current) : current) },
			pairedItem: { item },
		});
	}
	return Array.from(outputs, (items) => items ?? []);
}

async function isFirst(
	context: IExecuteFunctions,
	mark: DeliveryMark,
	capacity: number,
): Promise<boolean> {
	// Test runs leave no trace.
	if (context.getMode() === 'manual') return true;
	const recollection = await withDurableStore(
		context,
		async (store) =>
			await remember(store, mark, capacity, (message) =>
				context.logger.warn(`BRL Payments Trigger: ${maskText(message)}`),
			),
	);
	if (recollection === 'foreignSignature') {
		context.logger.warn(
			'BRL Payments Trigger ended a run: the signature of its delivery came with another delivery ID before.',
		);
	}
	return recollection === 'first';
}
