import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { invalid, ServiceError } from './errors';
import type { Incoming, Operation } from './http/operation';
import { readUpload } from './http/multipart';
import { toAnswer, run } from './http/pipeline';
import { record } from './http/recorder';
import { serve } from './http/serve';
import { registerCheckout } from './pages/checkout';
import { dashboardPage } from './pages/dashboard';
import { registerWebhookSettings } from './pages/webhooks';
import { carriesCardFields } from './rules/card';
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
	app.setNotFoundHandler((request, reply) => {
		const incoming = record(request, getBody(request), world.now());
		world.requests.push(incoming);
		const notFound = toAnswer(new ServiceError('NOT_FOUND', { message: 'No such endpoint' }));
		void serve(world, incoming, request, reply, async () => notFound).catch((error: unknown) => {
			void reply.send(error);
		});
	});

	for (const op of OPERATIONS) {
		if (!op.upload) registerOperation(app, world, op);
	}
	await app.register(async (uploads) => {
		await uploads.register(multipart, { throwFileSizeLimit: false });
		for (const op of OPERATIONS) if (op.upload) registerOperation(uploads, world, op);
	});
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

function getBody(request: FastifyRequest): Buffer {
	return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

function isMultipart(request: FastifyRequest): boolean {
	return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
}

function registerOperation(app: FastifyInstance, world: World, op: Operation): void {
	app.route({
		method: op.method,
		url: op.path,
		handler(request, reply) {
			const handled = async (): Promise<void> => {
				const incoming: Incoming =
					op.upload && isMultipart(request)
						? await readUpload(request)
						: { request, rawBody: getBody(request), files: undefined };
				const recorded = record(request, incoming.rawBody, world.now());
				if (op.path === '/v1/payments' && op.method === 'POST') forgetCardData(recorded);
				world.requests.push(recorded);
				await serve(world, recorded, request, reply, (faults) => run(world, op, incoming, faults));
			};
			// Not returned: Fastify would wait for a reply that a fault may have taken over.
			handled().catch((error: unknown) => void reply.send(error));
		},
	});
}

/** Card data is neither stored nor logged (docs/api.md#create-a-payment): the recorded request loses its body. */
function forgetCardData(recorded: { rawBody: Buffer }): void {
	if (recorded.rawBody.length === 0) return;
	try {
		if (!carriesCardFields(JSON.parse(recorded.rawBody.toString('utf8')))) return;
	} catch {
		return;
	}
	recorded.rawBody = Buffer.from('[card data is not kept]');
}
