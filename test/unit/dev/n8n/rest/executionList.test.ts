import {
	PART_SIZE,
	readAllExecutions,
	type Range,
} from '../../../../../dev/n8n/rest/executionList';

interface Execution {
	id: string;
	startedAt: number;
}

/** As n8n answers: cut by id, sorted by start, at most a part. */
function listing(executions: readonly Execution[]) {
	return async ({ firstId = -Infinity, lastId = Infinity }: Range): Promise<Execution[]> =>
		await Promise.resolve(
			executions
				.filter(({ id }) => Number(id) > firstId && Number(id) < lastId)
				.sort((one, other) => other.startedAt - one.startedAt)
				.slice(0, PART_SIZE),
		);
}

const numbered = (count: number, startedAt: (id: number) => number): Execution[] =>
	Array.from({ length: count }, (_value, index) => index + 1).map((id) => ({
		id: String(id),
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

test('executions that began in another order than they were created are each given once', async () => {
	// Of fifty at a time, the last one created begins first.
	const executions = numbered(730, (id) => Math.floor(id / 50) * 50 + (50 - (id % 50)));
	const found = await readAllExecutions(listing(executions));
	expect(found.map(({ id }) => id)).toEqual(newestFirst(executions));
});

test('gaps between the ids, of other workflows, hide nothing', async () => {
	const executions = numbered(450, (id) => id).map((each) => ({
		...each,
		id: String(Number(each.id) * 7),
	}));
	const found = await readAllExecutions(listing(executions));
	expect(found.map(({ id }) => id)).toEqual(newestFirst(executions));
});
