import { parse } from 'flatted';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeCredentialsDetails,
	IWorkflowSettings,
} from 'n8n-workflow';
import { isEnded, type Execution, type ExecutionStatus } from './executionData';
import { readAllExecutions } from './executionList';
import { waitFor } from '../process/waitFor';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export interface WorkflowDefinition {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

export interface CredentialDefinition {
	name: string;
	type: string;
	data: IDataObject;
}

export interface Saved {
	id: string;
	name: string;
}

export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	mode: string;
	workflowId: string;
	/** Of a retry: the execution that it retries. */
	retryOf?: string | null;
}

/** n8n responded with something other than 2xx. */
export class RestError extends Error {
	constructor(
		readonly status: number,
		method: string,
		path: string,
		private readonly body: string,
	) {
		super(`${method} ${path} answered ${status}: ${body.slice(0, 1000)}`);
		this.name = 'RestError';
	}

	/**
	 * Whether there is nothing at the address; an existing address that lacks the requested record says
	 * so in JSON.
	 */
	get isUnknownAddress(): boolean {
		return this.status === 404 && !this.body.startsWith('{');
	}

	/**
	 * n8n looked at nothing of the request: it takes none while a look at its database takes more than
	 * 5 seconds, as it may when all cores are busy.
	 */
	get isDatabaseAway(): boolean {
		return this.status === 503 && this.body.includes('Database is not ready');
	}
}

type PackedExecution = Omit<Execution, 'data'> & { data: string };

function unpacked(execution: PackedExecution): Execution {
	return { ...execution, data: parse(execution.data) as Execution['data'] };
}

/** An execution that was started by hand has no data at first, on which some n8n 2.x stumble. */
function ignoreWithoutData(error: unknown): undefined {
	if (error instanceof RestError && error.status === 500) return undefined;
	throw error;
}

/** n8n ties a login to the browser it came from. Any constant will do, as long as it is one. */
const BROWSER_ID = 'n8n-nodes-brl-payments';

/** The part of n8n's internal REST interface that its own editor uses for the same things. */
export class N8nClient {
	private cookie = '';

	constructor(readonly url: string) {}

	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const { data } = await waitFor(
			async () => {
				try {
					return { data: await this.requestOnce<T>(method, path, body) };
				} catch (error) {
					if (error instanceof RestError && error.isDatabaseAway) return undefined;
					throw error;
				}
			},
			{ what: `n8n to find its database, for ${method} ${path}`, pollMs: 250 },
		);
		return data;
	}

	private async requestOnce<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]!);
		const login = cookies.find((cookie) => cookie.startsWith('n8n-auth='));
		if (login) this.cookie = login;
		return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T;
	}

	/** @throws RestError unless the response is 2xx */
	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': BROWSER_ID,
				...(this.cookie && { cookie: this.cookie }),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		if (response.ok) return response;
		throw new RestError(response.status, method, path, await response.text());
	}

	/** As the owner, whom an n8n that is started for the first time does not have yet. */
	async signIn(owner: Owner): Promise<void> {
		const { userManagement } = await this.request<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('GET', '/rest/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.request('POST', '/rest/owner/setup', owner);
		} else {
			const login = { emailOrLdapLoginId: owner.email, password: owner.password };
			await this.request('POST', '/rest/login', login);
		}
	}

	async nodeTypes(): Promise<Map<string, Set<number>>> {
		const response = await this.send('GET', '/types/nodes.json');
		const versions = new Map<string, Set<number>>();
		const types = (await response.json()) as Array<{ name: string; version: number | number[] }>;
		for (const { name, version } of types) {
			const known = versions.get(name) ?? new Set();
			for (const each of [version].flat()) known.add(each);
			versions.set(name, known);
		}
		return versions;
	}

	async listCredentials(): Promise<Array<Saved & { type: string }>> {
		return await this.request('GET', '/rest/credentials');
	}

	async createCredential(credential: CredentialDefinition): Promise<Saved> {
		return await this.request('POST', '/rest/credentials', credential);
	}

	async updateCredential(id: string, credential: CredentialDefinition): Promise<Saved> {
		return await this.request('PATCH', `/rest/credentials/${id}`, credential);
	}

	/** What "Test" in the credential window says of these values. */
	async testCredential(
		credential: CredentialDefinition,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		// Before about n8n 2.30, only a saved one can be tested.
		const { id } = await this.createCredential(credential);
		try {
			return await this.request('POST', '/rest/credentials/test', {
				credentials: { ...credential, id },
			});
		} finally {
			await this.request('DELETE', `/rest/credentials/${id}`);
		}
	}

	async listWorkflows(): Promise<Saved[]> {
		return await this.request('GET', '/rest/workflows');
	}

	async createWorkflow(workflow: WorkflowDefinition): Promise<Saved & { versionId: string }> {
		const complete = { ...(await this.withCredentialIds(workflow)), active: false };
		return await this.request('POST', '/rest/workflows', complete);
	}

	async updateWorkflow(id: string, workflow: WorkflowDefinition): Promise<Saved> {
		const complete = await this.withCredentialIds(workflow);
		return await this.request('PATCH', `/rest/workflows/${id}?forceSave=true`, complete);
	}

	/** Finds credentials by their names, as the editor does: n8n starts no trigger without their ids. */
	private async withCredentialIds(workflow: WorkflowDefinition): Promise<WorkflowDefinition> {
		const known = await this.listCredentials();
		const identify = (type: string, given: INodeCredentialsDetails): INodeCredentialsDetails => {
			const found = known.find((each) => each.type === type && each.name === given.name);
			return found && given.id === null ? { ...given, id: found.id } : given;
		};
		const complete = (node: INode): INode => {
			const credentials = Object.entries(node.credentials ?? {}).map(
				([type, given]) => [type, identify(type, given)] as const,
			);
			return node.credentials ? { ...node, credentials: Object.fromEntries(credentials) } : node;
		};
		return { ...workflow, nodes: workflow.nodes.map(complete) };
	}

	/** Publishes the version last saved: its triggers listen, its webhooks respond. */
	async activateWorkflow(id: string): Promise<void> {
		const { versionId } = await this.request<{ versionId: string }>('GET', `/rest/workflows/${id}`);
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
	}

	/** "Execute workflow" from the given trigger node; returns the id of the execution. */
	async runWorkflow(id: string, trigger: string): Promise<string> {
		const executionId = await this.executeWorkflow(id, trigger);
		if (executionId === undefined) {
			throw new Error(`"${trigger}" waits for a request instead of starting at once.`);
		}
		return executionId;
	}

	/** "Listen for test event": the next request to the test URL of the trigger starts it. */
	async listenForTest(id: string, trigger: string): Promise<void> {
		await this.executeWorkflow(id, trigger);
	}

	/** @returns the id of the execution; undefined where the trigger waits for a request first */
	private async executeWorkflow(id: string, trigger: string): Promise<string | undefined> {
		const { executionId } = await this.request<{ executionId?: string }>(
			'POST',
			`/rest/workflows/${id}/run`,
			{
				triggerToStartFrom: { name: trigger },
				// As the editor does; newer versions of n8n run the one that is saved.
				workflowData: await this.request('GET', `/rest/workflows/${id}`),
			},
		);
		return executionId;
	}

	async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const all = await this.listExecutionsOfAllModes(workflowId);
		// While a node asks the ledger, n8n lists the workflow without a name that does so.
		return all.filter(({ mode }) => mode !== 'integrated');
	}

	async listExecutionsOfAllModes(workflowId: string): Promise<ExecutionSummary[]> {
		return await readAllExecutions(this, workflowId);
	}

	async getExecution(id: string): Promise<Execution> {
		return unpacked(await this.request<PackedExecution>('GET', `/rest/executions/${id}`));
	}

	async waitForExecution(id: string, timeoutMs = 120_000): Promise<Execution> {
		return await waitFor(
			async () => {
				const execution = await this.request<PackedExecution>(
					'GET',
					`/rest/executions/${id}`,
				).catch(ignoreWithoutData);
				if (!execution || !isEnded(execution.status)) return undefined;
				const ended = unpacked(execution);
				// The end of an execution may be stored shortly before its data.
				return ended.data || execution.status === 'crashed' ? ended : undefined;
			},
			{ what: `the end of execution ${id}`, timeoutMs, pollMs: 150 },
		);
	}

	async runToEnd(id: string, trigger: string, timeoutMs?: number): Promise<Execution> {
		return await this.waitForExecution(await this.runWorkflow(id, trigger), timeoutMs);
	}

	/** "Retry execution", either with the workflow as it was or as it is saved now. */
	async retryExecution(execution: Pick<Execution, 'id' | 'workflowId'>, loadWorkflow = false) {
		// n8n responds when the new execution has ended, without its id.
		const retry = async () =>
			await this.request('POST', `/rest/executions/${execution.id}/retry`, { loadWorkflow });
		return await this.waitForExecution(await this.executionOf(execution.workflowId, retry));
	}

	/** Does something; returns the id of the execution of this workflow that it has started. */
	async executionOf(
		workflowId: string,
		act: () => Promise<unknown>,
		timeoutMs = 15_000,
	): Promise<string> {
		const list = async () => (await this.listExecutions(workflowId)).map(({ id }) => id);
		const known = new Set(await list());
		await act();
		return await waitFor(async () => (await list()).find((id) => !known.has(id)), {
			...{ what: 'the execution to show', timeoutMs },
		});
	}

	async getBinary(id: string): Promise<Buffer> {
		const path = `/rest/binary-data?id=${encodeURIComponent(id)}&action=download`;
		return Buffer.from(await (await this.send('GET', path)).arrayBuffer());
	}
}
