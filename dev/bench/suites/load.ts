import pLimit from 'p-limit';
import { setTimeout as sleep } from 'node:timers/promises';
import { Side } from '../load/side';
import { cutIntoSlices, type Slice } from '../load/slices';
import { SlowClients } from '../load/slowClients';
import { ratios } from '../measure/statistics';
import { BenchN8n, type Listener } from '../realN8n/benchN8n';
import {
	HEADER_AUTH,
	listenWithTrigger,
	listenWithWebhook,
	saveCredentials,
} from '../realN8n/listeners';
import { FORGED_SECRET, newEvents, sign } from '../realN8n/signedRequest';
import { formatTable, spread, type Row, type Suite, type SuiteOptions } from '../report';

/** Right after its start, n8n takes several hundred MiB that it gives back within seconds. */
const SETTLING_MS = 60_000;
const BODY_BYTES = 1_000;
/** How many are under way at once, if n8n cannot keep up. */
const AT_ONCE = 16;
/** Parts that are compared one by one. The first one compiles and fills caches. */
const SLICES = 10;

interface Load {
	readonly name: string;
	readonly triggers: number;
	/** Of deliveries or forgeries. */
	readonly perSecond: number;
	readonly seconds: number;
	readonly isForged?: true;
	readonly slowClients?: number;
}

const STEADY: readonly Load[] = [
	{ name: 'deliveries, 30 % copies', triggers: 1, perSecond: 20, seconds: 300 },
	{ name: 'deliveries, 30 % copies, to four workflows', triggers: 4, perSecond: 20, seconds: 300 },
	{ name: 'forgeries', triggers: 1, perSecond: 50, seconds: 300, isForged: true },
];
const SLOW: readonly Load[] = [
	{
		name: 'deliveries beside 200 clients that send byte by byte',
		triggers: 1,
		perSecond: 5,
		seconds: 120,
		slowClients: 200,
	},
];

/** As much as two n8n, each with an engine for each request, can take on two cores at once. */
const SHARE_BY_DEFAULT = 0.2;

/** n8n creates an expression engine only when there is an expression to evaluate. */
export const LAZY = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

/** Minutes of deliveries and forgeries at a steady pace, compared with n8n's Webhook node. */
export const load: Suite = async (options) => await measureAll(STEADY, options);

/** Deliveries while other clients never get to the end of their bodies. */
export const slowClients: Suite = async (options) => await measureAll(SLOW, options);

async function measureAll(loads: readonly Load[], options: SuiteOptions): Promise<Row[]> {
	const share = options.env === LAZY ? 1 : SHARE_BY_DEFAULT;
	const rows: Row[] = [];
	for (const each of loads) {
		const perSecond = each.perSecond * share;
		const seconds = options.seconds ?? each.seconds;
		const measured = await measure({ ...each, perSecond, seconds }, options);
		// All take half an hour: what is measured is shown before something else fails.
		options.onProgress(`\n${formatTable(measured)}`);
		rows.push(...measured);
	}
	return rows;
}

/** Both at once, each in an n8n of its own: what slows one down slows down the other. */
async function measure(load: Load, options: SuiteOptions): Promise<Row[]> {
	const { onProgress } = options;
	const results = await Promise.allSettled([BenchN8n.start(options), BenchN8n.start(options)]);
	const started = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
	const numbers = Array.from({ length: load.triggers }, (_, number) => number);
	const listen = async (open: (name: string) => Promise<Listener>) => {
		const listeners: Listener[] = [];
		for (const number of numbers) listeners.push(await open(`Listener ${number}`));
		return listeners;
	};
	try {
		const [own, other] = started;
		if (!own || !other) throw new Error('n8n did not start');
		for (const n8n of started) await saveCredentials(n8n);
		const sides = [
			new Side(own, await listen(async (name) => await listenWithTrigger(own, name)), false, 503),
			new Side(
				other,
				await listen(async (name) => await listenWithWebhook(other, name, 'headerAuth')),
				true,
				403,
			),
		] as const;
		onProgress('waiting until n8n has freed what its start took');
		await sleep(SETTLING_MS);
		onProgress(`${load.name}, ${load.perSecond} a second, for ${load.seconds} s`);
		return await compare(load, sides);
	} finally {
		for (const n8n of started) await n8n.end();
	}
}

async function compare(load: Load, [own, other]: readonly [Side, Side]): Promise<Row[]> {
	const sides = [own, other];
	const count = Math.round(load.perSecond * load.seconds);
	const plan = planDeliveries(count);
	const events = newEvents(count, BODY_BYTES);
	const clients = sides.map((side) => openSlowClients(side, load.slowClients ?? 0));
	for (const side of sides) side.watch();
	const start = Date.now();
	try {
		await pace({ count, perSecond: load.perSecond, atOnce: AT_ONCE }, async (index) => {
			const number = load.isForged ? index : plan[index]!;
			const event = events[number]!;
			await Promise.all(
				sides.map(async (side) =>
					load.isForged ? await side.forge(event, number) : await side.deliver(event, number),
				),
			);
		});
	} finally {
		for (const side of sides) side.stopWatching();
		for (const each of clients) each.stop();
	}
	const took = (Date.now() - start) / 1000;
	for (const side of sides) await side.finish(load.isForged ? [] : plan);
	return toRows(own, other, `${load.name}, ${count} in ${took.toFixed(0)} s`);
}

function openSlowClients({ n8n, listeners }: Side, count: number): SlowClients {
	const [event] = newEvents(1, BODY_BYTES);
	const { headers, body } = sign(event!, Date.now(), FORGED_SECRET);
	const request = { headers: { ...headers, [HEADER_AUTH.name]: FORGED_SECRET }, body };
	const clients = new SlowClients(n8n.getUrl(listeners[0]!), request);
	clients.start(count);
	return clients;
}

function toRows(own: Side, other: Side, measured: string): Row[] {
	const [ours, theirs] = [own, other].map(({ samples }) =>
		cutIntoSlices(samples, SLICES).slice(1),
	) as [Slice[], Slice[]];
	const cost = (slices: readonly Slice[]) => slices.map(({ processorMs }) => processorMs);
	const describe = (slices: readonly Slice[]) =>
		`${spread(cost(slices), 1, ' ms')} of processor time each`;
	const peak = ({ samples }: Side) => Math.max(...samples.map(({ memory }) => memory));
	const memory = (side: Side, slices: readonly Slice[]) => {
		const [before, second, last, most] = [
			side.samples[0]!.memory,
			slices[0]!.memory,
			slices.at(-1)!.memory,
			peak(side),
		].map((bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`);
		return `${most} at the peak, ${before} before, ${second} in the second tenth, ${last} in the last`;
	};
	const webhook = "n8n's Webhook node with Header Auth";
	return [
		{
			measured: `processor time: ${measured}`,
			ours: describe(ours),
			compared: `${webhook}: ${describe(theirs)}`,
			ratio: spread(ratios(cost(ours), cost(theirs))),
		},
		{
			measured: `memory: ${measured}`,
			ours: memory(own, ours),
			compared: `${webhook}: ${memory(other, theirs)}`,
			ratio: (peak(own) / peak(other)).toFixed(2),
		},
	];
}

/**
 * Begins `count` requests at a steady pace, and waits for all of them. If the machine is too busy to
 * keep up, the pace slows down: no more than `atOnce` are under way.
 *
 * @throws what the first one throws that fails; it begins no more then
 */
async function pace(
	{ count, perSecond, atOnce }: { count: number; perSecond: number; atOnce: number },
	send: (index: number) => Promise<void>,
): Promise<void> {
	const limit = pLimit(atOnce);
	const start = Date.now();
	const begun: Array<Promise<void>> = [];
	const failures: unknown[] = [];
	const sendNext = async (index: number) => {
		if (failures.length > 0) return;
		await send(index).catch((error: unknown) => void failures.push(error));
	};
	for (let index = 0; index < count && failures.length === 0; index += 1) {
		await sleep(Math.max(0, start + (1000 * index) / perSecond - Date.now()));
		begun.push(limit(sendNext, index));
	}
	await Promise.all(begun);
	if (failures.length > 0) throw failures[0];
}

/** Of ten deliveries, these are copies. */
const COPIES = new Set([2, 5, 8]);

/** How many deliveries later a copy comes: services wait before they send again. What is copied is no copy. */
const LAG = 201;

/**
 * Which event each of a series of deliveries brings: 30 % are copies of an earlier one.
 * @returns numbers of events, in the order of the deliveries
 */
function planDeliveries(count: number): number[] {
	const plan: number[] = [];
	let next = 0;
	for (let index = 0; index < count; index += 1) {
		const isCopy = COPIES.has(index % 10);
		plan.push(isCopy ? plan[Math.max(0, index - LAG)]! : next);
		if (!isCopy) next += 1;
	}
	return plan;
}
