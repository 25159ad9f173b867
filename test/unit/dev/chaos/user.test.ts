import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { CrashingN8n } from '../../../../dev/chaos/crashingN8n';
import { MAX_RETRIES, User, type Watching } from '../../../../dev/chaos/user';
import type { Execution, ExecutionStatus } from '../../../../dev/n8n/rest/executionData';
import { RestError, type ExecutionSummary } from '../../../../dev/n8n/rest/rest';

/** An n8n whose executions end, one after the other, as planned. */
class ScriptedN8n {
	kills = 0;
	url = '';
	readonly asked: string[] = [];
	private readonly executions: ExecutionSummary[] = [];
	private server!: Server;

	constructor(private readonly script: ExecutionStatus[]) {}

	async open(): Promise<void> {
		this.server = createServer((_request, response) => {
			this.begin('webhook');
			response.end('{}');
		});
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}

	begin(mode: string): void {
		const status = this.script.shift() ?? 'success';
		const id = String(this.executions.length + 1);
		this.executions.push({ id, status, mode, workflowId: 'w' });
	}

	readonly client = {
		createWorkflow: async () => ({ id: 'w' }),
		activateWorkflow: async () => undefined,
		listExecutions: async () => [...this.executions].reverse(),
		getExecution: async (id: string) =>
			this.executions.find((execution) => execution.id === id) as unknown as Execution,
		requestIfKnown: async () => ({ status: 'published', triggers: [] }),
		request: async (_method: string, path: string) => {
			this.asked.push(path);
			if (path.endsWith('/retry')) {
				if (this.script.length === 0) throw new RestError(409, 'POST', path, 'cannot be retried');
				this.begin('retry');
			}
			const running = this.executions.at(-1)!;
			if (path.endsWith('/stop')) running.status = 'canceled';
			return {};
		},
	};

	async use<T>(act: (client: unknown) => Promise<T>): Promise<T> {
		return await act(this.client);
	}
}

const WATCHING: Watching = { lastRequestAt: () => Date.now(), read: () => undefined };

async function payWith(script: ExecutionStatus[], watching: Partial<Watching> = {}) {
	const n8n = new ScriptedN8n(script);
	await n8n.open();
	const read: ExecutionStatus[] = [];
	try {
		const user = await User.withWorkflow(
			n8n as unknown as CrashingN8n,
			{ name: 'w', nodes: [], connections: {} },
			'path',
		);
		const effort = await user.pay([{ payee: 'one@example.com', amountCents: 1_000 }], {
			...WATCHING,
			...watching,
			read: ({ status }) => read.push(status),
		});
		return { ...effort, read, asked: n8n.asked };
	} finally {
		await n8n.close();
	}
}

it('does nothing about what succeeded', async () => {
	expect(await payWith(['success'])).toEqual({
		retries: 0,
		stops: 0,
		read: ['success'],
		asked: [],
	});
});

it('retries the latest execution, and reads each before it does', async () => {
	const { retries, read, asked } = await payWith(['error', 'error', 'success']);
	expect(retries).toBe(2);
	expect(read).toEqual(['error', 'error', 'success']);
	expect(asked).toEqual(['/rest/executions/1/retry', '/rest/executions/2/retry']);
});

it('gives up after this many failures', async () => {
	const { retries, read } = await payWith(Array<ExecutionStatus>(9).fill('error'));
	expect(retries).toBe(MAX_RETRIES);
	expect(read).toHaveLength(MAX_RETRIES + 1);
});

it('retries a crashed execution each time, without counting it as a failure', async () => {
	const crashes = Array<ExecutionStatus>(MAX_RETRIES + 2).fill('crashed');
	const { retries, read } = await payWith([...crashes, 'success']);
	expect(retries).toBe(MAX_RETRIES + 2);
	expect(read.at(-1)).toBe('success');
});

it('leaves it at that where n8n refuses to retry', async () => {
	const { retries, read, asked } = await payWith(['error']);
	expect(retries).toBe(0);
	expect(read).toEqual(['error']);
	expect(asked).toHaveLength(1);
});

it('stops an execution that asks the service for nothing, and retries it', async () => {
	const start = Date.now();
	// Time passes whenever the clock is read.
	let looks = 0;
	vi.spyOn(Date, 'now').mockImplementation(() => start + (looks += 1) * 5_000);
	const { stops, read, asked } = await payWith(['running', 'success'], {
		lastRequestAt: () => start,
	});
	vi.restoreAllMocks();
	expect(stops).toBe(1);
	expect(read).toEqual(['canceled', 'success']);
	expect(asked).toEqual(['/rest/executions/1/stop', '/rest/executions/1/retry']);
});
