import type { FastifyInstance } from 'fastify';
import { fingerprint } from '../http/present';
import type { World } from '../world';

/** GET /_sandbox/books. */
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
}
