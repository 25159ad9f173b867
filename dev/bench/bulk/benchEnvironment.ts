import { join } from 'node:path';
import { findFreePorts } from '../../n8n/process/ports';
import { Child } from '../child';
import type { PoolOrder } from '../children/undiciPool';
import { Inspector } from './inspector';
import { expectEachOnce, makePayouts, type BulkPayout } from './payouts';
import { BenchN8n, type BulkWorkflow } from '../realN8n/benchN8n';
import { Service } from './service';
import type { ServiceAccess } from './strategies';

const ONE_BY_ONE = join(__dirname, '..', 'oneByOne');

/** What one run cost. Milliseconds. */
export interface Cost {
	/** Of the node, or of the pool. */
	readonly milliseconds: number;
	/** Processor time of n8n for each payout; undefined without n8n, or where it can't be read. */
	readonly processorMs: number | undefined;
}

/** Everything that bulk writes are measured with: service, n8n and pool, each in its own process. */
export class BenchEnvironment {
	private constructor(
		private readonly service: Service,
		readonly n8n: BenchN8n,
		private readonly floor: Child,
		readonly access: ServiceAccess,
	) {}

	static async open<T>(
		onProgress: (text: string) => void,
		use: (environment: BenchEnvironment) => Promise<T>,
	): Promise<T> {
		const env = { N8N_CUSTOM_EXTENSIONS: ONE_BY_ONE };
		return await Service.use(async (service) =>
			Child.use('undiciPool.ts', async (floor) =>
				BenchN8n.use({ onProgress, env }, async (n8n) => {
					const access = await n8n.createAccess(service.address);
					return await use(new BenchEnvironment(service, n8n, floor, access));
				}),
			),
		);
	}

	/** Pays new payouts through a workflow. @throws unless each happened exactly once */
	async payWith(workflow: BulkWorkflow, items: number, latencyMs: number): Promise<Cost> {
		return await this.pay(items, latencyMs, async (payouts) => {
			const { milliseconds, processorMs } = await this.n8n.pay(workflow, payouts);
			return { milliseconds, processorMs: processorMs && processorMs / items };
		});
	}

	/** The same through a pool of connections, as fast as the same requests can be sent. */
	async payWithPool(connections: number, items: number, latencyMs: number): Promise<Cost> {
		return await this.pay(items, latencyMs, async (payouts) => {
			const order: PoolOrder = { address: this.service.address, payouts, connections };
			return { milliseconds: await this.floor.ask<number>(order), processorMs: undefined };
		});
	}

	private async pay(
		items: number,
		latencyMs: number,
		send: (payouts: readonly BulkPayout[]) => Promise<Cost>,
	): Promise<Cost> {
		const payouts = makePayouts(items);
		await this.service.prepare(latencyMs);
		const cost = await send(payouts);
		expectEachOnce(payouts, await this.service.payees());
		return cost;
	}
}

/** An n8n that is looked into, and the service that it pays through. */
export interface InspectedN8n {
	readonly service: Service;
	readonly n8n: BenchN8n;
	readonly inspector: Inspector;
}

/**
 * Sets it up for as long as `use` takes.
 * @param settings of n8n, as environment variables
 */
export async function inspectN8n<T>(
	onProgress: (text: string) => void,
	use: (inspected: InspectedN8n) => Promise<T>,
	settings: NodeJS.ProcessEnv = {},
): Promise<T> {
	const [port] = (await findFreePorts(1)) as [number];
	const env = { NODE_OPTIONS: `--inspect=127.0.0.1:${port}`, ...settings };
	return await Service.use(async (service) =>
		BenchN8n.use({ onProgress, env }, async (n8n) => {
			const inspector = await Inspector.connect(port);
			try {
				return await use({ service, n8n, inspector });
			} finally {
				inspector.close();
			}
		}),
	);
}
