import type { Resource } from '../operation';
import { create } from './create';
import { downloadBoleto } from './downloadBoleto';
import { get } from './get';
import { getAll } from './getAll';
import { getByTxId } from './getByTxId';
import { getPixQrCode } from './getPixQrCode';
import { refund } from './refund';
import { simulate } from './simulate';
import { waitForStatus } from './waitForStatus';

export const payment: Resource = {
	option: { name: 'Payment', value: 'payment' },
	defaultOperation: 'create',
	operations: [
		create,
		downloadBoleto,
		get,
		getByTxId,
		getAll,
		getPixQrCode,
		refund,
		simulate,
		waitForStatus,
	],
};
