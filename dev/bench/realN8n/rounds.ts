import { spread } from '../report';
import type { BenchN8n, Listener } from './benchN8n';
import { flood } from './flood';
import { FORGED_SECRET, newEvents, SECRET, sign, type Event } from './signedRequest';

const CONCURRENCY = 8;
const BODY_BYTES = 1_000;

export interface Round {
	readonly perSecond: number;
	/**
	 * Time of n8n's process for each delivery, in milliseconds; undefined where the system does not
	 * report it.
	 */
	readonly processorMs: number | undefined;
}

/** Milliseconds from one delivery to the next, in each round. */
export const getTimes = (rounds: readonly Round[]): number[] =>
	rounds.map(({ perSecond }) => 1000 / perSecond);

function describeProcessor(rounds: readonly Round[]): string {
	const milliseconds = rounds.flatMap(({ processorMs }) => processorMs ?? []);
	if (milliseconds.length === 0) return '';
	return `, ${spread(milliseconds, 0, ' ms')} of processor time each`;
}

/** `4.0 per second (3.9 to 4.1), 250 ms (240 to 260) of processor time each` */
export function describeSpeed(rounds: readonly Round[]): string {
	const perSecond = rounds.map((round) => round.perSecond);
	return `${spread(perSecond, 1, ' per second')}${describeProcessor(rounds)}`;
}

type Host = Pick<BenchN8n, 'getUrl' | 'finishedToBe' | 'processorTime'>;

/** Sends rounds of deliveries to one n8n, and checks that each has started what it should. */
export class Rounds {
	private readonly expected = new Map<Listener, number>();
	private readonly taken = new Map<Listener, Event[]>();

	constructor(private readonly n8n: Host) {}

	/** New deliveries, from the first request to the end of the last execution. */
	async newOnes(listener: Listener, count: number): Promise<Round> {
		const events = newEvents(count, BODY_BYTES);
		const round = await this.measure(count, async () => {
			await this.send(listener, events);
			const total = (this.expected.get(listener) ?? 0) + count;
			this.expected.set(listener, total);
			return (await this.n8n.finishedToBe(listener, total)).lastEnd;
		});
		this.taken.set(listener, events);
		return round;
	}

	/** Copies of what the last round of new ones brought; they are accepted, and start nothing. */
	async copies(listener: Listener, count: number): Promise<Round> {
		const taken = this.taken.get(listener) ?? [];
		const copies = Array.from({ length: count }, (_, index) => taken[index % taken.length]!);
		return await this.startingNothing(
			listener,
			count,
			async () => await this.send(listener, copies),
		);
	}

	/** Well-formed deliveries, signed with another secret; they are refused and start nothing. */
	async forgeries(listener: Listener, count: number): Promise<Round> {
		const events = newEvents(count, BODY_BYTES);
		return await this.startingNothing(
			listener,
			count,
			async () => await this.send(listener, events, 503, FORGED_SECRET),
		);
	}

	private async startingNothing(
		listener: Listener,
		count: number,
		sendAll: () => Promise<void>,
	): Promise<Round> {
		const round = await this.measure(count, async () => {
			await sendAll();
			return Date.now();
		});
		await this.n8n.finishedToBe(listener, this.expected.get(listener) ?? 0);
		return round;
	}

	private async send(listener: Listener, events: readonly Event[], status = 200, secret = SECRET) {
		const now = Date.now();
		const requests = events.map((event) => (listener.sign ?? sign)(event, now, secret));
		await flood(this.n8n.getUrl(listener), requests, CONCURRENCY, status);
	}

	/** @param work returns the time at which all was done, in epoch ms */
	private async measure(count: number, work: () => Promise<number>): Promise<Round> {
		const timeBefore = this.n8n.processorTime();
		const start = Date.now();
		const end = await work();
		const timeAfter = this.n8n.processorTime();
		const isKnown = timeBefore !== undefined && timeAfter !== undefined;
		return {
			perSecond: (1000 * count) / (end - start),
			processorMs: isKnown ? (timeAfter - timeBefore) / count : undefined,
		};
	}
}
