import { randomUUID } from 'node:crypto';
import {
	Workflow,
	type IConnections,
	type INode,
	type INodeParameters,
	type NodeParameterValueType,
} from 'n8n-workflow';
import { NODE, START } from './names';
import { LOOP_NODE, nodeTypes, PACKAGE_NODE, PASS_NODE, SPLIT_NODE } from './nodeTypes';

const LOOP = 'Loop';
const BEFORE = 'Before';
const BACK = 'Back';
const SPLIT = 'Split';
const BESIDE = 'Beside';

export type NodeExtras = Partial<
	Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>
>;

/** Parameters of the node under test; collections and expressions as in a workflow file. */
export type Parameters = Record<string, NodeParameterValueType>;

/** @param name resource and operation, such as `payment.get` */
export function operation(
	name: string,
	parameters: Parameters = {},
	options: Parameters = {},
): Parameters {
	const [resource = '', operation = ''] = name.split('.');
	return { resource, operation, ...parameters, options };
}

/** The option of that name, with these parameters. */
export const additionalQuery = (...pairs: Array<[name: string, value: string]>): Parameters => ({
	additionalQueryParameters: { parameter: pairs.map(([name, value]) => ({ name, value })) },
});

export interface WorkflowParts {
	readonly parameters: Parameters;
	readonly extras?: NodeExtras;
	/** The type of the node that starts the workflow. */
	readonly startType?: string;
	/** Items come in batches, each in a separate run. */
	readonly isLooped?: boolean;
	/** Items of a batch; 1 if left out. */
	readonly batchSize?: number;
	/** The error output comes back to the node by one of this type, which can put out nothing to end it. */
	readonly wiredBackBy?: string;
	/** A copy of the node in a second place of the same workflow, behind the first one. */
	readonly isDoubled?: boolean;
	/** Items whose `branch` is 2 take another way: to the same node (`joined`), or to a second one (`nodes`). */
	readonly branches?: 'joined' | 'nodes';
}

export const CONTINUE = { extras: { onError: 'continueRegularOutput' } } as const;
/** Retry On Fail that tests need not wait for: n8n takes 0 for its default of a second. */
export const RETRY_ON_FAIL: NodeExtras = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

export function buildWorkflow({
	parameters,
	extras = {},
	startType = PASS_NODE,
	isLooped = false,
	batchSize = 1,
	wiredBackBy,
	isDoubled = false,
	branches,
}: WorkflowParts): Workflow {
	const pay = (name: string) =>
		node(name, PACKAGE_NODE, parameters, {
			...extras,
			credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
		});
	const nodes = [node(START, startType), node(BEFORE, PASS_NODE), pay(NODE)];
	const connections: IConnections = {
		[START]: { main: [[to(BEFORE)]] },
		[BEFORE]: { main: [[to(isLooped ? LOOP : NODE)]] },
	};
	if (isLooped) {
		nodes.push(node(LOOP, LOOP_NODE, { batchSize }));
		connections[LOOP] = { main: [[], [to(NODE)]] };
		connections[NODE] = { main: [[to(LOOP)]] };
	}
	if (wiredBackBy !== undefined) {
		nodes.push(node(BACK, wiredBackBy));
		connections[NODE] = { main: [[], [to(BACK)]] };
		connections[BACK] = { main: [[to(NODE)]] };
	}
	if (isDoubled) {
		nodes.push(pay(`${NODE} 2`));
		connections[BEFORE] = { main: [[to(NODE), to(`${NODE} 2`)]] };
	}
	if (branches !== undefined) {
		const isJoined = branches === 'joined';
		const second = isJoined ? BESIDE : `${NODE} 2`;
		nodes.push(node(SPLIT, SPLIT_NODE), isJoined ? node(second, PASS_NODE) : pay(second));
		connections[BEFORE] = { main: [[to(SPLIT)]] };
		connections[SPLIT] = { main: [[to(NODE)], [to(second)]] };
		if (isJoined) connections[second] = { main: [[to(NODE)]] };
	}
	return new Workflow({
		id: randomUUID(),
		name: 'Example',
		nodes,
		connections,
		active: true,
		nodeTypes,
		settings: { executionOrder: 'v1', timezone: 'America/Sao_Paulo' },
	});
}

/** The user edits the node and saves. */
export function edit(
	{ workflow }: { workflow: Workflow },
	parameters: INodeParameters,
	name = NODE,
): void {
	const node = workflow.nodes[name]!;
	node.parameters = { ...node.parameters, ...parameters };
}

/** The user edits the options of the node and saves. */
export const changeOptions = (workflow: Workflow, options: Parameters): void =>
	edit({ workflow }, { options });

const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });

/** A node with an ID of its own, if nothing else is said. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	extras: Partial<INode> = {},
): INode {
	return {
		id: randomUUID(),
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		...extras,
	};
}
