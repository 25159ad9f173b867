/**
 * Payouts without a reference: whatever somebody edits between an attempt and its retry, each debt is paid
 * once, or the item stops and its advice leads there. A debt is an invoice, whatever is paid for it, and
 * effects are told apart by it.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Execution } from '../support/execution';
import type { RunSettings } from '../support/harness';
import { killTables, reviveTables, usePayouts } from '../support/money';
import { payEach, payReferenced } from '../support/payouts';
import { CNPJ, CPF, EMAIL, HOUR, PHONE, UUID } from '../support/values';
import { edit } from '../support/workflow';
import { restart } from '../support/ledger';

const bench = usePayouts();

interface Row {
	readonly invoice: string;
	readonly amount: number;
	readonly pixKey: string;
	readonly branch: number;
}
const row = (invoice: string, amount: number, pixKey: string, branch = 1): Row => ({
	...{ invoice, amount, pixKey, branch },
});
/** The first two differ in their invoices alone, and the third goes to the same PIX key. */
const ROWS = [
	row('NF-1', 50, CPF),
	row('NF-2', 50, CPF),
	row('NF-3', 60, CPF, 2),
	row('NF-4', 70, EMAIL),
	row('NF-5', 80, PHONE, 2),
];
const LAST = 'NF-5';
const DESCRIBED = { description: '={{ $json.invoice }}' };
const PAY = payEach({ maxConcurrency: 1 }, DESCRIBED);

const SHAPES: Record<string, RunSettings> = {
	'a straight line': {},
	'a loop': { isLooped: true, batchSize: 2 },
	'two branches that join': { branches: 'joined' },
	'two Pay nodes': { branches: 'nodes' },
};

/** What has become of the first attempt, and how n8n begins the next one. */
interface Interruption {
	readonly isKill: boolean;
	/** How long it lies back, a moment if left out. */
	readonly days?: number;
	strike(): void;
}
const atLast =
	(fault: Parameters<typeof bench.strike>[1]): Interruption['strike'] =>
	() =>
		void bench.strike(LAST, fault);
const isSent = (invoice: string) =>
	bench.requests('POST').some(({ rawBody }) => rawBody.includes(invoice));
const INTERRUPTIONS: Record<string, Interruption> = {
	'the last row was refused': {
		isKill: false,
		strike: atLast({ kind: 'error', code: 'INSUFFICIENT_BALANCE' }),
	},
	'the last row was paid, and its answer lost': {
		isKill: false,
		strike: atLast({ kind: 'dropAfter' }),
	},
	'n8n was killed after all was recorded, 17 days ago': {
		isKill: true,
		strike: () => undefined,
		days: 17,
	},
	'n8n was killed in the middle': {
		isKill: true,
		strike() {
			killTables(() => isSent('NF-2'));
			for (const invoice of ['NF-3', 'NF-4', LAST]) bench.strike(invoice, { kind: 'dropBefore' });
		},
	},
};

/** @returns what the list says then, of a row; undefined: it is not there any more */
type Edit = (row: Row) => Row | undefined;
const only =
	(invoice: string, change: Partial<Row>): Edit =>
	(one) =>
		one.invoice === invoice ? { ...one, ...change } : one;
const CHANGES: Record<string, Edit> = {
	'the amounts of two rows to one PIX key are swapped': (one) =>
		only('NF-1', { amount: 60 })(only('NF-3', { amount: 50 })(one)!),
	'one of two equal rows is changed': only('NF-1', { amount: 55 }),
	'a PIX key is corrected': only('NF-4', { pixKey: CNPJ }),
	'the row that failed is corrected': only(LAST, { pixKey: CNPJ, amount: 81 }),
	'a formula has changed all amounts': (one) => ({ ...one, amount: one.amount + 1 }),
};

interface Edited {
	readonly rows: readonly Row[];
	readonly first: Execution;
	readonly isKill: boolean;
	/** Undoes what was edited. */
	putBack(): void;
}

const toItems = (rows: readonly Row[]) =>
	rows.map((json) => ({ json: { ...json } as unknown as IDataObject }));

async function interrupt(shape: string, how: string, parameters = PAY): Promise<Execution> {
	const { strike, days = 0 } = INTERRUPTIONS[how]!;
	strike();
	const first = await bench.run(parameters, toItems(ROWS), { ...SHAPES[shape], ...bench.begunNow });
	bench.sandbox.faults.clear();
	reviveTables();
	restart();
	bench.clock.advance(days * 24 * HOUR + 1_000);
	return first;
}

/** In all nodes that pay. */
function set({ workflow }: Execution, parameters: INodeParameters): void {
	for (const node of Object.values(workflow.nodes)) {
		if (node.parameters.resource !== undefined) edit({ workflow }, parameters, node.name);
	}
}

const apply = (change: Edit) => ROWS.flatMap((one) => change(one) ?? []);

/** The list is read anew after a kill alone: otherwise n8n has kept what the node was given. */
function editList(first: Execution, rows: readonly Row[]): Edited {
	const before = [...first.items];
	const put = (list: typeof before) => void first.items.splice(0, first.items.length, ...list);
	put(toItems(rows));
	return { rows, first, isKill: true, putBack: () => put(before) };
}

function editNode(first: Execution, rows: readonly Row[], isKill: boolean): Edited {
	const table = (field: 'amount' | 'pixKey') => {
		const cells = rows.map((one) => [one.invoice, one[field]]);
		return `={{ (${JSON.stringify(Object.fromEntries(cells))})[$json.invoice] }}`;
	};
	set(first, { amount: table('amount'), pixKey: table('pixKey') });
	const { amount, pixKey } = PAY;
	const back = () => set(first, { amount, pixKey });
	return { rows, first, isKill, putBack: back };
}

const again = async ({ first, isKill }: Omit<Edited, 'putBack' | 'rows'>) =>
	isKill ? await bench.retryAfterKill(first) : await bench.retry(first);

const expectEachOnce = (rows: readonly Row[]) =>
	expect(bench.living).toEqual(Object.fromEntries(rows.map(({ invoice }) => [invoice, 1])));

/** Does the one thing that ROWS_CHANGED advises: to put the row back, and retry the first execution. */
async function putBack(edited: Edited): Promise<void> {
	edited.putBack();
	expect((await again(edited)).error?.description).toBeUndefined();
	await payRest(edited);
}

/** Does the other: a new execution with only what is still owed. */
async function payRest({ rows, first }: Edited): Promise<void> {
	const owed = rows.filter(({ invoice }) => bench.idOf(invoice) === undefined);
	if (owed.length === 0) return;
	const rest = await bench.start(first.workflow, toItems(owed), bench.begunNow);
	expect(rest.error?.description).toBeUndefined();
}

async function expectPaidOrAdvised(edited: Edited, follow: typeof putBack): Promise<void> {
	const retried = await again(edited);
	for (const count of Object.values(bench.living)) expect(count).toBe(1);
	if (retried.error !== undefined) {
		expect(retried.error.message).toMatch(/ by an earlier attempt.* and has not come up again$/);
		expect(retried.error.description).toContain(
			'Put the row back as it was, and retry the first execution.',
		);
		expect(retried.error.description).toContain('new execution with only what is still owed');
		await follow(edited);
	}
	const all = new Map([...ROWS, ...edited.rows].map((one) => [one.invoice, one]));
	expectEachOnce([...all.values()]);
}

describe.each(Object.keys(SHAPES))('in %s', (shape) => {
	describe.each(Object.entries(INTERRUPTIONS))('where %s', (how, { isKill }) => {
		/** By turns. */
		const followerOf = (edited: string) =>
			(Object.keys(INTERRUPTIONS).indexOf(how) + edited.length) % 2 === 0 ? putBack : payRest;

		it('the unchanged list is not stopped', async () => {
			const first = await interrupt(shape, how);
			expect((await again({ first, isKill })).error?.description).toBeUndefined();
			expectEachOnce(ROWS);
		});

		it.each(Object.entries(CHANGES))('in the node, %s', async (what, change) => {
			const first = await interrupt(shape, how);
			await expectPaidOrAdvised(editNode(first, apply(change), isKill), followerOf(what));
		});

		it('the reference is emptied', async () => {
			const first = await interrupt(shape, how, payReferenced({ maxConcurrency: 1 }));
			set(first, { reference: '' });
			const back = () => set(first, { reference: '={{ $json.invoice }}' });
			await expectPaidOrAdvised({ first, isKill, rows: ROWS, putBack: back }, followerOf(''));
		});

		it('a reference is filled in', async () => {
			const first = await interrupt(shape, how);
			set(first, { reference: '={{ $json.invoice }}' });
			const back = () => set(first, { reference: '' });
			// What had not been sent was paid under its reference meanwhile: that stops it once more.
			const follow = async (edited: Edited) => {
				edited.putBack();
				await again(edited);
				await payRest(edited);
			};
			await expectPaidOrAdvised({ first, isKill, rows: ROWS, putBack: back }, follow);
		});

		const LISTS: Array<[what: string, read: () => readonly Row[]]> = [
			...Object.entries(CHANGES).map(([what, change]): [string, () => readonly Row[]] => [
				what,
				() => apply(change),
			]),
			['a column is filled in', () => ROWS.map((one) => ({ ...one, paidOn: 'today' }))],
			['what was paid is left out', () => ROWS.filter(({ invoice }) => !bench.idOf(invoice))],
			['the first two rows are moved', () => [ROWS[1]!, ROWS[0]!, ...ROWS.slice(2)]],
			['all rows are in another order', () => [...ROWS].reverse()],
			['there is a new row at its head', () => [row('NF-0', 50, CPF), ...ROWS]],
		];

		it.each(isKill ? LISTS : [])('in the list, %s', async (what, read) => {
			const first = await interrupt(shape, how);
			await expectPaidOrAdvised(editList(first, read()), followerOf(what));
		});
	});
});

describe('after n8n was killed', () => {
	const killedAt = async (invoice: string, rows: readonly IDataObject[]): Promise<Execution> => {
		killTables(() => isSent(invoice));
		const items = rows.map((json) => ({ json }));
		const described = payEach({ maxConcurrency: 1 }, { description: '=no. {{ $json.line }}' });
		const first = await bench.run(described, items, bench.begunNow);
		bench.sandbox.faults.clear();
		reviveTables();
		restart();
		bench.clock.advance(1_000);
		return first;
	};
	const read = ({ items }: Execution, rows: readonly IDataObject[]) =>
		void items.splice(0, items.length, ...rows.map((json) => ({ json })));

	it('rows that only their number tells apart, read without those that were paid, are stopped', async () => {
		const rows = [1, 2, 3, 4].map((line) => ({ amount: 50, pixKey: CPF, line }));
		for (const line of [3, 4]) bench.strike(`no. ${line}`, { kind: 'dropBefore' });
		const first = await killedAt('no. 2', rows);
		expect(bench.paid).toEqual([5000, 5000]);

		read(first, rows.slice(0, 2));
		const renumbered = await bench.retryAfterKill(first);
		expect(renumbered.error?.message).toContain('may have been paid by an earlier attempt');
		// Both were paid, by the first attempt.
		expect(renumbered.error).toMatchObject({
			effect: 'unknown',
			summary: { inDoubt: { count: 2 } },
		});

		read(first, rows);
		expect((await bench.retryAfterKill(first)).error?.description).toBeUndefined();
		expect(bench.paid).toEqual([5000, 5000, 5000, 5000]);
	});

	it.each<[string, IDataObject, IDataObject]>([
		[
			'Check Batch has put out is recognized, although the balance',
			{ ok: true, batchOk: true, batchAvailableBalance: 1000 },
			{ ok: true, batchOk: true, batchAvailableBalance: 950 },
		],
		[
			'another Pay node has put out is recognized, although the status',
			{ id: UUID, status: 'PENDING', alreadyPaid: false },
			{ id: UUID, status: 'COMPLETED', alreadyPaid: true },
		],
	])('what %s is another one by then', async (_what, before, after) => {
		const rows = (more: IDataObject) =>
			[CPF, EMAIL].map((pixKey, index) => ({ amount: 50, pixKey, line: index + 1, ...more }));
		bench.strike('no. 2', { kind: 'dropBefore' });
		const first = await killedAt('no. 1', rows(before));

		read(first, rows(after));
		expect((await bench.retryAfterKill(first)).error?.description).toBeUndefined();
		expect(bench.paid).toEqual([5000, 5000]);
	});
});
