import { ExecutionLifecycleHooks, WebhookContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IWebhookData,
	type IWebhookFunctions,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import type { ApiCredential } from '../../../nodes/shared/client/connection';
import { SECRET, signedHeaders, type Delivery } from '../../e2e/support/deliveries';
import { keepFilesIn, logged, prepareContainer, removeFiles } from './container';
import { deduplication, emptyDeduplication, prepareDeduplication } from './deduplicator';
import { additionalDataFor, execute, retry, retryAfterKill, type Execution } from './execution';
import { FakeResponse } from './fakeResponse';
import { loadTrigger } from './loadPackage';
import { NODE, START } from './names';
import { nodeTypes, PASS_NODE, TRIGGER_NODE } from './nodeTypes';
import { node } from './workflow';

/** The outcome of one request. */
export interface Attempt {
	readonly response: FakeResponse;
	/** What n8n was given to start an execution with; undefined where nothing starts. */
	readonly items: INodeExecutionData[] | undefined;
}

interface RawRequest {
	readonly headers: IDataObject;
	readonly rawBody?: unknown;
	/** `manual` at the test URL. */
	readonly mode?: WorkflowExecuteMode;
	/** Whether the sender has hung up before its turn. */
	readonly isHungUp?: boolean;
}

/** One process of n8n: its webhooks, and what it executes. */
export class Process {
	readonly trigger: INodeType = loadTrigger();

	constructor(private readonly bench: TriggerBench) {}

	/** Hands one request to the trigger, and does nothing more: n8n may be waiting for a slot. */
	async receive(delivery: Delivery, changed: IDataObject = {}): Promise<Attempt> {
		const headers = lowerCase({ ...signedHeaders(delivery, SECRET, Date.now()), ...changed });
		return await this.receiveRequest({ headers, rawBody: Buffer.from(delivery.body) });
	}

	/** The same for any request. @param rawBody what n8n has kept of the body */
	async receiveRequest({ headers, rawBody, mode = 'webhook', isHungUp = false }: RawRequest) {
		const response = new FakeResponse();
		response.destroyed = isHungUp;
		const context = this.context({ headers, rawBody }, response, mode);
		const { workflowData } = await this.trigger.webhook!.call(context);
		return { response, items: workflowData?.[0] };
	}

	/** Executes what a request has started, from the trigger on. */
	async execute(items: INodeExecutionData[]): Promise<Execution> {
		const workflow = this.bench.workflowIn(this);
		const credential = this.bench.credential as unknown as ApiCredential;
		return this.bench.keep(await execute(workflow, credential, items, { mode: 'webhook' }));
	}

	/** As n8n does it where a slot is free: creates the execution, responds, and executes. */
	async deliver(delivery: Delivery, changed: IDataObject = {}): Promise<number> {
		const { response, items } = await this.receive(delivery, changed);
		if (items !== undefined) {
			response.finish(200);
			await this.execute(items);
		}
		return response.statusCode;
	}

	private context(request: object, response: FakeResponse, mode: WorkflowExecuteMode) {
		const workflow = this.bench.workflowIn(this);
		const data = additionalDataFor(this.bench.credential as unknown as ApiCredential, 'webhook');
		Object.assign(data, { httpRequest: request, httpResponse: response });
		data.hooks = new ExecutionLifecycleHooks('webhook', 'webhook', { id: workflow.id } as never);
		const webhook = { webhookDescription: { name: 'default' } } as unknown as IWebhookData;
		const node = workflow.getNode(START)!;
		const context = new WebhookContext(workflow, node, data, mode, webhook, [], null);
		return context as unknown as IWebhookFunctions;
	}
}

const lowerCase = (headers: IDataObject): IDataObject =>
	Object.fromEntries(
		Object.entries(headers)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name.toLowerCase(), value]),
	);

/** A workflow that begins with the real trigger, in n8n's engine, and the store that lasts. */
class TriggerBench {
	readonly executions: Execution[] = [];
	private ids = { workflow: '', node: '' };
	private parameters: INodeParameters = {};
	credential: IDataObject = {};
	/** Whether the trigger is set to continue when it fails. */
	continuesOnError = false;

	/** Changes the workflow for all that comes. */
	configure(options: INodeParameters, events: string[] = ['*']): void {
		this.parameters = { events, options };
	}

	start(): Process {
		return new Process(this);
	}

	workflowIn(process: Process): Workflow {
		const getByName = (name: string) =>
			name === TRIGGER_NODE ? process.trigger : nodeTypes.getByName(name);
		const types = {
			...nodeTypes,
			getByName,
			getByNameAndVersion: getByName,
		} as INodeTypes;
		return new Workflow({
			id: this.ids.workflow,
			name: 'Events',
			active: true,
			nodeTypes: types,
			settings: { executionOrder: 'v1' },
			nodes: [
				node(START, TRIGGER_NODE, this.parameters, {
					id: this.ids.node,
					credentials: { brlPaymentsApi: { id: 'example', name: 'Example' } },
					...(this.continuesOnError && { onError: 'continueRegularOutput' }),
				}),
				// Stands for the rest of the workflow: what reaches it would have its effect.
				node(NODE, PASS_NODE),
			],
			connections: { [START]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		});
	}

	/** The delivery ids that continued into the workflow, in order. */
	get wentOn(): unknown[] {
		return this.executions
			.flatMap((execution) => execution.output(NODE))
			.map(({ json }) => json.deliveryId);
	}

	async retry(execution: Execution): Promise<Execution> {
		return this.keep(await retry(execution));
	}

	async retryAfterKill(execution: Execution): Promise<Execution> {
		this.executions.splice(this.executions.indexOf(execution), 1);
		return this.keep(await retryAfterKill(execution));
	}

	keep(execution: Execution): Execution {
		this.executions.push(execution);
		return execution;
	}

	reset(): void {
		emptyDeduplication();
		logged.length = 0;
		this.executions.length = 0;
		this.ids = { workflow: randomUUID(), node: randomUUID() };
		this.credential = { signingSecrets: SECRET, signatureScheme: 'auto' };
		this.continuesOnError = false;
		this.configure({});
	}

	/** How many entries n8n's row contains. */
	get stored(): number {
		return deduplication().row(this.ids.node, this.ids.workflow).length;
	}
}

/** One bench for all tests of a file; everything is new for each test. */
export function useTriggerBench(): TriggerBench {
	const bench = new TriggerBench();
	beforeAll(async () => {
		prepareContainer();
		await prepareDeduplication();
		await keepFilesIn('filesystem');
	});
	beforeEach(() => bench.reset());
	afterAll(() => removeFiles());
	return bench;
}
