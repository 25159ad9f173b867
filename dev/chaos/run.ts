import { setTimeout as sleep } from 'node:timers/promises';

import { apiCredential, saveCredential } from '../n8n/rest/credentials';
import type { N8nHost } from '../n8n/install/install';
import { makeUserFolder } from '../n8n/instance';
import { startSandbox, type Sandbox } from '../sandbox';
import { CrashingN8n } from './crashingN8n';
import { FaultProxy } from './faults/faultProxy';
import { isFalse, judge, type Judgement, type Statement } from './report/reconcile';
import { planKills, planLoad, SHAPES, type Batch, type Shape } from './load';
import { getStatements } from './report/statements';
import { User, type Effort } from './user';
import { injectFaults, type FaultCounts } from './faults/faultInjector';
import { workflowFor, type PaymentStrategy } from './workflows';

/** People who work side by side, each with their own workflows: this many batches run at once. */
const USERS = 8;

const PLENTY_CENTS = 100_000_000_000;
const POLL_MS = 20;
/** The slowest fault takes this long; a request whose client has gone may still take effect. */
const LAST_EFFECT_MS = 6_000;

export interface Plan {
	seed: number;
	payouts: number;
	kills: number;
}

export interface Progress {
	/** Payouts that have an effect, out of all. */
	paid: number;
	payouts: number;
	batches: { done: number; all: number };
	kills: { done: number; all: number };
	effects: number;
}

export interface Result {
	strategy: PaymentStrategy;
	/** Over all shapes. */
	total: Judgement;
	byShape: ReadonlyMap<Shape, Judgement>;
	faultCounts: FaultCounts;
	kills: number;
	/** Of all people together. */
	effort: Effort;
	milliseconds: number;
}

/** Lets one strategy pay the whole load in a separate real n8n, and judges it. */
export async function runStrategy(
	strategy: PaymentStrategy,
	plan: Plan,
	host: N8nHost,
	onProgress: (progress: Progress) => void,
	signal: AbortSignal,
): Promise<Result> {
	const sandbox = await startSandbox({
		account: {
			balanceCents: PLENTY_CENTS,
			dayLimitCents: PLENTY_CENTS,
			nightLimitCents: PLENTY_CENTS,
			rateLimitPerMinute: 1_000_000,
			idempotencyKeyRequired: strategy.isKeyRequired,
		},
	});
	const proxy = await FaultProxy.open(sandbox.port);
	const folder = await makeUserFolder('campaign');
	const n8n = new CrashingN8n(host, folder, signal);
	try {
		await n8n.start();
		await n8n.use(async (client) => {
			await saveCredential(client, apiCredential(proxy.url, sandbox.keys.live));
		});
		return await payAll(strategy, plan, { sandbox, proxy, n8n, onProgress, signal });
	} finally {
		await n8n.end();
		await proxy.close();
		await sandbox.close();
	}
}

interface Surroundings {
	sandbox: Sandbox;
	proxy: FaultProxy;
	n8n: CrashingN8n;
	onProgress: (progress: Progress) => void;
	signal: AbortSignal;
}

async function payAll(
	strategy: PaymentStrategy,
	plan: Plan,
	around: Surroundings,
): Promise<Result> {
	const { sandbox, proxy, n8n, signal } = around;
	const batches = planLoad(plan.seed, plan.payouts);
	const users = await hireUsers(strategy, n8n, proxy.url, Math.min(USERS, batches.length));
	const injector = injectFaults(plan.seed, sandbox, proxy);
	const startedAt = Date.now();

	const paid = new PaidPayees(sandbox);
	const statements = new Map<string, Statement>();
	const denied = new Set<string>();
	const waiting = [...batches];
	let done = 0;
	const effort: Effort = { retries: 0, stops: 0 };
	let isOver = false;
	const work = async (user: ReadonlyMap<Shape, User>): Promise<void> => {
		for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
			const payees = batch.payouts.map(({ payee }) => payee);
			const theirs = await user.get(batch.shape)!.pay(batch.payouts, {
				lastRequestAt: () => injector.lastRequestAt(payees),
				read: (execution) => {
					for (const [payee, said] of getStatements(payees, execution)) {
						statements.set(payee, said);
						if (isFalse(said, paid.countEffects(payee))) denied.add(payee);
					}
				},
			});
			effort.retries += theirs.retries;
			effort.stops += theirs.stops;
			done += 1;
		}
	};
	const killer = async (): Promise<void> => {
		const points = planKills(plan.seed, plan.kills, plan.payouts);
		while (!isOver) {
			signal.throwIfAborted();
			if (paid.count >= (points[0] ?? Infinity)) {
				points.shift();
				await n8n.crash();
			}
			await sleep(POLL_MS);
		}
	};
	const teller = async (): Promise<void> => {
		while (!isOver) {
			around.onProgress({
				paid: paid.count,
				payouts: plan.payouts,
				batches: { done, all: batches.length },
				kills: { done: n8n.kills, all: plan.kills },
				effects: sandbox.books.withdrawals.length,
			});
			await sleep(POLL_MS);
		}
	};
	const working = Promise.all(users.map(work)).finally(() => (isOver = true));
	await Promise.all([working, killer(), teller()]);
	const milliseconds = Date.now() - startedAt;
	await sleep(LAST_EFFECT_MS);

	return {
		strategy,
		...judgeAll(batches, sandbox, statements, denied),
		faultCounts: injector.counts(),
		kills: n8n.kills,
		effort,
		milliseconds,
	};
}

/** Each with a published workflow for every shape. */
async function hireUsers(
	strategy: PaymentStrategy,
	n8n: CrashingN8n,
	url: string,
	count: number,
): Promise<Array<ReadonlyMap<Shape, User>>> {
	const users: Array<ReadonlyMap<Shape, User>> = [];
	for (let number = 1; number <= count; number += 1) {
		const workflows = new Map<Shape, User>();
		for (const shape of SHAPES) {
			const path = `${strategy.name}-${shape}-${number}`;
			const workflow = workflowFor(strategy, shape, path, url);
			workflows.set(shape, await User.withWorkflow(n8n, workflow, path));
		}
		users.push(workflows);
	}
	return users;
}

/** Effects by payee, kept up with the books. */
class PaidPayees {
	private readonly effects = new Map<string, number>();
	private seen = 0;

	constructor(private readonly sandbox: Sandbox) {}

	/** How many payees have an effect. */
	get count(): number {
		this.catchUp();
		return this.effects.size;
	}

	countEffects(payee: string): number {
		this.catchUp();
		return this.effects.get(payee) ?? 0;
	}

	private catchUp(): void {
		const { withdrawals } = this.sandbox.books;
		for (; this.seen < withdrawals.length; this.seen += 1) {
			const { pixKey } = withdrawals[this.seen]!;
			this.effects.set(pixKey, (this.effects.get(pixKey) ?? 0) + 1);
		}
	}
}

function judgeAll(
	batches: readonly Batch[],
	sandbox: Sandbox,
	statements: ReadonlyMap<string, Statement>,
	denied: ReadonlySet<string>,
): Pick<Result, 'total' | 'byShape'> {
	const effects = sandbox.books.withdrawals.map(({ pixKey, amountCents }) => ({
		payee: pixKey,
		amountCents,
	}));
	const judgeSome = (some: readonly Batch[]): Judgement => {
		const payouts = some.flatMap((batch) => batch.payouts);
		const payees = new Set(payouts.map(({ payee }) => payee));
		const theirs = effects.filter(({ payee }) => payees.has(payee));
		return judge(payouts, theirs, statements, denied);
	};
	const payouts = batches.flatMap((batch) => batch.payouts);
	return {
		total: judge(payouts, effects, statements, denied),
		byShape: new Map(
			SHAPES.map((shape) => [shape, judgeSome(batches.filter((batch) => batch.shape === shape))]),
		),
	};
}
