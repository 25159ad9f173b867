import { readScreen, shownAsPaid } from '../../../../../dev/chaos/people/screen';
import type { ItemGroup, RunSummary } from '../../../../../nodes/BrlPayments/execution/runSummary';
import type { Execution, Item, NodeRun } from '../../../../../dev/n8n/rest/executionData';

const IDS = ['one', 'two', 'three'];
const items = (ids: readonly string[]): Item[] =>
	ids.map((id) => ({ json: { id, pixKey: 'supplier@example.com', amount: 100 } }));
const paid = (item: number): Item => ({ json: { id: `withdrawal-${item}` }, pairedItem: { item } });
const failed = (item: number, error: object): Item => ({
	json: { error: error as never },
	pairedItem: { item },
});

const source: NodeRun['source'] = [{ previousNode: 'Items' }];
const execution = (...pay: NodeRun[]): Execution => ({
	id: '1',
	workflowId: 'w',
	status: 'success',
	mode: 'manual',
	data: { resultData: { runData: { Items: [{ data: { main: [items(IDS)] } }], Pay: pay } } },
});
const read = (...pay: NodeRun[]) => readScreen(execution(...pay));
const shown = (...pay: NodeRun[]) => [...shownAsPaid(read(...pay))];
const output = (...outputs: Item[][]): NodeRun => ({ source, data: { main: outputs } });

it('shows as paid what is in the output as a withdrawal', () => {
	expect(shown(output([paid(0), paid(2)]))).toEqual(['one', 'three']);
	const body: Item = { json: { withdrawal: { id: 'w' } }, pairedItem: { item: 1 } };
	expect(shown(output([body]))).toEqual(['two']);
});

it.each([
	['an effect that is done', { code: 'ALREADY_DONE', effect: 'done' }, 'paid'],
	['no effect', { code: 'INVALID_PIX_KEY', effect: 'none' }, 'notPaid'],
	['an unknown effect', { code: 'TIMEOUT', effect: 'unknown' }, 'unknown'],
	['others that look like it', { code: 'POSSIBLE_DUPLICATE', effect: 'none' }, 'stopped'],
	['an error that does not say', { message: 'Bad request' }, 'unknown'],
	[
		'the payout that has its reference',
		{ code: 'REFERENCE_MISMATCH', effect: 'none', withdrawalIds: ['w'] },
		'unknown',
	],
])('understands %s', (_what, error, said) => {
	expect(read(output([failed(1, error)]))).toMatchObject([{ id: 'two', said }]);
});

it('takes the withdrawal that an error names for that of the row, unless it only looks like it', () => {
	const withdrawalIds = ['w'];
	const mismatch = failed(0, { code: 'REFERENCE_MISMATCH', effect: 'none', withdrawalIds });
	const doubt = failed(1, { code: 'PAYOUT_IN_DOUBT', effect: 'unknown', withdrawalIds });
	const [one, two] = read(output([mismatch, doubt]));
	expect(one).toHaveProperty('withdrawalId', 'w');
	expect(two).not.toHaveProperty('withdrawalId');
});

it('reads the error output too, and believes the latest run', () => {
	const again: NodeRun = {
		source: [{ previousNode: 'Again' }],
		data: { main: [[paid(0)], []] },
	};
	const first = output([paid(0)], [failed(1, { effect: 'unknown' })]);
	const both = execution(first, again);
	both.data.resultData.runData = {
		...both.data.resultData.runData,
		Again: [{ data: { main: [items(['two'])] } }],
	};
	expect([...shownAsPaid(readScreen(both))]).toEqual(['one', 'two']);
	expect(shown(first)).toEqual(['one']);
	expect(shown(output([paid(1)]), output([], [failed(1, { effect: 'unknown' })]))).toEqual([]);
});

it('reads the summary of a run that failed, and the error of the row that it names', () => {
	const error = (summary?: RunSummary) => ({
		...{ message: 'Blocked', description: 'Wait.', summary },
		context: { itemIndex: 1 },
	});
	const one = (index: number): ItemGroup => ({ count: 1, items: [[index, index]] });

	const ended = { itemCount: 3, done: one(0), duplicates: one(2), failed: one(1) };
	const said = read({ source, error: error(ended) });
	expect(said.map((each) => each.said)).toEqual(['paid', 'notPaid', 'stopped']);
	expect(said[1]).toMatchObject({ error: { text: 'Blocked Wait.' } });
	expect(shown({ source, error: error() })).toEqual([]);
	const before: RunSummary = {
		itemCount: 3,
		unknown: one(0),
		paidBefore: { count: 2, items: [[1, 2]] },
	};
	expect(shown({ source, error: error(before) })).toEqual(['two', 'three']);
});
