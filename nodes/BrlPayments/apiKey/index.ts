import type { Resource } from '../operation';
import { get } from './get';

export const apiKey: Resource = {
	option: { name: 'API Key', value: 'apiKey' },
	defaultOperation: 'get',
	operations: [get],
};
