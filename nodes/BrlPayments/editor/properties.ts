import { updateDisplayOptions, type INodeProperties, type NodeHint } from 'n8n-workflow';
import { type Operation, type Resource, isOrder } from '../operation';
import { resources } from '../resources';
import {
	additionalBodyFields,
	additionalQueryParameters,
	allowRetryAfter24Hours,
	idempotencyKey,
	maskPersonalData,
	maxConcurrency,
	timeout,
} from './options';
import { joinSentences, sentence } from '../../shared/text/sentences';

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

/**
 * What an agent reads about this operation when the node is its tool. n8n's own text is only the
 * name of the action, from which an agent could not see what moves money.
 */
function toolDescriptionField(operation: Operation): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 4 },
		default: describeTool(operation),
		description: 'What the agent reads to decide when to call this tool',
		displayOptions: { show: { '@tool': [true] } },
	};
}

function describeTool({ option, isWrite, movesMoney, forAgents }: Operation): string {
	const effect = movesMoney ? 'MOVES MONEY.' : isWrite ? 'Changes data.' : 'Reads only.';
	return joinSentences(effect, sentence(option.description ?? option.name), forAgents);
}

/** An expression for the text below the name of the node: `Create: Withdrawal`. */
export function buildSubtitle(resources: readonly Resource[]): string {
	const words = resources.flatMap(({ option, operations }) =>
		operations.map((operation) => [
			`${option.value}.${operation.option.value}`,
			`${operation.option.name}: ${option.name}`,
		]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(words))})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/**
 * Shows in the editor, until the node has run, which scope its key requires. Which scopes the key
 * has, only the service knows, and n8n cannot show it before a run.
 */
export function scopeHints(resources: readonly Resource[]): NodeHint[] {
	const conditions = new Map<string, string[]>();
	for (const { option, operations } of resources) {
		for (const operation of operations) {
			if (operation.scope === null) continue;
			const needed = describeScopes(operation);
			const condition = `($parameter.resource === '${option.value}' && $parameter.operation === '${String(operation.option.value)}')`;
			conditions.set(needed, [...(conditions.get(needed) ?? []), condition]);
		}
	}
	return [...conditions].map(([needed, alternatives]) => ({
		message: `The API key needs the scope ${needed}.`,
		type: 'info',
		location: 'outputPane',
		whenToDisplay: 'beforeExecution',
		displayCondition: `={{ ${alternatives.join(' || ')} }}`,
	}));
}

function describeScopes({ scope, extraScope }: Operation): string {
	return extraScope ? `${scope}, and ${extraScope.scope} for ${extraScope.purpose}` : `${scope}`;
}

/** All that the user can set for one operation. */
export function buildFields(operation: Operation): INodeProperties[] {
	return [...operation.fields, buildOptions(operation)];
}

/** The Options collection of one operation, in alphabetical order of the names in the editor. */
function buildOptions(operation: Operation): INodeProperties {
	const entries = [
		additionalQueryParameters,
		maskPersonalData,
		timeout,
		...('executeAll' in operation ? [] : [maxConcurrency]),
		...(isOrder(operation) ? [additionalBodyFields] : []),
		// The ledger recognizes every payout: a key of one's own would go round it.
		...(isOrder(operation) && operation.kind?.kind !== 'payout'
			? [allowRetryAfter24Hours, idempotencyKey]
			: []),
		...(operation.options ?? []),
	];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: entries.sort((one, other) => one.displayName.localeCompare(other.displayName)),
	};
}
