import { setTimeout as sleep } from 'node:timers/promises';

import { API_CREDENTIAL_NAME, apiCredential, saveCredential } from '../../n8n/rest/credentials';
import type { N8nHost } from '../../n8n/install/install';
import { makeUserFolder } from '../../n8n/instance';
import { startSandbox, type Sandbox } from '../../sandbox';
import { CrashingN8n } from '../crashingN8n';
import { FaultProxy } from '../faults/faultProxy';
import { planKills } from '../load';
import type { Plan, Progress } from '../run';
import { injectFaults, getPayee, type FaultCounts } from '../faults/faultInjector';
import { owedBy } from './intent';
import { LARGEST_WITHDRAWAL_CENTS, planLists, type PayoutList } from './lists';
import { applyMutation, type Mutation } from './mutations';
import { payList, type Episode } from './person';
import {
	findCauses,
	reconcile,
	type Reconciliation,
	type Run,
	type WithdrawalRequest,
} from './reconcile';
import type { Strategy } from './strategies';

/** People who work side by side, each on one list at a time. */
const PEOPLE = 8;

const PLENTY_CENTS = 100_000_000_000;
const FEE_CENTS = 150;
const POLL_MS = 20;
/** The slowest fault takes this long; a request whose client has gone may still take effect. */
const LAST_EFFECT_MS = 6_000;

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
	readonly kills: number;
	readonly milliseconds: number;
}

export interface PeoplePlan extends Plan {
	/** A defect to write into the installed package, to see whether it is caught. */
	readonly mutation: Mutation | undefined;
	/** Numbers of the lists to pay; undefined for all. */
	readonly lists: readonly number[] | undefined;
}

/** Where everything runs. */
interface Surroundings {
	readonly sandbox: Sandbox;
	readonly proxy: FaultProxy;
	readonly n8n: CrashingN8n;
	readonly onProgress: (progress: Progress) => void;
	readonly signal: AbortSignal;
}

/** A list and the strategy it is paid with. */
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
	plan: PeoplePlan,
	host: N8nHost,
	onProgress: (progress: Progress) => void,
	signal: AbortSignal,
): Promise<PeopleResult> {
	const tasks = planTasks(strategies, plan);
	const sandbox = await startSandbox({ account: accountFor(tasks) });
	const proxy = await FaultProxy.open(sandbox.port);
	const folder = await makeUserFolder('people');
	const { mutation } = plan;
	const n8n = new CrashingN8n(
		host,
		folder,
		signal,
		mutation && (async () => await applyMutation(mutation, folder, signal)),
	);
	try {
		await n8n.start();
		const secondKey = sandbox.createKey({ environment: 'PRODUCTION' });
		await n8n.use(async (client) => {
			await saveCredential(client, apiCredential(proxy.url, sandbox.keys.live));
			await saveCredential(client, apiCredential(proxy.url, secondKey, SECOND_CREDENTIAL_NAME));
		});
		return await payAll(tasks, plan, { sandbox, proxy, n8n, onProgress, signal });
	} finally {
		await n8n.end();
		await proxy.close();
		await sandbox.close();
	}
}

/** The lists of all strategies in turn. */
function planTasks(strategies: readonly Strategy[], { seed, payouts, lists }: PeoplePlan): Task[] {
	const tasks = strategies.flatMap((strategy) =>
		planLists(seed, strategy.name, payouts).map((list): Task => ({ strategy, list })),
	);
	const chosen = tasks.filter(({ list }) => lists?.includes(list.number) ?? true);
	return chosen.sort((one, other) => one.list.number - other.list.number);
}

function accountFor(tasks: readonly Task[]) {
	const lists = tasks.map(({ list }) => list);
	return {
		balanceCents: PLENTY_CENTS,
		dayLimitCents: PLENTY_CENTS,
		nightLimitCents: PLENTY_CENTS,
		rateLimitPerMinute: 1_000_000,
		feeCents: FEE_CENTS,
		perTransactionLimitCents: LARGEST_WITHDRAWAL_CENTS + FEE_CENTS,
		blocklist: lists.flatMap(({ refusedKeys }) => refusedKeys),
		pixKeyHolders: Object.fromEntries(
			lists.flatMap(({ needDocument }) =>
				needDocument.map(({ pixKey, document }) => [pixKey, document] as const),
			),
		),
	};
}

async function payAll(
	tasks: readonly Task[],
	plan: Plan,
	around: Surroundings,
): Promise<PeopleResult> {
	const { sandbox, proxy, n8n, signal } = around;
	const injector = injectFaults(plan.seed, sandbox, proxy);
	const startedAt = Date.now();
	const payouts = tasks.reduce(
		(sum, { list }) => sum + list.intent.list.length + list.late.length,
		0,
	);
	const waiting = [...tasks];
	const episodes: Array<{ strategy: Strategy; episode: Episode }> = [];
	const runs: Array<{ strategy: Strategy; run: Run }> = [];
	let isOver = false;

	const work = async (): Promise<void> => {
		for (let task = waiting.shift(); task; task = waiting.shift()) {
			const { strategy, list } = task;
			const episode = await payList(list, {
				n8n,
				strategy,
				seed: plan.seed,
				url: proxy.url,
				credentials: [API_CREDENTIAL_NAME, SECOND_CREDENTIAL_NAME],
				lastRequestAt: (pixKeys) => injector.lastRequestAt(pixKeys),
				isPaid: (pixKey) => paid.has(pixKey),
				onRun: (run) => runs.push({ strategy, run }),
			});
			episodes.push({ strategy, episode });
		}
	};
	const paid = new PaidPayees(sandbox);
	const killer = async (): Promise<void> => {
		const points = planKills(plan.seed, plan.kills, payouts);
		while (!isOver) {
			signal.throwIfAborted();
			if (paid.count >= (points[0] ?? Infinity)) {
				points.shift();
				await n8n.crash();
			}
			around.onProgress({
				paid: paid.count,
				payouts,
				batches: { done: episodes.length, all: tasks.length },
				kills: { done: n8n.kills, all: plan.kills },
				effects: sandbox.books.withdrawals.length,
			});
			await sleep(POLL_MS);
		}
	};
	const people = Array.from({ length: PEOPLE }, async () => await work());
	await Promise.all([Promise.all(people).finally(() => (isOver = true)), killer()]);
	const milliseconds = Date.now() - startedAt;
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
		kills: n8n.kills,
		milliseconds,
	};
}

function reconcileStrategy(
	strategy: Strategy,
	episodes: readonly Episode[],
	runs: readonly Run[],
	sandbox: Sandbox,
): StrategyResult {
	const listOfKey = new Map(
		episodes.flatMap(({ list }) => list.pixKeys.map((pixKey) => [pixKey, list.number] as const)),
	);
	const effects = sandbox.books.withdrawals
		// Also what went to nobody on a list.
		.filter(({ pixKey }) => pixKey.includes(`${strategy.name}-`))
		.map(({ pixKey, amountCents, idempotencyKey, createdAt }) => ({
			...{ payee: pixKey, amountCents, idempotencyKey, createdAt },
		}));
	const caused = findCauses(effects, withdrawalRequests(sandbox), runs, (payee) =>
		listOfKey.get(payee),
	);
	const owed = episodes.flatMap(({ intent }) => owedBy(intent));
	return {
		strategy,
		episodes: [...episodes].sort((one, other) => one.list.number - other.list.number),
		reconciliation: reconcile(owed, caused, strategy.promised),
	};
}

function withdrawalRequests(sandbox: Sandbox): WithdrawalRequest[] {
	return sandbox.requests.flatMap((request) => {
		const payee = request.method === 'POST' ? getPayee(request) : undefined;
		if (payee === undefined) return [];
		const { idempotencyKey = null, receivedAt, status } = request;
		return [{ payee, idempotencyKey, receivedAt, status }];
	});
}

/** How many payees have an effect, kept up with the books. */
class PaidPayees {
	private readonly payees = new Set<string>();
	private seen = 0;

	constructor(private readonly sandbox: Sandbox) {}

	/** Whether the service shows a payout to this key that has not failed. */
	has(pixKey: string): boolean {
		return this.sandbox.books.withdrawals.some(
			(row) => row.pixKey === pixKey && row.status !== 'FAILED',
		);
	}

	get count(): number {
		const { withdrawals } = this.sandbox.books;
		for (; this.seen < withdrawals.length; this.seen += 1) {
			this.payees.add(withdrawals[this.seen]!.pixKey);
		}
		return this.payees.size;
	}
}
