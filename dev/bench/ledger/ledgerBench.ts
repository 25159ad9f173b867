import { randomUUID } from 'node:crypto';
import { ensureN8nInstalled } from '../../n8n/install/install';
import { inspectN8n, type InspectedN8n } from '../bulk/benchEnvironment';
import type { BulkWorkflow } from '../realN8n/benchN8n';
import { expectEachOnce, makePayouts, type BulkPayout } from '../bulk/payouts';
import { ours } from '../bulk/strategies';
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
			without: await n8n.publish(ours(access)),
			with: await n8n.publish(pay),
		};
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
		const run = await this.run(this.workflows.with, payouts);
		await this.expectPaid(payouts);
		return run;
	}

	private async payNew(workflow: BulkWorkflow, payouts: readonly BulkPayout[]): Promise<Run> {
		await this.table.age();
		await this.inspected.service.prepare(LATENCY_MS);
		const run = await this.run(workflow, payouts);
		await this.expectPaid(payouts);
		return run;
	}

	private async expectPaid(payouts: readonly BulkPayout[]): Promise<void> {
		expectEachOnce(payouts, await this.inspected.service.payees());
	}

	private async run(workflow: BulkWorkflow, payouts: readonly BulkPayout[]): Promise<Run> {
		const { n8n, inspector } = this.inspected;
		await inspector.watchLoop();
		const { milliseconds, processorMs, succeeded } = await n8n.pay(workflow, payouts);
		const stop = await inspector.longestStop();
		if (succeeded !== payouts.length)
			throw new Error(`${succeeded} of ${payouts.length} succeeded`);
		return { time: milliseconds, processor: processorMs, stop };
	}
}
