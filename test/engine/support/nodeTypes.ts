import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';
import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';

export const PACKAGE_NODE = 'n8n-nodes-brl-payments.brlPayments';
export const TOOL_NODE = `${PACKAGE_NODE}Tool`;
export const TRIGGER_NODE = 'n8n-nodes-brl-payments.brlPaymentsTrigger';
export const PASS_NODE = 'example.pass';
export const FAILING_NODE = 'example.failing';
export const LOOP_NODE = 'example.loop';
export const EDIT_NODE = 'example.edit';
export const SPLIT_NODE = 'example.split';

const { Main } = NodeConnectionTypes;

export const describe = (name: string, outputs: number): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: [Main],
	outputs: Array.from({ length: outputs }, () => Main),
	properties: [],
});

/** Passes on what it gets; stands in for a trigger as well. */
class Pass implements INodeType {
	description = describe('pass', 1);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

class Failing implements INodeType {
	description = describe('failing', 1);

	async execute(): Promise<never> {
		throw new Error('This node fails');
	}
}

/** Like Split In Batches, `batchSize` items a batch: the second output is the loop, the first what is done. */
class Loop implements INodeType {
	description: INodeTypeDescription = {
		...describe('loop', 2),
		properties: [{ displayName: 'Batch Size', name: 'batchSize', type: 'number', default: 1 }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const context = this.getContext('node') as {
			waiting?: INodeExecutionData[];
			done?: INodeExecutionData[];
		};
		const items = this.getInputData();
		if (context.waiting) context.done?.push(...items);
		else Object.assign(context, { waiting: [...items], done: [] });
		const next = context.waiting?.splice(0, this.getNodeParameter('batchSize', 0) as number) ?? [];
		return next.length > 0 ? [[], next] : [context.done ?? [], []];
	}
}

/** Like Edit Fields: keeps amount and PIX key alone. The third time it puts out nothing. */
class Edit implements INodeType {
	description = describe('edit', 1);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const context = this.getContext('node') as { rounds?: number };
		context.rounds = (context.rounds ?? 0) + 1;
		if (context.rounds > 2) return [[]];
		const items = this.getInputData().map(({ json: { amount, pixKey } }, item) => ({
			json: { amount, pixKey },
			pairedItem: { item },
		}));
		return [items];
	}
}

/** Like If: those whose `branch` is 2 leave by the second output. */
class Split implements INodeType {
	description = describe('split', 2);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		return [1, 2].map((output) => items.filter(({ json }) => (json.branch ?? 1) === output));
	}
}

const types: Record<string, INodeType> = {
	[PACKAGE_NODE]: new BrlPayments(),
	// What it does with a delivery is its own matter; here it passes on what a test says.
	[TRIGGER_NODE]: new Pass(),
	[PASS_NODE]: new Pass(),
	[FAILING_NODE]: new Failing(),
	[LOOP_NODE]: new Loop(),
	[EDIT_NODE]: new Edit(),
	[SPLIT_NODE]: new Split(),
};

export const nodeTypes: INodeTypes = {
	getByName: (name) => types[name]!,
	getByNameAndVersion: (name) => types[name]!,
	getKnownTypes: () => ({}),
};
