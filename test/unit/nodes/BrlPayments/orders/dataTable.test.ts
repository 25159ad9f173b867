import { findPrefixes, openLedger } from '../../../../../nodes/BrlPayments/ledger/dataTable';
import { COLUMNS } from '../../../../../nodes/BrlPayments/ledger/tableRow';
import type { Cells } from '../../../../../nodes/BrlPayments/ledger/ledger';
import type { TableContext } from '../../../../../nodes/BrlPayments/ledger/tableCalls';
import { FakeDataTables } from '../../../../support/dataTables';
import { FakeDeduplication } from '../../../support/deduplicationStore';

const MINUTE = 60_000;

let now = Date.now();
let tables: FakeDataTables;
let store: FakeDeduplication;
let lastWorkflow = 0;
let workflow = '';

beforeEach(() => {
	now = Date.now();
	tables = new FakeDataTables(() => now);
	store = new FakeDeduplication();
	newProcess();
	vi.spyOn(Date, 'now').mockImplementation(() => now);
});

/** What the process remembers is kept by workflow: so another workflow begins without it. */
function newProcess(): void {
	lastWorkflow += 1;
	workflow = `workflow-${lastWorkflow}`;
}

/** The store of the node outlives the process: the same row under each name of the workflow. */
function context(): TableContext {
	const { helpers } = store.context('node', 'always');
	return {
		helpers,
		getNode: store.context('node').getNode,
		getWorkflow: () => ({ id: workflow, name: 'Payouts', active: true }),
		executeWorkflow: tables.executeWorkflow,
	};
}

const open = () => openLedger(context());

/** As an agent's tool has it: without n8n's deduplication. */
const openWithoutStore = () => openLedger({ ...context(), helpers: {} as TableContext['helpers'] });

function cells(reference: string, more: Partial<Cells> = {}): Cells {
	return {
		reference,
		status: 'sending',
		amount: 12.5,
		pixKey: 'a***@example.com',
		withdrawalId: null,
		sentAt: '2026-06-01T12:00:00.000Z',
		environment: 'test',
		generation: 0,
		apiKey: 'key',
		content: 'content.body',
		run: 'run-1',
		workflow,
		execution: '7',
		details: null,
		...more,
	};
}

const columns = COLUMNS.map(([name, type]) => ({ name, type }));

describe('the table', () => {
	it('is created when it is first needed, with its columns in reading order', async () => {
		expect(await open().read(['a'])).toEqual([]);
		expect(tables.find().columns).toEqual(columns);
		expect(COLUMNS.map(([name]) => name).slice(0, 9)).toEqual([
			...['reference', 'status', 'amount', 'pixKey', 'withdrawalId'],
			...['sentAt', 'environment', 'kind', 'paymentId'],
		]);
	});

	it('is created once by runs that begin together', async () => {
		await Promise.all([open().read(['a']), open().read(['b'])]);
		expect(tables.calls.filter((call) => call === 'create')).toHaveLength(1);
	});

	it('is taken from another process that creates it at the same moment', async () => {
		tables.onStep = (operation) => {
			if (operation === 'create' && !tables.has()) tables.create('BRL Payouts', columns);
		};
		await open().claim([cells('a')]);
		expect(tables.rows()).toHaveLength(1);
	});

	it('belongs to the project of the workflow', async () => {
		tables = new FakeDataTables(Date.now, (id) => `project of ${id}`);
		await open().read(['a']);
		expect(tables.has('BRL Payouts', `project of ${workflow}`)).toBe(true);
	});

	it('is found by its ID although another one has its name now', async () => {
		await open().claim([cells('a')]);
		tables.rename('Paid in 2026');
		tables.create('BRL Payouts', columns);
		newProcess();
		expect(await open().read(['a'])).toHaveLength(1);
	});

	it('is found by its name without the deduplication of n8n', async () => {
		await openWithoutStore().claim([cells('a')]);
		newProcess();
		expect(await openWithoutStore().read(['a'])).toHaveLength(1);
	});

	it.each([
		['is missing', /content/, columns.filter(({ name }) => name !== 'content')],
		[
			'has another type',
			/amount/,
			columns.map((one) => (one.name === 'amount' ? { ...one, type: 'string' as const } : one)),
		],
	])('names the column that %s', async (_, message, given) => {
		tables.create('BRL Payouts', given);
		await expect(open().read(['a'])).rejects.toMatchObject({
			name: 'LedgerUnavailable',
			problem: 'columns',
			message: expect.stringMatching(message) as string,
		});
	});
});

it.each([
	'Unrecognized node type: n8n-nodes-base.dataTable',
	"Cannot read properties of undefined (reading 'execute')",
	'Could not get parameter',
])('an n8n before 2.3 has no tables: %s', async (message) => {
	const executeWorkflow = async () => await Promise.reject(new Error(message));
	await expect(openLedger({ ...context(), executeWorkflow }).read(['a'])).rejects.toMatchObject({
		problem: 'noDataTables',
	});
});

describe('reading', () => {
	it('finds all rows of the references and no others', async () => {
		await open().claim(['a', 'b', 'A', 'a '].map((reference) => cells(reference)));
		await open().claim([cells('a', { environment: 'live' })]);
		const rows = await open().read(['a', 'b', 'a']);
		expect(rows.map(({ reference }) => reference).sort()).toEqual(['a', 'a', 'b']);
		expect(rows[0]).toMatchObject(cells(rows[0]?.reference ?? ''));
	});

	it('reads 1,000 references in a few calls', async () => {
		const references = Array.from({ length: 1_000 }, (_, index) => `invoice-${index}`);
		await open().claim(references.map((reference) => cells(reference)));
		tables.calls.length = 0;
		expect(await open().read(references)).toHaveLength(1_000);
		expect(tables.calls.length).toBeLessThanOrEqual(4);
	});

	it('reads more rows than n8n gives at a time', async () => {
		await open().claim([cells('b')]);
		await open().record(
			Array.from({ length: 2_345 }, (_, generation) => cells('a', { generation })),
			[],
		);
		expect(await open().read(['a', 'b'])).toHaveLength(2_346);
	});

	it('finds withdrawals, and what was paid with an API key', async () => {
		await open().claim([
			cells('a', { status: 'paid', withdrawalId: 'w1' }),
			cells('b', { status: 'paid', withdrawalId: 'w2', apiKey: 'other' }),
			cells('c', { status: 'sending', apiKey: 'other' }),
			cells('d', { status: 'paid', withdrawalId: 'w4', apiKey: 'other' }),
		]);
		const found = await open().findWithdrawals(['w2', 'w3']);
		expect(found.map(({ reference }) => reference)).toEqual(['b']);
		const paid = await open().findPaidWith('other');
		expect(paid.map(({ reference }) => reference)).toEqual(['d', 'b']);
	});
});

describe('claiming', () => {
	it('writes and reads in one call', async () => {
		const ledger = open();
		await ledger.read(['a', 'b']);
		tables.calls.length = 0;
		const { own, all } = await ledger.claim([cells('b'), cells('a')]);
		expect(tables.calls).toEqual(['insert+get']);
		expect(own.map(({ reference }) => reference)).toEqual(['b', 'a']);
		expect(all).toHaveLength(2);
	});

	it('sees what was there, and what others wrote, edited and moved meanwhile', async () => {
		await open().claim(['a', 'b', 'c'].map((reference) => cells(reference, { run: 'old' })));
		now += 90 * MINUTE;
		const ledger = open();
		const [first, second, third] = await ledger.read(['a', 'b', 'c']);
		now += 20 * MINUTE;
		tables.editRow(second!.id, { status: 'not paid' });
		tables.editRow(third!.id, { reference: 'elsewhere' });
		tables.addRow({ reference: 'a', status: 'paid' });
		tables.addRow({ reference: 'elsewhere', status: 'paid' });
		now += 20 * MINUTE;
		const { own, all } = await ledger.claim([cells('a'), cells('b'), cells('c')]);
		expect(own).toHaveLength(3);
		const seen = all.filter(({ run }) => run !== 'run-1').map(({ id, status }) => [id, status]);
		expect(seen).toEqual([
			[first!.id, 'sending'],
			[second!.id, 'not paid'],
			[4, 'paid'],
		]);
	});

	it('returns the newest of equal rows as its own', async () => {
		const ledger = open();
		await ledger.read(['a']);
		const [first] = (await ledger.claim([cells('a')])).own;
		const [second] = (await ledger.claim([cells('a')])).own;
		expect(second!.id).toBeGreaterThan(first!.id);
	});

	it('sees what another call did not find yet when it read the same references', async () => {
		let held: Promise<void> | undefined;
		const ledger = openLedger({
			...context(),
			executeWorkflow: async (info, items) => {
				const [found, until] = [await tables.executeWorkflow(info, items), held];
				await until;
				return found;
			},
		});
		await ledger.read(['a', 'b']);
		let release = () => {};
		held = new Promise((resolve) => (release = resolve));
		const reading = ledger.read(['b']);
		await new Promise(setImmediate);
		held = undefined;
		tables.addRow({ reference: 'b', status: 'paid' });
		now += 20 * MINUTE;
		await ledger.claim([cells('a')]);
		release();
		expect(await reading).toEqual([]);
		const { all } = await ledger.claim([cells('b')]);
		expect(all.map(({ status }) => status)).toEqual(['paid', 'sending']);
	});

	it('does not return what this run has removed', async () => {
		const ledger = open();
		await ledger.read(['a']);
		const { own } = await ledger.claim([cells('a'), cells('a', { generation: 1 })]);
		await ledger.withdraw([own[0]!.id]);
		const { all } = await ledger.claim([cells('a', { generation: 2 })]);
		expect(all.map(({ generation }) => generation)).toEqual([1, 2]);
	});
});

/** So many references that the ledger reads what was written since, in place of them. */
describe('claiming many references beside many that begin alike', () => {
	const many = Array.from({ length: 400 }, (_, index) => `${index}-order`);

	let runs = 0;

	async function claimMany(references: readonly string[] = many, meanwhile = () => {}) {
		const ledger = open();
		await ledger.read(references);
		meanwhile();
		tables.calls.length = 0;
		// Each run has a name of its own.
		runs += 1;
		return await ledger.claim(
			references.map((reference) => cells(reference, { run: `run ${runs}` })),
		);
	}

	/** Some that begin in each of the ways that the others do. */
	async function addOthers() {
		const others = Array.from({ length: 1_200 }, (_, index) =>
			cells(`${index}-invoice`, { run: 'other' }),
		);
		await open().record(others, []);
	}

	beforeEach(async () => {
		await addOthers();
		await open().record([cells('5-order', { run: 'old' })], []);
		now += 90 * MINUTE;
	});

	it('writes and reads in one call', async () => {
		const { own, all } = await claimMany();
		expect(tables.calls).toEqual(['insert+get']);
		expect(own).toHaveLength(400);
		expect(all).toHaveLength(401);
	});

	it('sees what others wrote, edited and moved meanwhile', async () => {
		const { all } = await claimMany(many, () => {
			now += 20 * MINUTE;
			tables.editRow(1, { reference: '6-order' });
			tables.editRow(1_201, { status: 'not paid' });
			tables.addRow({ reference: '7-order', status: 'paid' });
			now += 20 * MINUTE;
		});
		expect(all).toHaveLength(403);
		expect(all.filter(({ status }) => status === 'not paid')).toHaveLength(1);
		expect(all.filter(({ status }) => status === 'paid')).toHaveLength(1);
	});

	it('sees a row that was committed late, with the time when it was begun', async () => {
		const { all } = await claimMany(many, () => {
			now -= 59_000;
			tables.addRow({ reference: '7-order' });
			now += 5 * MINUTE;
		});
		expect(all).toHaveLength(402);
	});

	it.each([-10, 10])('holds when the clock of the database is %i minutes ahead', async (ahead) => {
		const lead = ahead * MINUTE;
		tables = new FakeDataTables(() => now + lead);
		store = new FakeDeduplication();
		newProcess();
		await addOthers();
		for (let round = 1; round <= 3; round += 1) {
			now += 30 * MINUTE;
			const { own, all } = await claimMany(many, () => {
				tables.editRow(round, { reference: '6-order' }, undefined, now);
				tables.addRow({ reference: '7-order', status: 'paid' });
				now += MINUTE;
			});
			expect(all).toHaveLength(402 * round);
			expect(own[0]?.createdAt).toBe(now + lead);
		}
	});

	it.each([2_500, 12_000])('reads %i rows of others, or else its references', async (count) => {
		const written = Array.from({ length: count }, (_, index) => cells(`other-${index}`));
		await open().record(written, []);
		const { own, all } = await claimMany();
		expect(own).toHaveLength(400);
		expect(all).toHaveLength(401);
	});

	it('claims more than n8n gives at a time', async () => {
		const references = Array.from({ length: 1_500 }, (_, index) => `${index}-order`);
		const { own, all } = await claimMany(references);
		expect(own).toHaveLength(1_500);
		expect(all).toHaveLength(1_501);
	});
});

it.each([
	[['invoice-1998', 'invoice-2001', 'invoice-2002'], 2, ['invoice-199', 'invoice-200']],
	[['a', 'ab', 'abc'], 3, ['a', 'ab', 'abc']],
	[['a', 'b', 'c'], 2, ['']],
	[['\u{1f600}a', '\u{1f601}a'], 1, ['']],
])('the beginnings of %j are, with at most %i, %j', (references, most, expected) => {
	expect(findPrefixes(references, most)).toEqual(expected);
});

describe('recording', () => {
	it('writes first, removes then, and reads what others have recorded, in one call', async () => {
		const ledger = open();
		await ledger.read(['a']);
		const { own } = await ledger.claim([cells('a')]);
		tables.calls.length = 0;
		await ledger.record(
			[cells('a', { status: 'paid' })],
			own.map(({ id }) => id),
		);
		expect(tables.calls).toEqual(['insert+deleteRows+get']);
		expect(tables.rows()).toMatchObject([{ status: 'paid' }]);
		const { all } = await ledger.claim([cells('a')]);
		expect(all.map(({ status }) => status)).toEqual(['paid', 'sending']);
	});

	it('returns what other runs have recorded as paid since a little before the first claim', async () => {
		const other = { run: 'other', status: 'paid' };
		await open().claim([cells('long-ago', other)]);
		tables.skipIds(1_500);
		await open().claim([
			cells('before', other),
			cells('refused', { run: 'other', status: 'refused' }),
		]);
		const ledger = open();
		await ledger.claim([cells('a')]);
		await open().claim([cells('since', other)]);

		const found = await ledger.record([cells('a', { status: 'paid' })], []);

		expect(found.map(({ reference }) => reference)).toEqual(['before', 'since']);
	});

	it('removes many rows, also unknown ones, and never others', async () => {
		const rows = Array.from({ length: 1_500 }, (_, index) => cells(`invoice-${index}`));
		const { own } = await open().claim([...rows, cells('stays')]);
		const ids = own.slice(0, -1).map(({ id }) => id);
		tables.calls.length = 0;
		await open().record([cells('new')], [999_999, ...ids]);
		expect(tables.calls).toHaveLength(1);
		expect(tables.rows().map(({ reference }) => reference)).toEqual(['stays', 'new']);
	});
});
