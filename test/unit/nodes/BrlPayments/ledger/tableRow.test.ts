import type { Cells } from '../../../../../nodes/BrlPayments/ledger/ledger';
import {
	COLUMNS,
	toStoredCells,
	toTableCells,
} from '../../../../../nodes/BrlPayments/ledger/tableRow';

const CELLS: Cells = {
	reference: 'PED-1',
	status: 'paid',
	amount: 50.02,
	pixKey: null,
	withdrawalId: 'id-1',
	sentAt: null,
	environment: 'live',
	generation: 0,
	apiKey: 'key',
	content: null,
	run: 'run',
	workflow: null,
	execution: null,
	details: null,
};
const stored = (cells: object) => ({
	...{ id: 7, createdAt: '2026-06-01T12:00:00Z', updatedAt: '2026-06-01T12:00:00Z' },
	...cells,
});

it('a row has each column of the table', () => {
	const names = COLUMNS.map(([name]) => name).sort();
	expect(Object.keys(toTableCells(CELLS, 'charge')).sort()).toEqual(names);
});

describe('a charge', () => {
	it.each([
		['paid', 'created'],
		['failed', 'ended'],
		['not paid', 'not created'],
		['sending', 'sending'],
		['refused', 'refused'],
		['in doubt', 'in doubt'],
	])('that is %s to the protocol is %s in the table, and back', (status, word) => {
		const cells = toTableCells({ ...CELLS, status }, 'charge');

		expect(cells).toMatchObject({ status: word, paymentId: 'id-1', withdrawalId: null });
		expect(toStoredCells(stored(cells))).toMatchObject({ status, withdrawalId: 'id-1' });
	});
});

describe('a payout', () => {
	it.each(['paid', 'failed', 'not paid'])('that is %s is called so', (status) => {
		const cells = toTableCells({ ...CELLS, status }, 'payout');

		expect(cells).toMatchObject({ status, paymentId: null, withdrawalId: 'id-1' });
		expect(toStoredCells(stored(cells))).toMatchObject({ status, withdrawalId: 'id-1' });
	});

	it('is what a row is to which a person has given no kind', () => {
		const cells = { ...toTableCells(CELLS, 'payout'), kind: null };
		expect(toStoredCells(stored(cells)).kind).toBe('payout');
	});

	it('is not created: that word belongs to charges', () => {
		const cells = { ...toTableCells(CELLS, 'payout'), status: 'created' };
		expect(toStoredCells(stored(cells)).status).toBe('created');
	});
});

it.each([
	[' Charge ', 'charge'],
	['chrage', 'chrage'],
])('the kind %j is read as %s', (kind, read) => {
	expect(toStoredCells(stored({ ...toTableCells(CELLS, 'charge'), kind })).kind).toBe(read);
});
