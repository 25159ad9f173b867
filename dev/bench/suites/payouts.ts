import { alternate } from '../measure/alternate';
import { BenchEnvironment, type Cost } from '../bulk/benchEnvironment';
import type { BulkWorkflow } from '../realN8n/benchN8n';
import { ratios, summarize } from '../measure/statistics';
import { httpRequest, oneByOne, ours } from '../bulk/strategies';
import { spread, timesAsFast, type Row, type Suite, type SuiteOptions } from '../report';

const ITEMS = 1_000;
const LATENCIES_MS = [0, 50, 200];
/** The default of Max Concurrency. */
const DEFAULT_SETTING = 20;
/** A run of the loop that takes longer would show nothing more. */
const LONGEST_LOOP_MS = 40_000;
/** Max Concurrency, the most first. */
const SETTINGS = [100, 50, 20, 10] as const;

/** More would only confirm which one it is. */
const TRIES = 2;

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

/** The least time possible with this many at a time. Milliseconds. */
function leastTime(items: number, atATime: number, latencyMs: number): number {
	return Math.ceil(items / atATime) * latencyMs;
}

/**
 * Finds the setting that takes the least time, the median of some tries. Settings that could not win
 * even if only the latency took time are not tried.
 *
 * @param measure pays all items with a setting, and returns the milliseconds that it took
 */
async function findBest(
	items: number,
	latencyMs: number,
	measure: (setting: number) => Promise<number>,
): Promise<number> {
	let best = { setting: SETTINGS[0] as number, milliseconds: Infinity };
	for (const setting of SETTINGS) {
		if (leastTime(items, setting, latencyMs) >= best.milliseconds) continue;
		const samples: number[] = [];
		for (let count = 0; count < TRIES; count += 1) samples.push(await measure(setting));
		const milliseconds = summarize(samples).median;
		if (milliseconds < best.milliseconds) best = { setting, milliseconds };
	}
	return best.setting;
}

/**
 * - `byDefault`, `atBest`: this package as it is, and with the Max Concurrency that proved fastest
 * - `floor`, `floorAtBest`: a pool with as many connections
 */
type Name = 'byDefault' | 'atBest' | 'httpRequest' | 'oneByOne' | 'floor' | 'floorAtBest';

interface Subject {
	readonly items: number;
	/** How many of them the loop was given; its time is scaled up to all. */
	readonly loopItems: number;
	readonly latencyMs: number;
	/** How many at a time. */
	readonly byDefault: number;
	readonly best: number;
}

function toRows(
	{ items, loopItems, latencyMs, best, byDefault }: Subject,
	costs: Readonly<Record<Name, readonly Cost[]>>,
): Row[] {
	const times = (name: Name) => costs[name].map(({ milliseconds }) => milliseconds);
	const what = `${items.toLocaleString('en')} withdrawals, ${latencyMs} ms away`;
	const row = (own: 'byDefault' | 'atBest', other: Name, name: string, ratio: string): Row => {
		const atATime = own === 'byDefault' ? byDefault : best;
		return {
			measured: `${what}, ${own === 'byDefault' ? 'default' : 'best'} (${atATime} at a time)`,
			ours: spread(times(own), 0, ' ms'),
			compared: `${name}: ${spread(times(other), 0, ' ms')}`,
			ratio,
			note: describeLimit(costs[own], leastTime(items, atATime, latencyMs)),
		};
	};
	const faster = (own: 'byDefault' | 'atBest', other: Name, name: string) =>
		row(own, other, name, timesAsFast(times(own), times(other)));
	const longer = (own: 'byDefault' | 'atBest', other: Name) =>
		row(
			own,
			other,
			'an undici pool of as many connections',
			`${spread(ratios(times(own), times(other)))} of the floor's time`,
		);
	const part = `${loopItems} paid, the time for all in proportion`;
	return [
		faster('byDefault', 'oneByOne', `one await for each item (${part})`),
		longer('byDefault', 'floor'),
		longer('atBest', 'floorAtBest'),
		faster('atBest', 'httpRequest', "n8n's HTTP Request node, all at once"),
		...processorRows(what, costs),
	];
}

/** @param leastMs what the latency alone takes */
function describeLimit(costs: readonly Cost[], leastMs: number): string {
	const percent = (shares: readonly number[]) => `${(100 * summarize(shares).median).toFixed(0)} %`;
	const waiting = percent(costs.map(({ milliseconds }) => leastMs / milliseconds));
	const service = percent(costs.map(({ serviceShare }) => serviceShare));
	return `The latency alone makes ${waiting} of it. The emulated service computed for ${service} of the time.`;
}

/** What n8n computes for a payout, whichever node sends it. */
function processorRows(what: string, costs: Readonly<Record<Name, readonly Cost[]>>): Row[] {
	const samples = (name: Name) => costs[name].flatMap(({ processorMs }) => processorMs ?? []);
	const [own, http, loop] = [samples('byDefault'), samples('httpRequest'), samples('oneByOne')];
	if (own.length === 0) return [];
	const text = (values: readonly number[]) => spread(values, 2, ' ms');
	return [
		{
			measured: `n8n's processor time for a payout, ${what}`,
			ours: text(own),
			compared: `HTTP Request: ${text(http)}; one await for each item: ${text(loop)}`,
			ratio: `${spread(ratios(own, http))} of HTTP Request`,
		},
	];
}
