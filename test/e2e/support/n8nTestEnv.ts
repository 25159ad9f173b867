import type { IDataObject } from 'n8n-workflow';

import { apiCredential, saveCredential } from '../../../dev/n8n/rest/credentials';
import type { Execution, ExecutionStatus } from '../../../dev/n8n/rest/executionData';
import { ensureN8nInstalled, type N8nHost } from '../../../dev/n8n/install/install';
import { makeUserFolder, N8nHolder, N8nInstance } from '../../../dev/n8n/instance';
import type { N8nProcess } from '../../../dev/n8n/process/process';
import type { WorkflowDefinition } from '../../../dev/n8n/rest/rest';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { MANUAL } from '../../../dev/n8n/rest/workflow';
import { startSandbox, type Clock, type Sandbox } from '../../../dev/sandbox';
import { SECRET } from './deliveries';

const MINUTE = 60_000;

/** A real n8n with the built package, next to a sandbox. One for each test file. */
export class N8nTestEnv extends N8nHolder {
	host!: N8nHost;
	sandbox!: Sandbox;
	/** Everything that n8n keeps is below it. */
	protected folder = '';

	/** Of the sandbox, in place of one that is ten times as fast. */
	protected clock?: Clock;

	/** `env` comes on top of the harness's own environment of n8n. */
	constructor(protected readonly env: NodeJS.ProcessEnv = {}) {
		super();
	}

	/** Where production webhooks are reached. */
	get webhookUrl(): string {
		return this.n8n.url;
	}

	async start(): Promise<void> {
		this.host = await ensureN8nInstalled();
		this.folder = await makeUserFolder('e2e');
		// Everything that takes seconds at the service takes a tenth of that here.
		const { clock } = this;
		this.sandbox = await startSandbox({ speed: 10, ...(clock && { clock }) });
		await this.startN8n();
		await this.useKey(this.sandbox.keys.live);
	}

	/** Started again, it is where it was: senders meet it while it starts. */
	async startN8n(): Promise<void> {
		const { host, folder: userFolder, env, launch } = this;
		this.instance ??= new N8nInstance({ host, userFolder, env, launch });
		await this.instance.start();
	}

	/** In place of one process with the built package. */
	protected readonly launch?: () => Promise<N8nProcess>;

	/** Power cut and restart, on the same database. */
	async crashAndRestart(): Promise<void> {
		await this.instance.crash();
	}

	/** @param env more settings of n8n, for this start alone */
	async restartWith(env: NodeJS.ProcessEnv): Promise<void> {
		await this.n8n.stop();
		Object.assign(this.env, env);
		await this.startN8n();
		for (const name of Object.keys(env)) delete this.env[name];
	}

	/** What the triggers of this world verify with. */
	protected signingSecret = SECRET;

	/** The API key that workflows of this world use from now on. */
	async useKey(apiKey: string): Promise<void> {
		await this.saveKey(apiKey);
	}

	/** @param as name of the credential; the one that n8n gives it where left out */
	protected async saveKey(apiKey: string, as?: string): Promise<void> {
		const credential = apiCredential(this.sandbox.url, apiKey, as, this.signingSecret);
		await saveCredential(this.client, credential);
	}

	/** Saves a workflow, runs it by hand and waits for its end, whatever that is. */
	async run(workflow: WorkflowDefinition, timeoutMs?: number): Promise<Execution> {
		const { id } = await this.client.createWorkflow(workflow);
		return await this.client.runToEnd(id, MANUAL, timeoutMs);
	}

	/** Saves and publishes a workflow: its webhook listens, and others can call it. */
	async listen(workflow: WorkflowDefinition): Promise<string> {
		const { id } = await this.client.createWorkflow(workflow);
		await this.client.activateWorkflow(id);
		return id;
	}

	/** Posts to a production webhook; returns the id of the execution that this has started. */
	async trigger(workflowId: string, path: string, body: IDataObject): Promise<string> {
		const post = async () => {
			const response = await fetch(`${this.webhookUrl}/webhook/${path}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			});
			const text = await response.text();
			// Activation responds before the webhook is there. A request that found none started nothing.
			if (response.status === 404) return false;
			if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${text}`);
			return true;
		};
		return await this.client.executionOf(
			workflowId,
			async () => await waitFor(post, { what: `the webhook ${path}`, timeoutMs: 15_000 }),
		);
	}

	async untilStatus(id: string, status: ExecutionStatus): Promise<Execution> {
		return await waitFor(
			async () => {
				const execution = await this.client.getExecution(id);
				return execution.status === status && execution;
			},
			{ what: `execution ${id} to be ${status}`, timeoutMs: 90_000 },
		);
	}

	/** A data table of n8n, where the REST API of the editor reaches it; undefined if there is none. */
	async tablePath(name: string): Promise<string | undefined> {
		const { data: tables } = await this.client.request<{
			data: Array<{ id: string; projectId: string; name: string }>;
		}>('GET', '/rest/data-tables-global');
		const table = tables.find((each) => each.name === name);
		return table && `/rest/projects/${table.projectId}/data-tables/${table.id}`;
	}

	/** Creates a table of the user's project, unless it is there. */
	async createTable(
		name: string,
		columns: ReadonlyArray<readonly [name: string, type: string]>,
	): Promise<void> {
		if ((await this.tablePath(name)) !== undefined) return;
		const { id } = await this.client.request<{ id: string }>('GET', '/rest/projects/personal');
		await this.client.request('POST', `/rest/projects/${id}/data-tables`, {
			...{ name, columns: columns.map(([column, type]) => ({ name: column, type })) },
		});
	}

	/** The rows of a data table of n8n; none where there is no such table. */
	async tableRows(name: string): Promise<IDataObject[]> {
		const path = await this.tablePath(name);
		if (path === undefined) return [];
		const { data } = await this.client.request<{ data: IDataObject[] }>(
			'GET',
			`${path}/rows?take=250`,
		);
		return data;
	}

	/** Removes all rows of a data table of n8n, if there is one. */
	async emptyTable(name: string): Promise<void> {
		const path = await this.tablePath(name);
		if (path === undefined) return;
		const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
		const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
		await this.client.request('DELETE', `${path}/rows?filter=${filter}`);
	}

	/** Adds rows to a table that is there already. */
	async addTableRows(name: string, ...rows: IDataObject[]): Promise<void> {
		const path = await this.tablePath(name);
		if (path === undefined) throw new Error(`There is no table "${name}".`);
		await this.client.request('POST', `${path}/insert`, { data: rows, returnType: 'id' });
	}

	async end(): Promise<void> {
		await this.instance?.remove();
		await this.sandbox?.close();
	}
}

/**
 * One world for all tests of a file; the sandbox is fresh for each of them. Its keys survive that,
 * and so does everything in n8n.
 */
export function useWorld(env?: NodeJS.ProcessEnv): N8nTestEnv {
	return use(new N8nTestEnv(env));
}

/** See {@link useWorld}, for a world of any kind. */
export function use<T extends N8nTestEnv>(world: T): T {
	// The first time on a machine, n8n itself has to be installed.
	beforeAll(async () => await world.start(), 15 * MINUTE);
	beforeEach(() => world.sandbox.reset());
	afterAll(async () => await world.end(), MINUTE);
	return world;
}
