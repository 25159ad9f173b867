import type { IDataObject } from 'n8n-workflow';
import { ApiClient } from '../../../nodes/shared/client/client';
import { ItemCall } from '../../../nodes/BrlPayments/item';
import { buildFields } from '../../../nodes/BrlPayments/editor/properties';
import { jsonOfItems } from '../../../nodes/BrlPayments/expression';
import { findOperation } from '../../../nodes/BrlPayments/resources';
import { fakeNodeContext, type FakeNodeContext, type NodeContextOptions } from './nodeContext';
import { VirtualTime } from './virtualTime';

interface CallWorld extends FakeNodeContext {
	call: ItemCall;
	time: VirtualTime;
}

/**
 * One item of a run, in virtual time.
 * @param operation resource and operation, whose fields say how parameters are read
 */
export async function createItemCall(
	options: NodeContextOptions,
	itemIndex = 0,
	operation = 'withdrawal.create',
): Promise<CallWorld> {
	const [resource = '', name = ''] = operation.split('.');
	const fake = fakeNodeContext(options);
	const time = new VirtualTime();
	const client = await ApiClient.open(fake.context, time);
	const run = {
		context: fake.context,
		client,
		parameters: fake.context.getNode().parameters as IDataObject,
		json: jsonOfItems(fake.context),
		operation,
		fields: buildFields(findOperation(resource, name)),
		scope: null,
		hints: new Set<string>(),
	};
	return { ...fake, call: new ItemCall(run, itemIndex), time };
}
