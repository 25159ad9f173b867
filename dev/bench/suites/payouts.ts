import { alternate } from '../measure/alternate';
import { BenchEnvironment, type Cost } from '../bulk/benchEnvironment';
import { findBest, leastTime, SETTINGS } from '../bulk/best';
import type { BulkWorkflow } from '../realN8n/benchN8n';
import { toRows } from '../bulk/rows';
import { httpRequest, oneByOne, ours } from '../bulk/strategies';
import type { Row, Suite, SuiteOptions } from '../report';

const ITEMS = 1_000;
const LATENCIES_MS = [0, 50, 200];
/** The default of Max Concurrency. */
const DEFAULT_SETTING = 20;
/** A run of the loop that takes longer would show nothing more. */
const LONGEST_LOOP_MS = 40_000;
/**
 * Compile the code and open the files; as many as in a run would take minutes where the service is
 * slow.
 */
const WARM_UP_ITEMS = 40;

/** A list of withdrawals, as a user pays it from a spreadsheet. */
export const payouts: Suite = async (options) =>
	await BenchEnvironment.open(options.onProgress, async (environment) => {
		const workflows = await publishAll(environment);
		const rows: Row[] = [];
		for (const latencyMs of LATENCIES_MS) {
			rows.push(...(await compare(environment, workflows, latencyMs, options)));
		}
		return rows;
	});

interface Workflows {
	readonly byDefault: BulkWorkflow;
	readonly bySetting: ReadonlyMap<number, BulkWorkflow>;
	readonly httpRequest: BulkWorkflow;
	readonly oneByOne: BulkWorkflow;
}

async function publishAll({ n8n, access }: BenchEnvironment): Promise<Workflows> {
	const bySetting = new Map<number, BulkWorkflow>();
	for (const maxConcurrency of SETTINGS) {
		bySetting.set(maxConcurrency, await n8n.publish(ours(access, { maxConcurrency })));
	}
	return {
		byDefault: await n8n.publish(ours(access)),
		bySetting,
		httpRequest: await n8n.publish(httpRequest(access)),
		oneByOne: await n8n.publish(oneByOne(access)),
	};
}

async function compare(
	environment: BenchEnvironment,
	workflows: Workflows,
	latencyMs: number,
	{ runs, items = ITEMS, onProgress }: SuiteOptions,
): Promise<Row[]> {
	const pay = async (workflow: BulkWorkflow, count: number) =>
		await environment.payWith(workflow, count, latencyMs);
	// Not the first thing that a fresh n8n does.
	await pay(workflows.byDefault, Math.min(items, WARM_UP_ITEMS));
	const best = await findBest(items, latencyMs, async (setting) => {
		onProgress(`${latencyMs} ms, trying ${setting} at a time`);
		return (await pay(workflows.bySetting.get(setting)!, items)).milliseconds;
	});

	const measure = (pay: (count: number) => Promise<Cost>) => async (run: number) =>
		await pay(run === 0 ? Math.min(items, WARM_UP_ITEMS) : items);
	const through = (workflow: BulkWorkflow) => measure(async (count) => await pay(workflow, count));
	const throughPool = (connections: number) =>
		measure(async (count) => await environment.payWithPool(connections, count, latencyMs));

	// One item waits for the other, so the time grows with their number and is scaled up from a part.
	const parts = Math.max(1, Math.ceil(leastTime(items, 1, latencyMs) / LONGEST_LOOP_MS));
	const loopItems = Math.ceil(items / parts);
	const throughLoop = measure(async (count) => {
		const part = Math.min(count, loopItems);
		const cost = await pay(workflows.oneByOne, part);
		return { ...cost, milliseconds: (cost.milliseconds * count) / part };
	});

	const costs = await alternate(
		{
			byDefault: through(workflows.byDefault),
			atBest: through(workflows.bySetting.get(best)!),
			httpRequest: through(workflows.httpRequest),
			floor: throughPool(DEFAULT_SETTING),
			floorAtBest: throughPool(best),
			oneByOne: throughLoop,
		},
		runs,
		(text) => onProgress(`${latencyMs} ms, ${text}`),
	);
	return toRows({ items, loopItems, latencyMs, best, byDefault: DEFAULT_SETTING }, costs);
}
