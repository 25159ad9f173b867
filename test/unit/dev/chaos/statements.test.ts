import { statementsOf, tellError, tellFailure } from '../../../../dev/chaos/statements';
import { summarizeRun } from '../../../../nodes/BrlPayments/execution/runSummary';
import type { Execution, Item, NodeRun } from '../../../../dev/n8n/rest/executionData';

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

const said = (given: Execution | undefined) => [...statementsOf(PAYEES, given).values()];

describe('what the last execution says', () => {
	it('paid, for each item that came out', () => {
		const run = { source: source(), data: { main: [[paid(0), paid(1), paid(2)]] } };
		expect(said(execution('success', [run]))).toEqual(['paid', 'paid', 'paid']);
	});

	it('paid, in whatever order they came out, and for the whole body of the HTTP Request node', () => {
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
	const unknown = {
		message: 'It is not known whether this took effect: the server did not answer in time',
		description: 'Retry this execution.',
		effect: 'unknown',
	};

	it('that it is not known', () => expect(tellFailure(unknown)).toBe('unknown'));

	it('that it was not paid, by its field or in words', () => {
		expect(tellFailure({ message: 'Refused', description: 'Ask.', effect: 'none' })).toBe(
			'notPaid',
		);
		expect(
			tellFailure({ message: 'No provider, and no money moved', description: 'Pay it later.' }),
		).toBe('notPaid');
		expect(tellFailure({ message: 'Blocked', description: 'Nothing was sent. Ask.' })).toBe(
			'notPaid',
		);
	});

	it('neither, where it does not say what to do', () => {
		expect(tellFailure({ ...unknown, description: undefined })).toBe('failed');
	});

	it('neither, where it does not say whether the money moved', () => {
		expect(tellFailure({ message: 'socket hang up', description: 'Try again.' })).toBe('failed');
		expect(tellFailure({ ...unknown, message: 'Timeout' })).toBe('failed');
		expect(tellFailure({ ...unknown, message: 'Late', description: 'Nothing was sent.' })).toBe(
			'failed',
		);
	});
});

describe('what an error says of the items of its run', () => {
	const account =
		'Ask. 3 of 8 items were paid now (items 0-1, 4), 1 with unknown outcome (item 2), 1 failed without effect (item 3), 3 not started (items 5-7). To go on, open Executions and choose Retry there, within 24 hours: none of those that took effect is repeated.';

	it('what its account says of each', () => {
		expect(
			tellError({ message: 'Gone', description: account, context: { itemIndex: 2 } }, 8),
		).toEqual([
			'paid',
			'paid',
			'unknown',
			'notPaid',
			'paid',
			'notStarted',
			'notStarted',
			'notStarted',
		]);
	});

	it('that it is not known, of what an earlier attempt may have paid', () => {
		const description = summarizeRun(
			[{ state: 'done', result: [{ json: {} }] }, { state: 'notStarted' }, { state: 'notStarted' }],
			{ kind: 'payout', isRepetition: true, isCancelled: false },
		);
		expect(tellError({ message: 'Gone', description }, 3)).toEqual(['paid', 'unknown', 'unknown']);
	});

	it('that it is paid, of what took effect too long ago to be sent again', () => {
		const description =
			'Ask. 1 of 3 items were paid now (item 2), 2 took effect earlier (items 0-1).';
		const done = { message: 'Already', description, effect: 'done', context: { itemIndex: 0 } };
		expect(tellFailure(done)).toBe('paid');
		expect(tellError(done, 3)).toEqual(['paid', 'paid', 'paid']);
	});

	it('nothing of the others, where it has no account', () => {
		expect(
			tellError({ message: 'socket hang up', description: '', context: { itemIndex: 1 } }, 3),
		).toEqual(['nothing', 'failed', 'nothing']);
		expect(tellError({ message: 'socket hang up' }, 2)).toEqual(['nothing', 'nothing']);
	});
});
