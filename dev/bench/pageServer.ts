import { Child } from './child';
import type { PageServerSettings } from './children/pageServer';
import { prepareEngine } from './getMany';

export interface PageServer {
	readonly url: string;
	serve(settings: PageServerSettings): Promise<void>;
}

/** Makes n8n's engine ready in this process, and the service in another, for as long as `use` takes. */
export async function withPageServer<T>(use: (server: PageServer) => Promise<T>): Promise<T> {
	const cleanUp = await prepareEngine();
	try {
		return await Child.use('pageServer.ts', async (child) => {
			const { port } = await child.next<{ port: number }>();
			return await use({
				url: `http://127.0.0.1:${port}`,
				serve: async (settings) => await child.ask(settings),
			});
		});
	} finally {
		cleanUp();
	}
}
