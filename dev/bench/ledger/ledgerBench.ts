import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureN8nInstalled } from '../../n8n/install/install';
import { inspectN8n, type InspectedN8n } from '../bulk/benchEnvironment';
import type { BulkWorkflow } from '../realN8n/benchN8n';
import { expectEachOnce, makePayouts, type BulkPayout } from '../bulk/payouts';
import { nothing, ours } from '../bulk/strategies';
import { withPostgres, type Database, type DatabaseName } from './database';
import { LedgerTable } from './table';

/** References that are the numbers of invoices, or that nobody can foresee. */
export type Likeness = 'alike' | 'random';

/** Behind those that the ledger is filled with. */
let lastNumber = 200_000;

export function makeReferenced(count: number, likeness: Likeness): BulkPayout[] {
	return makePayouts(count).map((payout) => {
		lastNumber += 1;
		const reference = likeness === 'alike' ? `NF-${lastNumber}` : randomUUID();
		return { ...payout, reference };
	});
}

/** Between two visits: n8n is to be asked often, and not to be kept busy by it. */
const PAUSE_MS = 50;
const LATENCY_MS = 50;

/** What one execution cost, in milliseconds. */
export interface Run {
	/** The node's own time. */
	readonly time: number;
	/** Processor time of n8n; undefined where it can't be read. */
	readonly processor: number | undefined;
	/** The longest stop of n8n's event loop. */
	readonly stop: number;
}

interface Workflows {
	readonly without: BulkWorkflow;
	/** Its payouts have references. */
	readonly with: BulkWorkflow;
	/** For others who use the same n8n. */
	readonly trivial: BulkWorkflow;
}

/** An n8n on one of its databases, whose ledger can be filled. */
export class LedgerBench {
	private constructor(
		private readonly inspected: InspectedN8n,
		private readonly workflows: Workflows,
		readonly table: LedgerTable,
	) {}

	static async open<T>(
		name: DatabaseName,
		onProgress: (text: string) => void,
		use: (bench: LedgerBench) => Promise<T>,
	): Promise<T> {
		const host = await ensureN8nInstalled({ onProgress });
		const run = async (
			toDatabase: (inspected: InspectedN8n) => Database,
			settings?: NodeJS.ProcessEnv,
		) =>
			await inspectN8n(
				onProgress,
				async (inspected) => await use(await LedgerBench.begin(inspected, toDatabase(inspected))),
				settings,
			);
		return name === 'SQLite'
			? await run(({ n8n }) => n8n.database)
			: await withPostgres(host, async (database, settings) => await run(() => database, settings));
	}

	private static async begin(inspected: InspectedN8n, database: Database): Promise<LedgerBench> {
		const { n8n, service } = inspected;
		const access = await n8n.createAccess(service.address);
		const pay = ours(access, {}, { reference: '={{ $json.reference }}' });
		const workflows = {
			// Refused ones are counted, too.
			without: await n8n.publish({ ...ours(access), onError: 'continueRegularOutput' }),
			with: await n8n.publish({ ...pay, onError: 'continueRegularOutput' }),
			trivial: await n8n.publish(nothing()),
		};
		await n8n.visit(workflows.trivial);
		await n8n.pay(workflows.with, makeReferenced(1, 'alike'));
		return new LedgerBench(inspected, workflows, await LedgerTable.find(database));
	}

	async payWithout(count: number): Promise<Run> {
		return await this.payNew(this.workflows.without, makePayouts(count));
	}

	async payWith(payouts: readonly BulkPayout[]): Promise<Run> {
		return await this.payNew(this.workflows.with, payouts);
	}

	/** What was paid last, by the same references. @throws if anything is paid again */
	async payAgain(payouts: readonly BulkPayout[]): Promise<Run> {
		const run = await this.run(this.workflows.with, payouts, payouts.length);
		await this.expectPaid(payouts);
		return run;
	}

	async payRefused(payouts: readonly BulkPayout[]): Promise<Run> {
		await this.prepare(true);
		const run = await this.run(this.workflows.with, payouts, 0);
		await this.expectPaid([]);
		return run;
	}

	/**
	 * Executes another workflow, again and again while `work` goes on.
	 * @returns how long that took at most, in ms
	 */
	async longestVisit(work: () => Promise<unknown>): Promise<number> {
		let isOver = false;
		let longest = 0;
		const visitAll = async () => {
			while (!isOver) {
				longest = Math.max(longest, await this.inspected.n8n.visit(this.workflows.trivial));
				await sleep(PAUSE_MS);
			}
		};
		const visiting = visitAll();
		try {
			await work();
		} finally {
			isOver = true;
			await visiting;
		}
		return longest;
	}

	private async payNew(workflow: BulkWorkflow, payouts: readonly BulkPayout[]): Promise<Run> {
		await this.prepare(false);
		const run = await this.run(workflow, payouts, payouts.length);
		await this.expectPaid(payouts);
		return run;
	}

	private async prepare(refuses: boolean): Promise<void> {
		await this.table.age();
		await this.inspected.service.prepare({ latencyMs: LATENCY_MS, refuses });
	}

	private async expectPaid(payouts: readonly BulkPayout[]): Promise<void> {
		const { payees } = await this.inspected.service.tally();
		expectEachOnce(payouts, payees);
	}

	private async run(
		workflow: BulkWorkflow,
		payouts: readonly BulkPayout[],
		expected: number,
	): Promise<Run> {
		const { n8n, inspector } = this.inspected;
		await inspector.watchLoop();
		const { milliseconds, processorMs, succeeded } = await n8n.pay(workflow, payouts);
		const stop = await inspector.longestStop();
		if (succeeded !== expected) {
			throw new Error(`${succeeded} of ${payouts.length} succeeded, not ${expected}`);
		}
		return { time: milliseconds, processor: processorMs, stop };
	}
}
