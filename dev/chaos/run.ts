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
	REFUSED,
	type PayoutList,
} from './lists';
import { buildMutated } from './mutations';
import type { Options } from './options';
import { Person } from './person';
import { draw } from './random';
import { reconcile, type Effect, type Run } from './reconcile';
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

/** What one n8n did with the lists of one or several strategies. */
export type Result = Awaited<ReturnType<typeof runCampaign>>;
export type StrategyResult = Result['byStrategy'][number];

/**
 * After how many effects n8n is killed, ascending. Counted in progress and not in
 * time, so that every strategy is killed at the same points. Spread over the run: one in each equal
 * part of the range from 3 % to 85 % of the payouts, for the last may never get an effect.
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
) {
	const { seed, payouts, people, queue, mutation } = options;
	const tasks = strategies.flatMap((strategy) =>
		planLists(seed, strategy.name, payouts, people).map((list): Task => ({ strategy, list })),
	);
	// Without people nobody waits.
	const clock = people ? await JumpingClock.open() : undefined;
	const pixKeys = tasks.flatMap(({ list }) => list.rows.map(({ pixKey }) => pixKey));
	const account = { ...ACCOUNT, blocklist: pixKeys.filter((key) => key.startsWith(REFUSED)) };
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
) {
	const { seed, people } = options;
	const now = () => clock?.now() ?? Date.now();
	const injector = injectFaults(seed, sandbox, payoutOf);
	const startedAt = performance.now();
	const payouts = tasks.reduce((sum, { list }) => sum + list.ids.length, 0);
	const done: Person[] = [];
	const runs: Run[] = [];
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
			lookUp: (id) => findPaid(sandbox, id),
			onRun: (run) => runs.push(run),
		});
		await (people ? person.followErrors() : person.followProcedure());
		done.push(person);
	};
	const names = uniq(tasks.map(({ strategy }) => strategy.name));
	let byOthers = 0;
	const countEffects = (): number => sandbox.books.withdrawals.length - byOthers;
	const payByOthers = (): void => {
		for (; people && byOthers < countEffects() / OTHERS_ONE_IN; byOthers += 1) {
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
			if (countEffects() >= (points[0] ?? Infinity)) {
				points.shift();
				await n8n.crash();
			}
			show(
				`${countEffects()} effects of ${payouts} payouts, ${done.length} of ${tasks.length} lists ended, ${n8n.kills} kills`,
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
			const isTheirs = (each: { strategy: Strategy }) => each.strategy === strategy;
			const theirs = sortBy(done.filter(isTheirs), 'list.number');
			const owed = theirs.flatMap(({ list }) => list.rows.map(({ payout }) => payout));
			const observations = theirs.flatMap((person) => person.observations);
			const effects = effectsOf(strategy, theirs, runs.filter(isTheirs), sandbox);
			const reconciliation = reconcile(owed, effects, observations, strategy.promised);
			return { strategy, people: theirs, reconciliation };
		}),
		...{ requests: sandbox.requests.length, struck: injector.struck() },
		...{ byOthers, victims: n8n.victims, milliseconds },
	};
}

/** The withdrawal of this payout, as the dashboard of the service shows it. */
function findPaid({ books }: Sandbox, payout: string): string | undefined {
	return books.withdrawals.find(({ description }) => idInDescription(description) === payout)?.id;
}

/**
 * What n8n paid with a strategy, and what has no description of the campaign at all. The run that asked
 * for it is the last one of the payout's list that was started before the first request under its key: a
 * person starts nothing while something of the same list still runs.
 */
function effectsOf(
	{ name }: Strategy,
	people: readonly Person[],
	runs: readonly Run[],
	sandbox: Sandbox,
): Effect[] {
	const requests = new Map<string, number>();
	for (const { idempotencyKey = '', receivedAt } of sandbox.requests) {
		if (!requests.has(idempotencyKey)) requests.set(idempotencyKey, receivedAt);
	}
	const numbers = new Map(
		people.flatMap(({ list }) => list.ids.map((id) => [id, list.number] as const)),
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
