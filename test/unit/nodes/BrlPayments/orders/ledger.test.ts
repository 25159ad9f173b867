import { omit } from 'lodash';
import {
	findActed,
	findOwners,
	findTaken,
	toCells,
	toRows,
	type StoredCells,
} from '../../../../../nodes/BrlPayments/orders/ledger';
import type { Name } from '../../../../../nodes/BrlPayments/orders/names';
import { PERSON, type NewRow, type Row } from '../../../../../nodes/BrlPayments/orders/protocol';
import { validCells } from '../../../support/cells';

const AT = Date.parse('2026-06-01T12:00:00Z');
const EDITED = AT + 600_000;
const HOUR = 3_600_000;
const W1 = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const AUTO = 'auto-0123456789abcdef';
const NAME: Name = { kind: 'payout', isLive: false, value: 'NF-1042', isAutomatic: false };

/** An attempt, as the node writes it; tests change one aspect. */
const stored = (more: Partial<StoredCells> = {}): StoredCells => ({
	...validCells(),
	...{ id: 7, createdAt: AT, updatedAt: AT },
	...more,
});
const PAID = { status: 'paid', withdrawalId: W1 };
const BY_PERSON = { run: PERSON };
const read = (more: Partial<StoredCells> = {}, name = NAME) => toRows(name, [stored(more)]);

const ASKED = { run: 'run-1', apiKey: 'key', content: 'content' };
const ATTEMPT: Row = { id: 7, status: 'sending', generation: 2, at: AT, ...ASKED };

describe('a row by the node', () => {
	it.each<[string, string | null, number]>([
		['an hour ago', new Date(AT - HOUR).toISOString(), AT - HOUR],
		['a quarter of an hour ago', new Date(AT - HOUR / 4).toISOString(), AT - HOUR / 4],
		['just less than that ago', new Date(AT - HOUR / 4 + 1).toISOString(), AT],
		['later than it was written', new Date(AT + HOUR).toISOString(), AT],
		['at no known time', null, 0],
		['at no time', 'yesterday', 0],
	])('that was sent %s is as old as that, also if it was imported since', (_, sentAt, at) => {
		expect(read({ sentAt })).toEqual([{ ...ATTEMPT, at }]);
	});

	it.each([
		[AT - 5_000, AT - 5_000],
		[AT + 1, AT],
	])('that was refused is as old as that is known, and no younger: %i', (knownAt, at) => {
		expect(read({ status: 'refused', details: JSON.stringify({ knownAt }) })).toMatchObject([
			{ status: 'refused', at, run: 'run-1' },
		]);
	});

	it('whose details are blank has none', () => {
		expect(read({ details: '  ' })).toEqual([ATTEMPT]);
	});

	it('that is no refusal is as old as it was written, whatever its details say', () => {
		const details = JSON.stringify({ knownAt: AT - 5_000 });
		expect(read({ status: 'failed', details })).toMatchObject([{ status: 'failed', at: AT }]);
	});

	const order = {
		...{ name: NAME, amount: 12.5, pixKey: 'm***@customer.example' },
		...{ root: 'root-1', workflow: 'workflow-1', execution: '101' },
	};
	const write = (row: NewRow, name = NAME, shows = {}) =>
		toCells(row, ASKED, { ...order, name }, AT, shows);

	it.each<[NewRow]>([
		[{ status: 'sending', generation: 0 }],
		[{ status: 'paid', generation: 0, withdrawalId: W1, content: 'other' }],
		[{ status: 'refused', generation: 3, at: AT - 5_000 }],
	])('comes back as it was written: %j', (row) => {
		expect(read(write(row))).toEqual([{ id: 7, at: AT, ...ASKED, ...row }]);
	});

	it('shows people when it was sent, or the outcome became known, and what it is about', () => {
		expect(write({ status: 'refused', generation: 3, at: AT - 5_000 })).toEqual({
			...validCells({ status: 'refused', generation: 3, ...omit(order, 'name') }),
			sentAt: '2026-06-01T11:59:55.000Z',
			details: JSON.stringify({ knownAt: AT - 5_000 }),
		});
		expect(write({ status: 'sending', generation: 0 }).sentAt).toBe('2026-06-01T12:00:00.000Z');
	});

	it.each<[Partial<Name>, string, string]>([
		[{}, 'payout', 'test'],
		[{ isLive: true }, 'payout', 'live'],
		[{ kind: 'charge' }, 'charge', 'test'],
		[{ value: AUTO, isAutomatic: true }, 'automatic', 'test'],
	])('of %j is of the kind %s, in %s', (changed, kind, environment) => {
		const name = { ...NAME, ...changed };
		const cells = write({ status: 'sending', generation: 0 }, name);

		expect(cells).toMatchObject({ reference: name.value, kind, environment });
		expect(read(cells, name)).toHaveLength(1);
	});

	it('keeps the link or code of a charge only if it was created', () => {
		const shows = { checkoutUrl: 'https://pay.example/1' };
		const details = ({ status }: Pick<NewRow, 'status'>) =>
			write({ status, generation: 0, withdrawalId: 'p1' }, NAME, shows).details;

		expect(details({ status: 'paid' })).toBe(JSON.stringify({ shows }));
		expect(details({ status: 'failed' })).toBeNull();
		expect(write({ status: 'paid', generation: 0, withdrawalId: 'p1' }).details).toBeNull();
	});
});

describe('a row by a person', () => {
	const edited = { updatedAt: EDITED };
	it.each<[string, Partial<StoredCells>, Array<Partial<Row>>]>([
		[
			'may say Paid with blanks',
			{ status: ' Paid ', run: null, withdrawalId: ` ${W1} ` },
			[{ status: 'paid', withdrawalId: W1, ...BY_PERSON }],
		],
		[
			'may say PAID of the row of the node',
			{ status: 'PAID', withdrawalId: W1, ...edited },
			// If the word is taken back, the attempt that the row stood for is open.
			[{ status: 'sending' }, { status: 'paid', ...BY_PERSON }],
		],
		[
			'that is edited otherwise is an attempt as before',
			{ amount: 13, ...edited },
			[{ status: 'sending', run: 'run-1' }],
		],
		['may leave out the generation', { generation: null }, [{ generation: 0 }]],
		['may leave out the run', { run: ' ' }, [BY_PERSON]],
	])('%s', (_, more, rows) => {
		expect(read(more)).toMatchObject(rows);
		expect(read(more)).toHaveLength(rows.length);
	});

	// Of a payout, when its attempt was made may not be known any more; it may still arrive.
	it.each(['Not Paid', 'failed', 'refused'])('that says %s leaves a payout in doubt', (status) => {
		expect(read({ status, ...edited })).toMatchObject([{ status: 'edited' }]);
		expect(read({ status, run: '' })).toMatchObject([{ status: 'edited' }]);
	});

	it('that says Not Created of a charge counts once its attempt can no longer arrive', () => {
		const charge = { ...NAME, kind: 'charge' } as const;
		const more = { kind: 'charge', status: 'refused', ...edited };
		expect(read(more, charge)).toEqual([
			ATTEMPT,
			{ ...ATTEMPT, status: 'refused', at: EDITED, ...BY_PERSON },
		]);
	});

	// It exists, and nobody has paid it yet.
	it('that says Not Paid of a charge leaves it in doubt', () => {
		const charge = { ...NAME, kind: 'charge' } as const;
		expect(read({ kind: 'charge', status: 'not paid', ...edited }, charge)).toMatchObject([
			{ status: 'edited' },
		]);
	});

	it.each<Partial<StoredCells>>([
		{ status: '' },
		{ status: 'perhaps' },
		{ status: 'paid' },
		{ status: 'paid', withdrawalId: ' ' },
		{ status: 'paid', withdrawalId: 'paid by hand' },
		{ generation: -1 },
		{ generation: 0.5 },
		{ details: 'text' },
		{ details: '1' },
		{ details: 'null' },
		{ kind: 'chrage' },
		{ environment: 'liev' },
	])('that says %j leaves the order in doubt, whatever it is about', (more) => {
		expect(read(more)).toMatchObject([{ status: 'edited' }]);
	});

	it.each<[string, Partial<StoredCells>, boolean]>([
		['Live', { environment: ' Test ' }, true],
		['of the other environment', { environment: 'live' }, false],
		['of another reference', { reference: 'NF-1043' }, false],
		['of a charge', { kind: 'Charge' }, false],
		['of an automatic name', { kind: 'automatic' }, true],
	])('%s counts, or not', (_, more, isCounted) => {
		expect(read(more).length > 0).toBe(isCounted);
	});
});

describe('orders that were paid, or may have been', () => {
	const find = (...rows: Array<Partial<StoredCells>>) =>
		findActed(
			rows.map((row, index) => stored({ id: index + 1, ...row })),
			'payout',
			false,
		).map(({ value, isAutomatic, content, root, paidBy }) => [
			value,
			...[isAutomatic, content, root, paidBy],
		]);
	const OPEN = ['NF-1042', false, 'content', 'root-1', undefined];

	it.each<[string, Array<Partial<StoredCells>>, unknown[]]>([
		[
			'a payout, and not its attempt',
			[{}, { ...PAID, root: 'root-2' }],
			[['NF-1042', false, 'content', 'root-2', W1]],
		],
		['not what the bank refused', [{}, { ...PAID, status: 'failed' }], []],
		['not what was refused', [{ createdAt: AT - HOUR, sentAt: null }, { status: 'refused' }], []],
		[
			'each content that an attempt has asked for',
			[{}, { content: 'other', run: 'run-2' }],
			[OPEN, ['NF-1042', false, 'other', 'root-1', undefined]],
		],
		['what nobody can read', [{ status: 'perhaps' }], [OPEN]],
		['none of the other environment', [{ environment: 'live' }], []],
		['no charge', [{ kind: 'charge' }], []],
		[
			'each order by itself',
			[
				{ ...PAID, reference: AUTO, kind: 'automatic', root: null },
				{ reference: 'NF-2' },
				{ ...PAID, reference: 'NF-1' },
			],
			[
				[AUTO, true, 'content', '', W1],
				['NF-2', false, 'content', 'root-1', undefined],
				['NF-1', false, 'content', 'root-1', W1],
			],
		],
	])('are %s', (_, rows, acted) => {
		expect(find(...rows)).toEqual(acted);
	});

	// People have references that begin with "auto".
	it('are automatic by the column kind, not by their text', () => {
		expect(find({ reference: 'automotive-1' })).toEqual([['automotive-1', ...OPEN.slice(1)]]);
		expect(find({ reference: AUTO })).toEqual([[AUTO, ...OPEN.slice(1)]]);
	});
});

describe('whose a withdrawal is', () => {
	const OTHER = { ...PAID, reference: 'NF-1' };

	it.each<[string, Partial<StoredCells>, string[], string[], string[]]>([
		['another order, by a run', OTHER, ['NF-1'], ['NF-1'], [W1]],
		['another order, by a person', { ...OTHER, ...BY_PERSON }, ['NF-1'], [], []],
		['another order, by a row that was edited', { ...OTHER, updatedAt: EDITED }, ['NF-1'], [], []],
		// A reference that came late takes over its withdrawal.
		['an automatic name', { ...OTHER, reference: AUTO, kind: 'automatic' }, [], [], [W1]],
		['this order', PAID, [], [], []],
		['nobody: the bank refused it', { ...OTHER, status: 'failed' }, [], [], []],
	])('is that of %s', (_, row, owners, byRun, taken) => {
		const rows = [stored({ id: 1, ...row }), stored({ id: 2, ...row })];

		expect(findOwners(rows, NAME, false)).toEqual(owners);
		expect(findOwners(rows, NAME, true)).toEqual(byRun);
		expect([...findTaken(rows, NAME)]).toEqual(taken);
	});
});
