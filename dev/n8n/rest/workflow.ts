import { randomUUID } from 'node:crypto';

import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { API_CREDENTIAL_NAME } from './credentials';
import type { WorkflowDefinition } from './rest';

/** What a node has that uses the credential of the package. */
const API_CREDENTIAL = { brlPaymentsApi: { id: null, name: API_CREDENTIAL_NAME } };

const PACKAGE_NODE = 'n8n-nodes-brl-payments.brlPayments';

export type NodeExtras = Partial<
	Pick<
		INode,
		'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'credentials' | 'webhookId'
	>
>;

export function node(
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters = {},
	extras: NodeExtras = {},
): INode {
	const fullType = type.includes('.') ? type : `n8n-nodes-base.${type}`;
	return {
		id: randomUUID(),
		name,
		type: fullType,
		typeVersion,
		position: [0, 0],
		parameters,
		...extras,
	};
}

/** The name of the trigger node of every workflow that {@link manualStart} begins. */
export const MANUAL = 'Start';

export function manualStart(items: IDataObject[]): INode[] {
	return [
		node(MANUAL, 'manualTrigger', 1),
		node('List', 'set', 3.4, {
			mode: 'raw',
			// Not an expression: what is written here must reach the node under test as it is.
			jsonOutput: JSON.stringify({ items }),
			options: {},
		}),
		node('Items', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
	];
}

/** A production webhook that responds at once, unless told otherwise. */
export function webhook(
	path: string,
	parameters: INodeParameters = {},
	extras: NodeExtras = {},
): INode {
	return node(
		'Webhook',
		'webhook',
		2.1,
		{ httpMethod: 'POST', path, responseMode: 'onReceived', options: {}, ...parameters },
		{ webhookId: randomUUID(), ...extras },
	);
}

/** A production webhook that takes `{ items }`; see {@link webhook}. */
export function webhookStart(path: string, parameters?: INodeParameters): INode[] {
	return [
		webhook(path, parameters),
		node('Items', 'splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
	];
}

/** The node under test, with the credential that every test environment has. */
export function brlPayments(
	name: string,
	resource: string,
	operation: string,
	parameters: INodeParameters = {},
	extras: NodeExtras = {},
): INode {
	return node(
		name,
		PACKAGE_NODE,
		2,
		{ resource, operation, ...parameters },
		{ credentials: API_CREDENTIAL, ...extras },
	);
}

/**
 * The withdrawal of each item, with all that an item may say.
 *
 * @param more fields in addition to those that every payout has
 */
export function payEachItem(
	extras: NodeExtras = {},
	options: INodeParameters = {},
	more: INodeParameters = {},
): INode {
	return brlPayments(
		'Pay',
		'withdrawal',
		'create',
		{
			amount: '={{ $json.amount }}',
			pixKey: '={{ $json.pixKey }}',
			description: '={{ $json.description }}',
			...more,
			options,
		},
		extras,
	);
}

/**
 * n8n's HTTP Request node, sending a withdrawal for each item with the credential of this package.
 *
 * @param url address of the service
 * @param key the idempotency key, an expression
 * @param body JavaScript of the object that is sent
 */
export function payByHttpRequest(
	name: string,
	url: string,
	key: string,
	body: string,
	options: INodeParameters,
	extras: NodeExtras = {},
): INode {
	return node(
		name,
		'httpRequest',
		4.2,
		{
			method: 'POST',
			url: `${url}/v1/withdrawals`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'brlPaymentsApi',
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'X-Idempotency-Key', value: key }] },
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ JSON.stringify({ ${body} }) }}`,
			options,
		},
		{ credentials: API_CREDENTIAL, ...extras },
	);
}

/** The connections of a node, one list of targets for each of its outputs. */
export function toMain(...outputs: ReadonlyArray<readonly INode[]>): IConnections[string] {
	return {
		main: outputs.map((targets) =>
			targets.map(({ name }) => ({ node: name, type: 'main' as const, index: 0 })),
		),
	};
}

/** Each node's output -> the next node. */
export function connectInLine(nodes: readonly INode[]): IConnections {
	const pairs = nodes.slice(0, -1).map((from, index) => [from.name, toMain([nodes[index + 1]!])]);
	return Object.fromEntries(pairs) as IConnections;
}

export function buildWorkflow(
	name: string,
	nodes: INode[],
	connections = connectInLine(nodes),
): WorkflowDefinition {
	return { name, nodes, connections, settings: { executionOrder: 'v1' } };
}
