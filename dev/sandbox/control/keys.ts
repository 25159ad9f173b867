import type { FastifyInstance } from 'fastify';
import { isIP } from 'node:net';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { presentKey } from '../http/present';
import { SCOPES, type KeySettings } from '../settings/keys';
import type { World } from '../world';
import { controlBody } from './body';

const network = z.string().refine((text) => {
	const [address = '', bits, ...rest] = text.split('/');
	const version = isIP(address);
	if (version === 0 || rest.length > 0) return false;
	return (
		bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
	);
}, 'Must be an IP address or a CIDR range');

const keyBody = z
	.object({
		environment: z.enum(['SANDBOX', 'PRODUCTION']),
		scopes: z.array(z.enum(SCOPES)).optional(),
		ipAllowlist: z.array(network).optional(),
		rateLimitPerMinute: z.number().int().min(1).nullable().optional(),
		expiresAt: z.string().datetime({ offset: true }).nullable().optional(),
		revoked: z.boolean().optional(),
		name: z.string().optional(),
	})
	.strict();

/** GET /_sandbox/keys, POST /_sandbox/keys (the only response with a secret), POST …/{id}/revoke. */
export function registerKeyControl(app: FastifyInstance, world: World): void {
	app.get('/_sandbox/keys', async () => ({
		keys: world.keys.list().map((key) => ({ ...presentKey(key), revoked: key.revoked })),
	}));
	app.post('/_sandbox/keys', async (request, reply) => {
		const body: KeySettings = controlBody(request, keyBody) as KeySettings;
		return reply.code(201).send({ key: world.keys.create(body, world.now()) });
	});
	app.post<{ Params: { id: string } }>('/_sandbox/keys/:id/revoke', async (request) => {
		const key = world.keys.byId(request.params.id);
		if (!key) throw new ServiceError('NOT_FOUND', { message: 'No such key' });
		key.revoked = true;
		return { key: { ...presentKey(key), revoked: true } };
	});
}
