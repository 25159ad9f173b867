import type { CrashingN8n } from '../../../../../dev/chaos/crashingN8n';
import {
	EDIT_NAMES,
	START_NAMES,
	type Edit,
	type Start,
} from '../../../../../dev/chaos/people/deeds';
import { isCorrect, owedBy } from '../../../../../dev/chaos/people/intent';
import { LIST_SIZE, planLists } from '../../../../../dev/chaos/people/lists';
import { Person, type Episode, type Office } from '../../../../../dev/chaos/people/person';
import type { Run } from '../../../../../dev/chaos/people/reconcile';
import {
	WITHOUT_REFERENCES,
	WITH_REFERENCES,
	type Strategy,
} from '../../../../../dev/chaos/people/strategies';
import type { Execution, ExecutionStatus, Item } from '../../../../../dev/n8n/rest/executionData';
import { RestError, type WorkflowDefinition } from '../../../../../dev/n8n/rest/rest';

const SETTLE = 'Look it up, then use Withdrawal > Settle Reference.';
const OTHER_REFERENCE = 'Correct the row, or give it its own reference.';

/** What the paying node says about payouts whose references are stuck. */
interface Stuck {
	readonly references: readonly string[];
	readonly words: string;
	/** For so many executions; forever by default. */
	readonly times?: number;
}

/** An n8n in which every execution ends at once, as scripted and then successfully. */
class ScriptedN8n {
	kills = 0;
	readonly workflows: WorkflowDefinition[] = [];
	readonly asked: string[] = [];
	/** What was told to Withdrawal > Settle Reference. */
	readonly settled: Item['json'][] = [];
	private readonly executions: Execution[] = [];
	private readonly stuck: Set<string>;
	private stuckTimes: number;

	constructor(
		private readonly script: ExecutionStatus[],
		private readonly refusesRetries = false,
		private readonly given: Stuck = { references: [], words: '' },
	) {
		this.stuck = new Set(given.references);
		this.stuckTimes = given.times ?? Infinity;
	}

	private begin(workflowId: string, mode: string): string {
		const id = String(this.executions.length + 1);
		const rows = this.getRows(workflowId);
		const isSettling = this.workflows[Number(workflowId)]!.nodes.some(
			({ name }) => name === 'Settle',
		);
		const status = isSettling ? 'success' : (this.script.shift() ?? 'success');
		const runData = isSettling ? this.settle(rows) : status === 'success' ? this.pay(rows) : {};
		this.executions.push({ id, workflowId, status, mode, data: { resultData: { runData } } });
		return id;
	}

	private pay(rows: readonly Item['json'][]): Execution['data']['resultData']['runData'] {
		const isStuck = this.stuckTimes > 0;
		if (rows.some(({ reference }) => this.stuck.has(reference as string))) this.stuckTimes -= 1;
		const error = { code: 'PAYOUT_IN_DOUBT', effect: 'unknown', message: this.given.words };
		const paid: Item[] = rows.map(({ id, reference }, item) => ({
			json:
				isStuck && this.stuck.has(reference as string)
					? { error: error as never }
					: { id: `withdrawal of ${id as string}` },
			pairedItem: { item },
		}));
		return {
			Items: [{ data: { main: [rows.map((json) => ({ json }))] } }],
			Pay: [{ source: [{ previousNode: 'Items' }], data: { main: [paid] } }],
		};
	}

	private settle(rows: readonly Item['json'][]): Execution['data']['resultData']['runData'] {
		this.settled.push(...rows);
		for (const { reference } of rows) this.stuck.delete(reference as string);
		return { Settle: [{ data: { main: [rows.map((json) => ({ json }))] } }] };
	}

	private getRows(workflowId: string): Item['json'][] {
		const workflow = this.workflows[Number(workflowId)]!;
		const list = workflow.nodes.find(({ name }) => name === 'List')!;
		const { items } = JSON.parse(list.parameters.jsonOutput as string) as {
			items: Item['json'][];
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
/** Epoch ms; this clock stands still. */
const NOW = Date.parse('2026-03-18T17:00:00Z');

interface Circumstances {
	readonly stuck?: Stuck;
	/** Payouts that the dashboard of the service shows. */
	readonly paid?: readonly string[];
	/** Whether nobody changes anything. */
	readonly isLeftAlone?: boolean;
}

async function work(
	script: ExecutionStatus[],
	number = 0,
	strategy: Strategy = WITH_REFERENCES,
	refusesRetries = false,
	{ stuck, paid = [], isLeftAlone = false }: Circumstances = {},
): Promise<Episode & { n8n: ScriptedN8n; runs: Run[]; laidAside: number[] }> {
	const n8n = new ScriptedN8n(script, refusesRetries, stuck);
	const runs: Run[] = [];
	const office: Office = {
		n8n: n8n as unknown as CrashingN8n,
		clock: { now: () => NOW },
		seed: SEED,
		strategy,
		url: 'http://127.0.0.1:2',
		credentials: ['First', 'Second'],
		lastRequestAt: () => 0,
		lookUp: (id) => (paid.includes(id) ? `withdrawal of ${id}` : undefined),
		onRun: (run) => runs.push(run),
	};
	const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
		n8n.call(url as string);
		return new Response('{}');
	});
	try {
		const count = LIST_SIZE * (number + 1);
		const [list] = planLists(SEED, 'example', count, !isLeftAlone).slice(number);
		const person = new Person(list!, office);
		const laidAside: number[] = [];
		for (;;) {
			const outcome = await person.work();
			if ('episode' in outcome) return { ...outcome.episode, n8n, runs, laidAside };
			laidAside.push(outcome.until);
		}
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
		const owed = owedBy(intent).map(({ payout }) => payout.id);
		expect([...owed].sort()).toEqual([...list.ids].sort());
		expect(steps.at(-1)).toMatchObject({ status: 'success', shownAsPaid: intent.list.length });
	}
});

describe('payouts that an error leaves to a person', () => {
	const payouts = planLists(SEED, 'example', LIST_SIZE)
		.flatMap(({ intent }) => intent.list.map(({ payout }) => payout))
		.slice(0, 6);
	const references = payouts.map(({ reference }) => reference);
	const ids = payouts.map(({ id }) => id);
	const workStuck = async (words: string, paid: string[], strategy = WITH_REFERENCES) => {
		const stuck = { references, words };
		const episode = await work([], 0, strategy, false, { stuck, paid });
		const left = episode.intent.list.filter(({ payout }) => ids.includes(payout.id));
		return { ...episode, left, leftIds: left.map(({ payout }) => payout.id).sort() };
	};

	it('are looked up at the service and settled, as the error says', async () => {
		const { isFinished, inDoubt, lookedUp, settled, n8n, leftIds } = await workStuck(SETTLE, [
			ids[0]!,
		]);
		expect(isFinished).toBe(true);
		expect(leftIds.length).toBeGreaterThan(1);
		expect(inDoubt).toEqual(expect.arrayContaining(leftIds));
		expect(lookedUp).toEqual(leftIds);
		expect([...settled].map(({ id }) => id).sort()).toEqual(leftIds);
		expect(n8n.settled).toEqual(settled);
		for (const { id, outcome, withdrawalId } of settled) {
			const isPaid = id === ids[0];
			expect(outcome).toBe(isPaid ? 'paid' : 'notPaid');
			expect(withdrawalId).toBe(isPaid ? `withdrawal of ${id}` : '');
		}
	});

	it('get other references where the error says so', async () => {
		const { isFinished, lookedUp, settled, left, leftIds } = await workStuck(OTHER_REFERENCE, []);
		expect(lookedUp).toEqual(leftIds);
		expect(settled).toEqual([]);
		expect(left.map(({ newReference }) => newReference)).not.toContain(undefined);
		expect(isFinished).toBe(true);
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
	// Nothing gets stuck here.
	const ifStuck: Edit[] = ['renameReference', 'settle', 'payTheRest'];
	expect(edits).toEqual(new Set(EDIT_NAMES.filter((name) => !ifStuck.includes(name))));
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

describe('a list that is left alone', () => {
	const workAlone = async (script: ExecutionStatus[], refusesRetries = false) => {
		const alone = { isLeftAlone: true };
		const episode = await work(script, 0, WITHOUT_REFERENCES, refusesRetries, alone);
		return { ...episode, starts: episode.steps.map(({ start }) => start) };
	};

	it('is run in production and retried, as often as n8n crashes, until it is paid', async () => {
		const { isFinished, steps, starts } = await workAlone([
			'crashed',
			'crashed',
			'crashed',
			'error',
		]);
		expect(isFinished).toBe(true);
		expect(starts).toEqual(['runInProduction', ...Array<Start>(4).fill('retryOriginal')]);
		expect(steps.flatMap(({ edits }) => edits)).toEqual([]);
	});
});
