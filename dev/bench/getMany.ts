import {
	NodeConnectionTypes,
	Workflow,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { ApiClient } from '../../nodes/shared/client/client';
import { collectPages, MAX_PAGE_SIZE } from '../../nodes/shared/lists/pagination';
import { readPage, type Page } from '../../nodes/shared/transport/schemas';
import { properties } from '../../nodes/BrlPayments/description/properties';
import { route } from '../../nodes/BrlPayments/router';
import { keepFilesIn, prepareContainer, removeFiles } from '../../test/engine/support/container';
import { execute } from '../../test/engine/support/execution';
import { NODE, START } from '../../test/engine/support/names';
import { exampleCredential } from './exampleCredential';

const describe = (name: string, fields: INodeProperties[]): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: [{ name: 'brlPaymentsApi' }],
	properties: fields,
});

/** Passes on what it gets. */
class Start implements INodeType {
	description = describe(START, []);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	}
}

type Output = INodeExecutionData[][];
/** Measures what the node does, without what n8n does before and after it. */
type Around = (runNode: () => Promise<Output>) => Promise<Output>;

let around: Around = async (runNode) => await runNode();

/** The node as it is. */
class SideBySide implements INodeType {
	description = describe(NODE, properties);

	async execute(this: IExecuteFunctions): Promise<Output> {
		return await around(async () => await route(this));
	}
}

/** The node as it was: the same in everything, reading one page after the other. */
class OneByOne implements INodeType {
	description = describe(NODE, properties);

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const client = await ApiClient.open(this);
		const read = readPage('payments');
		const { rows } = await collectPages(
			async (page) =>
				await client.call<Page>({
					method: 'GET',
					path: '/v1/payments',
					query: { page, limit: MAX_PAGE_SIZE },
					kind: 'read',
					read,
					scope: 'payments:read',
					timeoutMs: 30_000,
				}),
			MAX_PAGE_SIZE,
			Infinity,
			() => true,
			1,
		);
		return [rows.map((json) => ({ json, pairedItem: { item: 0 } })) as INodeExecutionData[]];
	}
}

const nodes: Record<string, INodeType> = {
	start: new Start(),
	sideBySide: new SideBySide(),
	oneByOne: new OneByOne(),
};

/** Makes n8n's engine ready. @returns a function that cleans up */
export async function prepareEngine(): Promise<() => void> {
	prepareContainer();
	await keepFilesIn('memory');
	return removeFiles;
}

export type Manner = 'sideBySide' | 'oneByOne';

/** Payment > Get Many with Return All, in n8n's engine. @returns the ids of the output, in order */
export async function getMany(
	manner: Manner,
	baseUrl: string,
	measured: Around = async (runNode) => await runNode(),
): Promise<unknown[]> {
	around = measured;
	const node = (name: string, type: string) => ({
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
	});
	const workflow = new Workflow({
		id: 'example',
		name: 'Example',
		nodes: [
			node(START, 'start'),
			{
				...node(NODE, manner),
				parameters: { resource: 'payment', operation: 'getAll', returnAll: true, options: {} },
				credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
			},
		],
		connections: { [START]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		active: true,
		nodeTypes: {
			getByName: (name) => nodes[name]!,
			getByNameAndVersion: (name) => nodes[name]!,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
	const credential = exampleCredential(baseUrl);
	const execution = await execute(workflow, credential, [{ json: {} }]);
	if (execution.error) throw execution.error;
	return execution.output().map(({ json }) => json.id);
}
