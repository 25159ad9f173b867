import { createPoller, withPageServer } from '../getMany';
import { alternate } from '../measure/alternate';
import { ownProcessorMs } from '../measure/processes';
import { spread, type Suite } from '../report';

const ROWS = 5_000;
const ROWS_OF_A_PAGE = 100;
/** How long after its creation a row of the page server is paid. */
const PAID_AFTER_MS = 60_000;
/** See `MAX_PAGES` of the trigger: the first page is read each time, then what is left over. */
const NEW_PAGES_OF_A_POLL = 19;

/** Processor time of polling a long list, of which nothing is news. */
export const polling: Suite = async ({ runs, items = ROWS, onProgress }) =>
	await withPageServer(async (server) => {
		// Each row is paid before polling begins: otherwise it would be news.
		const oldestAt = Date.now() - items * 1_000 - PAID_AFTER_MS;
		const list = { rows: items, latencyMs: 0, oldestAt };
		await server.serve({ ...list, insertEvery: 0 });
		const polls = Math.max(1, Math.ceil((items / ROWS_OF_A_PAGE - 1) / NEW_PAGES_OF_A_POLL));
		const known = createPoller(server.url);
		const readAll = async () => {
			const before = ownProcessorMs();
			for (let count = 0; count < polls; count += 1) {
				const found = await known();
				if (found > 0) throw new Error(`${found} known events were taken for news`);
			}
			return ownProcessorMs() - before;
		};
		const samples = await alternate({ again: readAll }, runs, onProgress);
		// What finds nothing would be fast.
		await server.serve({ ...list, insertEvery: 1 });
		if ((await known()) === 0) throw new Error('A new payment was not found');
		return [
			{
				measured: `processor time to poll ${items.toLocaleString('en')} rows, all known (${polls} polls)`,
				ours: spread(samples.again, 0, ' ms'),
				compared: 'the aim: 1 s',
			},
		];
	});
