import { spread, type Row } from '../report';
import { ratios, summarize } from '../measure/statistics';
import { leastTime } from './best';
import type { Cost } from './benchEnvironment';

/**
 * - `byDefault`, `atBest`: this package as it is, and with the Max Concurrency that proved fastest
 * - `floor`, `floorAtBest`: a pool with as many connections
 */
export type Name = 'byDefault' | 'atBest' | 'httpRequest' | 'oneByOne' | 'floor' | 'floorAtBest';

export type Samples = Record<Name, number[]>;

/** What was measured. */
interface Subject {
	readonly items: number;
	/** How many of them the loop was given; its time is scaled up to all. */
	readonly loopItems: number;
	readonly latencyMs: number;
	/** How many at a time. */
	readonly byDefault: number;
	readonly best: number;
}

/** The lines of the report for one latency. */
export function toRows(
	subject: Subject,
	milliseconds: Samples,
	costs: Readonly<Record<Name, readonly Cost[]>>,
): Row[] {
	const { items, loopItems, latencyMs, best, byDefault } = subject;
	const time = (name: Name) => spread(summarize(milliseconds[name]), 0, ' ms');
	const times = (other: Name, own: Name) => spread(ratios(milliseconds[other], milliseconds[own]));
	const what = `${items.toLocaleString('en')} withdrawals, ${latencyMs} ms away`;
	const row = (own: 'byDefault' | 'atBest', other: Name, name: string, ratio: string): Row => ({
		measured: `${what}, ${own === 'byDefault' ? `default (${byDefault} at a time)` : `best (${best} at a time)`}`,
		ours: time(own),
		compared: `${name}: ${time(other)}`,
		ratio,
		limitedBy: describeLimit(
			costs[own],
			leastTime(items, own === 'byDefault' ? byDefault : best, latencyMs),
		),
	});
	const faster = (own: 'byDefault' | 'atBest', other: Name, name: string) =>
		row(own, other, name, `${times(other, own)} times as fast`);
	const longer = (own: 'byDefault' | 'atBest', other: Name, name: string) =>
		row(own, other, name, `${times(own, other)} of the floor's time`);
	const loop =
		loopItems === items
			? 'one await for each item'
			: `one await for each item (${loopItems} paid, the time for all in proportion)`;
	return [
		faster('byDefault', 'oneByOne', loop),
		longer('byDefault', 'floor', 'an undici pool of as many connections'),
		longer('atBest', 'floorAtBest', 'an undici pool of as many connections'),
		faster('atBest', 'httpRequest', "n8n's HTTP Request node, all at once"),
		...processorRows(what, costs),
	];
}

/** @param leastMs what the latency alone takes */
function describeLimit(costs: readonly Cost[], leastMs: number): string {
	const percent = (shares: readonly number[]) => `${(100 * summarize(shares).median).toFixed(0)} %`;
	const waiting = percent(costs.map(({ milliseconds }) => leastMs / milliseconds));
	const service = percent(costs.map(({ serviceShare }) => serviceShare));
	return `The latency alone makes ${waiting} of it; the rest is n8n's one thread. The emulated service computed for ${service} of the time.`;
}

/** What n8n computes for a payout, whichever node sends it. */
function processorRows(what: string, costs: Readonly<Record<Name, readonly Cost[]>>): Row[] {
	const samples = (name: Name) =>
		costs[name].flatMap(({ processorMs }) => (processorMs === undefined ? [] : [processorMs]));
	const [own, http, loop] = [samples('byDefault'), samples('httpRequest'), samples('oneByOne')];
	if (own.length === 0) return [];
	const text = (values: readonly number[]) => spread(summarize(values), 2, ' ms');
	return [
		{
			measured: `n8n's processor time for a payout, ${what}`,
			ours: text(own),
			compared: `HTTP Request: ${text(http)}; one await for each item: ${text(loop)}`,
			ratio: `${spread(ratios(own, http))} of HTTP Request`,
			limitedBy:
				'n8n evaluates each expression in an isolated VM (three here, two of HTTP Request, four of the loop), and opens a connection for each request; `payoutProfile` has the parts. What n8n does before and after the node is in all three.',
		},
	];
}
