import { randomUUID } from 'node:crypto';
import {
	NodeConnectionTypes,
	Workflow,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { properties } from '../../nodes/BrlPayments/description/properties';
import { route } from '../../nodes/BrlPayments/router';
import { ApiClient } from '../../nodes/shared/client/client';
import type { ApiCredential } from '../../nodes/shared/client/connection';
import { collectPages, MAX_PAGE_SIZE } from '../../nodes/shared/lists/pagination';
import { readPage, type Page } from '../../nodes/shared/transport/schemas';
import { keepFilesIn, prepareContainer, removeFiles } from '../../test/engine/support/container';
import { execute } from '../../test/engine/support/execution';
import { NODE, START } from '../../test/engine/support/names';
import { Child } from './child';
import type { PageServerSettings } from './children/pageServer';

const exampleCredential = (baseUrl: string): ApiCredential => ({
	apiKey: 'brlpay_test_testkey001_examplesecretofthetestkey0000001',
	baseUrl,
	environment: 'auto',
});

export interface PageServer {
	readonly url: string;
	serve(settings: PageServerSettings): Promise<void>;
}

/** Makes n8n's engine ready in this process, and the service in another, for as long as `use` takes. */
export async function withPageServer<T>(use: (server: PageServer) => Promise<T>): Promise<T> {
	prepareContainer();
	await keepFilesIn('memory');
	try {
		return await Child.use('pageServer.ts', async (child) => {
			const { port } = await child.next<{ port: number }>();
			return await use({
				url: `http://127.0.0.1:${port}`,
				serve: async (settings) => await child.ask(settings),
			});
		});
	} finally {
		removeFiles();
	}
}

type Execute = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

const describe = (name: string, fields: INodeProperties[]): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 2,
	description: name,
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	credentials: [{ name: 'brlPaymentsApi' }],
	properties: fields,
});

/** Node types of these names, one node of each, in a row. */
function toWorkflow(types: Record<string, INodeType>, parameters: INodeParameters): Workflow {
	const names = Object.keys(types);
	const next = (name: string) => names.slice(names.indexOf(name) + 1, names.indexOf(name) + 2);
	return new Workflow({
		id: randomUUID(),
		name: 'Example',
		nodes: names.map((name) => ({
			id: randomUUID(),
			...{ name, type: name, typeVersion: 2, position: [0, 0], parameters },
			credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
		})),
		connections: Object.fromEntries(
			names.map((name) => [
				name,
				{ main: [next(name).map((node) => ({ node, type: 'main' as const, index: 0 }))] },
			]),
		),
		active: true,
		nodeTypes: {
			getByName: (name) => types[name]!,
			getByNameAndVersion: (name) => types[name]!,
			getKnownTypes: () => ({}),
		},
		settings: { executionOrder: 'v1' },
	});
}

const start: INodeType = {
	description: describe(START, []),
	async execute() {
		return [this.getInputData()];
	},
};

/** The node as it is. */
export const sideBySide: Execute = async function () {
	return await route(this);
};

/** The node as it was: the same in everything, reading one page after the other. */
export const oneByOne: Execute = async function () {
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
};

/**
 * Payment > Get Many with Return All, in n8n's engine.
 * @param run what the node does
 * @returns the ids of the output, in order
 */
export async function getMany(baseUrl: string, run: Execute): Promise<unknown[]> {
	const types = {
		[START]: start,
		[NODE]: { description: describe(NODE, properties), execute: run },
	};
	const parameters = { resource: 'payment', operation: 'getAll', returnAll: true, options: {} };
	const workflow = toWorkflow(types, parameters);
	const execution = await execute(workflow, exampleCredential(baseUrl), [{ json: {} }]);
	if (execution.error) throw execution.error;
	return execution.output().map(({ json }) => json.id);
}
