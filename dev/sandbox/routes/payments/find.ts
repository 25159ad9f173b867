import { ServiceError } from '../../errors';
import type { Environment, Payment } from '../../store/types';
import type { World } from '../../world';

/** The payment of this environment, or NOT_FOUND: a key never sees the other environment. */
export function findPayment(world: World, environment: Environment, id: string): Payment {
	const payment = world.store.payments.get(environment, id);
	if (!payment) throw new ServiceError('NOT_FOUND', { message: 'No such payment' });
	return payment;
}
