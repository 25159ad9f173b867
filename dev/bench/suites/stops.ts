import { getMany, sideBySide, withPageServer } from '../getMany';
import { collectGarbage, ownProcessorMs } from '../measure/processes';
import { spread, type Suite } from '../report';

const ROWS = 50_000;

/** The most processor time of one turn of the event loop, which other processes do not lengthen. */
class LongestTurn {
	private longest = 0;
	private last = ownProcessorMs();
	private isOver = false;

	constructor() {
		this.next();
	}

	private next(): void {
		const now = ownProcessorMs();
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
export const stops: Suite = async ({ runs, items = ROWS, onProgress }) =>
	await withPageServer(async (server) => {
		const longest: number[] = [];
		await server.serve({ rows: items, latencyMs: 1, insertEvery: 0 });
		// One more than is counted: the first warms up.
		for (let run = 0; run <= runs; run += 1) {
			onProgress(`run ${run} of ${runs}`);
			collectGarbage();
			const ids = await getMany(server.url, async function () {
				const turns = new LongestTurn();
				const output = await sideBySide.call(this);
				longest.push(await turns.end());
				return output;
			});
			if (ids.length !== items) throw new Error(`${ids.length} rows instead of ${items}`);
		}
		const counted = longest.slice(1);
		return [
			{
				measured: `Get Many, Return All, ${items.toLocaleString('en')} rows: most processor time of one turn of the event loop`,
				ours: spread(counted, 0, ' ms'),
				compared: 'the aim: 100 ms',
				ratio: `${spread(counted.map((ms) => ms / 100))} of the aim`,
			},
		];
	});
