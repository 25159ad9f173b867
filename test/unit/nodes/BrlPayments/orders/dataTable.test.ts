import { randomUUID } from 'node:crypto';
import { findPrefixes, openLedger } from '../../../../../nodes/BrlPayments/orders/dataTable';
import type { Cells, Ledger } from '../../../../../nodes/BrlPayments/orders/ledger';
import type { TableContext } from '../../../../../nodes/shared/n8n/dataTable';
import { COLUMNS } from '../../../../../nodes/BrlPayments/orders/tableRow';
import { FakeDataTables } from '../../../../support/dataTables';
import { FakeDeduplication } from '../../../support/deduplicationStore';
import { validCells } from '../../../support/cells';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let now = Date.now();
let tables: FakeDataTables;
let store: FakeDeduplication;
let lastWorkflow = 0;
let workflow = '';

beforeEach(() => {
	now = Date.now();
	begin(() => now);
	vi.spyOn(Date, 'now').mockImplementation(() => now);
});

/** @param clock of the database */
function begin(clock: () => number): void {
	tables = new FakeDataTables(clock);
	store = new FakeDeduplication();
	// What the process remembers is kept by workflow: so another workflow begins without it.
	lastWorkflow += 1;
	workflow = `workflow-${lastWorkflow}`;
}

const open = (changed: Partial<TableContext> = {}) =>
	openLedger(
		{ ...store.context('node', workflow), executeWorkflow: tables.executeWorkflow, ...changed },
		() => now,
	);

let lastRun = 0;
const newRun = () => `run ${(lastRun += 1)}`;

const cells = (reference: string, more: Partial<Cells> = {}): Cells =>
	validCells({ reference, generation: 0, run: 'other', workflow, execution: '7', ...more });

const columns = COLUMNS.map(([name, type]) => ({ name, type }));
const references = (count: number, form = (index: number) => `invoice-${index}`) =>
	Array.from({ length: count }, (_, index) => form(index));

/** What others write. */
const write = async (...rows: Cells[]) => await open().record(rows, []);
/** The rows of references as a run sees them that watches them from now on. */
async function read(wanted: readonly string[], ledger = open()) {
	await ledger.watch(wanted);
	return [...new Set(wanted)].flatMap((reference) => ledger.rowsOf(reference));
}
/** Writes rows as one run does that claims orders; then all rows of these references. */
async function claim(ledger: Ledger, wanted: readonly string[], more: Partial<Cells> = {}) {
	const run = newRun();
	await ledger.change(
		wanted.map((reference) => cells(reference, { run, ...more })),
		[],
	);
	const all = wanted.flatMap((reference) => ledger.rowsOf(reference));
	return { run, all, own: all.filter((row) => row.run === run) };
}

// Tables that were renamed, deleted, are full or off: test/engine/money/ledgerTrouble.test.ts.
describe('the table', () => {
	it('is created when it is first needed, with its columns in reading order', async () => {
		expect(await read(['a'])).toEqual([]);
		expect(tables.find().columns).toEqual(columns);
		expect(COLUMNS.map(([name]) => name).slice(0, 9)).toEqual([
			...['reference', 'status', 'environment', 'amount', 'pixKey', 'withdrawalId'],
			...['sentAt', 'kind', 'paymentId'],
		]);
	});

	it('is the same for two processes that begin at once, whatever one has done when the other comes', async () => {
		const startProcess = async () => {
			vi.resetModules();
			const { findTable } = await import('../../../../../nodes/BrlPayments/orders/findTable.js');
			return async (ticks: number) => {
				for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
				const { executeWorkflow } = tables;
				return await findTable({ ...store.context('node', workflow), executeWorkflow });
			};
		};
		const [first, second, later] = [
			await startProcess(),
			await startProcess(),
			await startProcess(),
		];
		for (let moment = 0; moment < 80; moment += 1) {
			begin(() => now);
			expect(await Promise.all([first(0), second(moment)])).toEqual(['table1', 'table1']);
			tables.remove();
			await expect(later(0)).rejects.toMatchObject({ problem: 'gone' });
		}
	});

	it('belongs to the project of the workflow', async () => {
		await read(['a']);
		expect(tables.workflowId).toBe(workflow);
	});

	it.each([
		'Unrecognized node type: n8n-nodes-base.dataTable',
		"Cannot read properties of undefined (reading 'execute')",
		'Could not get parameter',
	])('is unknown to an n8n before 2.3: %s', async (message) => {
		const executeWorkflow = async () => await Promise.reject(new Error(message));
		const reading = read(['a'], open({ executeWorkflow }));
		await expect(reading).rejects.toMatchObject({ problem: 'noDataTables' });
	});
});

describe('reading', () => {
	it('finds all rows of the references and no others', async () => {
		await write(...['a', 'b', 'A', 'a '].map((reference) => cells(reference)));
		await write(cells('a', { environment: 'live' }));
		const rows = await read(['a', 'b', 'a']);
		expect(rows.map(({ reference }) => reference)).toEqual(['a', 'a', 'b']);
		expect(rows[0]).toMatchObject(cells('a'));
	});

	it('reads more rows than n8n gives at a time', async () => {
		const many = Array.from({ length: 2_345 }, (_, generation) => cells('a', { generation }));
		await write(cells('b'), ...many);
		expect(await read(['a', 'b'])).toHaveLength(2_346);
		expect(await open().watchRoot('root-1')).toHaveLength(2_346);
	});

	it('asks for few unlike references at first, however quickly single ones were found', async () => {
		for (const single of references(5)) await read([single]);
		const before = tables.calls.length;
		await read(references(200, () => randomUUID()));
		// 40 and 40, then 80 and the rest.
		expect(tables.calls.length - before).toBe(4);
	});

	it('finds the rows that name a withdrawal or payment', async () => {
		await write(
			...[1, 2, 3].map((id) => cells(`NF-${id}`, { status: 'paid', withdrawalId: `w${id}` })),
			...[2, 4].map((id) => cells(`P-${id}`, { kind: 'charge', withdrawalId: `w${id}` })),
		);
		const found = await open().findWithdrawals(['w2', 'w4', 'w9']);
		expect(found.map(({ reference }) => reference)).toEqual(['NF-2', 'P-2', 'P-4']);
	});

	it('reads a root, or what other executions wrote of it', async () => {
		await write(cells('a'), cells('b', { execution: '8' }), cells('c', { root: 'root-2' }));
		const ledger = open();
		const found = async (besides?: string) =>
			(await ledger.watchRoot('root-1', besides)).map(({ reference }) => reference);
		expect([await found(), await found('7')]).toEqual([['a', 'b'], ['b']]);
		expect(ledger.rowsOfRoot('root-1')).toHaveLength(2);
	});

	it('reads what was written or edited since a time, of automatic names alone if asked', async () => {
		await write(cells('old'), cells('edited'));
		now += DAY;
		const since = now;
		await write(cells('new'), cells('auto', { kind: 'automatic' }));
		tables.editRow(2, { status: 'not paid' });
		const found = async (kind?: 'automatic') =>
			(await open().readSince(since, kind)).map(({ reference }) => reference);
		expect(await found()).toEqual(['edited', 'new', 'auto']);
		expect(await found('automatic')).toEqual(['auto']);
	});
});

describe('changing', () => {
	it('writes, removes and reads in one call', async () => {
		const ledger = open();
		const [old] = await read(['a', 'b'], ledger).then(async () => (await claim(ledger, ['a'])).own);
		tables.calls.length = 0;
		await ledger.change([cells('a', { run: newRun() }), cells('b', { run: 'x' })], [old!.id]);
		expect(tables.calls).toEqual(['insert+deleteRows+get']);
		expect([ledger.rowsOf('a'), ledger.rowsOf('b')].map(({ length }) => length)).toEqual([1, 1]);
	});

	// A fresh run without references: two calls, and the second one records.
	it('watches what it writes, without reading before, and reads back its root alone', async () => {
		await read(['any']);
		const ledger = open();
		tables.calls.length = 0;
		const run = newRun();
		tables.onStep = (operation) => {
			if (operation === 'get') tables.addRow({ ...cells('a'), kind: 'automatic' });
		};
		await ledger.change([cells('a', { run }), cells('b', { run })], [], 'root-1');
		expect(tables.calls).toEqual(['insert+get']);
		expect([ledger.rowsOf('a'), ledger.rowsOf('b')].map(({ length }) => length)).toEqual([2, 1]);
	});

	it('sees what was there, and what others wrote, edited and moved meanwhile', async () => {
		await write(...['a', 'b', 'c'].map((reference) => cells(reference)));
		now += 90 * MINUTE;
		const ledger = open();
		const [first, second, third] = await read(['a', 'b', 'c'], ledger);
		now += 20 * MINUTE;
		tables.editRow(second!.id, { status: 'not paid' });
		tables.editRow(third!.id, { reference: 'elsewhere' });
		tables.addRow({ reference: 'a', status: 'paid' });
		tables.addRow({ reference: 'elsewhere', status: 'paid' });
		now += 20 * MINUTE;
		const { own, all, run } = await claim(ledger, ['a', 'b', 'c']);
		expect(own).toHaveLength(3);
		const seen = all.filter((row) => row.run !== run).map(({ id, status }) => [id, status]);
		expect(seen).toEqual([
			[first!.id, 'sending'],
			[4, 'paid'],
			[second!.id, 'not paid'],
		]);
	});

	it('sees what others wrote of a root that it watches', async () => {
		const ledger = open();
		await ledger.watchRoot('root-1');
		await write(cells('b'), cells('c', { root: 'root-2' }));
		await claim(ledger, ['a']);
		expect(ledger.rowsOfRoot('root-1').map(({ reference }) => reference)).toEqual(['b', 'a']);
	});

	it('sees what another call did not find yet when it read the same references', async () => {
		let held: Promise<void> | undefined;
		const ledger = open({
			executeWorkflow: async (info, items) => {
				const [found, until] = [await tables.executeWorkflow(info, items), held];
				await until;
				return found;
			},
		});
		await ledger.watch(['a', 'b']);
		let release = () => {};
		held = new Promise((resolve) => (release = resolve));
		const reading = ledger.watch(['b']);
		await new Promise(setImmediate);
		held = undefined;
		tables.addRow({ ...cells('b'), status: 'paid', kind: 'payout' });
		now += 20 * MINUTE;
		await claim(ledger, ['a']);
		release();
		await reading;
		const { all } = await claim(ledger, ['b']);
		expect(all.map(({ status }) => status)).toEqual(['paid', 'sending']);
	});

	it.each([-10, 0, 10])(
		'returns what others wrote since it first read, also of what it does not watch, by a clock %i minutes ahead',
		async (ahead) => {
			begin(() => now + ahead * MINUTE);
			const ledger = open();
			await ledger.readSince(now - DAY);
			tables.addRow({ reference: 'other' });
			now += 5 * MINUTE;
			const news = await ledger.change([cells('a', { run: newRun() })], []);
			expect(news.map(({ reference }) => reference)).toEqual(['other', 'a']);
		},
	);

	it('does not show what this run has removed', async () => {
		const ledger = open();
		const { own } = await claim(ledger, ['a', 'b']);
		await ledger.change([], [own[0]!.id]);
		const { all } = await claim(ledger, ['a', 'b'], { generation: 2 });
		expect(all.map(({ generation }) => generation)).toEqual([2, 0, 2]);
	});

	it.each([-10, 10])('tells the time of a database that is %i minutes ahead', async (ahead) => {
		begin(() => now + ahead * MINUTE);
		const ledger = open();
		expect(ledger.now()).toBe(now);
		const { own } = await claim(ledger, ['a', 'b']);
		now += MINUTE;
		expect(ledger.now()).toBe(own[0]!.createdAt + MINUTE);
		expect(ledger.toLocal(own[0]!.createdAt)).toBe(now - MINUTE);
	});
});

/** So many references that the ledger reads what was written since, in place of them. */
describe('claiming many references beside many that begin alike', () => {
	const many = references(400, (index) => `${index}-order`);

	async function claimMany(wanted: readonly string[] = many, meanwhile = () => {}) {
		const ledger = open();
		await ledger.watch(wanted);
		meanwhile();
		tables.calls.length = 0;
		return await claim(ledger, wanted);
	}

	/** Some that begin in each of the ways that the others do. */
	const addOthers = async () =>
		await write(...references(1_200, (index) => `${index}-invoice`).map((one) => cells(one)));

	beforeEach(async () => {
		await addOthers();
		await write(cells('5-order'));
		now += 90 * MINUTE;
	});

	it('sees a row that was committed late, with the time when it was begun', async () => {
		const { all } = await claimMany(many, () => {
			now -= 59_000;
			tables.addRow({ reference: '7-order' });
			now += 5 * MINUTE;
		});
		expect(all).toHaveLength(402);
	});

	it.each([-10, 0, 10])(
		'sees what others wrote and moved, by a clock %i minutes ahead',
		async (ahead) => {
			begin(() => now + ahead * MINUTE);
			await addOthers();
			for (let round = 1; round <= 3; round += 1) {
				now += 30 * MINUTE;
				const { own, all } = await claimMany(many, () => {
					tables.editRow(round, { reference: '6-order' }, undefined, now);
					tables.addRow({ reference: '7-order', status: 'paid' });
					now += MINUTE;
				});
				expect(all).toHaveLength(402 * round);
				expect(own[0]?.createdAt).toBe(now + ahead * MINUTE);
			}
		},
	);

	it.each([0, 2_500, 12_000])('writes and reads in one call beside %i more', async (count) => {
		await write(...references(count, (index) => `other-${index}`).map((one) => cells(one)));
		const { own, all } = await claimMany();
		expect([own.length, all.length]).toEqual([400, 401]);
		if (count === 0) expect(tables.calls).toEqual(['insert+get']);
	});

	it('claims more than n8n gives at a time', async () => {
		const { own, all } = await claimMany(references(1_500, (index) => `${index}-order`));
		expect([own.length, all.length]).toEqual([1_500, 1_501]);
	});
});

it.each([
	[['invoice-1998', 'invoice-2001', 'invoice-2002'], 2, ['invoice-199', 'invoice-200']],
	[['a', 'ab', 'abc'], 3, ['a', 'ab', 'abc']],
	[['a', 'b', 'c'], 2, ['']],
	[['\u{1f600}a', '\u{1f601}a'], 1, ['']],
])('the beginnings of %j are, with at most %i, %j', (all, most, expected) => {
	expect(findPrefixes(all, most)).toEqual(expected);
});

describe('recording', () => {
	it('writes first and removes then, in one call, and nothing without a call', async () => {
		const ledger = open();
		const { own } = await claim(ledger, ['a', 'b']);
		tables.calls.length = 0;
		await ledger.record([], []);
		await ledger.record(
			['a', 'b'].map((reference) => cells(reference, { status: 'paid' })),
			own.map(({ id }) => id),
		);
		expect(tables.calls).toEqual(['insert+deleteRows']);
		expect(tables.rows().map(({ status }) => status)).toEqual(['paid', 'paid']);
		const { all } = await claim(ledger, ['a', 'b']);
		expect(all.map(({ status }) => status)).toEqual(['paid', 'sending', 'paid', 'sending']);
	});

	it('removes rows on both sides of one that stays', async () => {
		await write(...['a', 'stays', 'b'].map((one) => cells(one)));
		const [a, , b] = tables.rows();
		await open().record([], [b!.id, a!.id]);
		expect(tables.rows().map(({ reference }) => reference)).toEqual(['stays']);
	});

	it('removes many rows, also unknown ones, and never others', async () => {
		await write(...references(1_500).map((one) => cells(one)), cells('stays'));
		const ids = tables.rows().map(({ id }) => id);
		tables.calls.length = 0;
		await open().record([cells('new')], [999_999, ...ids.slice(0, -1)]);
		expect(tables.calls).toHaveLength(1);
		expect(tables.rows().map(({ reference }) => reference)).toEqual(['stays', 'new']);
	});
});

describe('tidying up', () => {
	const auto = (reference: string, more: Partial<Cells> = {}) =>
		cells(reference, { kind: 'automatic', status: 'paid', withdrawalId: 'w', ...more });
	const left = () => tables.rows().map(({ reference }) => reference);

	it('removes automatic names 20 days after they were settled, once a day', async () => {
		await write(auto('auto-a'), auto('auto-b'), cells('NF-1', { status: 'paid' }));
		now += 20 * DAY - 1;
		await write(auto('auto-c'));
		await open().tidy();
		expect(left()).toEqual(['auto-a', 'auto-b', 'NF-1', 'auto-c']);
		now += 2;
		await open().tidy();
		expect(left()).toHaveLength(4);
		now += DAY;
		await open().tidy();
		expect(left()).toEqual(['NF-1', 'auto-c']);
	});

	// Without its `paid`, its `sending` would be open for ever.
	it.each<[string, () => Promise<void>]>([
		['an attempt may have paid', async () => await write(auto('auto-a', { status: 'sending' }))],
		[
			'somebody has edited a row lately',
			async () => {
				tables.editRow(1, { status: 'paid' }, undefined, now + 10 * DAY);
				await Promise.resolve();
			},
		],
	])('keeps all rows of a name of which %s', async (_, more) => {
		await write(auto('auto-a'), auto('auto-a', { status: 'refused' }), auto('auto-b'));
		await more();
		const before = left().filter((one) => one === 'auto-a');
		now += 21 * DAY;
		await open().tidy();
		expect(left()).toEqual(before);
	});

	it('never removes a reference that has the text of an automatic name', async () => {
		await write(auto('auto-a'), auto('auto-a', { kind: 'payout' }));
		now += 21 * DAY;
		await open().tidy();
		expect(tables.rows()).toMatchObject([{ kind: 'payout' }]);
	});

	// A run of 400 payouts was killed, and never retried.
	it('is not kept from it by those that it keeps', async () => {
		const open1100 = references(1_100, (index) => `auto-${index}`);
		await write(...open1100.map((one) => auto(one, { status: 'sending' })));
		await write(auto('auto-paid'));
		now += 21 * DAY;
		await open().tidy();
		expect(left()).toEqual(open1100);
	});

	it.each([450, 1_300])('goes on with the next runs if there are %i', async (count) => {
		await write(...references(count, (index) => `auto-${index}`).map((one) => auto(one)));
		now += 21 * DAY;
		for (let run = 0; run < 4; run += 1) await open().tidy();
		expect(left().length).toBe(0);
	});
});
