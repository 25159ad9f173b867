import { InputError } from '../shared/input/inputError';
import type { Operation, Resource } from './operation';
import { apiKey } from './apiKey';
import { balance } from './balance';
import { customer } from './customer';
import { document } from './document';
import { payment } from './payment';
import { product } from './product';
import { withdrawal } from './withdrawal';

/** Everything this node can do, in alphabetical order, as the editor lists it. */
export const resources: readonly Resource[] = [
	apiKey,
	balance,
	customer,
	document,
	payment,
	product,
	withdrawal,
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
