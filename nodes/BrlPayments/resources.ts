import { InputError } from '../shared/input/inputError';
import type { Operation, Resource } from './operation';
import { apiKey } from './apiKey';
import { balance } from './balance';
import { customer } from './customer';
import { document } from './document';
import { payment } from './payment';
import { product } from './product';
import { withdrawal } from './withdrawal';

/** Everything this node can do, as the editor lists it: first what everybody comes for, then by the alphabet. */
export const resources: readonly Resource[] = [
	payment,
	withdrawal,
	apiKey,
	balance,
	customer,
	document,
	product,
];

/** @throws InputError for a name that this version of the node does not have */
export function findOperation(resourceName: string, operationName: string): Operation {
	const operation = resources
		.find(({ option }) => option.value === resourceName)
		?.operations.find(({ option }) => option.value === operationName);
	if (!operation) {
		throw new InputError(
			`This node has no operation "${operationName}" of "${resourceName}"`,
			'Choose Resource and Operation from the lists.',
		);
	}
	return operation;
}
