import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { presentEndpoint } from '../http/present';
import {
	ENCODINGS,
	HASHES,
	TIMESTAMPS,
	VALUE_FORMS,
	type EndpointSettings,
	type ProbeResult,
} from '../webhooks';
import type { World } from '../world';
import { controlBody, present, type ById } from './body';

const changes = z
	.object({
		url: z.string(),
		events: z.array(z.string()),
		scheme: z
			.object({
				hash: z.enum(HASHES),
				layout: z.string(),
				encoding: z.enum(ENCODINGS),
				value: z.enum(VALUE_FORMS),
				timestamp: z.enum(TIMESTAMPS),
			})
			.partial()
			.strict(),
		maxAttempts: z.number(),
		suspendAfter: z.number(),
	})
	.partial()
	.strict();
const settings = changes.required({ url: true }).extend({ secret: z.string().optional() });
const eventBody = z.object({ event: z.string().min(1), body: z.record(z.unknown()) });

function refusedProbe(result: Extract<ProbeResult, { ok: false }>): ServiceError {
	return new ServiceError(result.code, { details: { observedStatus: result.observedStatus } });
}

/** Everything under /_sandbox/webhooks: endpoints, deliveries and custom events. */
export function registerWebhookControl(app: FastifyInstance, world: World): void {
	const { webhooks } = world;
	const endpoints = '/_sandbox/webhooks/endpoints';
	const deliveries = '/_sandbox/webhooks/deliveries';

	app.get(endpoints, async () => ({ endpoints: webhooks.endpoints.map(presentEndpoint) }));
	app.post(endpoints, async (request, reply) => {
		const given = present(controlBody(request, settings)) as EndpointSettings;
		const endpoint = webhooks.register(given);
		// The only response with the secret, apart from its rotation.
		return reply.code(201).send({ endpoint: presentEndpoint(endpoint), secret: endpoint.secret });
	});
	app.patch<ById>(`${endpoints}/:id`, async (request) => {
		const given = present(controlBody(request, changes)) as Partial<EndpointSettings>;
		return { endpoint: presentEndpoint(webhooks.update(request.params.id, given)) };
	});
	app.delete<ById>(`${endpoints}/:id`, async (request) => {
		webhooks.remove(request.params.id);
		return { message: 'The endpoint is deleted' };
	});
	app.post<ById>(`${endpoints}/:id/rotate`, async (request) => ({
		secret: webhooks.rotateSecret(request.params.id),
	}));
	app.post<ById>(`${endpoints}/:id/test`, async (request) => ({
		delivery: webhooks.sendTest(request.params.id),
	}));
	app.post<ById>(`${endpoints}/:id/reactivate`, async (request) => {
		const result = await webhooks.reactivate(request.params.id);
		if (!result.ok) throw refusedProbe(result);
		return { message: 'The endpoint is active again' };
	});

	app.get(deliveries, async () => ({ deliveries: webhooks.deliveries }));
	app.post<ById>(`${deliveries}/:id/replay`, async (request) => ({
		delivery: webhooks.replay(request.params.id),
	}));
	app.post<ById>(`${deliveries}/:id/resend`, async (request) => ({
		delivery: webhooks.resend(request.params.id),
	}));

	app.post('/_sandbox/webhooks/events', async (request) => {
		const { event, body } = controlBody(request, eventBody);
		return { deliveries: webhooks.emit(event, body) };
	});
}
