import { randomUUID } from 'node:crypto';
import { ensureN8nInstalled } from '../n8n/install/install';
import { findPort } from '../n8n/process/ports';
import { brlPayments, payEachItem } from '../n8n/rest/workflow';
import { BenchN8n } from './benchN8n';
import { withPostgres, type Database, type DatabaseName } from './database';
import { Inspector, type Spent } from './inspector';
import { LedgerTable } from './ledgerTable';
import { makePayouts, Service, type BulkPayout } from './service';

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
const PAY = 'Pay';

/** What one execution cost, in milliseconds. */
export interface Run extends Spent {
	/** The node's own time. */
	readonly time: number;
}

type Workflows = Awaited<ReturnType<typeof publishAll>>;

async function publishAll(n8n: BenchN8n) {
	const charge = brlPayments(PAY, 'payment', 'create', {
		...{ amount: '={{ $json.amount }}', methods: ['PIX'], mode: 'headless', options: {} },
		// By it, the books say which ones happened.
		description: '={{ $json.pixKey }}',
	});
	const pay = payEachItem();
	const payByReference = payEachItem({}, {}, { reference: '={{ $json.reference }}' });
	return {
		/** Charges without an External ID: the same requests by the same client, but nothing is written down. */
		withoutLedger: await n8n.publish(charge),
		withoutReference: await n8n.publish(pay),
		withReference: await n8n.publish(payByReference),
		loopWithoutLedger: await n8n.publish(charge, 1),
		loopWithoutReference: await n8n.publish(pay, 1),
	};
}

/** An n8n on one of its databases, whose ledger can be filled. */
export class LedgerBench {
	private constructor(
		private readonly service: Service,
		private readonly n8n: BenchN8n,
		private readonly inspector: Inspector,
		private readonly workflows: Workflows,
		readonly table: LedgerTable,
	) {}

	static async open<T>(
		name: DatabaseName,
		onProgress: (text: string) => void,
		use: (bench: LedgerBench) => Promise<T>,
	): Promise<T> {
		const port = await findPort();
		const run = async (beside?: Database, settings?: NodeJS.ProcessEnv) =>
			await Service.use(async (service) =>
				BenchN8n.use(
					onProgress,
					service.credential,
					async (n8n) =>
						await Inspector.use(port, async (inspector) => {
							const database = beside ?? n8n.database;
							return await use(await LedgerBench.begin(service, n8n, inspector, database));
						}),
					{ NODE_OPTIONS: `--inspect=127.0.0.1:${port}`, ...settings },
				),
			);
		if (name === 'SQLite') return await run();
		return await withPostgres(await ensureN8nInstalled({ onProgress }), run);
	}

	private static async begin(
		service: Service,
		n8n: BenchN8n,
		inspector: Inspector,
		database: Database,
	): Promise<LedgerBench> {
		const workflows = await publishAll(n8n);
		// The node creates the table.
		await n8n.run(workflows.withReference, PAY, makeReferenced(1, 'alike'));
		const table = await LedgerTable.find(database);
		return new LedgerBench(service, n8n, inspector, workflows, table);
	}

	/** What was never sent before. @throws unless each happens once; so do the others */
	async payNew(workflow: keyof Workflows, payouts: readonly BulkPayout[]): Promise<Run> {
		await this.table.age();
		await this.service.begin({ latencyMs: LATENCY_MS });
		return await this.pay(workflow, payouts);
	}

	/** What may have been paid before. */
	async pay(workflow: keyof Workflows, payouts: readonly BulkPayout[]): Promise<Run> {
		await this.inspector.watch();
		const { milliseconds } = await this.n8n.run(this.workflows[workflow], PAY, payouts);
		const spent = await this.inspector.read();
		await this.service.expectEachOnce(payouts);
		return { time: milliseconds, ...spent };
	}
}
