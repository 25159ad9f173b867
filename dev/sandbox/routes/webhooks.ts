import { z } from 'zod';
import { ServiceError } from '../errors';
import { json } from '../http/answer';
import { operation } from '../http/operation';

/** Named by the API without a path (docs/api.md#suspension): there in one dialect only. */
export const reactivateEndpoint = operation('POST /v1/webhooks/:id/reactivate', {
	scopes: ['*'],
	isThere: ({ reactivation }) => reactivation.endpoint === 'present',
	params: z.object({ id: z.string().uuid() }),
	async handle({ world, params }) {
		const result = await world.webhooks.reactivate(params.id);
		if (result.ok) return json(200, { message: 'The endpoint is active again' });
		throw new ServiceError(result.code, { details: { observedStatus: result.observedStatus } });
	},
});
