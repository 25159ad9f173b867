import type { ExecutionSummary, N8nClient } from './rest';

interface Part {
	results: ExecutionSummary[];
	/** How many there are in all, without those that have not ended. */
	count: number;
	/** Only n8n 2.41 and later paginate by it. */
	nextCursor?: unknown;
}

/** n8n returns no more at once, even if more are requested. */
const PART_SIZE = 100;

const UNDER_WAY: ReadonlySet<string> = new Set(['new', 'running']);

/**
 * Executions with a lower id. n8n 2.41 and later take a cursor instead of the id, of which only the
 * id counts: it still sorts by time.
 */
function cutAt(beforeId: number, hasCursor: boolean): string {
	if (!hasCursor) return `lastId=${beforeId}`;
	const position = { id: String(beforeId), timestamp: new Date(0).toISOString() };
	const cursor = JSON.stringify({ version: 1, v1: position });
	return `cursor=${Buffer.from(cursor).toString('base64url')}`;
}

/**
 * All executions of a workflow, newest id first.
 *
 * n8n sorts a part by when the executions started, and cuts the list by their ids. Of executions
 * that ran at the same time, parts that only just meet would leave out some. So parts overlap, the
 * more the longer the number that n8n counts is not reached. The first part also has those under way.
 *
 * @throws Error where n8n never returns as many as it counts
 */
export async function readAllExecutions(
	client: N8nClient,
	workflowId: string,
): Promise<ExecutionSummary[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const path = `/rest/executions?filter=${filter}&limit=${PART_SIZE}`;
	const found = new Map<number, ExecutionSummary>();
	let hasCursor = false;
	const read = async (beforeId?: number) => {
		const cut = beforeId === undefined ? '' : `&${cutAt(beforeId, hasCursor)}`;
		const part = await client.request<Part>('GET', path + cut);
		hasCursor = 'nextCursor' in part;
		for (const execution of part.results) found.set(Number(execution.id), execution);
		const ended = [...found.values()].filter(({ status }) => !UNDER_WAY.has(status)).length;
		return { ids: part.results.map(({ id }) => Number(id)), isWhole: ended >= part.count };
	};
	for (let advance = PART_SIZE / 2; advance >= 1; advance = Math.floor(advance / 2)) {
		let part = await read();
		for (let cut = Infinity; !part.isWhole; part = await read(cut)) {
			const next = rank(part.ids, advance);
			if (next === undefined || next >= cut) break;
			cut = next;
		}
		if (part.isWhole) {
			return [...found].sort(([one], [other]) => other - one).map(([, execution]) => execution);
		}
	}
	throw new Error(`n8n counts more executions than the ${found.size} that it lists.`);
}

/** The id at this place of the highest ones, or the lowest where there are fewer. */
function rank(ids: readonly number[], place: number): number | undefined {
	const highestFirst = [...ids].sort((one, other) => other - one);
	return highestFirst[Math.min(place, ids.length) - 1];
}
