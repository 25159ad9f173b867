import type { CrashingN8n } from '../../../../../dev/chaos/crashingN8n';
import { EDIT_NAMES, START_NAMES, type Start } from '../../../../../dev/chaos/people/deeds';
import { isCorrect, owedBy } from '../../../../../dev/chaos/people/intent';
import { LIST_SIZE, planLists } from '../../../../../dev/chaos/people/lists';
import { payList, type Office } from '../../../../../dev/chaos/people/person';
import type { Run } from '../../../../../dev/chaos/people/reconcile';
import {
	WITHOUT_REFERENCES,
	WITH_REFERENCES,
	type Strategy,
} from '../../../../../dev/chaos/people/strategies';
import type { Execution, ExecutionStatus, Item } from '../../../../../dev/n8n/rest/executionData';
import { RestError, type WorkflowDefinition } from '../../../../../dev/n8n/rest/rest';

/** An n8n in which every execution ends at once, as scripted and then successfully. */
class ScriptedN8n {
	kills = 0;
	readonly workflows: WorkflowDefinition[] = [];
	readonly asked: string[] = [];
	private readonly executions: Execution[] = [];

	constructor(
		private readonly script: ExecutionStatus[],
		private readonly refusesRetries = false,
		/** References that the paying node calls used before. */
		private readonly stuck: ReadonlySet<string> = new Set(),
	) {}

	private begin(workflowId: string, mode: string): string {
		const status = this.script.shift() ?? 'success';
		const id = String(this.executions.length + 1);
		const rows = this.getRows(workflowId);
		const given: Item[] = rows.map(({ payee }) => ({ json: { payee } }));
		const paid: Item[] = rows.map(({ reference }, item) => ({
			json: this.stuck.has(reference)
				? { error: { code: 'REFERENCE_MISMATCH', effect: 'unknown' } as never }
				: { id: 'withdrawal' },
			pairedItem: { item },
		}));
		const runData: Execution['data']['resultData']['runData'] =
			status === 'success'
				? {
						Items: [{ data: { main: [given] } }],
						Pay: [{ source: [{ previousNode: 'Items' }], data: { main: [paid] } }],
					}
				: {};
		this.executions.push({ id, workflowId, status, mode, data: { resultData: { runData } } });
		return id;
	}

	private getRows(workflowId: string): Array<{ payee: string; reference: string }> {
		const workflow = this.workflows[Number(workflowId)]!;
		const list = workflow.nodes.find(({ name }) => name === 'List')!;
		const { items } = JSON.parse(list.parameters.jsonOutput as string) as {
			items: Array<{ payee: string; reference: string }>;
		};
		return items;
	}

	readonly client = {
		createWorkflow: async (workflow: WorkflowDefinition) => {
			this.workflows.push(workflow);
			return { id: String(this.workflows.length - 1) };
		},
		updateWorkflow: async (id: string, workflow: WorkflowDefinition) => {
			this.workflows[Number(id)] = workflow;
		},
		activateWorkflow: async () => undefined,
		requestIfKnown: async () => ({ status: 'published', triggers: [] }),
		listExecutions: async (workflowId: string) =>
			this.executions.filter((each) => each.workflowId === workflowId).reverse(),
		getExecution: async (id: string) => this.executions.find((each) => each.id === id),
		runWorkflow: async (workflowId: string) => this.begin(workflowId, 'manual'),
		request: async (_method: string, path: string, body: { loadWorkflow: boolean }) => {
			const id = /executions\/(\d+)\/retry/.exec(path)![1]!;
			this.asked.push(`retry ${id} ${body.loadWorkflow ? 'saved' : 'original'}`);
			if (this.refusesRetries) throw new RestError(409, 'POST', path, 'cannot be retried');
			this.begin(this.executions.find((each) => each.id === id)!.workflowId, 'retry');
		},
	};

	get url(): string {
		return 'http://127.0.0.1:1';
	}

	async use<T>(act: (client: unknown) => Promise<T>): Promise<T> {
		return await act(this.client);
	}

	/** A call of a webhook, which starts the workflow of this path. */
	call(url: string): void {
		const path = url.split('/webhook/')[1]!;
		const index = this.workflows.findIndex(({ name }) => name === path);
		this.begin(String(index), 'webhook');
	}
}

const SEED = 7;

async function work(
	script: ExecutionStatus[],
	number = 0,
	strategy: Strategy = WITH_REFERENCES,
	refusesRetries = false,
	{ stuck = [], paid = [] }: { stuck?: string[]; paid?: string[] } = {},
) {
	const n8n = new ScriptedN8n(script, refusesRetries, new Set(stuck));
	const runs: Run[] = [];
	const office: Office = {
		n8n: n8n as unknown as CrashingN8n,
		seed: SEED,
		strategy,
		url: 'http://127.0.0.1:2',
		credentials: ['First', 'Second'],
		lastRequestAt: () => Date.now(),
		isPaid: (pixKey) => paid.includes(pixKey),
		onRun: (run) => runs.push(run),
	};
	const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
		n8n.call(url as string);
		return new Response('{}');
	});
	try {
		const [list] = planLists(SEED, 'example', LIST_SIZE * (number + 1)).slice(number);
		return { ...(await payList(list!, office)), n8n, runs };
	} finally {
		fetching.mockRestore();
	}
}

const NUMBERS = [0, 1, 2, 3, 4, 5];
const failing = (): ExecutionStatus[] => ['error', 'crashed', 'error', 'success', 'crashed'];

it('ends with the list as it is wanted, and shown as paid', async () => {
	for (const number of NUMBERS) {
		const { isFinished, intent, list, steps } = await work(failing(), number);
		expect(isFinished).toBe(true);
		expect(intent.list.every(isCorrect)).toBe(true);
		const owed = owedBy(intent).map(({ payee }) => payee.pixKey);
		const planned = [...list.intent.list, ...list.late].map(({ payee }) => payee.pixKey);
		expect([...owed].sort()).toEqual([...planned].sort());
		expect(steps.at(-1)).toMatchObject({ status: 'success', shownAsPaid: intent.list.length });
	}
});

describe('payouts whose references stay stuck', () => {
	const payees = planLists(SEED, 'example', LIST_SIZE)
		.flatMap(({ intent }) => intent.list.map(({ payee }) => payee))
		.slice(0, 6);
	const stuck = payees.map(({ reference }) => reference);
	const pixKeys = payees.map(({ pixKey }) => pixKey);
	const workStuck = async (paid: string[]) => {
		const { isFinished, lookedUp, intent } = await work([], 0, WITH_REFERENCES, false, {
			stuck,
			paid,
		});
		const left = intent.list.filter(({ payee }) => pixKeys.includes(payee.pixKey));
		return { isFinished, lookedUp: [...lookedUp].sort(), left };
	};

	it('are looked up at the service, and get other references', async () => {
		const { isFinished, lookedUp, left } = await workStuck([]);

		expect(left.length).toBeGreaterThan(1);
		expect(lookedUp).toEqual(left.map(({ pixKey }) => pixKey).sort());
		expect(left.map(({ newReference }) => newReference)).not.toContain(undefined);
		expect(isFinished).toBe(true);
	});

	it('keep them where the service has paid', async () => {
		const { isFinished, lookedUp, left } = await workStuck(pixKeys);

		expect(lookedUp).toEqual([]);
		expect(left.map(({ newReference }) => newReference)).toEqual(left.map(() => undefined));
		expect(isFinished).toBe(false);
	});
});

it('does, over some lists, everything that people do', async () => {
	const edits = new Set<string>();
	const starts = new Set<Start>();
	for (const number of NUMBERS) {
		const { steps } = await work(failing(), number);
		for (const step of steps) {
			step.edits.forEach((edit) => edits.add(edit));
			starts.add(step.start);
		}
	}
	// No reference gets stuck here.
	expect(edits).toEqual(new Set(EDIT_NAMES.filter((name) => name !== 'renameReference')));
	expect(starts).toEqual(new Set(START_NAMES));
});

it('retries the last execution, and says which one began it', async () => {
	for (const number of NUMBERS) {
		const { runs, n8n } = await work(failing(), number);
		const retries = runs.filter(({ start }) => start.startsWith('retry'));
		expect(n8n.asked).toEqual(
			retries.map(
				({ step, start }) => `retry ${step} ${start === 'retrySaved' ? 'saved' : 'original'}`,
			),
		);
		for (const { step, rootStep, rootStart } of retries) {
			expect(rootStep).toBeLessThan(step);
			expect(runs[rootStep]).toMatchObject({ step: rootStep, start: rootStart });
			expect(rootStart.startsWith('retry')).toBe(false);
		}
	}
});

it('executes the workflow where n8n refuses to retry', async () => {
	const { steps, runs, n8n } = await work(['error', 'error', 'error', 'error'], 1, undefined, true);
	expect(n8n.asked.length).toBeGreaterThan(0);
	expect(steps.some(({ start }) => start.startsWith('retry'))).toBe(false);
	expect(runs.some(({ start }) => start.startsWith('retry'))).toBe(true);
});

it('gives up, and says so, where it never ends well', async () => {
	const { isFinished, steps } = await work(Array.from({ length: 50 }, () => 'error'));
	expect(isFinished).toBe(false);
	expect(steps.every(({ status }) => status === 'error')).toBe(true);
});

it('does the same for the same seed', async () => {
	const [one, other] = [await work(failing()), await work(failing())];
	expect(one.steps).toEqual(other.steps);
	expect(one.intent).toEqual(other.intent);
	const without = await work(failing(), 0, WITHOUT_REFERENCES);
	expect(without.steps).not.toEqual(one.steps);
});

it('gives a copy of the workflow its own ids, and continues with it', async () => {
	for (const number of NUMBERS) {
		const { n8n, steps } = await work(failing(), number);
		const copies = steps.filter(({ edits }) => edits.includes('copyWorkflow')).length;
		expect(n8n.workflows).toHaveLength(1 + copies);
		const pay = n8n.workflows.map(({ nodes }) => nodes.find(({ name }) => name === 'Pay')!.id);
		expect(new Set(pay).size).toBe(pay.length);
		expect(new Set(n8n.workflows.map(({ name }) => name)).size).toBe(pay.length);
	}
});
