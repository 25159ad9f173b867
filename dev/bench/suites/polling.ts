import { alternate } from '../measure/alternate';
import { prepareEngine } from '../getMany';
import { PageServer } from '../pageServer';
import type { Suite } from '../suite';
import { createPoller, type Poller } from '../poller';
import { spread } from '../report';
import { summarize } from '../measure/statistics';

const ROWS = 5_000;
const ROWS_OF_A_PAGE = 100;
/** How long after its creation a row of the page server is paid. */
const PAID_AFTER_MS = 60_000;
/** See `MAX_PAGES` of the trigger: the first page is read each time, then what is left over. */
const NEW_PAGES_OF_A_POLL = 19;

/** Processor time of polling a long list, of which nothing is news. */
export const polling: Suite = async ({ runs, items = ROWS, onProgress }) => {
	const cleanUp = await prepareEngine();
	const server = await PageServer.start();
	try {
		// Each row is paid before polling begins: otherwise it would be news.
		const oldestAt = Date.now() - items * 1_000 - PAID_AFTER_MS;
		const list = { rows: items, latencyMs: 0, oldestAt };
		await server.serve({ ...list, insertEvery: 0 });
		const polls = Math.max(1, Math.ceil((items / ROWS_OF_A_PAGE - 1) / NEW_PAGES_OF_A_POLL));
		const known = createPoller(server.url);
		const readAll = async (poller: Poller) => {
			const before = process.cpuUsage();
			for (let count = 0; count < polls; count += 1) {
				const found = await poller.poll();
				if (found > 0) throw new Error(`${found} known events were taken for news`);
			}
			const { user, system } = process.cpuUsage(before);
			return (user + system) / 1000;
		};
		const samples = await alternate(
			{
				first: async () => await readAll(createPoller(server.url)),
				again: async () => await readAll(known),
			},
			runs,
			(name, run) => onProgress(`${name}, run ${run} of ${runs}`),
		);
		// What finds nothing would be fast.
		await server.serve({ ...list, insertEvery: 1 });
		if ((await known.poll()) === 0) throw new Error('A new payment was not found');
		return [
			{
				measured: `processor time to poll ${items.toLocaleString('en')} rows, all known (${polls} polls)`,
				ours: spread(summarize(samples.again), 0, ' ms'),
				compared: `when polling begins: ${spread(summarize(samples.first), 0, ' ms')}`,
				ratio: '',
				limitedBy: "Parsing the pages, and n8n's request helper.",
			},
		];
	} finally {
		server.stop();
		cleanUp();
	}
};
