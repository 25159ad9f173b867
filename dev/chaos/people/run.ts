import { setTimeout as sleep } from 'node:timers/promises';

import { API_CREDENTIAL_NAME, apiCredential, saveCredential } from '../../n8n/rest/credentials';
import type { N8nHost } from '../../n8n/install/install';
import { makeUserFolder } from '../../n8n/instance';
import { startSandbox, type RecordedRequest, type Sandbox } from '../../sandbox';
import { CrashingCluster } from '../crashingCluster';
import { CrashingN8n, type UnstableN8n } from '../crashingN8n';
import { FAULT_NAMES, LAST_EFFECT_MS, USUAL_FAULTS } from '../faults/faults';
import { FaultProxy } from '../faults/faultProxy';
import { injectFaults, type FaultCounts } from '../faults/faultInjector';
import { draw } from '../random';
import { Agenda } from './agenda';
import { JumpingClock } from './clock';
import { owedBy } from './intent';
import {
	describePayees,
	drawLookOfOther,
	LARGEST_WITHDRAWAL_CENTS,
	planLists,
	type PayoutList,
} from './lists';
import { applyMutation, type Mutation } from './mutations';
import { Person, type Episode } from './person';
import {
	findCauses,
	reconcile,
	type BookedEffect,
	type Reconciliation,
	type Run,
	type WithdrawalRequest,
} from './reconcile';
import { idInDescription, type Strategy } from './strategies';

/** People who work side by side, each on one list at a time. */
const PEOPLE = 12;

/** Another tool pays once for so many payouts of n8n. */
const OTHERS_ONE_IN = 4;
const OTHER_TOOL = 'Other tool';

const PLENTY_CENTS = 100_000_000_000;
const FEE_CENTS = 150;
const POLL_MS = 20;

/**
 * People look at executions all the time. n8n would make an engine for expressions for each look, and be busy
 * with little else.
 */
const LAZY_ENGINE = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const SECOND_CREDENTIAL_NAME = 'BRL Payments, second key';

export interface StrategyResult {
	readonly strategy: Strategy;
	readonly episodes: readonly Episode[];
	readonly reconciliation: Reconciliation;
}

/** What one n8n did with the lists of one or several strategies. */
export interface PeopleResult {
	readonly byStrategy: readonly StrategyResult[];
	readonly faultCounts: FaultCounts;
	/** What other tools have paid in between. */
	readonly byOthers: number;
	readonly victims: readonly string[];
	readonly milliseconds: number;
}

export interface Plan {
	readonly seed: number;
	readonly payouts: number;
	readonly kills: number;
	/** Whether people edit, repeat and retry by hand, instead of a fixed procedure. */
	readonly people: boolean;
	/** A defect to write into the installed package, to see whether it is caught. */
	readonly mutation: Mutation | undefined;
	/** Whether on two workers with PostgreSQL and Redis, which are killed in turn. */
	readonly queue: boolean;
}

export interface Progress {
	/** Payouts that have an effect, out of all. */
	readonly paid: number;
	readonly payouts: number;
	readonly lists: { readonly done: number; readonly all: number };
	readonly kills: { readonly done: number; readonly all: number };
	readonly effects: number;
}

/**
 * After how many payouts with an effect n8n is killed, ascending. Counted in progress and not in
 * time, so that every strategy is killed at the same points. Spread over the run: one in each equal
 * part of the range from 3 % to 85 %, for the last payouts may never get an effect.
 */
function planKills(seed: number, kills: number, payouts: number): number[] {
	const first = 0.03;
	const part = (0.85 - first) / kills;
	return Array.from({ length: kills }, (_value, index) =>
		Math.max(1, Math.round((first + (index + draw(seed, 'kill', index)) * part) * payouts)),
	);
}

interface Surroundings {
	/** Undefined where time only passes. */
	readonly clock: JumpingClock | undefined;
	readonly sandbox: Sandbox;
	readonly proxy: FaultProxy;
	readonly n8n: UnstableN8n;
	readonly onProgress: (progress: Progress) => void;
	readonly signal: AbortSignal;
}

interface Task {
	readonly strategy: Strategy;
	readonly list: PayoutList;
}

/**
 * Lets people pay lists in one real n8n, and compares what they wanted with the books of the service.
 * @param strategies each with `plan.payouts` payouts, at the same time in the same n8n
 */
export async function runPeople(
	strategies: readonly Strategy[],
	plan: Plan,
	host: N8nHost,
	onProgress: (progress: Progress) => void,
	signal: AbortSignal,
): Promise<PeopleResult> {
	const tasks = planTasks(strategies, plan);
	// Without people nobody waits.
	const clock = plan.people ? await JumpingClock.open() : undefined;
	const payees = describePayees(strategies.map(({ name }) => name));
	const account = { ...ACCOUNT, ...payees };
	const sandbox = await startSandbox({ account, ...(clock && { clock }) });
	const proxy = await FaultProxy.open(sandbox.port);
	const folder = await makeUserFolder('people');
	const { mutation } = plan;
	const environment = { ...clock?.environment, ...LAZY_ENGINE };
	const n8n = plan.queue
		? new CrashingCluster(host, folder, signal, environment)
		: new CrashingN8n(
				host,
				folder,
				signal,
				environment,
				mutation && (async () => await applyMutation(mutation, folder, signal)),
			);
	try {
		await n8n.start();
		const secondKey = sandbox.createKey({ environment: 'PRODUCTION' });
		await n8n.use(async (client) => {
			await saveCredential(client, apiCredential(proxy.url, sandbox.keys.live));
			await saveCredential(client, apiCredential(proxy.url, secondKey, SECOND_CREDENTIAL_NAME));
		});
		return await payAll(tasks, plan, { clock, sandbox, proxy, n8n, onProgress, signal });
	} finally {
		await n8n.end();
		await proxy.close();
		await sandbox.close();
		await clock?.close();
	}
}

function planTasks(strategies: readonly Strategy[], plan: Plan): Task[] {
	const { seed, payouts, people } = plan;
	const tasks = strategies.flatMap((strategy) =>
		planLists(seed, strategy.name, payouts, people).map((list): Task => ({ strategy, list })),
	);
	return tasks.sort((one, other) => one.list.number - other.list.number);
}

const ACCOUNT = {
	balanceCents: PLENTY_CENTS,
	dayLimitCents: PLENTY_CENTS,
	nightLimitCents: PLENTY_CENTS,
	rateLimitPerMinute: 1_000_000,
	feeCents: FEE_CENTS,
	perTransactionLimitCents: LARGEST_WITHDRAWAL_CENTS + FEE_CENTS,
};

async function payAll(
	tasks: readonly Task[],
	plan: Plan,
	around: Surroundings,
): Promise<PeopleResult> {
	const { clock, sandbox, proxy, n8n, signal } = around;
	const now = () => clock?.now() ?? Date.now();
	const injector = injectFaults(plan.seed, sandbox, proxy, payoutOf, () =>
		plan.people ? FAULT_NAMES : USUAL_FAULTS,
	);
	const startedAt = performance.now();
	const payouts = tasks.reduce((sum, { list }) => sum + list.ids.length, 0);
	const paid = new PaidPayouts(sandbox);
	const episodes: Array<{ strategy: Strategy; episode: Episode }> = [];
	const runs: Array<{ strategy: Strategy; run: Run }> = [];
	const agenda = new Agenda(
		tasks.map(({ strategy, list }) => ({
			strategy,
			person: new Person(list, {
				...{ n8n, strategy, clock: { now } },
				seed: plan.seed,
				url: proxy.url,
				credentials: [API_CREDENTIAL_NAME, SECOND_CREDENTIAL_NAME],
				lastRequestAt: (ids) => injector.lastRequestAt(ids),
				lookUp: (id) => paid.find(id),
				onRun: (run) => runs.push({ strategy, run }),
			}),
		})),
	);
	let isOver = false;

	const work = async (): Promise<void> => {
		while (!agenda.isOver) {
			const task = agenda.take(now());
			if (!task) {
				await sleep(POLL_MS);
				continue;
			}
			const { strategy, person } = task;
			const outcome = await person.work();
			if ('until' in outcome) {
				agenda.layAside(task, outcome.until);
			} else {
				agenda.finish();
				episodes.push({ strategy, episode: outcome.episode });
			}
		}
	};
	const names = [...new Set(tasks.map(({ strategy }) => strategy.name))];
	let byOthers = 0;
	const payByOthers = (): void => {
		if (!plan.people) return;
		for (; byOthers < paid.count / OTHERS_ONE_IN; byOthers += 1) {
			sandbox.payByOtherTool({
				...drawLookOfOther(plan.seed, names, `${OTHER_TOOL} ${byOthers}`),
				environment: 'PRODUCTION',
				description: `${OTHER_TOOL}, ${byOthers + 1}`,
			});
		}
	};
	const jump = (): void => {
		const lastAt = sandbox.requests.at(-1)?.receivedAt ?? 0;
		// No request is under way: for the service, one that were would arrive minutes late.
		const isQuiet = now() - lastAt > LAST_EFFECT_MS;
		if (agenda.nextAt !== undefined && isQuiet) clock?.jumpTo(agenda.nextAt);
	};
	const killer = async (): Promise<void> => {
		const points = planKills(plan.seed, plan.kills, payouts);
		while (!isOver) {
			signal.throwIfAborted();
			payByOthers();
			jump();
			if (paid.count >= (points[0] ?? Infinity)) {
				points.shift();
				await n8n.crash();
			}
			around.onProgress({
				paid: paid.count,
				payouts,
				lists: { done: episodes.length, all: tasks.length },
				kills: { done: n8n.kills, all: plan.kills },
				effects: sandbox.books.withdrawals.length - byOthers,
			});
			await sleep(POLL_MS);
		}
	};
	const people = Array.from({ length: PEOPLE }, async () => await work());
	await Promise.all([Promise.all(people).finally(() => (isOver = true)), killer()]);
	const milliseconds = performance.now() - startedAt;
	await sleep(LAST_EFFECT_MS);

	const strategies = [...new Set(tasks.map(({ strategy }) => strategy))];
	return {
		byStrategy: strategies.map((strategy) => {
			const theirs = episodes.filter((each) => each.strategy === strategy);
			return reconcileStrategy(
				strategy,
				theirs.map(({ episode }) => episode),
				runs.filter((each) => each.strategy === strategy).map(({ run }) => run),
				sandbox,
			);
		}),
		faultCounts: injector.counts(),
		byOthers,
		victims: n8n.victims,
		milliseconds,
	};
}

function reconcileStrategy(
	strategy: Strategy,
	episodes: readonly Episode[],
	runs: readonly Run[],
	sandbox: Sandbox,
): StrategyResult {
	const listOfId = new Map(
		episodes.flatMap(({ list }) => list.ids.map((id) => [id, list.number] as const)),
	);
	const caused = findCauses(
		effectsIn(sandbox, strategy),
		withdrawalRequests(sandbox),
		runs,
		(payout) => listOfId.get(payout),
	);
	const owed = episodes.flatMap(({ intent }) => owedBy(intent));
	const observations = episodes.flatMap((episode) => episode.observations);
	return {
		strategy,
		episodes: [...episodes].sort((one, other) => one.list.number - other.list.number),
		reconciliation: reconcile(owed, caused, observations, strategy.promised),
	};
}

/** What n8n paid with a strategy, and what has no description of the campaign at all. */
function effectsIn(sandbox: Sandbox, { name }: Strategy): BookedEffect[] {
	return sandbox.books.withdrawals.flatMap(({ description, status, ...booked }) => {
		if (status === 'FAILED' || status === 'CANCELLED') return [];
		if (description?.startsWith(OTHER_TOOL)) return [];
		const payout = idInDescription(description);
		if (payout !== undefined && !payout.startsWith(`${name}-`)) return [];
		return [{ ...booked, payout }];
	});
}

/** The payout that a request asks for, by its description. */
function payoutOf({ rawBody }: RecordedRequest): string | undefined {
	try {
		const { description } = JSON.parse(rawBody.toString('utf8')) as { description?: unknown };
		return idInDescription(description);
	} catch {
		return undefined;
	}
}

function withdrawalRequests(sandbox: Sandbox): WithdrawalRequest[] {
	return sandbox.requests
		.filter(({ method }) => method === 'POST')
		.map((request) => {
			const { idempotencyKey = null, receivedAt, status } = request;
			return { payout: payoutOf(request), idempotencyKey, receivedAt, status };
		});
}

/** The payouts that have an effect, kept up with the books. */
class PaidPayouts {
	private readonly byId = new Map<string, string>();
	private seen = 0;

	constructor(private readonly sandbox: Sandbox) {}

	/** The withdrawal of this payout, as the dashboard of the service shows it. */
	find(id: string): string | undefined {
		this.catchUp();
		return this.byId.get(id);
	}

	get count(): number {
		this.catchUp();
		return this.byId.size;
	}

	private catchUp(): void {
		const { withdrawals } = this.sandbox.books;
		for (; this.seen < withdrawals.length; this.seen += 1) {
			const { id, description } = withdrawals[this.seen]!;
			const payout = idInDescription(description);
			if (payout !== undefined) this.byId.set(payout, id);
		}
	}
}
