import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors';
import type { World } from '../world';

/** GET /_sandbox/products/{id}/image. */
export function registerProductImageControl(app: FastifyInstance, world: World): void {
	app.get<{ Params: { id: string } }>('/_sandbox/products/:id/image', async (request, reply) => {
		const image = world.store.products.find(request.params.id)?.image;
		if (!image) throw new ServiceError('NOT_FOUND', { message: 'No such image' });
		return reply.type(image.mediaType).send(image.bytes);
	});
}
