import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors';
import { fingerprint } from '../http/present';
import type { World } from '../world';

/** GET /_sandbox/books, GET /_sandbox/requests, GET /_sandbox/products/{id}/image, POST /_sandbox/reset. */
export function registerBooksControl(app: FastifyInstance, world: World): void {
	const { books } = world.store;
	app.get('/_sandbox/books', async () => ({
		withdrawals: books.withdrawals,
		payments: books.payments,
		refunds: books.refunds,
		products: books.products.map(({ image, ...product }) => ({
			...product,
			image: image && { bytes: image.length, sha256: fingerprint(image) },
		})),
	}));
	app.get('/_sandbox/requests', async () => ({
		requests: world.requests.map(({ rawBody, ...request }) => ({
			...request,
			rawBody: rawBody.toString('base64'),
		})),
	}));
	app.get<{ Params: { id: string } }>('/_sandbox/products/:id/image', async (request, reply) => {
		const image = world.store.products.find(request.params.id)?.image;
		if (!image) throw new ServiceError('NOT_FOUND', { message: 'No such image' });
		return reply.type(image.mediaType).send(image.bytes);
	});
	app.post('/_sandbox/reset', async () => {
		world.reset();
		return { message: 'The emulator is as it was at its start' };
	});
}
