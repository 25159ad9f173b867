import { alternate } from '../measure/alternate';
import { findBest, SETTINGS } from '../bulk/best';
import { httpRequest, oneByOne, ours } from '../bulk/strategies';
import { itemsOfLoop } from '../bulk/loop';
import type { BulkWorkflow } from '../bulk/n8n';
import { toRows, type Name, type Samples } from '../bulk/rows';
import { BenchEnvironment, type Cost } from '../bulk/benchEnvironment';
import type { Suite, SuiteOptions } from '../suite';
import type { Row } from '../report';

const ITEMS = 1_000;
const LATENCIES_MS = [0, 50, 200];
/** The default of Max Concurrency. */
const DEFAULT_SETTING = 20;
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
		await environment.payWith(workflow, count, { latencyMs });
	// Not the first thing that a fresh n8n does.
	await pay(workflows.byDefault, Math.min(items, WARM_UP_ITEMS));
	const best = await findBest(items, latencyMs, async (setting) => {
		onProgress(`${latencyMs} ms, trying ${setting} at a time`);
		return (await pay(workflows.bySetting.get(setting)!, items)).milliseconds;
	});

	const costs: Record<Name, Cost[]> = {
		byDefault: [],
		atBest: [],
		httpRequest: [],
		floor: [],
		floorAtBest: [],
		oneByOne: [],
	};
	const measure = (name: Name, run: (count: number) => Promise<Cost>) => async (number: number) => {
		const cost = await run(number === 0 ? Math.min(items, WARM_UP_ITEMS) : items);
		if (number > 0) costs[name].push(cost);
		return cost.milliseconds;
	};
	const through = (name: Name, workflow: BulkWorkflow) =>
		measure(name, async (count) => await pay(workflow, count));
	const throughPool = (name: Name, connections: number) =>
		measure(
			name,
			async (count) => await environment.payWithPool(connections, count, { latencyMs }),
		);

	const loopItems = itemsOfLoop(items, latencyMs);
	const throughLoop = measure('oneByOne', async (count) => {
		const part = Math.min(count, loopItems);
		const cost = await pay(workflows.oneByOne, part);
		return { ...cost, milliseconds: (cost.milliseconds * count) / part };
	});

	const milliseconds: Samples = await alternate(
		{
			byDefault: through('byDefault', workflows.byDefault),
			atBest: through('atBest', workflows.bySetting.get(best)!),
			httpRequest: through('httpRequest', workflows.httpRequest),
			floor: throughPool('floor', DEFAULT_SETTING),
			floorAtBest: throughPool('floorAtBest', best),
			oneByOne: throughLoop,
		},
		runs,
		(name, run) => onProgress(`${latencyMs} ms, ${name}, run ${run} of ${runs}`),
	);
	return toRows(
		{ items, loopItems, latencyMs, best, byDefault: DEFAULT_SETTING },
		milliseconds,
		costs,
	);
}
