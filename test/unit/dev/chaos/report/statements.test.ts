import { getStatements, tellError, tellFailure } from '../../../../../dev/chaos/report/statements';
import type { ItemGroup, RunSummary } from '../../../../../nodes/BrlPayments/execution/runSummary';
import type { Execution, Item, NodeRun } from '../../../../../dev/n8n/rest/executionData';

const PAYEES = ['one@example.com', 'two@example.com', 'three@example.com'];
const items = (payees: readonly string[]): Item[] => payees.map((pixKey) => ({ json: { pixKey } }));
const paid = (item: number): Item => ({ json: { id: `withdrawal-${item}` }, pairedItem: { item } });

const execution = (
	status: Execution['status'],
	pay: NodeRun[],
	before: NodeRun[] = [{ data: { main: [items(PAYEES)] } }],
): Execution => ({
	id: '1',
	workflowId: 'w',
	status,
	mode: 'webhook',
	data: { resultData: { runData: { Items: before, Pay: pay } } },
});

const source = (previousNodeRun?: number, previousNodeOutput?: number): NodeRun['source'] => [
	{ previousNode: 'Items', previousNodeRun, previousNodeOutput },
];

const said = (given: Execution | undefined) => [...getStatements(PAYEES, given).values()];

describe('what the last execution says', () => {
	it('paid, for each item of the output', () => {
		const run = { source: source(), data: { main: [[paid(0), paid(1), paid(2)]] } };
		expect(said(execution('success', [run]))).toEqual(['paid', 'paid', 'paid']);
	});

	it('paid, in any order of the output, and for the whole body of the HTTP Request node', () => {
		const body: Item = { json: { withdrawal: { id: 'w' } }, pairedItem: { item: 1 } };
		const run = { source: source(), data: { main: [[paid(2), body]] } };
		expect(said(execution('success', [run]))).toEqual(['nothing', 'paid', 'paid']);
	});

	it('not paid, for what carries an error or is no withdrawal', () => {
		const failed: Item = {
			json: { error: { message: 'Blocked', description: 'Ask.', effect: 'none' } },
			pairedItem: { item: 1 },
		};
		const odd: Item = { json: { odd: true }, pairedItem: { item: 2 } };
		const run = { source: source(), data: { main: [[paid(0), failed, odd]] } };
		expect(said(execution('success', [run]))).toEqual(['paid', 'notPaid', 'nothing']);
	});

	it('follows each run of a loop to the items that it was given', () => {
		const before = [
			{ data: { main: [[], items(['two@example.com'])] } },
			{ data: { main: [[], items(['one@example.com'])] } },
		];
		const pay = [
			{ source: source(0, 1), data: { main: [[paid(0)]] } },
			{ source: source(1, 1), error: { message: 'Gone', context: { itemIndex: 0 } } },
		];
		expect(said(execution('error', pay, before))).toEqual(['failed', 'paid', 'notReached']);
	});

	it('not reached, where it was stopped by hand', () => {
		const run = { source: source(), data: { main: [[paid(0), paid(1), paid(2)]] } };
		const before = [{ data: { main: [items(PAYEES.slice(0, 2))] } }];
		expect(said(execution('canceled', [run], before))).toEqual(['paid', 'paid', 'notReached']);
	});

	it('nothing, where it crashed, and nothing where there is none', () => {
		expect(said(execution('crashed', [{ source: [null] }]))).toEqual(Array(3).fill('nothing'));
		expect(said(undefined)).toEqual(Array(3).fill('nothing'));
	});
});

describe('what an error says of its item', () => {
	const told = { message: 'Timeout', description: 'Retry this execution.' };

	it.each([
		['none', 'notPaid'],
		['unknown', 'unknown'],
		['done', 'paid'],
		['something new', 'failed'],
	])('by its effect: %s', (effect, statement) => {
		expect(tellFailure({ ...told, effect })).toBe(statement);
	});

	it('neither, where it does not say what to do', () => {
		expect(tellFailure({ message: 'Timeout', effect: 'unknown' })).toBe('failed');
		expect(tellFailure({ message: 'Refused', effect: 'none' })).toBe('failed');
	});

	it('in the words of the service, where it has no effect', () => {
		const message = 'No provider, and no money moved';

		expect(tellFailure({ message, description: 'Pay it later.' })).toBe('notPaid');
		expect(tellFailure({ ...told, message: 'socket hang up' })).toBe('failed');
	});

	it('not in the words of the service, where it has one', () => {
		const message = 'No provider, and no money moved';

		expect(tellFailure({ ...told, message, effect: 'unknown' })).toBe('unknown');
	});
});

describe('what an error says of the items of its run', () => {
	const group = (...items: Array<[number, number]>): ItemGroup => ({
		count: items.reduce((sum, [first, last]) => sum + last - first + 1, 0),
		items,
	});
	const ended = (summary: RunSummary) => ({ message: 'Gone', description: 'Ask.', summary });

	it('what its summary says of each', () => {
		const summary: RunSummary = {
			itemCount: 8,
			done: group([0, 0]),
			paidBefore: group([1, 1]),
			duplicates: group([2, 2]),
			doneEarlier: group([3, 3]),
			unknown: group([4, 4]),
			failed: group([5, 5]),
			notStarted: group([6, 6]),
			notStartedAgain: group([7, 7]),
		};
		expect(tellError(ended(summary), 8)).toEqual([
			...['paid', 'paid', 'paid', 'paid'],
			...['unknown', 'notPaid', 'notStarted', 'unknown'],
		]);
	});

	it('of each index in a range', () => {
		const summary = { itemCount: 6, done: group([0, 1], [4, 5]), failed: group([2, 3]) };

		expect(tellError(ended(summary), 6)).toEqual([
			...['paid', 'paid', 'notPaid', 'notPaid', 'paid', 'paid'],
		]);
	});

	it('nothing, where it does not say what to do', () => {
		const summary = { itemCount: 2, done: group([0, 1]) };

		expect(tellError({ message: 'Gone', summary }, 2)).toEqual(['nothing', 'nothing']);
	});

	it('nothing of the others, where it has no summary', () => {
		expect(
			tellError({ message: 'socket hang up', description: '', context: { itemIndex: 1 } }, 3),
		).toEqual(['nothing', 'failed', 'nothing']);
		expect(tellError({ message: 'socket hang up' }, 2)).toEqual(['nothing', 'nothing']);
	});
});
