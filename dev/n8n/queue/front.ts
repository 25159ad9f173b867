import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';

import { isReady } from '../process/process';

declare module 'fastify' {
	interface FastifyRequest {
		upstream: string;
	}
}

/** The one address of an n8n of several processes. */
export type Front = Awaited<ReturnType<typeof openFront>>;

/** Paths that webhook processes serve. All others, test addresses among them, are the main process's. */
const PRODUCTION_PATH = /^\/(webhook|form|webhook-waiting|form-waiting)\//;

/**
 * The reverse proxy before an n8n in queue mode: deals requests to the webhook processes in turn,
 * and passes over one that is not ready. While none is, it returns 503, after which a sender tries
 * again; n8n itself returns 404 while it starts, after which a sender gives up.
 *
 * @param processes addresses of the main process and of the webhook processes, as they are now
 */
export async function openFront(processes: () => { main: string; webhooks: readonly string[] }) {
	const app = Fastify();
	let turn = 0;
	const choose = async (path: string): Promise<string | undefined> => {
		const { main, webhooks } = processes();
		const eligible = PRODUCTION_PATH.test(path) ? webhooks : [main];
		turn += 1;
		for (const [offset] of eligible.entries()) {
			const candidate = eligible[(turn + offset) % eligible.length]!;
			if (await isReady(candidate, 'webhook')) return candidate;
		}
		return undefined;
	};
	app.decorateRequest('upstream', '');
	app.addHook('preHandler', async (request, reply) => {
		const upstream = await choose(request.url);
		if (upstream === undefined) return await reply.code(503).send();
		request.upstream = upstream;
	});
	await app.register(proxy, {
		upstream: '',
		replyOptions: { getUpstream: (request) => request.upstream },
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return { url, close: async () => await app.close() };
}
