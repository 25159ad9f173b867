import { NodeConnectionTypes, Workflow, type INode, type INodeType } from 'n8n-workflow';
import { properties } from '../../nodes/BrlPayments/editor/properties';
import { route } from '../../nodes/BrlPayments/run';
import type { ApiCredential } from '../../nodes/shared/client/connection';
import { keepFilesIn, prepareContainer, removeFiles } from '../../test/engine/support/container';
import { execute } from '../../test/engine/support/execution';
import { NODE, START } from '../../test/engine/support/names';
import { Child } from './child';
import type { PageServerSettings } from './children/pageServer';

const apiKey = 'brlpay_test_testkey001_examplesecretofthetestkey0000001';
const MOST_ON_A_PAGE = 100;

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

const { Main } = NodeConnectionTypes;
const node = (name: string): INode => ({
	...{ id: name, name, type: name, typeVersion: 2, position: [0, 0] },
	parameters: { resource: 'payment', operation: 'getAll', returnAll: true, options: {} },
	credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
});
const type = (name: string, rest: Pick<INodeType, 'execute'>): INodeType => ({
	description: {
		...{ displayName: name, name, group: ['transform'], version: 2, description: name },
		...{ defaults: { name }, inputs: [Main], outputs: [Main], properties },
		credentials: [{ name: 'brlPaymentsApi' }],
	},
	...rest,
});

/** The file of the node itself cannot be loaded here: its name is that of its codex, without `.json`. */
const TYPES: Record<string, INodeType> = {
	[START]: type(START, {
		async execute() {
			return [this.getInputData()];
		},
	}),
	[NODE]: type(NODE, {
		async execute() {
			return await route(this);
		},
	}),
};

/** Payment > Get Many with Return All, in n8n's engine. @returns the ids of the output, in order */
export async function getMany(baseUrl: string): Promise<unknown[]> {
	const workflow = new Workflow({
		...{ id: 'example', name: 'Example', nodes: [node(START), node(NODE)], active: true },
		connections: { [START]: { main: [[{ node: NODE, type: Main, index: 0 }]] } },
		nodeTypes: {
			getByName: (name) => TYPES[name]!,
			getByNameAndVersion: (name) => TYPES[name]!,
			getKnownTypes: () => ({}),
		},
	});
	const credential: ApiCredential = { apiKey, baseUrl, environment: 'auto' };
	const execution = await execute(workflow, credential, [{ json: {} }]);
	if (execution.error) throw execution.error;
	return execution.output().map(({ json }) => json.id);
}

/** One page after the other, without n8n or anything else around it. */
export async function oneByOne(baseUrl: string): Promise<unknown[]> {
	const ids = new Set<string>();
	for (let page = 1, pages = 1; page <= pages; page += 1) {
		const response = await fetch(`${baseUrl}/v1/payments?page=${page}&limit=${MOST_ON_A_PAGE}`);
		const { payments, pagination } = (await response.json()) as {
			payments: Array<{ id: string }>;
			pagination: { totalPages: number };
		};
		for (const { id } of payments) ids.add(id);
		pages = pagination.totalPages;
	}
	return [...ids];
}
