import type { FastifyInstance } from 'fastify';
import type { World } from '../world';
import { registerCheckout } from './checkout';
import { dashboardPage } from './dashboard';

/** The pages for people: the dashboard and the hosted checkout. */
export function registerPages(app: FastifyInstance, world: World): void {
	app.get('/', async (_request, reply) =>
		reply.type('text/html; charset=utf-8').send(dashboardPage(world)),
	);
	registerCheckout(app, world);
}
