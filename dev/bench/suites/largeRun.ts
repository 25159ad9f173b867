import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { inspectN8n, type InspectedN8n } from '../bulk/benchEnvironment';
import type { Inspector } from '../bulk/inspector';
import { expectEachOnce, makePayouts } from '../bulk/payouts';
import { nothing, ours, type ServiceAccess } from '../bulk/strategies';
import { alternate } from '../measure/alternate';
import { ratios } from '../measure/statistics';
import { mebibytes, spread, type Suite } from '../report';

const ITEMS = 10_000;
/** The list that the large one is compared with is this part of it. */
const PART = 10;
/** Compile the code and open the files. */
const WARM_UP_ITEMS = 40;
const LOOK_EVERY_MS = 2_000;

interface Need {
	/** Milliseconds for each item of the small list, and of the large one. */
	readonly small: number;
	readonly large: number;
	/** The most bytes in use during another large list, above those before it. */
	readonly live: number;
}

/** Far more items in one execution than anybody pays, with no latency: each in an n8n of its own. */
export const largeRun: Suite = async ({ runs, items = ITEMS, onProgress }) => {
	const measure = (choose: (access: ServiceAccess) => INode) => async () =>
		await inspectN8n(
			() => undefined,
			async (inspected) => await payAll(inspected, choose, items),
		);
	const samples = await alternate(
		{ ours: measure(ours), nothing: measure(nothing) },
		runs,
		onProgress,
	);
	const small = samples.ours.map((need) => need.small);
	const large = samples.ours.map((need) => need.large);
	const memory = (needs: readonly Need[]) => mebibytes(needs.map(({ live }) => live));
	const what = `${items.toLocaleString('en')} withdrawals in one execution`;
	return [
		{
			measured: `${what}, time for each`,
			ours: spread(large, 2, ' ms'),
			compared: `a list of ${Math.ceil(items / PART).toLocaleString('en')}: ${spread(small, 2, ' ms')}`,
			ratio: spread(ratios(large, small)),
		},
		{
			measured: `${what}, most memory in use`,
			ours: memory(samples.ours),
			compared: `a node that does nothing: ${memory(samples.nothing)}`,
		},
	];
};

async function payAll(
	{ service, n8n, inspector }: InspectedN8n,
	choose: (access: ServiceAccess) => INode,
	items: number,
): Promise<Need> {
	const workflow = await n8n.publish(choose(await n8n.createAccess(service.address)));
	const pay = async (count: number) => {
		const payouts = makePayouts(count);
		await service.prepare({ latencyMs: 0 });
		const { milliseconds } = await n8n.pay(workflow, payouts);
		if (choose !== nothing) expectEachOnce(payouts, (await service.tally()).payees);
		return milliseconds / count;
	};
	await pay(Math.min(WARM_UP_ITEMS, items));
	const small = await pay(Math.ceil(items / PART));
	const large = await pay(items);
	return { small, large, live: await findPeak(inspector, async () => await pay(items)) };
}

/** Collecting garbage takes its time, so nothing is timed meanwhile. */
async function findPeak(inspector: Inspector, run: () => Promise<unknown>): Promise<number> {
	const before = await inspector.liveMemory();
	let peak = before;
	let isOver = false;
	const look = async () => {
		while (!isOver) {
			peak = Math.max(peak, await inspector.liveMemory());
			await sleep(LOOK_EVERY_MS);
		}
	};
	const looking = look();
	try {
		await run();
	} finally {
		isOver = true;
		await looking;
	}
	return peak - before;
}
