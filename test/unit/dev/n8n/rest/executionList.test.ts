import { PART_SIZE, readAllExecutions, type Part } from '../../../../../dev/n8n/rest/executionList';

interface Execution {
	id: string;
	status: string;
	startedAt: number;
}

/** As n8n responds: cut by id, sorted by start, at most a part; those under way come first. */
function listing(executions: readonly Execution[]) {
	const ended = executions.filter(({ status }) => status !== 'running');
	const underWay = executions.filter(({ status }) => status === 'running');
	return async (beforeId = Infinity): Promise<Part<Execution>> => {
		const part = ended
			.filter(({ id }) => Number(id) < beforeId)
			.sort((one, other) => other.startedAt - one.startedAt)
			.slice(0, PART_SIZE);
		const results = beforeId === Infinity ? [...underWay, ...part] : part;
		return await Promise.resolve({ results, count: ended.length });
	};
}

const numbered = (count: number, startedAt: (id: number) => number): Execution[] =>
	Array.from({ length: count }, (_value, index) => index + 1).map((id) => ({
		id: String(id),
		status: 'success',
		startedAt: startedAt(id),
	}));

const newestFirst = (executions: readonly Execution[]) =>
	executions.map(({ id }) => id).sort((one, other) => Number(other) - Number(one));

test.each([0, 1, 2, PART_SIZE - 1, PART_SIZE, PART_SIZE + 1, 3 * PART_SIZE, 1234])(
	'%s executions that began one after the other are each given once, newest first',
	async (count) => {
		const executions = numbered(count, (id) => id);
		const found = await readAllExecutions(listing(executions));
		expect(found.map(({ id }) => id)).toEqual(newestFirst(executions));
	},
);

test('those under way are no substitute for those that have ended', async () => {
	const executions = numbered(260, (id) => id).map((each, index) => ({
		...each,
		status: index % 3 === 0 ? 'running' : 'success',
	}));
	const found = await readAllExecutions(listing(executions));
	expect(found.map(({ id }) => id)).toEqual(newestFirst(executions));
});

test('a list that stays shorter than what n8n counts is an error, and does not count as whole', async () => {
	const list = listing(numbered(30, (id) => id));
	const readPart = async (beforeId?: number) => ({ ...(await list(beforeId)), count: 31 });
	await expect(readAllExecutions(readPart)).rejects.toThrow(
		'n8n counts more executions than the 30 that it lists',
	);
});
