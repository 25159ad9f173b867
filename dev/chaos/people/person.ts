import { randomUUID } from 'node:crypto';

import { union } from 'lodash';

import type { Execution, ExecutionStatus } from '../../n8n/rest/executionData';
import { publishWorkflow } from '../../n8n/rest/publication';
import type { WorkflowDefinition } from '../../n8n/rest/rest';
import { MANUAL } from '../../n8n/rest/workflow';
import type { Clock } from '../../sandbox';
import type { UnstableN8n } from '../crashingN8n';
import { Executions } from '../executions';
import { LAST_EFFECT_MS } from '../faults/faults';
import { draw } from '../random';
import {
	chooseDeeds,
	followProcedure,
	isRestless,
	MAX_RETRIES,
	MAX_STEPS,
	RESTLESS_STEPS,
	type Deeds,
	type Edit,
	type Start,
} from './deeds';
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
import type { Observation, Run } from './reconcile';
import {
	adviceShown,
	errorsShown,
	explanationsShown,
	idsNamedByItem,
	latestOf,
	readScreen,
	readTime,
	shownAsPaid,
	type Advice,
} from './screen';
import { SETTLE, settleWorkflow, type Settlement } from './settleWorkflow';
import type { Strategy } from './strategies';

/** Rows that the person removes at a time, at most. */
const REMOVED_AT_ONCE = 5;

/** How many of the removed rows stay removed. */
const REMOVED_FOR_GOOD = 0.3;

/** What the person does with the service's own list beside n8n. */
const LOOKS: readonly Edit[] = ['settle', 'renameReference', 'payTheRest'];

/** How often one kind of change happens in one list, at most. */
const REMOVALS = 2;

interface Office {
	readonly n8n: UnstableN8n;
	readonly clock: Pick<Clock, 'now'>;
	readonly seed: number;
	readonly strategy: Strategy;
	readonly url: string;
	/** Names of the saved credentials, all of one account. */
	readonly credentials: readonly string[];
	/** When one of these payouts was last requested, epoch ms; 0 for never. */
	lastRequestAt(ids: readonly string[]): number;
	/** The withdrawal that the person finds in the service's dashboard, by the description of the payout. */
	lookUp(id: string): string | undefined;
	onRun(run: Run): void;
}

/** One step: what was changed, what was started, and how that ended. */
export interface Step {
	readonly edits: readonly Edit[];
	readonly start: Start;
	readonly status: ExecutionStatus;
	readonly shownAsPaid: number;
	readonly errors: ReadonlyMap<string, number>;
}

export interface Episode {
	readonly list: PayoutList;
	readonly intent: Intent;
	readonly steps: readonly Step[];
	/** Whether every row of the final list is known to be paid; otherwise a person has to look. */
	readonly isFinished: boolean;
	/** Payouts that an error left to the decision of a person. */
	readonly inDoubt: readonly string[];
	/** Payouts that the person had to look up at the service. */
	readonly lookedUp: readonly string[];
	/** What the person said of payouts in doubt, by Withdrawal > Settle Reference. */
	readonly settled: readonly Settlement[];
	/** What that operation said where it refused. */
	readonly refusals: readonly string[];
	/** What the last execution says about the rows that it did not pay. */
	readonly explanations: readonly string[];
	readonly observations: readonly Observation[];
	readonly stops: number;
	readonly waits: number;
}

interface Last {
	readonly execution: Execution;
	readonly workflowId: string;
	readonly run: Run;
}

/** Has one list paid, and does with it what the seed draws. */
export class Person {
	private intent: Intent;
	private late: Row[];
	private aside: Row[] = [];
	private removals = 0;
	private state: WorkflowState;
	private workflowId = '';
	private copies = 0;
	private last: Last | undefined;
	private shown: ReadonlySet<string> = new Set();
	/** What the last execution asks the person to do, by row. */
	private advice: ReadonlyMap<string, Advice> = new Map();
	/** Rows that the last execution, and the one before it, left stuck. */
	private stuck: ReadonlySet<string> = new Set();
	private stuckTwice: readonly string[] = [];
	/** Without references: what n8n has ever shown as paid, and what the person has found in the dashboard. */
	private readonly knownAsPaid = new Set<string>();
	private readonly inDoubt = new Set<string>();
	private readonly lookedUp = new Set<string>();
	private readonly settled: Settlement[] = [];
	/** Withdrawals that Settle Reference has named for a row that was not paid: they go into Not These. */
	private readonly ruledOut = new Map<string, readonly string[]>();
	/** Until when Settle Reference asks to wait, epoch ms. */
	private settleAgainAt = 0;
	private refusals: string[] = [];
	private readonly observations: Observation[] = [];
	private stops = 0;
	private waits = 0;
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
			isGuardOff: false,
			rows: list.intent.list,
			path: this.pathOfCopy(),
			webhookNodeId: randomUUID(),
			isErrorWiredBack: false,
			isEachErrorShown: false,
		};
	}

	/** Works on the list until it is done, or has to wait until a moment, epoch ms; then it goes on. */
	async work(): Promise<{ episode: Episode } | { until: number }> {
		if (this.workflowId === '') await this.createWorkflow();
		if (this.list.isLeftAlone) return await this.workByProcedure();
		while (this.steps.length < MAX_STEPS) {
			if (this.isDone()) return { episode: this.episode(true) };
			await this.actAtRandom(this.steps.length);
			if (this.isDone()) return { episode: this.episode(true) };
			const until = this.timeToWait();
			if (until > this.office.clock.now() && this.steps.length < MAX_STEPS) {
				this.waits += 1;
				return { until };
			}
		}
		return { episode: this.episode(false) };
	}

	private async workByProcedure(): Promise<{ episode: Episode }> {
		let failures = 0;
		while (failures <= MAX_RETRIES && this.steps.length < MAX_STEPS) {
			const { status, start } = await this.act(followProcedure(this.steps.length));
			// n8n has refused to retry it.
			if (status === 'success' || start === 'execute') break;
			if (status !== 'crashed') failures += 1;
		}
		return { episode: this.episode(this.isShownCompletely()) };
	}

	private episode(isFinished: boolean): Episode {
		const { list, intent, steps, settled, refusals, observations, stops, waits } = this;
		return {
			...{ list, intent, steps, isFinished, settled, refusals, observations, stops, waits },
			inDoubt: [...this.inDoubt].sort(),
			lookedUp: [...this.lookedUp].sort(),
			explanations: this.last ? explanationsShown(this.last.execution) : [],
		};
	}

	/** Whether this strategy has an own name for each payout, by which a new execution knows it. */
	private get hasReferences(): boolean {
		return this.office.strategy.promised === 'once';
	}

	private async actAtRandom(step: number): Promise<void> {
		const { seed, strategy } = this.office;
		const open = this.openEdits();
		const chosen = chooseDeeds(seed, this.about, {
			...{ step, open, status: this.last?.execution.status },
			isRestOnly: open.includes('payTheRest'),
			isProductionSafe: strategy.promised !== 'oncePerProductionExecution',
		});
		for (const edit of chosen.edits) await this.edit(edit, step);
		if (this.isDone()) return;
		if (chosen.edits.length > 0) await this.saveWorkflow();
		await this.act(chosen);
	}

	/** Starts it, and reads the screen. The edits are made. */
	private async act({ edits, start: wanted }: Deeds): Promise<Step> {
		const start = await this.start(wanted, this.steps.length);
		this.read(this.last!);
		const { execution } = this.last!;
		const step = {
			...{ edits, start, status: execution.status },
			shownAsPaid: this.shown.size,
			errors: errorsShown(execution),
		};
		this.steps.push(step);
		return step;
	}

	private read({ execution, run }: Last): void {
		const readAt = this.office.clock.now();
		const seen = readScreen(execution);
		for (const each of seen) this.observations.push({ ...each, run, readAt });
		this.shown = shownAsPaid(seen);
		for (const id of this.shown) this.knownAsPaid.add(id);
		this.advice = adviceShown(seen);
		const stuck = this.advised('settle', 'otherReference', 'lookUp');
		for (const { id, said } of latestOf(seen).values()) {
			if (said !== 'stopped' && stuck.includes(id)) this.inDoubt.add(id);
		}
		this.stuckTwice = stuck.filter((id) => this.stuck.has(id));
		this.stuck = new Set(stuck);
	}

	private advised(...kinds: ReadonlyArray<Advice['do']>): string[] {
		return [...this.advice].filter(([, advice]) => kinds.includes(advice.do)).map(([id]) => id);
	}

	/**
	 * Until when an error asks to wait, epoch ms. A look at the service waits too: until what was sent
	 * last must have taken effect.
	 */
	private timeToWait(): number {
		if (this.steps.length < RESTLESS_STEPS) return 0;
		const times = [...this.advice.values()].map((each) => (each.do === 'wait' ? each.until : 0));
		const isLookedUpNext = this.openEdits().some((edit) => LOOKS.includes(edit));
		const lastAt = isLookedUpNext ? this.office.lastRequestAt(this.list.ids) : 0;
		return Math.max(this.settleAgainAt, ...times, lastAt === 0 ? 0 : lastAt + LAST_EFFECT_MS);
	}

	/** Whether the list is as it is to be, and every row is known to be paid. */
	private isDone(): boolean {
		const open = this.openEdits().filter((edit) => edit !== 'payTheRest');
		return !isRestless({ step: this.steps.length, open }) && this.isShownCompletely();
	}

	/** With references, by the last execution; without, each row by any, or by a look at the service. */
	private isShownCompletely(): boolean {
		if (!this.hasReferences) return this.unpaidRows().length === 0;
		const start = this.steps.at(-1)?.start;
		// A retry may have run an older list.
		if (start !== 'execute' && start !== 'runInProduction') return false;
		if (this.last?.execution.status !== 'success') return false;
		return this.intent.list.every(({ payout }) => this.shown.has(payout.id));
	}

	private unpaidRows(): Row[] {
		return this.intent.list.filter(({ payout }) => !this.knownAsPaid.has(payout.id));
	}

	private openEdits(): Edit[] {
		const { intent, late, aside, state, list } = this;
		const isSettling = this.steps.length >= RESTLESS_STEPS;
		const open: Array<[Edit, boolean]> = [
			['fixRows', intent.list.some((row) => !isCorrect(row))],
			['fillInDocument', !state.isDocumentFilledIn],
			['changeDescription', true],
			['insertRow', late.length > 0],
			['removeRows', this.removals < REMOVALS && this.last !== undefined],
			['putRowsBack', aside.length > 0],
			['reorderRows', true],
			['showEachError', isSettling && !state.isEachErrorShown],
			['settle', isSettling && this.advised('settle').length > 0],
			['renameReference', isSettling && this.unpaidAndStuck().length > 0],
			// Once the list has been right for a whole execution.
			['payTheRest', !this.hasReferences && state.isEachErrorShown && this.unpaidRows().length > 0],
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
				for (const { payout } of this.intent.list.filter((row) => !isCorrect(row))) {
					this.change(fixRow(this.intent, payout.id));
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
				this.change(reorderRows(this.intent, (id) => this.draw('order', step, id)));
				return;
			case 'showEachError':
				this.state = { ...state, isEachErrorShown: true };
				return;
			case 'settle':
				await this.settle(step);
				return;
			case 'renameReference':
				for (const id of this.unpaidAndStuck()) {
					this.change(renameReference(this.intent, id));
					this.lookedUp.add(id);
				}
				this.stuckTwice = [];
				return;
			case 'payTheRest':
				for (const { payout } of this.unpaidRows()) {
					this.lookedUp.add(payout.id);
					if (this.office.lookUp(payout.id) !== undefined) this.knownAsPaid.add(payout.id);
				}
				this.state = { ...this.state, rows: this.unpaidRows(), isGuardOff: true };
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

	/** As the error asks: what is stuck is looked up at the service first. */
	private unpaidAndStuck(): string[] {
		return this.stuckTwice.filter(
			(id) =>
				this.advice.get(id)?.do === 'otherReference' &&
				!this.lookedUp.has(id) &&
				this.office.lookUp(id) === undefined,
		);
	}

	/** Looks up every payout that an error calls in doubt, and tells n8n what the service shows. */
	private async settle(step: number): Promise<void> {
		const ids = new Set(this.advised('settle'));
		const isAnother = ({ payout }: Row) => {
			const advice = this.advice.get(payout.id);
			const isGuarded = advice?.do === 'settle' && advice.isGuarded;
			return isGuarded && this.office.lookUp(payout.id) === undefined;
		};
		const rows = this.intent.list.filter(({ payout }) => ids.has(payout.id));
		const others = rows.filter(isAnother);
		for (const { payout } of others) this.lookedUp.add(payout.id);
		// The error says to run only that row without the guard. Without references, `payTheRest` does: with the guard
		// off, the rows beside it would be paid again.
		if (others.length > 0 && this.hasReferences) this.state = { ...this.state, isGuardOff: true };
		const settlements = rows
			.filter((row) => !others.includes(row))
			.map(({ payout, newReference }): Settlement => {
				const withdrawalId = this.office.lookUp(payout.id);
				const advice = this.advice.get(payout.id);
				const named = union(
					advice?.do === 'settle' ? advice.named : [],
					this.ruledOut.get(payout.id),
				);
				return {
					id: payout.id,
					reference: newReference ?? payout.reference,
					outcome: withdrawalId === undefined ? 'notPaid' : 'paid',
					withdrawalId: withdrawalId ?? '',
					notThese: withdrawalId === undefined ? named.join(', ') : '',
				};
			});
		if (settlements.length === 0) return;
		const name = `${this.pathOfCopy()}-settle-${step}`;
		const workflow = settleWorkflow(settlements, this.state.credential, name);
		const { id } = await this.office.n8n.use(
			async (client) => await client.createWorkflow(workflow),
		);
		const executions = this.getExecutions(id);
		const ended = await executions.toEnd(await executions.execute(MANUAL), () => 0);
		const named = idsNamedByItem(ended, SETTLE);
		for (const [index, { id, outcome }] of settlements.entries()) {
			this.lookedUp.add(id);
			if (outcome === 'notPaid') this.ruledOut.set(id, union(this.ruledOut.get(id), named[index]));
		}
		this.settled.push(...settlements);
		const refusals = explanationsShown(ended, SETTLE);
		this.settleAgainAt = Math.max(0, ...refusals.map((text) => readTime(text) ?? 0));
		this.refusals = union(this.refusals, refusals);
	}

	/** Removes rows that the screen shows as paid, or any: some for good, the others for now. */
	private removeSome(step: number): void {
		this.removals += 1;
		const paid = this.intent.list.filter(({ payout }) => this.shown.has(payout.id));
		// After a crash the screen shows nothing as paid.
		const wantsPaid = paid.length > 0 && this.draw('remove paid', step) < 0.5;
		const rows = wantsPaid ? paid : this.intent.list;
		const count = 1 + Math.floor(this.draw('how many', step) * REMOVED_AT_ONCE);
		const payouts = sortByDraw(
			this.office.seed,
			[...this.about, 'removed', step],
			rows.map(({ payout }) => payout),
		);
		for (const payout of payouts.slice(0, count)) {
			const row = this.intent.list.find((each) => each.payout === payout)!;
			this.change(removeRow(this.intent, payout.id));
			if (this.draw('for good', payout.id) >= REMOVED_FOR_GOOD) this.aside.push(row);
		}
	}

	private insert(row: Row, step: number): void {
		const index = Math.floor(
			this.draw('index', step, row.payout.id) * (this.intent.list.length + 1),
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
			pressedAt: this.office.clock.now(),
			rootStep: retried?.rootStep ?? step,
			rootStart: retried?.rootStart ?? start,
		};
		this.office.onRun(run);
		return run;
	}

	private async follow(id: string, workflowId: string, run: Run): Promise<void> {
		const execution = await this.getExecutions(workflowId).toEnd(
			id,
			() => this.office.lastRequestAt(this.list.ids),
			() => (this.stops += 1),
		);
		this.last = { execution, workflowId, run };
	}

	private getExecutions(workflowId: string): Executions {
		const { n8n, clock } = this.office;
		return new Executions(n8n, workflowId, () => clock.now());
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
