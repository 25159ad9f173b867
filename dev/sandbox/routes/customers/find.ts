import { ServiceError } from '../../errors';
import type { Customer, Environment } from '../../store/types';
import type { World } from '../../world';

export function findCustomer(
	world: World,
	environment: Environment,
	test: (customer: Customer) => boolean,
): Customer {
	const customer = world.store.customers.newest(environment, test);
	if (!customer) throw new ServiceError('NOT_FOUND', { message: 'No such customer' });
	return customer;
}
