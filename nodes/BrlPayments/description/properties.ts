import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';
import type { Operation, Resource } from '../execution/operation';
import { buildFields } from './options';
import { resources } from '../resources';
import { toolDescriptionField } from './toolDescription';

/** All fields of the node: each operation's own, shown only for that operation. */
export const properties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'payment',
		options: resources.map(({ option }) => option),
	},
	...resources.flatMap((resource) => [
		operationField(resource),
		...resource.operations.flatMap((operation) => shownFields(resource, operation)),
	]),
];

function operationField({ option, operations, defaultOperation }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		default: defaultOperation,
		options: operations.map((operation) => operation.option),
	};
}

function shownFields(resource: Resource, operation: Operation): INodeProperties[] {
	return updateDisplayOptions(
		{ show: { resource: [resource.option.value], operation: [operation.option.value] } },
		[toolDescriptionField(operation), ...buildFields(operation)],
	);
}
