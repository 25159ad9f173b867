import formbody from '@fastify/formbody';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { invalid, ServiceError } from './errors';
import type { WireAnswer } from './http/answer';
import { toAnswer, run, type ProcessingFaults } from './http/pipeline';
import { record } from './http/recorder';
import { serve } from './http/serve';
import { registerCheckout } from './pages/checkout';
import { dashboardPage } from './pages/dashboard';
import { registerWebhookSettings } from './pages/webhooks';
import { OPERATIONS } from './routes';
import type { World } from './world';

/** Roomier than any valid request, so that size rules lead to errors of the API. */
const BODY_LIMIT = 64 * 1024 * 1024;

export async function buildServer(world: World): Promise<FastifyInstance> {
	const app = Fastify({
		bodyLimit: BODY_LIMIT,
		forceCloseConnections: true,
		exposeHeadRoutes: false,
		// A URL that cannot be decoded never reaches a route.
		frameworkErrors: answerError,
		// An externalId of more than 100 characters must reach its schema instead of a 404.
		routerOptions: { maxParamLength: 10_000, ignoreTrailingSlash: false },
	});
	// The clock of the service, which tests set; a fault may have set another time.
	app.addHook('onSend', async (_request, reply) => {
		if (!reply.hasHeader('date')) reply.header('date', new Date(world.now()).toUTCString());
	});
	// The service reads bodies itself, and late: a bad body must not be noticed before a bad key.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
	app.setErrorHandler(answerError);
	/** Returns no promise: Fastify would wait for a reply that a fault may have taken over. */
	const handle =
		(process: (request: FastifyRequest, faults: ProcessingFaults) => Promise<WireAnswer>) =>
		(request: FastifyRequest, reply: FastifyReply): void => {
			const recorded = record(request, world.now());
			world.requests.push(recorded);
			serve(world, recorded, request, reply, (faults) => process(request, faults)).catch(
				(error: unknown) => void reply.send(error),
			);
		};
	const notFound = new ServiceError('NOT_FOUND', { message: 'No such endpoint' });
	app.setNotFoundHandler(handle(async () => toAnswer(notFound)));
	for (const op of OPERATIONS) {
		const handler = handle((request, faults) => run(world, op, request, faults));
		app.route({ method: op.method, url: op.path, handler });
	}
	await app.register(async (pages) => {
		await pages.register(formbody);
		pages.get('/', async (_request, reply) =>
			reply.type('text/html; charset=utf-8').send(dashboardPage(world)),
		);
		registerCheckout(pages, world);
		registerWebhookSettings(pages, world);
	});
	return app;
}

type HttpError = Error & { statusCode?: number };

function answerError(error: HttpError, _request: FastifyRequest, reply: FastifyReply): void {
	const answer = toAnswer(toServiceError(error));
	void reply.code(answer.status).headers(answer.headers).send(answer.body);
}

function toServiceError(error: HttpError): ServiceError {
	if (error instanceof ServiceError) return error;
	const refused = error.statusCode !== undefined && error.statusCode < 500;
	return refused ? invalid('request', error.message) : new ServiceError('INTERNAL_ERROR');
}
