import { ratios, summarize } from '../measure/statistics';
import { spread, timesAsFast, type Row } from '../report';
import { leastTime } from './best';
import type { Cost } from './benchEnvironment';

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

export function toRows(
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
