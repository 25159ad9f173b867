import { randomUUID } from 'node:crypto';
import { PollContext, runPollInStagingScope } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
} from 'n8n-workflow';
import { DELIVERY_MARK, type DeliveryMark } from '../../../nodes/BrlPaymentsTrigger/item';
import * as tools from '../../../nodes/shared/concurrency/runtime';
import type { EngineHarness, RunSettings } from './harness';
import { additionalDataFor, execute, type Execution } from './execution';
import { loadTrigger } from './loadPackage';
import { START } from './names';
import { TRIGGER_NODE } from './nodeTypes';
import { node } from './workflow';

type Items = INodeExecutionData[][] | null;

/** With the clock and the waits of the bench. */
const loadPackage = (): INodeType =>
	loadTrigger({ '../../../nodes/shared/concurrency/runtime': tools });

/** A published workflow that begins with the trigger, in n8n's own poll and execution engine. */
export class Poller {
	private readonly id = randomUUID();
	private readonly nodeId = randomUUID();
	private type = loadPackage();
	/** As n8n has it in its database. */
	private staticData: IDataObject = {};
	private workflow!: Workflow;
	private context!: PollContext;
	readonly executions: Execution[] = [];
	/** Which credential is chosen in the node. */
	credentialId = 'example';

	constructor(
		private readonly bench: EngineHarness,
		private parameters: INodeParameters,
		public settings: RunSettings = {},
	) {}

	/** Publishes the workflow, and polls for the first time. */
	async activate(changes: INodeParameters = {}): Promise<Execution | null> {
		this.parameters = { ...this.parameters, ...changes };
		this.build();
		const execution = await this.poll();
		this.saveStaticData();
		return execution;
	}

	/** kill -9 and a start: memory is gone, and with it static data that was not saved. */
	async restart(): Promise<Execution | null> {
		this.type = loadPackage();
		return await this.activate();
	}

	/** One poll, and the execution that it starts, if any. */
	async poll(): Promise<Execution | null> {
		const items = await this.pollOnly();
		return items && (await this.run(items[0] ?? []));
	}

	/** One poll whose result n8n does not live, or care, to make an execution of. */
	async pollOnly(): Promise<Items> {
		const items = await runPollInStagingScope(
			this.context,
			async () => await this.type.poll!.call(this.context),
		);
		// n8n saves it with what a poll returns, before the execution exists.
		if (items) this.saveStaticData();
		return items;
	}

	/** The execution that begins with these items. */
	async run(items: INodeExecutionData[], settings?: RunSettings): Promise<Execution> {
		const credential = { ...this.bench.credential, ...this.settings.credential };
		const execution = await execute(this.workflow, credential, items, settings);
		this.executions.push(execution);
		return execution;
	}

	/** The execution of a delivery, as the webhook side of the node emits it. */
	async deliver(
		output: IDataObject,
		changes: Partial<DeliveryMark> = {},
		settings?: RunSettings,
	): Promise<Execution> {
		const deliveryId = randomUUID();
		const mark: DeliveryMark = {
			...{ keys: [deliveryId], signatures: [], run: randomUUID() },
			...changes,
		};
		const base = { source: 'webhook', paymentId: null, withdrawalId: null, txId: null, body: {} };
		const json = { ...base, deliveryId, ...output, [DELIVERY_MARK]: { ...mark } };
		return await this.run([{ json }], settings);
	}

	/** Each event that reached the rest of the workflow, as its name and status. */
	get emitted(): string[] {
		return this.executions.flatMap((execution) =>
			execution.output(START).map(({ json }) => `${json.event as string} ${json.status as string}`),
		);
	}

	private saveStaticData(): void {
		this.staticData = JSON.parse(JSON.stringify(this.workflow.staticData)) as IDataObject;
	}

	private build(): void {
		const nodeTypes: INodeTypes = {
			getByName: () => this.type,
			getByNameAndVersion: () => this.type,
			getKnownTypes: () => ({}),
		};
		this.workflow = new Workflow({
			id: this.id,
			name: 'Example',
			nodes: [
				node(START, TRIGGER_NODE, this.parameters, {
					id: this.nodeId,
					credentials: { brlPaymentsApi: { id: this.credentialId, name: 'Example' } },
				}),
			],
			connections: {},
			active: true,
			nodeTypes,
			staticData: JSON.parse(JSON.stringify(this.staticData)) as IDataObject,
			settings: { executionOrder: 'v1' },
		});
		const credential = { ...this.bench.credential, ...this.settings.credential };
		this.context = new PollContext(
			this.workflow,
			this.workflow.getNode(START)!,
			additionalDataFor(credential, ''),
			'trigger',
			'activate',
		);
	}
}
