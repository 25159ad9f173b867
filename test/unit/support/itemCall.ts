import { ApiClient } from '../../../nodes/api/client';
import { ItemCall } from '../../../nodes/BrlPayments/itemCall';
import { fakeNodeContext, type FakeNodeContext, type NodeContextOptions } from './nodeContext';
import { VirtualTime } from './virtualTime';

export interface CallWorld extends FakeNodeContext {
	call: ItemCall;
	time: VirtualTime;
	runHints: Set<string>;
}

/** One item of a run, in virtual time. */
export async function itemCallOf(options: NodeContextOptions, itemIndex = 0): Promise<CallWorld> {
	const fake = fakeNodeContext(options);
	const time = new VirtualTime();
	const runHints = new Set<string>();
	const client = await ApiClient.open(fake.context, undefined, time);
	const run = {
		context: fake.context,
		client,
		operation: 'withdrawal.create',
		scope: null,
		hints: runHints,
	};
	return { ...fake, call: new ItemCall(run, itemIndex), time, runHints };
}
