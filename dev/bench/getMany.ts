import type { ApiCredential } from '../../nodes/shared/client/connection';
import { keepFilesIn, prepareContainer, removeFiles } from '../../test/engine/support/container';
import { execute } from '../../test/engine/support/execution';
import { buildWorkflow, operation } from '../../test/engine/support/workflow';
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

/** Payment > Get Many with Return All, in n8n's engine. @returns the ids of the output, in order */
export async function getMany(baseUrl: string): Promise<unknown[]> {
	const workflow = buildWorkflow({ parameters: operation('payment.getAll', { returnAll: true }) });
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
