import { randomUUID } from 'node:crypto';

import { keyBy, union } from 'lodash';

import type { Execution, ExecutionStatus } from '../n8n/rest/executionData';
import { publishWorkflow } from '../n8n/rest/publication';
import type { WorkflowDefinition } from '../n8n/rest/rest';
import { MANUAL } from '../n8n/rest/workflow';
import { Executions } from './executions';
import { LAST_EFFECT_MS } from './faults';
import { correctRow, isCorrect, type PayoutList, type Row } from './lists';
import { draw } from './random';
import type { Observation, Run } from './reconcile';
import {
	errorsShown,
	explanationsShown,
	idsNamedByItem,
	readAdvice,
	readScreen,
	readTime,
	type Advice,
} from './screen';
import type { UnstableN8n } from './unstableN8n';
import {
	listWorkflow,
	SETTLE,
	settleWorkflow,
	type Settlement,
	type Strategy,
	type WorkflowState,
} from './workflows';

/** What the person changes before starting something, in this order; named as in the report. */
type Edit =
	| 'corrects the rows'
	| 'copies the workflow'
	| 'shows each error'
	| 'settles'
	| 'gives stuck rows another reference'
	| 'looks all up and pays the rest';

/** Which of them begin with a look at the service. */
const LOOKS: readonly Edit[] = [
	'settles',
	'gives stuck rows another reference',
	'looks all up and pays the rest',
];

/** What the person starts, named as in n8n and in the report. */
type Start =
	| 'Execute workflow'
	| 'runs in production'
	| 'Retry with original workflow'
	| 'Retry with saved workflow';

/** After so many starts, the person does all that the errors ask for, and waits where they ask to. */
const HASTY_STEPS = 3;
const MAX_STEPS = 14;
/** How often one who leaves the list alone retries an execution that failed; one that crashed, each time. */
export const MAX_RETRIES = 2;

interface Office {
	readonly n8n: UnstableN8n;
	readonly seed: number;
	readonly strategy: Strategy;
	/** Of the service. */
	readonly url: string;
	/** Epoch ms. */
	readonly now: () => number;
	readonly waitUntil: (time: number) => Promise<void>;
	/** When one of these payouts was last requested, epoch ms; 0 for never. */
	lastRequestAt(ids: readonly string[]): number;
	/** The withdrawal that the person finds in the service's dashboard, by the description of the payout. */
	lookUp(id: string): string | undefined;
	onRun(run: Run): void;
}

/** One step: what was changed, what was started, and how that ended. */
interface Step {
	readonly edits: readonly Edit[];
	readonly start: Start;
	readonly status: ExecutionStatus;
	readonly errors: Readonly<Record<string, number>>;
}

interface Last {
	readonly execution: Execution;
	readonly workflowId: string;
	readonly run: Run;
}

/** Has one list paid: retries, runs it again, corrects, copies, settles, as the errors say. */
export class Person {
	private rows: readonly Row[];
	private state: WorkflowState;
	private workflowId = '';
	private copies = 0;
	private last: Last | undefined;
	/** Rows that the last execution shows as paid. */
	private shown: ReadonlySet<string> = new Set();
	/** What the last execution asks the person to do, by row. */
	private advice: ReadonlyMap<string, Advice> = new Map();
	/** Rows that the last execution, and the one before it, left stuck. */
	private stuck: readonly string[] = [];
	private stuckTwice: readonly string[] = [];
	/** What n8n has ever shown as paid, and what the person has found in the dashboard. */
	private readonly knownAsPaid = new Set<string>();
	/** Payouts that an error left to the decision of a person. */
	readonly inDoubt = new Set<string>();
	/** Withdrawals that Settle Reference has named, by reference: they go into Not These. */
	private readonly ruledOut = new Map<string, readonly string[]>();
	/** Until when Settle Reference asks to wait, epoch ms. */
	private settleAgainAt = 0;
	private refusals: string[] = [];
	readonly observations: Observation[] = [];
	/** Executions that hung, and were stopped. */
	stops = 0;
	readonly steps: Step[] = [];

	constructor(
		readonly list: PayoutList,
		private readonly office: Office,
	) {
		this.rows = list.rows;
		this.state = {
			...{ nodeId: randomUUID(), rows: list.rows, path: this.pathOfCopy() },
			...{ isGuardOff: false, isEachErrorShown: false },
		};
	}

	/** Runs the list in production, and retries that. */
	async followProcedure(): Promise<void> {
		await this.createWorkflow();
		for (let failures = 0; failures <= MAX_RETRIES && this.steps.length < MAX_STEPS;) {
			const isFirst = this.steps.length === 0;
			const wanted = isFirst ? 'runs in production' : 'Retry with original workflow';
			const { status, start } = await this.act([], wanted);
			// n8n has refused to retry it.
			if (status === 'success' || start === 'Execute workflow') break;
			if (status !== 'crashed') failures += 1;
		}
	}

	/** Works on the list until it is done. */
	async followErrors(): Promise<void> {
		await this.createWorkflow();
		while (!this.isFinished && this.steps.length < MAX_STEPS) {
			const isHasty = this.steps.length < HASTY_STEPS;
			if (!isHasty) await this.office.waitUntil(this.timeToWait());
			const edits = this.openEdits().filter((edit) => !isHasty || this.draw(edit) < 0.5);
			for (const edit of edits) await this.edit(edit);
			if (this.isFinished) break;
			if (edits.length > 0) await this.saveWorkflow();
			// Of what was looked up as unpaid, only a new execution pays the rest, and nothing else.
			const isRest = edits.includes('looks all up and pays the rest');
			await this.act(edits, isRest ? 'Execute workflow' : this.chooseStart());
		}
	}

	get strategy(): Strategy {
		return this.office.strategy;
	}

	/** What the last execution says about the rows that it did not pay, and Settle Reference where it refused. */
	get explanations(): string[] {
		return union(this.last && explanationsShown(this.last.execution), this.refusals);
	}

	private get hasReferences(): boolean {
		return this.strategy.promised === 'once';
	}

	private chooseStart(): Start {
		const status = this.last?.execution.status;
		// n8n retries neither what succeeded nor what was stopped by hand.
		const canRetry = status === 'error' || status === 'crashed';
		// Where a new production execution is a new order, people start none on purpose.
		const canProduce = status === undefined || this.hasReferences;
		const starts: Start[] = [
			...['Execute workflow' as const, 'Execute workflow' as const],
			...(canProduce ? (['runs in production', 'runs in production'] as const) : []),
			...(canRetry ? (['Retry with original workflow', 'Retry with saved workflow'] as const) : []),
		];
		return starts[Math.floor(this.draw('start') * starts.length)]!;
	}

	/** Starts it, and reads the screen. The edits are made. */
	private async act(edits: readonly Edit[], wanted: Start): Promise<Step> {
		const start = await this.start(wanted);
		const { execution, run } = this.last!;
		const seen = readScreen(execution);
		const readAt = this.office.now();
		this.observations.push(...seen.map((each) => ({ ...each, run, readAt })));
		// Of each row, the latest.
		const latest = Object.values(keyBy(seen, 'id'));
		this.shown = new Set(latest.filter(({ said }) => said === 'paid').map(({ id }) => id));
		for (const id of this.shown) this.knownAsPaid.add(id);
		this.advice = new Map(
			latest.flatMap(({ id, error }) => {
				const advice = error && readAdvice(error);
				return advice ? [[id, advice] as const] : [];
			}),
		);
		const isStuck = ({ id }: { id: string }) => (this.advice.get(id)?.do ?? 'wait') !== 'wait';
		const stuck = latest.filter(isStuck);
		for (const { id, said } of stuck) if (said === 'unknown') this.inDoubt.add(id);
		this.stuckTwice = stuck.map(({ id }) => id).filter((id) => this.stuck.includes(id));
		this.stuck = stuck.map(({ id }) => id);
		const step = { edits, start, status: execution.status, errors: errorsShown(execution) };
		this.steps.push(step);
		return step;
	}

	/**
	 * Until when an error asks to wait, epoch ms. A look at the service waits too: until what was sent
	 * last must have taken effect.
	 */
	private timeToWait(): number {
		const times = [...this.advice.values()].map((each) => (each.do === 'wait' ? each.until : 0));
		const isLookedUpNext = this.openEdits().some((edit) => LOOKS.includes(edit));
		const lastAt = isLookedUpNext ? this.office.lastRequestAt(this.list.ids) : 0;
		return Math.max(this.settleAgainAt, ...times, lastAt === 0 ? 0 : lastAt + LAST_EFFECT_MS);
	}

	/**
	 * Whether every row of the list is known to be paid; otherwise a person has to look. With references, the last
	 * new execution shows each row as paid; without, any has, or the service.
	 */
	get isFinished(): boolean {
		if (!this.hasReferences) return this.unpaidRows().length === 0;
		const start = this.steps.at(-1)?.start;
		// A retry may have run an older list.
		if (start !== 'Execute workflow' && start !== 'runs in production') return false;
		if (this.last?.execution.status !== 'success') return false;
		return this.rows.every(({ payout }) => this.shown.has(payout.id));
	}

	private unpaidRows(): Row[] {
		return this.rows.filter(({ payout }) => !this.knownAsPaid.has(payout.id));
	}

	private openEdits(): Edit[] {
		const { isEachErrorShown } = this.state;
		const isPatient = this.steps.length >= HASTY_STEPS;
		const isSettled = [...this.advice.values()].every((advice) => advice.do !== 'settle');
		const open: Readonly<Record<Edit, boolean>> = {
			'corrects the rows': this.last !== undefined && this.rows.some((row) => !isCorrect(row)),
			'copies the workflow': this.last !== undefined && !isPatient,
			'shows each error': isPatient && !isEachErrorShown,
			settles: isPatient && !isSettled,
			'gives stuck rows another reference': isPatient && this.unpaidAndStuck().length > 0,
			// Once the list has been right for a whole execution.
			'looks all up and pays the rest':
				!this.hasReferences && isEachErrorShown && this.unpaidRows().length > 0,
		};
		return (Object.keys(open) as Edit[]).filter((edit) => open[edit]);
	}

	private async edit(edit: Edit): Promise<void> {
		switch (edit) {
			case 'corrects the rows':
				return this.change((row) => (isCorrect(row) ? row : correctRow(row.payout)));
			case 'copies the workflow':
				this.copies += 1;
				this.state = { ...this.state, nodeId: randomUUID(), path: this.pathOfCopy() };
				return await this.createWorkflow();
			case 'shows each error':
				this.state = { ...this.state, isEachErrorShown: true };
				return;
			case 'settles':
				return await this.settle();
			case 'gives stuck rows another reference': {
				const ids = this.unpaidAndStuck();
				this.stuckTwice = [];
				return this.change((row) =>
					ids.includes(row.payout.id) ? { ...row, reference: `${row.reference} again` } : row,
				);
			}
			case 'looks all up and pays the rest':
				for (const { payout } of this.unpaidRows()) {
					if (this.office.lookUp(payout.id) !== undefined) this.knownAsPaid.add(payout.id);
				}
				// With the guard off, the rows beside them would be paid again.
				this.state = { ...this.state, rows: this.unpaidRows(), isGuardOff: true };
		}
	}

	private change(change: (row: Row) => Row): void {
		this.rows = this.rows.map(change);
		this.state = { ...this.state, rows: this.rows };
	}

	/** As the error asks: what is stuck is looked up at the service first. */
	private unpaidAndStuck(): string[] {
		return this.stuckTwice.filter(
			(id) => this.advice.get(id)?.do === 'otherReference' && this.office.lookUp(id) === undefined,
		);
	}

	/** Looks up every payout that an error calls in doubt, and tells n8n what the service shows. */
	private async settle(): Promise<void> {
		const settlements = this.rows.flatMap(({ payout, reference }): Settlement[] => {
			const advice = this.advice.get(payout.id);
			if (advice?.do !== 'settle') return [];
			const withdrawalId = this.office.lookUp(payout.id);
			const isPaid = withdrawalId !== undefined;
			if (advice.isGuarded && !isPaid) {
				// Another payout stopped this one. Without references, only the rest may be paid without the guard.
				if (this.hasReferences) this.state = { ...this.state, isGuardOff: true };
				return [];
			}
			const outcome = isPaid ? 'paid' : 'notPaid';
			const name = (this.hasReferences ? undefined : advice.automaticName) ?? reference;
			const named = union(advice.named, this.ruledOut.get(name));
			const notThese = isPaid ? '' : named.join(', ');
			return [{ reference: name, outcome, withdrawalId: withdrawalId ?? '', notThese }];
		});
		if (settlements.length === 0) return;
		const workflow = settleWorkflow(settlements, `${this.pathOfCopy()}-settle`);
		const { id } = await this.office.n8n.use((client) => client.createWorkflow(workflow));
		const executions = new Executions(this.office.n8n, id);
		const ended = await executions.toEnd(await executions.execute(MANUAL), () => 0);
		const named = idsNamedByItem(ended, SETTLE);
		for (const [index, { reference, outcome }] of settlements.entries()) {
			const known = this.ruledOut.get(reference);
			if (outcome === 'notPaid') this.ruledOut.set(reference, union(known, named[index]));
		}
		const refusals = explanationsShown(ended, SETTLE);
		this.settleAgainAt = Math.max(0, ...refusals.map((text) => readTime(text) ?? 0));
		this.refusals = union(this.refusals, refusals);
	}

	/** @returns what was started in the end: where n8n refuses a retry, the workflow is executed */
	private async start(start: Start): Promise<Start> {
		const { last, workflowId, office } = this;
		if (start.startsWith('Retry') && last) {
			const executions = new Executions(office.n8n, last.workflowId);
			const run = this.logRun(last.run);
			const isSaved = start === 'Retry with saved workflow';
			const id = await executions.retry(last.execution.id, isSaved);
			if (id === null) return await this.start('Execute workflow');
			await this.follow(executions, id, run);
			return start;
		}
		const executions = new Executions(office.n8n, workflowId);
		const run = this.logRun();
		const isInProduction = start === 'runs in production';
		if (isInProduction) await office.n8n.use((client) => publishWorkflow(client, workflowId));
		const id = isInProduction
			? await executions.callWebhook(this.state.path)
			: await executions.execute(MANUAL);
		await this.follow(executions, id, run);
		return start;
	}

	private logRun(retried?: Run): Run {
		const { office, strategy, list, steps } = this;
		const rootStep = retried?.rootStep ?? steps.length;
		const run = {
			strategy,
			list: list.number,
			step: steps.length,
			pressedAt: office.now(),
			rootStep,
		};
		office.onRun(run);
		return run;
	}

	private async follow(executions: Executions, id: string, run: Run): Promise<void> {
		const lastRequestAt = () => this.office.lastRequestAt(this.list.ids);
		const execution = await executions.toEnd(id, lastRequestAt, () => (this.stops += 1));
		this.last = { execution, workflowId: executions.workflowId, run };
	}

	/** May leave a second workflow behind when n8n is killed; nothing ever starts that one. */
	private async createWorkflow(): Promise<void> {
		const workflow = this.definition();
		const { id } = await this.office.n8n.use((client) => client.createWorkflow(workflow));
		this.workflowId = id;
	}

	private async saveWorkflow(): Promise<void> {
		const { workflowId } = this;
		const workflow = this.definition();
		await this.office.n8n.use((client) => client.updateWorkflow(workflowId, workflow));
	}

	private definition(): WorkflowDefinition {
		return listWorkflow(this.strategy, this.list, this.state, this.office.url);
	}

	private pathOfCopy(): string {
		return `${this.strategy.name}-${this.list.number}-${this.copies}`;
	}

	private draw(what: string): number {
		return draw(this.office.seed, what, this.strategy.name, this.list.number, this.steps.length);
	}
}
