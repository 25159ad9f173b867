import type { IDataObject } from 'n8n-workflow';

import { apiCredential, saveCredential } from '../../../dev/n8n/rest/credentials';
import type { Execution } from '../../../dev/n8n/rest/executionData';
import { ensureN8nInstalled, type N8nHost } from '../../../dev/n8n/install/install';
import { makeUserFolder, N8nHolder, N8nInstance } from '../../../dev/n8n/instance';
import { isN8nFrom } from '../../../dev/n8n/paths';
import type { N8nProcess } from '../../../dev/n8n/process/process';
import type { WorkflowDefinition } from '../../../dev/n8n/rest/rest';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { MANUAL } from '../../../dev/n8n/rest/workflow';
import { startSandbox, type Clock, type OpenPointId, type Sandbox } from '../../../dev/sandbox';
import { assume, credentialIn, DIALECT, follow } from '../../support/dialect';
import { ClientWithWaysOut } from './clientWithWaysOut';

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
		this.sandbox = await startSandbox({ speed: 10, dialect: DIALECT, ...(clock && { clock }) });
		follow(this.sandbox.dialect);
		await this.startN8n();
		await this.useKey(this.sandbox.keys.live);
	}

	/** Started again, it is where it was: senders meet it while it starts. */
	async startN8n(): Promise<void> {
		const { host, folder: userFolder, env, launch } = this;
		this.instance ??= new N8nInstance(
			{ host, userFolder, env, ...(launch && { launch }) },
			(url) => new ClientWithWaysOut(url),
		);
		await this.instance.start();
	}

	/** In place of one process with the built package. */
	protected readonly launch?: () => Promise<N8nProcess>;

	/** Power cut and restart, on the same database. */
	async crashAndRestart(): Promise<void> {
		await this.getInstance().crash();
	}

	/** The API key that workflows of this world use from now on. */
	async useKey(apiKey: string): Promise<void> {
		await this.saveKey(apiKey);
	}

	/** @param as name of the credential; the one that n8n gives it where left out */
	protected async saveKey(apiKey: string, as?: string): Promise<void> {
		const { name, type, data } = apiCredential(this.sandbox.url, apiKey, as);
		const told = credentialIn(this.sandbox.dialect);
		await saveCredential(this.client, { name, type, data: { ...data, ...told } });
	}

	/** From now on, and until the test is over, the service does at these points what the nodes assume. */
	assume(...points: OpenPointId[]): void {
		assume(this.sandbox.dialect, points);
	}

	/** Saves a workflow, runs it by hand and waits for its end, whatever that is. */
	async run(workflow: WorkflowDefinition, timeoutMs?: number): Promise<Execution> {
		const { id } = await this.client.createWorkflow(workflow);
		return await this.client.runToEnd(id, MANUAL, timeoutMs);
	}

	/** Saves and activates a workflow that begins with a webhook of this path. */
	async listen(workflow: WorkflowDefinition): Promise<string> {
		const { id } = await this.client.createWorkflow(workflow);
		await this.client.activateWorkflow(id);
		return id;
	}

	/** Saves a workflow that others call; n8n 2.x wants it published, n8n 1.x cannot activate it. */
	async saveCallable(workflow: WorkflowDefinition): Promise<string> {
		if (isN8nFrom('2')) return await this.listen(workflow);
		return (await this.client.createWorkflow(workflow)).id;
	}

	/** Posts to a production webhook; returns the id of the execution that this has started. */
	async trigger(workflowId: string, path: string, body: IDataObject): Promise<string> {
		const list = async () => (await this.client.listExecutions(workflowId)).map(({ id }) => id);
		const known = new Set(await list());
		await waitFor(
			async () => {
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
			},
			{ what: `the webhook ${path}`, timeoutMs: 15_000 },
		);
		return await waitFor(async () => (await list()).find((id) => !known.has(id)), {
			what: 'the execution to show',
			timeoutMs: 15_000,
		});
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
