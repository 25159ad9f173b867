import { randomUUID } from 'node:crypto';
import type { StructuredTool } from '@langchain/core/tools';
import {
	NodeConnectionTypes,
	Workflow,
	type EngineRequest,
	type EngineResponse,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { BrlPayments } from '../../../nodes/BrlPayments/BrlPayments.node';
import type { Execution } from './execution';
import { NODE, START } from './names';
import { describe, nodeTypes, PASS_NODE, TOOL_NODE } from './nodeTypes';
import { node, type NodeExtras, type Parameters } from './workflow';

const AGENT = 'Agent';
const { AiTool, Main } = NodeConnectionTypes;

/** How n8n runs a tool: as a node of the workflow, or inside the agent as it did before 2.0. */
export type AgentKind = 'requests' | 'inside';

interface Progress extends Record<string, unknown> {
	round?: number;
	answers?: unknown[];
}

/** What the item wants to be called: rounds of calls, each with its arguments. */
const getRounds = (context: IExecuteFunctions) =>
	context.getInputData()[0]?.json.rounds as IDataObject[][];

const agentDescription = {
	...describe('agent', 1),
	inputs: [Main, { type: AiTool, displayName: 'Tools' }],
};

/** Stands in for n8n's agent, with a plan in place of a language model. */
class RequestingAgent implements INodeType {
	description = agentDescription;

	async execute(
		this: IExecuteFunctions,
		response?: EngineResponse<Progress>,
	): Promise<INodeExecutionData[][] | EngineRequest<Progress>> {
		const { round = 0, answers = [] } = response?.metadata ?? {};
		for (const { data } of response?.actionResponses ?? []) {
			answers.push(data.data?.ai_tool?.[0]?.[0]?.json);
		}
		const calls = getRounds(this)[round];
		if (calls === undefined) return [[{ json: { answers } }]];
		return {
			actions: calls.map((input, index) => ({
				actionType: 'ExecutionNodeAction',
				nodeName: NODE,
				input,
				type: AiTool,
				id: `call_${round}_${index}`,
				metadata: { itemIndex: 0 } as never,
			})),
			metadata: { round: round + 1, answers },
		};
	}
}

class OldAgent implements INodeType {
	description = agentDescription;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const answers: unknown[] = [];
		const [tool] = (await this.getInputConnectionData(AiTool, 0)) as StructuredTool[];
		for (const calls of getRounds(this)) {
			// All of one turn of the model at once.
			const turn = calls.map(
				async (call) =>
					await tool!.invoke(call).catch((error: Error): unknown => ({ error: error.message })),
			);
			answers.push(...(await Promise.all(turn)));
		}
		return [[{ json: { answers } }]];
	}
}

/** The node in the form that n8n derives from it for agents. */
class Tool extends BrlPayments {
	constructor() {
		super();
		this.description = {
			...this.description,
			name: 'brlPaymentsTool',
			inputs: [],
			outputs: [AiTool],
		};
	}
}

const types: Record<string, INodeType> = {
	[TOOL_NODE]: new Tool(),
	'example.requests': new RequestingAgent(),
	'example.inside': new OldAgent(),
};

const agentTypes = {
	...nodeTypes,
	getByName: (name: string) => types[name] ?? nodeTypes.getByName(name),
	getByNameAndVersion: (name: string) => types[name] ?? nodeTypes.getByNameAndVersion(name),
};

/** A payout as "Let the model define this parameter" writes it. */
export const chosenByAgent: Parameters = {
	amount: "={{ $fromAI('amount', 'In reais', 'number') }}",
	pixKey: "={{ $fromAI('pixKey', 'Where it goes', 'string') }}",
};

/** A workflow with an agent whose only tool is the node under test. */
export function agentWorkflow(
	kind: AgentKind,
	parameters: Parameters,
	{ startType = PASS_NODE, extras = {} }: { startType?: string; extras?: NodeExtras } = {},
): Workflow {
	return new Workflow({
		id: randomUUID(),
		name: 'Example',
		nodes: [
			node(START, startType),
			node(AGENT, `example.${kind}`),
			node(NODE, TOOL_NODE, parameters, {
				credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
				...extras,
			}),
		],
		connections: {
			[START]: { main: [[{ node: AGENT, type: Main, index: 0 }]] },
			[NODE]: { [AiTool]: [[{ node: AGENT, type: AiTool, index: 0 }]] },
		},
		active: true,
		nodeTypes: agentTypes,
		settings: { executionOrder: 'v1', timezone: 'America/Sao_Paulo' },
	});
}

/** What the agent was shown, call by call, as text. */
export function getAnswers(execution: Execution): string[] {
	const [item] = execution.output(AGENT);
	const answers = (item?.json.answers ?? []) as unknown[];
	return answers.map((answer) => (typeof answer === 'string' ? answer : JSON.stringify(answer)));
}
