import { randomUUID } from 'node:crypto';
import { PollContext, runPollInStagingScope } from 'n8n-core';
import {
	NodeConnectionTypes,
	Workflow,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { pollForEvents } from '../../nodes/BrlPaymentsTrigger/polling/poll';
import { properties } from '../../nodes/BrlPaymentsTrigger/description/properties';
import { additionalDataFor } from '../../test/engine/support/execution';
import { START } from '../../test/engine/support/names';
import { exampleCredential } from './exampleCredential';

/** The polling side of the trigger as it is. */
class PollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: START,
		name: 'trigger',
		group: ['trigger'],
		version: 2,
		description: START,
		defaults: { name: START },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'brlPaymentsApi' }],
		properties,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollForEvents(this);
	}
}

const type: INodeType = new PollingTrigger();

export interface Poller {
	/** One poll. @returns how many events it took for news */
	poll(): Promise<number>;
}

/** The trigger in n8n's engine, polling payments; it has polled nothing yet. */
export function createPoller(baseUrl: string): Poller {
	const workflow = new Workflow({
		id: randomUUID(),
		name: 'Example',
		nodes: [
			{
				id: randomUUID(),
				name: START,
				type: 'trigger',
				typeVersion: 2,
				position: [0, 0],
				parameters: { receiveBy: 'polling', events: ['PAYMENT_PAID'], options: {} },
				credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
			},
		],
		connections: {},
		active: true,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
	const credential = exampleCredential(baseUrl);
	const context = new PollContext(
		workflow,
		workflow.getNode(START)!,
		additionalDataFor(credential, ''),
		'trigger',
		'activate',
	);
	return {
		async poll() {
			const found = await runPollInStagingScope(
				context,
				async () => await type.poll!.call(context),
			);
			return found?.[0]?.length ?? 0;
		},
	};
}
