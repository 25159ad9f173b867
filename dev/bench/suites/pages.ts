import { brlPayments } from '../../n8n/rest/workflow';
import { alternate } from '../alternate';
import { BenchN8n, type Listening } from '../benchN8n';
import { spread, timesAsFast, type Row, type Suite } from '../report';
import { Service } from '../service';

const ROWS = 10_000;
const MOST_ON_A_PAGE = 100;
const READ = 'Read';

const VARIANTS = [
	{ name: '50 ms away', latencyMs: 50 },
	{ name: '50 ms away, new ones coming in', latencyMs: 50, insertEvery: 7 },
];

/** Reading a long list: time compared with reading it page by page. */
export const pages: Suite = async ({ runs, items = ROWS, onProgress }) =>
	await Service.use(async (service) =>
		BenchN8n.use(onProgress, service.credential, async (n8n) => {
			const parameters = { returnAll: true, options: {} };
			const workflow = await n8n.publish(brlPayments(READ, 'payment', 'getAll', parameters));
			const rows: Row[] = [];
			for (const { name, ...beginning } of VARIANTS) {
				const measure = (read: () => Promise<Reading>) => async () => {
					const present = await service.begin({ ...beginning, rows: items });
					const { milliseconds, ids } = await read();
					expectEachOnce(ids, present);
					return milliseconds;
				};
				const { getMany, oneByOne } = await alternate(
					{
						getMany: measure(async () => await readByNode(n8n, workflow)),
						oneByOne: measure(async () => await readOneByOne(service)),
					},
					runs,
					(text) => onProgress(`${name}, ${text}`),
				);
				rows.push({
					measured: `Get Many, Return All, ${items.toLocaleString('en')} rows, ${name}`,
					ours: spread(getMany, 0, ' ms'),
					compared: `one page after the other, by fetch: ${spread(oneByOne, 0, ' ms')}`,
					ratio: timesAsFast(getMany, oneByOne),
				});
			}
			return rows;
		}),
	);

interface Reading {
	readonly milliseconds: number;
	readonly ids: readonly unknown[];
}

async function readByNode(n8n: BenchN8n, workflow: Listening): Promise<Reading> {
	const { milliseconds, output } = await n8n.run(workflow, READ, [{}]);
	return { milliseconds, ids: output.map(({ json }) => json.id) };
}

/** One page after the other, without n8n or anything else around it. */
async function readOneByOne({ address: { url, apiKey } }: Service): Promise<Reading> {
	const start = performance.now();
	const headers = { authorization: `Bearer ${apiKey}` };
	const ids = new Set<string>();
	for (let page = 1, count = 1; page <= count; page += 1) {
		const path = `/v1/payments?page=${page}&limit=${MOST_ON_A_PAGE}`;
		const { payments, pagination } = (await (await fetch(url + path, { headers })).json()) as {
			payments: Array<{ id: string }>;
			pagination: { totalPages: number };
		};
		for (const { id } of payments) ids.add(id);
		count = pagination.totalPages;
	}
	return { milliseconds: performance.now() - start, ids: [...ids] };
}

/** Every row that was there at the beginning, in the order of the list, newest first; new ones may be. */
function expectEachOnce(ids: readonly unknown[], present: readonly string[]): void {
	const isPresent = new Set<unknown>(present);
	const old = ids.filter((id) => isPresent.has(id));
	const inOrder = old.every((id, index) => id === present[index]);
	if (old.length !== present.length || !inOrder) {
		throw new Error('Rows are missing, doubled or out of order');
	}
	if (new Set(ids).size !== ids.length) throw new Error('A new row came out twice');
}
