import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IExecutionContext,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type NodeApiError,
	type Workflow,
	type WorkflowExecuteMode,
	WorkflowOperationError,
} from 'n8n-workflow';
import { omit } from 'lodash';
import { z } from 'zod';
import { BrlPaymentsApi } from '../../../credentials/BrlPaymentsApi.credentials';
import type { ApiCredential } from '../../../nodes/shared/client/connection';
import { dataTables } from './ledger';
import { NODE, START } from './names';

/** As much as the nodes use of n8n's own way of using a credential type, without its database. */
const credentialsHelper = (credential: ApiCredential): object => ({
	getParentTypes: () => [],
	isCredentialUsableByNode: () => true,
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = new BrlPaymentsApi();
		if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
		return await authenticate(credentials, requestOptions);
	},
	preAuthentication: async () => await Promise.resolve(undefined),
	getDecrypted: async () => await Promise.resolve({ ...credential }),
	getCredentialsProperties: () => [],
});

/** What n8n's engine needs around an execution. */
export const additionalDataFor = (
	credential: ApiCredential,
	executionId: string,
): IWorkflowExecuteAdditionalData =>
	({
		credentialsHelper: credentialsHelper(credential),
		executionId,
		currentNodeExecutionIndex: 0,
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
		variables: {},
		logAiEvent: () => undefined,
		executeWorkflow: async (info, _data, { inputData }) =>
			await dataTables().executeWorkflow(info, inputData),
	}) as Partial<IWorkflowExecuteAdditionalData> as IWorkflowExecuteAdditionalData;

const rows = z.array(z.record(z.any()));
/** What an item contains; tests state the shape that they expect. */
export type JsonRow = z.infer<typeof rows>[number];

/** What the node puts under `error` on an item that has failed. */
export interface ItemError extends IDataObject {
	code: string;
	message: string;
	description: string;
	effect: string;
	retryable: boolean;
	idempotencyKey?: string;
	firstSentAt?: string;
	retrySafeUntil?: string;
	withdrawalIds?: string[];
	paymentIds?: string[];
}

/** One execution of a workflow, as n8n saves it in the end. */
export class Execution {
	/** How many requests arrived while it ran that may have an effect. */
	posts = 0;

	constructor(
		readonly workflow: Workflow,
		readonly credential: ApiCredential,
		readonly id: string,
		readonly run: IRun,
		readonly items: INodeExecutionData[],
	) {}

	get data(): IRunExecutionData {
		return this.run.data;
	}

	/** All runs of a node, first one first. */
	getRuns(nodeName = NODE): ITaskData[] {
		return this.data.resultData.runData[nodeName] ?? [];
	}

	/** What a node put out in its last run. */
	output(nodeName = NODE, index = 0): INodeExecutionData[] {
		return this.getRuns(nodeName).at(-1)?.data?.main?.[index] ?? [];
	}

	/** The JSON of the output items. */
	get json(): JsonRow[] {
		return rows.parse(this.output().map(({ json }) => json));
	}

	get ids(): string[] {
		return this.json.map(({ id }) => id as string);
	}

	/** The index of the input item that each output item came from. */
	get sources(): unknown[] {
		return this.output().map(({ pairedItem }) => (pairedItem as { item: number }).item);
	}

	/** What each item says of itself: whether an earlier attempt has paid it. */
	get paidBefore(): Array<boolean | undefined> {
		return this.json.map(({ alreadyPaid }) => alreadyPaid as boolean | undefined);
	}

	/** The same of a charge. */
	get createdBefore(): Array<boolean | undefined> {
		return this.json.map(({ alreadyCreated }) => alreadyCreated as boolean | undefined);
	}

	/** The error on each item; undefined where there is none. */
	get errors(): Array<ItemError | undefined> {
		return this.json.map(({ error }) => error as ItemError | undefined);
	}

	get codes(): Array<string | undefined> {
		return this.errors.map((error) => error?.code);
	}

	/** Why the execution failed; undefined when it did not. */
	get error(): NodeApiError | undefined {
		return this.data.resultData.error as NodeApiError | undefined;
	}

	get hints(): string[] {
		return (this.getRuns().at(-1)?.hints ?? []).map(({ message }) => message);
	}

	get establishedAt(): number {
		return this.data.executionData!.runtimeData!.establishedAt;
	}
}

let lastId = 0;

export interface ExecutionSettings {
	readonly mode?: WorkflowExecuteMode;
	/** When the execution was established; null: not saved with it, n8n establishes it again. */
	readonly establishedAt?: number | null;
	/** The execution whose sub-workflow this is. */
	readonly parentExecutionId?: string;
	/** Called with a function that cancels the execution. */
	readonly onStart?: (cancel: () => void) => void;
	/** What is chosen in the node now; what was chosen before where it is left out. */
	readonly credential?: Partial<ApiCredential>;
}

/** Starts an execution on its own, as a trigger does. */
export async function execute(
	workflow: Workflow,
	credential: ApiCredential,
	items: INodeExecutionData[],
	settings: ExecutionSettings = {},
): Promise<Execution> {
	const data = freshData(workflow, items, settings.parentExecutionId);
	if (typeof settings.establishedAt === 'number') establish(data, settings.establishedAt);
	return await processData(workflow, credential, items, data, settings);
}

/** The button Retry on a failed execution: another execution ID, mode `retry`, and the saved data. */
export async function retry(
	failed: Execution,
	settings: ExecutionSettings = {},
): Promise<Execution> {
	return await processAgain(failed, toRetry(saved(failed.data)), settings);
}

/**
 * Retry after n8n was killed at the end of the given execution, before it could save anything of it; in
 * the node, if it ran once. n8n then has the execution as it was when it began, and puts into its run data
 * what its event log tells: one run of every node that finished one, or began one.
 */
export async function retryAfterKill(
	killed: Execution,
	settings: ExecutionSettings = {},
): Promise<Execution> {
	const data = freshData(killed.workflow, killed.items);
	establish(data, killed.establishedAt);
	// Stored before the execution ran, as measured.
	data.resumeToken = killed.data.resumeToken;
	for (const name of Object.keys(killed.workflow.nodes)) {
		const [first, ...more] = killed.getRuns(name);
		if (first === undefined) continue;
		const isCrashed = name === NODE && more.length === 0;
		data.resultData.lastNodeExecuted = name;
		data.resultData.runData[name] = [isCrashed ? crashed(first) : recovered(first)];
	}
	return await processAgain(killed, toRetry(data), settings);
}

/** What n8n puts into its run data for a node that its event log shows as finished. */
const recovered = (run: ITaskData): ITaskData => ({
	...omit(run, 'error'),
	data: { main: [[{ json: { isArtificialRecoveredEventItem: true } }]] },
});

/** The same for a node that began, and did not finish. */
const crashed = (run: ITaskData): ITaskData => ({
	...omit(run, 'data'),
	error: new WorkflowOperationError('Node crashed, possible out-of-memory issue'),
});

/** n8n removes the run that failed, and starts again from the nodes that wait. */
function toRetry(data: IRunExecutionData): IRunExecutionData {
	const { lastNodeExecuted, runData } = data.resultData;
	delete data.resultData.error;
	if (lastNodeExecuted !== undefined && runData[lastNodeExecuted]?.at(-1)?.error) {
		runData[lastNodeExecuted].pop();
	}
	return data;
}

async function processAgain(
	earlier: Execution,
	data: IRunExecutionData,
	settings: ExecutionSettings,
): Promise<Execution> {
	if (settings.establishedAt === null) delete data.executionData!.runtimeData;
	else if (settings.establishedAt !== undefined) establish(data, settings.establishedAt);
	const { workflow, items } = earlier;
	const credential = { ...earlier.credential, ...settings.credential };
	// The workflow as it is saved now, with what the user changed after the failure.
	for (const waiting of data.executionData!.nodeExecutionStack) {
		waiting.node = workflow.getNode(waiting.node.name)!;
	}
	return await processData(workflow, credential, items, data, { mode: 'retry', ...settings });
}

async function processData(
	workflow: Workflow,
	credential: ApiCredential,
	items: INodeExecutionData[],
	data: IRunExecutionData,
	{ mode = 'trigger', onStart }: ExecutionSettings,
): Promise<Execution> {
	lastId += 1;
	const id = String(lastId);
	const additionalData = additionalDataFor(credential, id);
	additionalData.hooks = new ExecutionLifecycleHooks(mode, id, {
		id: workflow.id,
	} as IWorkflowBase);
	const running = new WorkflowExecute(additionalData, mode, data).processRunExecutionData(workflow);
	onStart?.(() => running.cancel());
	const run = await running;
	return new Execution(workflow, credential, id, run, items);
}

function freshData(
	workflow: Workflow,
	items: INodeExecutionData[],
	parentExecutionId?: string,
): IRunExecutionData {
	return createRunExecutionData({
		...(parentExecutionId === undefined
			? {}
			: {
					parentExecution: {
						executionId: parentExecutionId,
						workflowId: 'calling',
						// n8n hands on the context of the calling execution, which has another beginning.
						executionContext: contextSince(0),
					},
				}),
		executionData: {
			nodeExecutionStack: [
				{ node: workflow.getNode(START)!, data: { main: [saved(items)] }, source: null },
			],
		},
	});
}

function establish(data: IRunExecutionData, establishedAt: number): void {
	data.executionData!.runtimeData = contextSince(establishedAt);
}

const contextSince = (establishedAt: number): IExecutionContext => ({
	...{ version: 1, establishedAt, source: 'trigger' },
	triggerNode: { name: START, type: 'n8n-nodes-base.manualTrigger' },
});

/** Through the database and back: nothing but text survives. */
function saved<T>(data: T): T {
	return JSON.parse(JSON.stringify(data)) as T;
}
