import type { Resource } from '../operation';
import { getReceipt } from './getReceipt';
import { getStatement } from './getStatement';

export const document: Resource = {
	option: { name: 'Document', value: 'document' },
	defaultOperation: 'getReceipt',
	operations: [getReceipt, getStatement],
};
