import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { ensureN8nInstalled } from '../../n8n/install/install';
import { inspectN8n, type InspectedN8n } from '../bulk/benchEnvironment';
import type { BulkWorkflow } from '../realN8n/benchN8n';
import { expectEachOnce, makePayouts, type BulkPayout } from '../bulk/payouts';
import { charge, ours } from '../bulk/strategies';
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

/** What an item becomes: a payout with a reference or without, or a charge that no ledger knows. */
export type Kind = 'reference' | 'automatic' | 'charge';
/** All items at once, or one in each round of a loop. */
export type Shape = 'list' | 'loop';

type Workflows = Readonly<Record<Kind, Readonly<Record<Shape, BulkWorkflow>>>>;

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
		const publish = async (pay: INode) => ({
			list: await n8n.publish(pay),
			loop: await n8n.publish(pay, 'loop'),
		});
		const workflows: Workflows = {
			reference: await publish(ours(access, {}, { reference: '={{ $json.reference }}' })),
			automatic: await publish(ours(access)),
			charge: await publish(charge(access)),
		};
		// It creates the ledger.
		await n8n.pay(workflows.reference.list, makeReferenced(1, 'alike'));
		return new LedgerBench(inspected, workflows, await LedgerTable.find(database));
	}

	/** Pays or charges what is new. @throws unless each happened exactly once */
	async pay(kind: Kind, payouts: readonly BulkPayout[], shape: Shape = 'list'): Promise<Run> {
		await this.table.age();
		await this.inspected.service.prepare(LATENCY_MS);
		const run = await this.run(this.workflows[kind][shape], payouts);
		await this.expectPaid(payouts);
		return run;
	}

	/** What was paid last, by the same references. @throws if anything is paid again */
	async payAgain(payouts: readonly BulkPayout[]): Promise<Run> {
		const run = await this.run(this.workflows.reference.list, payouts);
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
