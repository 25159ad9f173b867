import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectGarbage } from '../measure/collectGarbage';
import { getMany, prepareEngine } from '../getMany';
import { PageServer } from '../pageServer';
import { spread } from '../report';
import { summarize } from '../measure/statistics';
import type { Suite } from '../suite';

const ROWS = 50_000;
const NANOSECONDS_PER_MS = 1e6;

/**
 * How long Return All over a long list holds up n8n, which serves webhooks and the editor in the same
 * thread. Only this node's own part is measured: what n8n does with its items comes after it.
 */
export const stops: Suite = async ({ runs, items = ROWS, onProgress }) => {
	const cleanUp = await prepareEngine();
	const server = await PageServer.start();
	try {
		const longest: number[] = [];
		const processorTimes: number[] = [];
		await server.serve({ rows: items, latencyMs: 1, insertEvery: 0 });
		// One more than is counted: the first warms up.
		for (let run = 0; run <= runs; run += 1) {
			onProgress(`run ${run} of ${runs}`);
			collectGarbage();
			const delay = monitorEventLoopDelay({ resolution: 5 });
			let cpu = 0;
			const ids = await getMany('sideBySide', server.url, async (runNode) => {
				const before = process.cpuUsage();
				delay.enable();
				const output = await runNode();
				// A last stop shows only in a turn after it.
				await new Promise((resolve) => setTimeout(resolve, 20));
				delay.disable();
				const { user, system } = process.cpuUsage(before);
				cpu = (user + system) / 1000;
				return output;
			});
			if (ids.length !== items) throw new Error(`${ids.length} rows instead of ${items}`);
			if (run === 0) continue;
			longest.push(delay.max / NANOSECONDS_PER_MS);
			processorTimes.push(cpu);
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
				measured: `the same: processor time`,
				ours: spread(summarize(processorTimes), 0, ' ms'),
				compared: '',
				ratio: '',
				limitedBy: "Parsing the pages, and n8n's request helper.",
			},
		];
	} finally {
		server.stop();
		cleanUp();
	}
};
