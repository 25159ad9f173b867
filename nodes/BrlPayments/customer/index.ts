import type { Resource } from '../operation';
import { deleteCustomer } from './delete';
import { get } from './get';
import { getByExternalId } from './getByExternalId';

export const customer: Resource = {
	option: { name: 'Customer', value: 'customer' },
	defaultOperation: 'get',
	operations: [deleteCustomer, get, getByExternalId],
};
