/** The ledger of payouts in n8n's own Data Table, on both databases that n8n has. */
import type { Cells, StoredCells } from '../../nodes/BrlPayments/ledger/ledger';
import { COLUMNS } from '../../nodes/BrlPayments/ledger/tableRow';
import { LedgerProbe } from './support/ledgerProbe';

const MINUTE = 60_000;

interface Column {
	readonly id: string;
	readonly name: string;
	readonly index: number;
}

function cells(reference: string, more: Partial<Cells> = {}): Cells {
	return {
		reference,
		status: 'sending',
		amount: 12.34,
		pixKey: 'a***@example.com',
		withdrawalId: null,
		sentAt: '2026-06-01T12:00:00.123Z',
		environment: 'test',
		generation: 0,
		apiKey: 'key',
		content: 'content.body',
		run: 'run-1',
		workflow: 'workflow',
		execution: '7',
		details: '{"evidenceAt":5}',
		...more,
	};
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (database) => {
	const world = new LedgerProbe(database);
	let tablesPath = '';

	beforeAll(async () => {
		await world.start();
		const { id } = await world.client.request<{ id: string }>('GET', '/rest/projects/personal');
		tablesPath = `/rest/projects/${id}/data-tables`;
	}, 15 * MINUTE);
	afterAll(async () => await world.end(), MINUTE);

	const read = async (references: readonly string[]) =>
		await world.run<StoredCells[]>('return await openLedger(this).read(input)', references);

	const claim = async (rows: readonly Cells[]) =>
		await world.run<{ own: StoredCells[]; all: StoredCells[] }>(
			'return await openLedger(this).claim(input)',
			rows,
		);

	async function findTable(name: string): Promise<{ id: string; columns: Column[] }> {
		const { data } = await world.client.request<{
			data: Array<{ id: string; name: string; columns: Column[] }>;
		}>('GET', `${tablesPath}?take=100`);
		const table = data.find((one) => one.name === name);
		if (!table) throw new Error(`There is no table ${name}`);
		return table;
	}

	it('is created beside tables with names that n8n takes for a match', async () => {
		for (const name of ['BRL Payouts (copy)', 'brl payouts']) {
			await world.client.request('POST', tablesPath, {
				name,
				columns: [{ name: 'reference', type: 'string' }],
			});
		}
		expect(await read(['a'])).toEqual([]);
		const { columns } = await findTable('BRL Payouts');
		const names = [...columns].sort((one, other) => one.index - other.index);
		expect(names.map(({ name }) => name)).toEqual(COLUMNS.map(([name]) => name));
	});

	it('reads back what was written', async () => {
		const references = [
			'plain',
			'=1+1',
			'={{ $json.x }}',
			"it's",
			'50%',
			'ação 😀',
			'"',
			'\\',
			' ',
		];
		const { own, all } = await claim(references.map((reference) => cells(reference)));
		expect(own.map(({ reference }) => reference)).toEqual(references);
		expect(all).toHaveLength(references.length);
		const rows = await read(references);
		expect(rows).toHaveLength(references.length);
		for (const row of rows) {
			const { id, createdAt, updatedAt } = row;
			const ofKind = { kind: 'payout', paymentId: null };
			expect(row).toEqual({ ...cells(row.reference), ...ofKind, id, createdAt, updatedAt });
			expect(updatedAt).toBe(createdAt);
			expect(Math.abs(Date.now() - createdAt)).toBeLessThan(MINUTE);
		}
		expect(await read(['PLAIN', '50', '%', 'plain '])).toEqual([]);
	});

	it('finds many references, whether they begin alike or not', async () => {
		const alike = Array.from({ length: 450 }, (_, index) => `pay_roll\\[1]-${1_000 + index}`);
		const unlike = Array.from({ length: 450 }, (_, index) => `${(index * 7919) % 450}=x`);
		for (const references of [alike, unlike]) {
			const found = await world.run<{ before: number; own: number; all: number; after: number }>(
				`const ledger = openLedger(this);
				const before = (await ledger.read(input.references)).length;
				const { own, all } = await ledger.claim(input.rows);
				const after = (await openLedger(this).read(input.references)).length;
				return { before, own: own.length, all: all.length, after };`,
				{ references, rows: references.map((reference) => cells(reference)) },
			);
			expect(found).toEqual({ before: 0, own: 450, all: 450, after: 450 });
		}
	});

	it('shows what a person edited, and when', async () => {
		const { own } = await claim([cells('edited')]);
		const { id } = await findTable('BRL Payouts');
		const isRow = { columnName: 'id', condition: 'eq', value: own[0]!.id };
		await world.client.request('PATCH', `${tablesPath}/${id}/rows`, {
			filter: { type: 'and', filters: [isRow] },
			data: { status: 'not paid' },
		});
		const [row] = await read(['edited']);
		expect(row).toMatchObject({ status: 'not paid', createdAt: own[0]!.createdAt });
		expect(row!.updatedAt).toBeGreaterThan(own[0]!.createdAt);
	});

	it('records outcomes and removes what they cover', async () => {
		const { own } = await claim([cells('done', { run: 'run-2' })]);
		await world.run('await openLedger(this).record(input.rows, input.remove)', {
			rows: [cells('done', { status: 'paid', withdrawalId: 'w1', apiKey: 'other' })],
			remove: [own[0]!.id, 999_999],
		});
		expect(await read(['done'])).toMatchObject([{ status: 'paid', withdrawalId: 'w1' }]);
		const code = `const ledger = openLedger(this);
			return [await ledger.findWithdrawals(['w1', '=w2']), await ledger.findPaidWith('other')]`;
		const found = await world.run<StoredCells[][]>(code);
		expect(found).toMatchObject([[{ reference: 'done' }], [{ reference: 'done' }]]);
	});

	it('lets at least one of two runs see the other', async () => {
		const code = `const ledger = openLedger(this);
			await ledger.read([input.reference]);
			return (await ledger.claim([input])).all.length`;
		for (let round = 0; round < 15; round += 1) {
			const reference = `race-${round}`;
			const seen = await Promise.all(
				['one', 'other'].map(
					async (run) => await world.run<number>(code, cells(reference, { run })),
				),
			);
			expect(Math.max(...seen)).toBe(2);
		}
	});

	it('is there after a power cut, and under another name', async () => {
		const { id } = await findTable('BRL Payouts');
		await claim([cells('kept')]);
		await world.crashAndRestart();
		expect(await read(['kept'])).toHaveLength(1);
		await world.client.request('PATCH', `${tablesPath}/${id}`, { name: 'Paid so far' });
		await world.crashAndRestart();
		expect(await read(['kept'])).toHaveLength(1);
		await world.client.request('PATCH', `${tablesPath}/${id}`, { name: 'BRL Payouts' });
	});

	it('names a column that was removed', async () => {
		const { id, columns } = await findTable('BRL Payouts');
		const details = columns.find(({ name }) => name === 'details');
		await world.client.request('DELETE', `${tablesPath}/${id}/columns/${details!.id}`);
		const told = { problem: 'columns', message: expect.stringContaining('details') };
		await expect(claim([cells('a')])).rejects.toMatchObject(told);
		await expect(claim([cells('a')])).rejects.toMatchObject(told);
	});

	it('is not begun anew after it was deleted', async () => {
		const { id } = await findTable('BRL Payouts');
		await world.client.request('DELETE', `${tablesPath}/${id}`);
		await expect(read(['kept'])).rejects.toMatchObject({ problem: 'gone' });
		await world.crashAndRestart();
		await expect(read(['kept'])).rejects.toMatchObject({ problem: 'gone' });
		await expect(findTable('BRL Payouts')).rejects.toThrow();
	});

	it('leaves nothing in the list of executions but those of the workflow', async () => {
		const before = await world.client.listExecutionsOfAllModes(world.workflowId);
		await read(['kept']).catch(() => undefined);
		const after = await world.client.listExecutionsOfAllModes(world.workflowId);
		expect(after.length - before.length).toBe(1);
	});
});

describe.each([
	['noDataTables', { N8N_DISABLED_MODULES: 'data-table,mcp-registry' }],
	['full', { N8N_DATA_TABLES_MAX_SIZE_BYTES: '1' }],
] as const)('an n8n that refuses', (problem, env) => {
	const world = new LedgerProbe('sqlite', env);

	beforeAll(async () => await world.start(), 15 * MINUTE);
	afterAll(async () => await world.end(), MINUTE);

	it(`says ${problem}`, async () => {
		const call = world.run('return await openLedger(this).claim([input])', cells('a'));
		await expect(call).rejects.toMatchObject({ problem });
	});
});
