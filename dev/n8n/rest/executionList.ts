/** Executions with an id above `firstId` and below `lastId`. */
export interface Range {
	firstId?: number;
	lastId?: number;
}

/** n8n gives no more at once, whatever it is asked for. */
export const PART_SIZE = 100;

/**
 * All executions of a list, newest id first.
 *
 * n8n sorts a part by when the executions started, and cuts the list by their ids. Of executions that
 * ran side by side, parts read one after the other would therefore repeat some and leave out others.
 * A range of ids no wider than a part holds all that lie in it.
 *
 * @param readPart gives at most `PART_SIZE` executions, the last started first
 */
export async function readAllExecutions<T extends { id: string }>(
	readPart: (range: Range) => Promise<T[]>,
): Promise<T[]> {
	const found = new Map<number, T>();
	const read = async (range: Range): Promise<void> => {
		for (const execution of await readPart(range)) found.set(Number(execution.id), execution);
	};
	await read({});
	if (found.size >= PART_SIZE) {
		const newestSeen = Math.max(...found.keys());
		await read({ firstId: newestSeen });
		for (let lastId = newestSeen + 1; lastId > 1; lastId -= PART_SIZE) {
			await read({ firstId: lastId - PART_SIZE - 1, lastId });
		}
	}
	return [...found].sort(([one], [other]) => other - one).map(([, execution]) => execution);
}
