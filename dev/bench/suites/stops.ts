import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectGarbage } from '../measure/collectGarbage';
import { getMany, prepareEngine } from '../getMany';
import { PageServer } from '../pageServer';
import { spread } from '../report';
import { summarize } from '../measure/statistics';
import type { Suite } from '../suite';

const ROWS = 50_000;
const NANOSECONDS_PER_MS = 1e6;

function processorTime(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** The most processor time of one turn of the event loop, which other processes do not lengthen. */
class LongestTurn {
	longest = 0;
	private last = processorTime();
	private isOver = false;

	constructor() {
		this.next();
	}

	private next(): void {
		const now = processorTime();
		this.longest = Math.max(this.longest, now - this.last);
		this.last = now;
		if (!this.isOver) setImmediate(() => this.next());
	}

	/** A last stop shows only in a turn after it. */
	async end(): Promise<number> {
		await new Promise((resolve) => setTimeout(resolve, 20));
		this.isOver = true;
		return this.longest;
	}
}

/**
 * How long Return All over a long list holds up n8n, which serves webhooks and the editor in the same
 * thread. Only this node's own part is measured: what n8n does with its items comes after it.
 */
export const stops: Suite = async ({ runs, items = ROWS, onProgress }) => {
	const cleanUp = await prepareEngine();
	const server = await PageServer.start();
	try {
		const longest: number[] = [];
		const longestTurns: number[] = [];
		await server.serve({ rows: items, latencyMs: 1, insertEvery: 0 });
		// One more than is counted: the first warms up.
		for (let run = 0; run <= runs; run += 1) {
			onProgress(`run ${run} of ${runs}`);
			collectGarbage();
			const delay = monitorEventLoopDelay({ resolution: 5 });
			let longestTurn = 0;
			const ids = await getMany('sideBySide', server.url, async (runNode) => {
				const turns = new LongestTurn();
				delay.enable();
				const output = await runNode();
				longestTurn = await turns.end();
				delay.disable();
				return output;
			});
			if (ids.length !== items) throw new Error(`${ids.length} rows instead of ${items}`);
			if (run === 0) continue;
			longest.push(delay.max / NANOSECONDS_PER_MS);
			longestTurns.push(longestTurn);
		}
		return [
			{
				measured: `Get Many, Return All, ${items.toLocaleString('en')} rows: longest stop of the event loop`,
				ours: spread(summarize(longest), 0, ' ms'),
				compared: 'the aim: 100 ms',
				ratio: `${spread(summarize(longest.map((ms) => ms / 100)))} of the aim`,
				limitedBy: 'Parsing a page, and garbage collection.',
			},
			{
				measured: 'the same, in processor time of one turn',
				ours: spread(summarize(longestTurns), 0, ' ms'),
				compared: 'the aim: 100 ms',
				ratio: `${spread(summarize(longestTurns.map((ms) => ms / 100)))} of the aim`,
				limitedBy: 'Garbage collection, also that of its other threads.',
			},
		];
	} finally {
		server.stop();
		cleanUp();
	}
};
