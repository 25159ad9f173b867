import { Spending } from '../../../../../nodes/BrlPayments/payouts/spending';

const NOTHING = new Map<string, number>();
let spending: Spending;
beforeEach(() => {
	spending = new Spending(2);
	spending.reserve(
		'execution-1',
		new Map([
			['key-1', 1_000],
			['key-2', 500],
		]),
	);
});

test('counts what is reserved in the execution', () => {
	expect(spending.total('execution-1', NOTHING)).toBe(1_500);
	expect(spending.total('execution-2', NOTHING)).toBe(0);
});

test('counts what the execution remembers, and what is both reserved and remembered once', () => {
	const spent = new Map([
		['key-2', 500],
		['key-3', 70],
	]);
	expect(spending.total('execution-1', spent)).toBe(1_570);
});

test('counts what is reserved again once', () => {
	spending.reserve('execution-1', new Map([['key-2', 500]]));
	expect(spending.total('execution-1', NOTHING)).toBe(1_500);
});

test('lets go of what is released', () => {
	spending.release('execution-1', ['key-1', 'key-9']);
	spending.release('execution-2', ['key-2']);
	expect(spending.total('execution-1', NOTHING)).toBe(500);
	spending.release('execution-1', ['key-2']);
	expect(spending.total('execution-1', NOTHING)).toBe(0);
});

test('knows nothing after a restart', () => {
	spending.clear();
	expect(spending.total('execution-1', NOTHING)).toBe(0);
});

test('remembers a bounded number of executions, and forgets the oldest first', () => {
	spending.reserve('execution-2', new Map([['key-3', 1]]));
	spending.reserve('execution-3', new Map([['key-4', 2]]));
	const totals = ['execution-1', 'execution-2', 'execution-3'].map((execution) =>
		spending.total(execution, NOTHING),
	);
	expect(totals).toEqual([0, 1, 2]);
});

test('an execution that reserves nothing makes none be forgotten', () => {
	spending.reserve('execution-2', NOTHING);
	spending.reserve('execution-3', NOTHING);
	expect(spending.total('execution-1', NOTHING)).toBe(1_500);
});
