import type { Resource } from '../../execution/operation';
import { checkBatch } from './checkBatch';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { getLimits } from './getLimits';
import { waitForStatus } from './waitForStatus';

export const withdrawal: Resource = {
	option: { name: 'Withdrawal', value: 'withdrawal' },
	defaultOperation: 'create',
	operations: [checkBatch, create, get, getLimits, getAll, waitForStatus],
};
