/** The fields of an execution that determine its place in a list. */
export interface Listed {
	id: string;
	status: string;
}

export interface Part<T> {
	results: T[];
	/** How many there are in all, without those that have not ended. */
	count: number;
}

/** n8n returns no more at once, even if more are requested. */
export const PART_SIZE = 100;

const UNDER_WAY: ReadonlySet<string> = new Set(['new', 'running']);

/**
 * All executions of a list, newest id first.
 *
 * n8n sorts a part by when the executions started, and cuts the list by their ids. Of executions
 * that ran at the same time, parts that only just meet would leave out some. So parts overlap, the
 * more the longer the number that n8n counts is not reached.
 *
 * @param readPart returns at most `PART_SIZE` executions with a lower id, the last started first;
 * the first part also has those under way
 * @throws Error where n8n never returns as many as it counts
 */
export async function readAllExecutions<T extends Listed>(
	readPart: (beforeId?: number) => Promise<Part<T>>,
): Promise<T[]> {
	const found = new Map<number, T>();
	const read = async (beforeId?: number) => {
		const { results, count } = await readPart(beforeId);
		for (const execution of results) found.set(Number(execution.id), execution);
		const ended = [...found.values()].filter(({ status }) => !UNDER_WAY.has(status)).length;
		return { ids: results.map(({ id }) => Number(id)), isWhole: ended >= count };
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
