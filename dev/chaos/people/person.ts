import { randomUUID } from 'node:crypto';

import type { Execution, ExecutionStatus } from '../../n8n/rest/executionData';
import { publishWorkflow } from '../../n8n/rest/publication';
import type { WorkflowDefinition } from '../../n8n/rest/rest';
import { MANUAL } from '../../n8n/rest/workflow';
import type { CrashingN8n } from '../crashingN8n';
import { Executions } from '../executions';
import { draw } from '../random';
import { chooseDeeds, isRestless, MAX_STEPS, RESTLESS_STEPS, type Edit, type Start } from './deeds';
import {
	fixRow,
	insertRow,
	isCorrect,
	removeRow,
	renameReference,
	reorderRows,
	type Intent,
	type Row,
} from './intent';
import { sortByDraw, type PayoutList } from './lists';
import { listWorkflow, type WorkflowState } from './listWorkflow';
import type { Run } from './reconcile';
import { errorsShown, explanationsShown, shownAsPaid, shownAsStuck } from './screen';
import type { Strategy } from './strategies';

/** Rows that the person removes at a time, at most. */
const REMOVED_AT_ONCE = 5;

/** How many of the removed rows stay removed. */
const REMOVED_FOR_GOOD = 0.3;

/** How often one kind of change happens in one list, at most. */
const REMOVALS = 2;

/** Where the person works. */
export interface Office {
	readonly n8n: CrashingN8n;
	readonly seed: number;
	readonly strategy: Strategy;
	/** Address of the service. */
	readonly url: string;
	/** Names of the saved credentials, all of one account. */
	readonly credentials: readonly string[];
	/** When a payout to one of these PIX keys was last requested, epoch ms; 0 for never. */
	lastRequestAt(pixKeys: readonly string[]): number;
	/** What the person sees in the service's own list: whether this payee is paid, or about to be. */
	isPaid(pixKey: string): boolean;
	/** Called before each start. */
	onRun(run: Run): void;
}

/** One step: what was changed, what was started, and how that ended. */
export interface Step {
	readonly edits: readonly Edit[];
	readonly start: Start;
	readonly status: ExecutionStatus;
	readonly shownAsPaid: number;
	/** How often the paying node showed which error. */
	readonly errors: ReadonlyMap<string, number>;
}

/** All that a person did for one list. */
export interface Episode {
	readonly list: PayoutList;
	readonly intent: Intent;
	readonly steps: readonly Step[];
	/** Whether n8n shows every row of the final list as paid; otherwise a person has to look. */
	readonly isFinished: boolean;
	/** PIX keys whose payouts the person had to look up at the service, which had not paid them. */
	readonly lookedUp: readonly string[];
	/** What the last execution says about the rows that it did not pay. */
	readonly explanations: readonly string[];
	/** Executions that hung and were stopped by hand. */
	readonly stops: number;
}

/** Has one list paid, and does with it what the seed draws. */
export async function payList(list: PayoutList, office: Office): Promise<Episode> {
	return await new Person(list, office).work();
}

/** An execution that can be retried. */
interface Last {
	readonly execution: Execution;
	readonly workflowId: string;
	readonly run: Run;
}

class Person {
	private intent: Intent;
	private late: Row[];
	/** Removed for now. */
	private aside: Row[] = [];
	private removals = 0;
	private state: WorkflowState;
	private workflowId = '';
	private copies = 0;
	private last: Last | undefined;
	private shown: ReadonlySet<string> = new Set();
	/** Payees whose reference was stuck in the last execution, and in the one before it. */
	private stuck: ReadonlySet<string> = new Set();
	private stuckTwice: readonly string[] = [];
	private readonly lookedUp: string[] = [];
	private stops = 0;
	private readonly steps: Step[] = [];

	constructor(
		private readonly list: PayoutList,
		private readonly office: Office,
	) {
		this.intent = list.intent;
		this.late = [...list.late];
		this.state = {
			nodeId: randomUUID(),
			credential: office.credentials[0]!,
			wording: 1,
			isDocumentFilledIn: false,
			rows: list.intent.list,
			path: this.pathOfCopy(),
			webhookNodeId: randomUUID(),
			isErrorWiredBack: false,
		};
	}

	async work(): Promise<Episode> {
		await this.createWorkflow();
		let isFinished = false;
		for (let step = 0; step < MAX_STEPS && !isFinished; step += 1) {
			await this.act(step);
			isFinished =
				!isRestless({ step: step + 1, open: this.openEdits() }) && this.isShownCompletely();
		}
		const { list, intent, steps, stops, lookedUp } = this;
		const explanations = this.last ? explanationsShown(this.last.execution) : [];
		return { list, intent, steps, isFinished, explanations, stops, lookedUp };
	}

	private async act(step: number): Promise<void> {
		const { seed, strategy } = this.office;
		const chosen = chooseDeeds(seed, this.about, {
			step,
			status: this.last?.execution.status,
			open: this.openEdits(),
			isProductionSafe: strategy.promised !== 'oncePerProductionExecution',
		});
		for (const edit of chosen.edits) await this.edit(edit, step);
		if (chosen.edits.length > 0) await this.saveWorkflow();
		const start = await this.start(chosen.start, step);
		const { execution } = this.last!;
		this.shown = shownAsPaid(execution);
		const stuck = shownAsStuck(execution);
		this.stuckTwice = [...stuck].filter((payee) => this.stuck.has(payee));
		this.stuck = stuck;
		this.steps.push({
			edits: chosen.edits,
			start,
			status: execution.status,
			shownAsPaid: this.shown.size,
			errors: errorsShown(execution),
		});
	}

	/** Whether the last execution shows every row as it is now on the list. */
	private isShownCompletely(): boolean {
		const start = this.steps.at(-1)?.start;
		// A retry may have run an older list.
		if (start !== 'execute' && start !== 'runInProduction') return false;
		const { promised } = this.office.strategy;
		const isGreen = this.last?.execution.status === 'success';
		if (promised === 'once' && !isGreen) return false;
		return this.intent.list.every(({ payee }) => this.shown.has(payee.pixKey));
	}

	private openEdits(): Edit[] {
		const { intent, late, aside, state, list } = this;
		const open: Array<[Edit, boolean]> = [
			['fixRows', intent.list.some((row) => !isCorrect(row))],
			['fillInDocument', !state.isDocumentFilledIn],
			['changeDescription', true],
			['insertRow', late.length > 0],
			['removeRows', this.removals < REMOVALS && this.last !== undefined],
			['putRowsBack', aside.length > 0],
			['reorderRows', true],
			['renameReference', this.steps.length >= RESTLESS_STEPS && this.unpaidAndStuck().length > 0],
			['replaceNode', true],
			['copyWorkflow', true],
			['switchCredential', this.office.credentials.length > 1],
			// In a loop the error output has a place to go to already.
			['wireErrorOutput', list.shape !== 'loop' && !state.isErrorWiredBack],
		];
		return open.filter(([, isOpen]) => isOpen).map(([edit]) => edit);
	}

	private async edit(edit: Edit, step: number): Promise<void> {
		const { state } = this;
		switch (edit) {
			case 'fixRows':
				for (const { payee } of this.intent.list.filter((row) => !isCorrect(row))) {
					this.change(fixRow(this.intent, payee.pixKey));
				}
				return;
			case 'fillInDocument':
				this.state = { ...state, isDocumentFilledIn: true };
				return;
			case 'changeDescription':
				this.state = { ...state, wording: state.wording + 1 };
				return;
			case 'insertRow': {
				const rows = step < RESTLESS_STEPS ? this.late.splice(0, 1) : this.late.splice(0);
				for (const row of rows) this.insert(row, step);
				return;
			}
			case 'removeRows':
				this.removeSome(step);
				return;
			case 'putRowsBack':
				for (const row of this.aside.splice(0)) this.insert(row, step);
				return;
			case 'reorderRows':
				this.change(reorderRows(this.intent, (pixKey) => this.draw('order', step, pixKey)));
				return;
			case 'renameReference':
				for (const pixKey of this.unpaidAndStuck()) {
					this.change(renameReference(this.intent, pixKey));
					this.lookedUp.push(pixKey);
				}
				this.stuckTwice = [];
				return;
			case 'replaceNode':
				this.state = { ...state, nodeId: randomUUID() };
				return;
			case 'copyWorkflow':
				this.copies += 1;
				this.state = {
					...state,
					nodeId: randomUUID(),
					path: this.pathOfCopy(),
					webhookNodeId: randomUUID(),
				};
				await this.createWorkflow();
				return;
			case 'switchCredential': {
				const { credentials } = this.office;
				const next = (credentials.indexOf(state.credential) + 1) % credentials.length;
				this.state = { ...state, credential: credentials[next]! };
				return;
			}
			case 'wireErrorOutput':
				this.state = { ...state, isErrorWiredBack: true };
				return;
		}
	}

	/** As the error asks: anyone who is stuck is looked up at the service first. */
	private unpaidAndStuck(): string[] {
		return this.stuckTwice.filter(
			(pixKey) => !this.lookedUp.includes(pixKey) && !this.office.isPaid(pixKey),
		);
	}

	/** Removes rows that the screen shows as paid, or any: some for good, the others for now. */
	private removeSome(step: number): void {
		this.removals += 1;
		const paid = this.intent.list.filter(({ payee }) => this.shown.has(payee.pixKey));
		// After a crash the screen shows nothing as paid.
		const wantsPaid = paid.length > 0 && this.draw('remove paid', step) < 0.5;
		const rows = wantsPaid ? paid : this.intent.list;
		const count = 1 + Math.floor(this.draw('how many', step) * REMOVED_AT_ONCE);
		const payees = sortByDraw(
			this.office.seed,
			[...this.about, 'removed', step],
			rows.map(({ payee }) => payee),
		);
		for (const payee of payees.slice(0, count)) {
			const row = this.intent.list.find((each) => each.payee === payee)!;
			this.change(removeRow(this.intent, payee.pixKey));
			if (this.draw('for good', payee.pixKey) >= REMOVED_FOR_GOOD) this.aside.push(row);
		}
	}

	private insert(row: Row, step: number): void {
		const index = Math.floor(
			this.draw('index', step, row.payee.pixKey) * (this.intent.list.length + 1),
		);
		this.change(insertRow(this.intent, row, index));
	}

	private change(intent: Intent): void {
		this.intent = intent;
		this.state = { ...this.state, rows: intent.list };
	}

	/** @returns what was started in the end: where n8n refuses a retry, the workflow is executed */
	private async start(start: Start, step: number): Promise<Start> {
		const { last } = this;
		if ((start === 'retryOriginal' || start === 'retrySaved') && last) {
			const run = this.logRun(start, step, last.run);
			const executions = this.getExecutions(last.workflowId);
			const id = await executions.retry(last.execution.id, start === 'retrySaved');
			if (id !== null) {
				await this.follow(id, last.workflowId, run);
				return start;
			}
			start = 'execute';
		}
		const run = this.logRun(start, step);
		const { workflowId } = this;
		const executions = this.getExecutions(workflowId);
		if (start === 'runInProduction') {
			await this.office.n8n.use(async (client) => await publishWorkflow(client, workflowId));
			await this.follow(await executions.callWebhook(this.state.path, {}), workflowId, run);
		} else {
			await this.follow(await executions.execute(MANUAL), workflowId, run);
		}
		return start;
	}

	private logRun(start: Start, step: number, retried?: Run): Run {
		const run: Run = {
			list: this.list.number,
			step,
			start,
			pressedAt: Date.now(),
			rootStep: retried?.rootStep ?? step,
			rootStart: retried?.rootStart ?? start,
		};
		this.office.onRun(run);
		return run;
	}

	private async follow(id: string, workflowId: string, run: Run): Promise<void> {
		const execution = await this.getExecutions(workflowId).toEnd(
			id,
			() => this.office.lastRequestAt(this.list.pixKeys),
			() => (this.stops += 1),
		);
		this.last = { execution, workflowId, run };
	}

	private getExecutions(workflowId: string): Executions {
		return new Executions(this.office.n8n, workflowId);
	}

	/** May leave a second workflow behind when n8n is killed; nothing ever starts that one. */
	private async createWorkflow(): Promise<void> {
		const workflow = this.definition();
		const { id } = await this.office.n8n.use(
			async (client) => await client.createWorkflow(workflow),
		);
		this.workflowId = id;
	}

	private async saveWorkflow(): Promise<void> {
		const { workflowId } = this;
		const workflow = this.definition();
		await this.office.n8n.use(async (client) => await client.updateWorkflow(workflowId, workflow));
	}

	private definition(): WorkflowDefinition {
		const { strategy, url } = this.office;
		const { shape, isRetriedByN8n } = this.list;
		return listWorkflow(strategy, shape, isRetriedByN8n, this.state, url);
	}

	private pathOfCopy(): string {
		return `${this.office.strategy.name}-${this.list.number}-${this.copies}`;
	}

	private get about(): ReadonlyArray<string | number> {
		return [this.office.strategy.name, this.list.number];
	}

	private draw(...about: ReadonlyArray<string | number>): number {
		return draw(this.office.seed, ...this.about, ...about);
	}
}
