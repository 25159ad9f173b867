import type {
	IAdditionalCredentialOptions,
	IContextObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { ApiCredential } from '../../../nodes/shared/client/connection';
import { credentialWith } from './credential';

/** What a fake service does with a request: responds, or throws as n8n's helper would. */
export type Respond = (
	request: IHttpRequestOptions,
) => IN8nHttpFullResponse | Promise<IN8nHttpFullResponse>;

export interface NodeContextOptions {
	respond?: Respond;
	credential?: Partial<ApiCredential>;
	/** Parameters of the node, for each item. */
	parameters?: IDataObject[];
	executionId?: string;
	mode?: WorkflowExecuteMode;
	/** Left out as before n8n 1.121 when null. */
	establishedAt?: number | null;
	/** How the execution was established; `retry` where the one it retries was saved without. */
	establishedSource?: string;
	/** Whether n8n names the trigger of the execution, as it does from 2.1 on. */
	isTriggerNamed?: boolean;
	/** Where n8n lets the execution resume; with a token that its retries keep, unless set. */
	resumeUrl?: string;
	/** Of the node before this one, in which it put out the items. */
	runIndex?: number;
	instanceId?: string;
	workflowId?: string;
	nodeName?: string;
	nodeType?: string;
	/** Nodes before this one, with what they put out in their last run, by output. */
	parents?: Array<{ name: string; type: string; outputs: IDataObject[][] }>;
	/** The execution of the workflow that called this one. */
	parentExecutionId?: string;
	abortSignal?: AbortSignal;
	continueOnFail?: boolean;
	/** Helpers besides the one that sends requests, such as those of `FakeDeduplication`. */
	helpers?: Partial<IExecuteFunctions['helpers']>;
}

export interface FakeNodeContext {
	context: IExecuteFunctions;
	/** Every request that reached n8n's helper, in order. */
	requests: IHttpRequestOptions[];
	/** Names of the credentials that the helper was asked to add. */
	credentialNames: string[];
	/** The data that the helper was to use for each request; undefined where it had to look itself. */
	credentialsSent: unknown[];
	hints: string[];
}

export const NODE: INode = {
	id: 'node-1',
	name: 'BRL Payments',
	type: 'n8n-nodes-brl-payments.brlPayments',
	typeVersion: 2,
	position: [0, 0],
	parameters: {},
};

/** As much of n8n's execution context as this package touches, with everything else absent. */
export function fakeNodeContext(options: NodeContextOptions = {}): FakeNodeContext {
	const requests: IHttpRequestOptions[] = [];
	const credentialNames: string[] = [];
	const credentialsSent: unknown[] = [];
	const hints: string[] = [];
	const nodeContext: IContextObject = {};
	const { establishedAt = Date.parse('2026-11-21T11:59:00Z'), parameters = [{}] } = options;
	const token = (establishedAt ?? 0).toString(16).padStart(64, '0');
	const resumeUrl = `https://n8n.example/webhook-waiting/101?signature=${token}`;

	const context = {
		getCredentials: async () => credentialWith(options.credential),
		getNode: () => ({
			...NODE,
			name: options.nodeName ?? NODE.name,
			type: options.nodeType ?? NODE.type,
		}),
		getWorkflow: () => ({ id: options.workflowId ?? 'workflow-1', name: 'Payouts', active: true }),
		getInstanceId: () => options.instanceId ?? 'instance-1',
		getParentNodes: () => options.parents ?? [],
		getExecuteData: () => ({
			source: { main: [{ previousNode: 'Loop', previousNodeRun: options.runIndex ?? 0 }] },
		}),
		getInputSourceData: () => {
			throw new Error('Source data is missing');
		},
		getWorkflowDataProxy: () => ({
			$items: (name: string, output: number, run: number) => {
				const found = options.parents?.find((parent) => parent.name === name)?.outputs[output];
				if (!found || run !== -1) throw new Error(`No output ${output} of ${name}, run ${run}`);
				return found.map((json) => ({ json }));
			},
		}),
		getExecutionId: () => options.executionId ?? '101',
		getMode: () => options.mode ?? 'manual',
		getContext: () => nodeContext,
		getTimezone: () => 'America/Sao_Paulo',
		getExecutionCancelSignal: () => options.abortSignal,
		evaluateExpression: () => options.resumeUrl ?? resumeUrl,
		getInputData: () => parameters.map(() => ({ json: {} })),
		getNodeParameter: (name: string, itemIndex: number, fallback?: unknown) =>
			parameters[itemIndex]?.[name] ?? fallback,
		continueOnFail: () => options.continueOnFail ?? false,
		addExecutionHints: (...added: Array<{ message: string }>) => {
			hints.push(...added.map(({ message }) => message));
		},
		...(establishedAt !== null && {
			getExecutionContext: () => ({
				version: 1,
				establishedAt,
				source: options.establishedSource ?? 'manual',
				triggerNode:
					options.isTriggerNamed === false
						? undefined
						: { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
				parentExecutionId: options.parentExecutionId,
			}),
		}),
		helpers: {
			...options.helpers,
			httpRequestWithAuthentication: async (
				name: string,
				request: IHttpRequestOptions,
				additional?: IAdditionalCredentialOptions,
			) => {
				credentialNames.push(name);
				credentialsSent.push(additional?.credentialsDecrypted?.data);
				requests.push(request);
				if (!options.respond) throw new Error('No request was expected');
				return await options.respond(request);
			},
		},
	} as unknown as IExecuteFunctions;
	return { context, requests, credentialNames, credentialsSent, hints };
}
