import type { FastifyInstance } from 'fastify';
import type { World } from '../world';

/** GET /_sandbox/requests. */
export function registerRequestControl(app: FastifyInstance, world: World): void {
	app.get('/_sandbox/requests', async () => ({
		requests: world.requests.map(({ rawBody, ...request }) => ({
			...request,
			rawBody: rawBody.toString('base64'),
		})),
	}));
}
