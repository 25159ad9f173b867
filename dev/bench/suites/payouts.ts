import { alternate } from '../measure/alternate';
import { BenchEnvironment, type Cost } from '../bulk/benchEnvironment';
import type { BulkWorkflow } from '../realN8n/benchN8n';
import { ratios } from '../measure/statistics';
import { httpRequest, oneByOne, ours as payByOurs } from '../bulk/strategies';
import { spread, timesAsFast, type Row, type Suite, type SuiteOptions } from '../report';

const ITEMS = 1_000;
const LATENCIES_MS = [0, 50, 200];
/** As many as the node sends at a time by default. */
const CONNECTIONS = 20;
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
	readonly ours: BulkWorkflow;
	readonly httpRequest: BulkWorkflow;
	readonly oneByOne: BulkWorkflow;
}

async function publishAll({ n8n, access }: BenchEnvironment): Promise<Workflows> {
	return {
		ours: await n8n.publish(payByOurs(access)),
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
	await pay(workflows.ours, Math.min(items, WARM_UP_ITEMS));

	const measure = (pay: (count: number) => Promise<Cost>) => async (run: number) =>
		await pay(run === 0 ? Math.min(items, WARM_UP_ITEMS) : items);
	const through = (workflow: BulkWorkflow) => measure(async (count) => await pay(workflow, count));

	// One item waits for the other, so the time grows with their number and is scaled up from a part.
	const parts = Math.max(1, Math.ceil((items * latencyMs) / LONGEST_LOOP_MS));
	const loopItems = Math.ceil(items / parts);
	const throughLoop = measure(async (count) => {
		const part = Math.min(count, loopItems);
		const cost = await pay(workflows.oneByOne, part);
		return { ...cost, milliseconds: (cost.milliseconds * count) / part };
	});

	const costs = await alternate(
		{
			ours: through(workflows.ours),
			httpRequest: through(workflows.httpRequest),
			floor: measure(async (count) => await environment.payWithPool(CONNECTIONS, count, latencyMs)),
			oneByOne: throughLoop,
		},
		runs,
		(text) => onProgress(`${latencyMs} ms, ${text}`),
	);
	return toRows({ items, loopItems, latencyMs }, costs);
}

/** `ours` is this package as it is dragged in, `floor` a pool with as many connections. */
type Name = 'ours' | 'httpRequest' | 'oneByOne' | 'floor';

interface Subject {
	readonly items: number;
	/** How many of them the loop was given; its time is scaled up to all. */
	readonly loopItems: number;
	readonly latencyMs: number;
}

function toRows(
	{ items, loopItems, latencyMs }: Subject,
	costs: Readonly<Record<Name, readonly Cost[]>>,
): Row[] {
	const times = (name: Name) => costs[name].map(({ milliseconds }) => milliseconds);
	const what = `${items.toLocaleString('en')} withdrawals, ${latencyMs} ms away`;
	const row = (other: Name, name: string, ratio: string): Row => ({
		measured: what,
		ours: spread(times('ours'), 0, ' ms'),
		compared: `${name}: ${spread(times(other), 0, ' ms')}`,
		ratio,
	});
	const faster = (other: Name, name: string) =>
		row(other, name, timesAsFast(times('ours'), times(other)));
	const ofFloor = `${spread(ratios(times('ours'), times('floor')))} of the floor's time`;
	return [
		faster('oneByOne', `one await for each item (${loopItems} paid, the time in proportion)`),
		row('floor', `an undici pool of ${CONNECTIONS} connections`, ofFloor),
		faster('httpRequest', "n8n's HTTP Request node, all at once"),
		...processorRows(what, costs),
	];
}

/** What n8n computes for a payout, whichever node sends it. */
function processorRows(what: string, costs: Readonly<Record<Name, readonly Cost[]>>): Row[] {
	const samples = (name: Name) => costs[name].flatMap(({ processorMs }) => processorMs ?? []);
	const [own, http, loop] = [samples('ours'), samples('httpRequest'), samples('oneByOne')];
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
