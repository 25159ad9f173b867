import { ServiceError } from '../../errors';
import type { Environment, Product } from '../../store/types';
import type { World } from '../../world';

export function findProduct(world: World, environment: Environment, id: string): Product {
	const product = world.store.products.get(environment, id);
	if (!product) throw new ServiceError('NOT_FOUND', { message: 'No such product' });
	return product;
}
