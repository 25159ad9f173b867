import type { Resource } from '../operation';
import { checkBatch } from './checkBatch';
import { create } from './create';
import { get } from './get';
import { getByReference } from './getByReference';
import { getAll } from './getAll';
import { getLimits } from './getLimits';
import { settleReference } from './settleReference';
import { waitForStatus } from './waitForStatus';

export const withdrawal: Resource = {
	option: { name: 'Withdrawal', value: 'withdrawal' },
	defaultOperation: 'create',
	operations: [
		checkBatch,
		create,
		get,
		getByReference,
		getLimits,
		getAll,
		settleReference,
		waitForStatus,
	],
};
