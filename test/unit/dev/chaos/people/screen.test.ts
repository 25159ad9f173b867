import {
	errorsShown,
	explanationsShown,
	shownAsPaid,
	shownAsStuck,
} from '../../../../../dev/chaos/people/screen';
import type { ItemGroup, RunSummary } from '../../../../../nodes/BrlPayments/execution/runSummary';
import type { Execution, Item, NodeRun } from '../../../../../dev/n8n/rest/executionData';

const PAYEES = ['one@example.com', 'two@example.com', 'three@example.com'];
const items = (payees: readonly string[]): Item[] => payees.map((payee) => ({ json: { payee } }));
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
	data: { resultData: { runData: { Items: [{ data: { main: [items(PAYEES)] } }], Pay: pay } } },
});
const shown = (...pay: NodeRun[]) => [...shownAsPaid(execution(...pay))];
const output = (...outputs: Item[][]): NodeRun => ({ source, data: { main: outputs } });

it('shows as paid what is in the output as a withdrawal', () => {
	expect(shown(output([paid(0), paid(2)]))).toEqual(['one@example.com', 'three@example.com']);
	const body: Item = { json: { withdrawal: { id: 'w' } }, pairedItem: { item: 1 } };
	expect(shown(output([body]))).toEqual(['two@example.com']);
});

it.each([
	['an effect that is done', { code: 'ALREADY_DONE', effect: 'done' }],
	['a duplicate that was stopped', { code: 'POSSIBLE_DUPLICATE', effect: 'none' }],
])('shows as paid what says so in an error: %s', (_what, error) => {
	expect(shown(output([paid(0), failed(1, error)]))).toEqual([
		'one@example.com',
		'two@example.com',
	]);
});

it.each([
	['no effect', { code: 'INVALID_PIX_KEY', effect: 'none' }],
	['an unknown effect', { code: 'TIMEOUT', effect: 'unknown' }],
])('does not show as paid what says: %s', (_what, error) => {
	expect(shown(output([paid(0), failed(1, error)]))).toEqual(['one@example.com']);
});

it('reads the error output too, and believes the latest run', () => {
	const again: NodeRun = {
		source: [{ previousNode: 'Again' }],
		data: { main: [[paid(0)], []] },
	};
	const first = output([paid(0)], [failed(1, { effect: 'unknown' })]);
	const both = execution(first, again);
	both.data.resultData.runData.Again = [{ data: { main: [items(['two@example.com'])] } }];
	expect([...shownAsPaid(both)]).toEqual(['one@example.com', 'two@example.com']);
	expect(shown(first)).toEqual(['one@example.com']);
	expect(shown(output([paid(1)]), output([], [failed(1, { effect: 'unknown' })]))).toEqual([]);
});

it('shows nothing where the paying node did not run', () => {
	expect(shown()).toEqual([]);
	expect(shown({ data: { main: [[paid(0)]] } })).toEqual([]);
});

it('reads the summary of a run that failed', () => {
	const error = (summary?: RunSummary) => ({ message: 'Blocked', summary });
	const one = (index: number): ItemGroup => ({ count: 1, items: [[index, index]] });

	const ended = { itemCount: 3, done: one(0), duplicates: one(2), failed: one(1) };
	expect(shown({ source, error: error(ended) })).toEqual(['one@example.com', 'three@example.com']);
	expect(shown({ source, error: error() })).toEqual([]);
	const before: RunSummary = {
		itemCount: 3,
		unknown: one(0),
		paidBefore: { count: 2, items: [[1, 2]] },
	};
	expect(shown({ source, error: error(before) })).toEqual(['two@example.com', 'three@example.com']);
});

it('counts the errors of items by their codes, and those of runs by what they say', () => {
	const items = output([paid(0)], [failed(1, { code: 'TIMEOUT' }), failed(2, { code: 'TIMEOUT' })]);
	const plain: Item = { json: { error: 'Bad request' }, pairedItem: { item: 0 } };
	const runs = [items, output([plain]), { source, error: { message: 'Blocked' } }];
	expect(errorsShown(execution(...runs))).toEqual(
		new Map([
			['TIMEOUT', 2],
			['Bad request', 1],
			['Blocked', 1],
		]),
	);
	expect(errorsShown(execution(output([paid(0)])))).toEqual(new Map());
});

it('repeats what the paying node says about the items that it did not pay', () => {
	const error = { code: 'BLOCKED', message: 'Blocked', description: 'Ask the bank.' };
	const run = output([paid(0), failed(1, error), failed(2, error)]);
	expect(explanationsShown(execution(run))).toEqual(['BLOCKED | Blocked | Ask the bank.']);
});

it.each(['REFERENCE_MISMATCH', 'PAYOUT_IN_DOUBT'])('shows as stuck what fails with %s', (code) => {
	const run = output([paid(0)], [failed(1, { code }), failed(2, { code: 'TIMEOUT' })]);
	expect([...shownAsStuck(execution(run))]).toEqual(['two@example.com']);
});
