import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { sortBy, uniq } from 'lodash';
import pLimit from 'p-limit';

import type { N8nHost } from '../n8n/install/install';
import { makeUserFolder } from '../n8n/instance';
import { JumpingClock } from '../n8n/process/clock';
import { apiCredential, saveCredential } from '../n8n/rest/credentials';
import { startSandbox, type RecordedRequest, type Sandbox } from '../sandbox';
import { injectFaults, LAST_EFFECT_MS } from './faults';
import {
	drawLookOfOther,
	LARGEST_WITHDRAWAL_CENTS,
	planLists,
	refusedKeys,
	type PayoutList,
} from './lists';
import { buildMutated } from './mutations';
import type { Options } from './options';
import { Person, type Episode } from './person';
import { draw } from './random';
import { reconcile, type Effect, type Reconciliation, type Run } from './reconcile';
import { startQueue, startSingle, UnstableN8n } from './unstableN8n';
import { idInDescription, type Strategy } from './workflows';

/** People who work side by side, each on one list at a time. */
const PEOPLE = 12;

/** Another tool pays once for so many payouts of n8n. */
const OTHERS_ONE_IN = 4;
const OTHER_TOOL = 'Other tool';

const PLENTY_CENTS = 100_000_000_000;
const FEE_CENTS = 150;
const POLL_MS = 20;

const ACCOUNT = {
	balanceCents: PLENTY_CENTS,
	dayLimitCents: PLENTY_CENTS,
	nightLimitCents: PLENTY_CENTS,
	rateLimitPerMinute: 1_000_000,
	feeCents: FEE_CENTS,
	perTransactionLimitCents: LARGEST_WITHDRAWAL_CENTS + FEE_CENTS,
};

/**
 * People look at executions all the time. n8n would make an engine for expressions for each look, and be busy
 * with little else.
 */
const LAZY_ENGINE = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

export interface StrategyResult {
	readonly strategy: Strategy;
	readonly episodes: readonly Episode[];
	readonly reconciliation: Reconciliation;
}

/** What one n8n did with the lists of one or several strategies. */
export interface Result {
	readonly byStrategy: readonly StrategyResult[];
	readonly requests: number;
	readonly struck: number;
	/** What other tools have paid in between. */
	readonly byOthers: number;
	readonly victims: readonly string[];
	readonly milliseconds: number;
}

/**
 * After how many payouts with an effect n8n is killed, ascending. Counted in progress and not in
 * time, so that every strategy is killed at the same points. Spread over the run: one in each equal
 * part of the range from 3 % to 85 %, for the last payouts may never get an effect.
 */
function planKills({ seed, kills }: Options, payouts: number): number[] {
	const first = 0.03;
	const part = (0.85 - first) / kills;
	return Array.from({ length: kills }, (_value, index) =>
		Math.max(1, Math.round((first + (index + draw(seed, 'kill', index)) * part) * payouts)),
	);
}

interface Task {
	readonly strategy: Strategy;
	readonly list: PayoutList;
}

interface Surroundings {
	/** Undefined where time only passes. */
	readonly clock: JumpingClock | undefined;
	readonly sandbox: Sandbox;
	readonly n8n: UnstableN8n;
	readonly show: (progress: string) => void;
	readonly signal: AbortSignal;
}

/**
 * Lets people pay lists in one real n8n, and compares what they wanted with the books of the service.
 * @param strategies each with `options.payouts` payouts, at the same time in the same n8n
 */
export async function runCampaign(
	strategies: readonly Strategy[],
	options: Options,
	host: N8nHost,
	show: (progress: string) => void,
	signal: AbortSignal,
): Promise<Result> {
	const { seed, payouts, people, queue, mutation } = options;
	const tasks = strategies.flatMap((strategy) =>
		planLists(seed, strategy.name, payouts, people).map((list): Task => ({ strategy, list })),
	);
	// Without people nobody waits.
	const clock = people ? await JumpingClock.open() : undefined;
	const names = strategies.map(({ name }) => name);
	const account = { ...ACCOUNT, blocklist: refusedKeys(names) };
	const sandbox = await startSandbox({ account, ...(clock && { clock }) });
	const folder = await makeUserFolder('campaign');
	const mutated = mutation === undefined ? undefined : await buildMutated(mutation, signal);
	const env = { ...clock?.environment, ...LAZY_ENGINE };
	let n8n: UnstableN8n | undefined;
	try {
		const parts = queue
			? await startQueue(host, folder, signal, env)
			: await startSingle(host, folder, signal, env, mutated);
		n8n = new UnstableN8n(parts, signal);
		const credential = apiCredential(sandbox.url, sandbox.keys.live);
		await n8n.use((client) => saveCredential(client, credential));
		const around = { clock, sandbox, n8n, show, signal };
		return await payAll(sortBy(tasks, 'list.number'), options, around);
	} finally {
		await n8n?.end();
		await sandbox.close();
		await clock?.close();
		for (const made of [folder, mutated]) {
			if (made !== undefined) await rm(made, { recursive: true, force: true });
		}
	}
}

async function payAll(
	tasks: readonly Task[],
	options: Options,
	{ clock, sandbox, n8n, show, signal }: Surroundings,
): Promise<Result> {
	const { seed, people } = options;
	const now = () => clock?.now() ?? Date.now();
	const injector = injectFaults(seed, sandbox, payoutOf);
	const startedAt = performance.now();
	const payouts = tasks.reduce((sum, { list }) => sum + list.ids.length, 0);
	const paid = new PaidPayouts(sandbox);
	const episodes: Array<{ strategy: Strategy; episode: Episode }> = [];
	const runs: Array<{ strategy: Strategy; run: Run }> = [];
	const desks = pLimit(PEOPLE);
	/** Until when the people wait who wait, epoch ms. */
	const waits = new Set<{ until: number }>();
	const waitUntil = async (until: number): Promise<void> => {
		const wait = { until };
		waits.add(wait);
		while (now() < until) await sleep(POLL_MS, undefined, { signal });
		waits.delete(wait);
	};
	const work = async ({ strategy, list }: Task): Promise<void> => {
		const person = new Person(list, {
			...{ n8n, strategy, now, waitUntil, seed, url: sandbox.url },
			lastRequestAt: (ids) => injector.lastRequestAt(ids),
			lookUp: (id) => paid.find(id),
			onRun: (run) => runs.push({ strategy, run }),
		});
		const episode = await (people ? person.followErrors() : person.followProcedure());
		episodes.push({ strategy, episode });
	};
	const names = uniq(tasks.map(({ strategy }) => strategy.name));
	let byOthers = 0;
	const payByOthers = (): void => {
		for (; people && byOthers < paid.count / OTHERS_ONE_IN; byOthers += 1) {
			sandbox.payByOtherTool({
				...drawLookOfOther(seed, names, `${OTHER_TOOL} ${byOthers}`),
				environment: 'PRODUCTION',
				description: `${OTHER_TOOL}, ${byOthers + 1}`,
			});
		}
	};
	const jump = (): void => {
		const lastAt = sandbox.requests.at(-1)?.receivedAt ?? 0;
		// No request is under way: for the service, one that were would arrive minutes late.
		const isQuiet = now() - lastAt > LAST_EFFECT_MS;
		if (waits.size === 0 || waits.size < desks.activeCount || !isQuiet) return;
		clock?.jumpTo(Math.min(...[...waits].map(({ until }) => until)));
	};
	let isOver = false;
	const points = planKills(options, payouts);
	const surround = async (): Promise<void> => {
		while (!isOver) {
			signal.throwIfAborted();
			payByOthers();
			jump();
			if (paid.count >= (points[0] ?? Infinity)) {
				points.shift();
				await n8n.crash();
			}
			show(
				`${paid.count} of ${payouts} payouts have an effect, ${episodes.length} of ${tasks.length} lists ended, ${n8n.kills} kills`,
			);
			await sleep(POLL_MS);
		}
	};
	const all = Promise.all(tasks.map((task) => desks(work, task)));
	await Promise.all([all.finally(() => (isOver = true)), surround()]);
	const milliseconds = performance.now() - startedAt;
	await sleep(LAST_EFFECT_MS);

	return {
		byStrategy: uniq(tasks.map(({ strategy }) => strategy)).map((strategy) => {
			const theirs = episodes.filter((each) => each.strategy === strategy);
			return reconcileStrategy(
				strategy,
				sortBy(theirs, 'episode.list.number').map(({ episode }) => episode),
				runs.filter((each) => each.strategy === strategy).map(({ run }) => run),
				sandbox,
			);
		}),
		...{ requests: sandbox.requests.length, struck: injector.struck() },
		...{ byOthers, victims: n8n.victims, milliseconds },
	};
}

function reconcileStrategy(
	strategy: Strategy,
	episodes: readonly Episode[],
	runs: readonly Run[],
	sandbox: Sandbox,
): StrategyResult {
	const owed = episodes.flatMap(({ list }) => list.rows.map(({ payout }) => payout));
	const observations = episodes.flatMap((episode) => episode.observations);
	const effects = effectsOf(strategy, episodes, runs, sandbox);
	const { promised } = strategy;
	return { strategy, episodes, reconciliation: reconcile(owed, effects, observations, promised) };
}

/**
 * What n8n paid with a strategy, and what has no description of the campaign at all. The run that asked
 * for it is the last one of the payout's list that was started before the first request under its key: a
 * person starts nothing while something of the same list still runs.
 */
function effectsOf(
	{ name }: Strategy,
	episodes: readonly Episode[],
	runs: readonly Run[],
	sandbox: Sandbox,
): Effect[] {
	const requests = new Map<string, number>();
	for (const { idempotencyKey = '', receivedAt } of sandbox.requests) {
		if (!requests.has(idempotencyKey)) requests.set(idempotencyKey, receivedAt);
	}
	const numbers = new Map(
		episodes.flatMap(({ list }) => list.ids.map((id) => [id, list.number] as const)),
	);
	return sandbox.books.withdrawals.flatMap((withdrawal): Effect[] => {
		const { description, status, idempotencyKey, createdAt } = withdrawal;
		const payout = idInDescription(description);
		const isOther = payout !== undefined && !payout.startsWith(`${name}-`);
		if (status === 'FAILED' || description?.startsWith(OTHER_TOOL) || isOther) return [];
		const requestedAt = requests.get(idempotencyKey ?? '') ?? createdAt;
		const list = numbers.get(payout ?? '');
		const run = runs.findLast((each) => each.list === list && each.pressedAt <= requestedAt);
		return [{ ...withdrawal, payout, requestedAt, run }];
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
