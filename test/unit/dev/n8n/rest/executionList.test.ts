import { chunk } from 'lodash';
import { PART_SIZE, readAllExecutions, type Part } from '../../../../../dev/n8n/rest/executionList';

interface Execution {
	id: string;
	status: string;
}

/** In the order in which they began, which is that of their ids. */
const numbered = (count: number, isRunning: (id: number) => boolean = () => false): Execution[] =>
	Array.from({ length: count }, (_value, index) => ({
		id: String(index + 1),
		status: isRunning(index) ? 'running' : 'success',
	}));

/** As n8n responds: cut by id, the last started first, at most a part; those under way come first. */
function listing(executions: readonly Execution[]) {
	const lastFirst = executions.toReversed();
	const ended = lastFirst.filter(({ status }) => status !== 'running');
	const underWay = lastFirst.filter(({ status }) => status === 'running');
	return async (beforeId = Infinity): Promise<Part<Execution>> => {
		const part = ended.filter(({ id }) => Number(id) < beforeId).slice(0, PART_SIZE);
		return { results: beforeId === Infinity ? [...underWay, ...part] : part, count: ended.length };
	};
}

test.each([
	...[0, 1, 2, PART_SIZE - 1, PART_SIZE, PART_SIZE + 1, 3 * PART_SIZE, 1234].map((count) => [
		`${count}`,
		numbered(count),
	]),
	['260, of which some are under way', numbered(260, (index) => index % 3 === 0)],
	[
		'300, of which each 80 began in reverse',
		chunk(numbered(300), 80).flatMap((each) => each.reverse()),
	],
] as Array<[string, Execution[]]>)(
	'%s are each given once, newest first',
	async (_, executions) => {
		const found = await readAllExecutions(listing(executions));
		const ids = executions.map(({ id }) => Number(id)).sort((one, other) => other - one);
		expect(found.map(({ id }) => Number(id))).toEqual(ids);
	},
);

test('a list that stays shorter than what n8n counts is an error, and does not count as whole', async () => {
	const list = listing(numbered(30));
	const readPart = async (beforeId?: number) => ({ ...(await list(beforeId)), count: 31 });
	await expect(readAllExecutions(readPart)).rejects.toThrow(
		'n8n counts more executions than the 30 that it lists',
	);
});
