import type { FastifyInstance } from 'fastify';
import type { World } from '../world';
import { registerCheckout } from './checkout';
import { dashboardPage } from './dashboard';
import { registerWebhookPage } from './webhooks';

/** The pages for people: the dashboard, the hosted checkout and the webhooks. */
export function registerPages(app: FastifyInstance, world: World): void {
	app.get('/', async (_request, reply) =>
		reply.type('text/html; charset=utf-8').send(dashboardPage(world)),
	);
	registerCheckout(app, world);
	registerWebhookPage(app, world);
}
