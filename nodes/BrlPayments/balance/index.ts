import type { Resource } from '../operation';
import { get } from './get';

export const balance: Resource = {
	option: { name: 'Balance', value: 'balance' },
	defaultOperation: 'get',
	operations: [get],
};
