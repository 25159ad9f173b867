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

it.each([
	['charge', 'paid', 'created'],
	['charge', 'failed', 'ended'],
	['charge', 'not paid', 'not created'],
	['charge', 'sending', 'sending'],
	['charge', 'refused', 'refused'],
	['charge', 'in doubt', 'in doubt'],
	['payout', 'paid', 'paid'],
	['payout', 'failed', 'failed'],
	['payout', 'not paid', 'not paid'],
] as const)(
	'a %s that is %s to the protocol is %s in the table, and back',
	(kind, status, word) => {
		const cells = toTableCells({ ...CELLS, status }, kind);
		const [paymentId, withdrawalId] = kind === 'charge' ? ['id-1', null] : [null, 'id-1'];

		expect(cells).toMatchObject({ status: word, paymentId, withdrawalId });
		expect(toStoredCells(stored(cells))).toMatchObject({ status, withdrawalId: 'id-1' });
	},
);

it('a payout is not created: that word belongs to charges', () => {
	const cells = { ...toTableCells(CELLS, 'payout'), status: 'created' };
	expect(toStoredCells(stored(cells)).status).toBe('created');
});

it.each([
	[null, 'payout'],
	[' Charge ', 'charge'],
	['chrage', 'chrage'],
])('the kind %j is read as %s', (kind, read) => {
	expect(toStoredCells(stored({ ...toTableCells(CELLS, 'charge'), kind })).kind).toBe(read);
});
