import {
	COLUMNS,
	toStoredCells,
	toTableCells,
} from '../../../../../nodes/BrlPayments/orders/tableRow';
import { validCells } from '../../../support/cells';

const CELLS = validCells({ reference: 'PED-1', status: 'paid', withdrawalId: 'id-1' });
const stored = (cells: object) => ({
	...{ id: 7, createdAt: '2026-06-01T12:00:00Z', updatedAt: '2026-06-01T12:00:00Z' },
	...cells,
});

it('a row has each column of the table', () => {
	const names = COLUMNS.map(([name]) => name).sort();
	expect(Object.keys(toTableCells({ ...CELLS, kind: 'charge' })).sort()).toEqual(names);
});

it.each([
	['charge', 'paid', 'created'],
	['charge', 'failed', 'ended'],
	['charge', 'sending', 'sending'],
	['charge', 'refused', 'refused'],
	['charge', 'in doubt', 'in doubt'],
	['payout', 'paid', 'paid'],
	['payout', 'failed', 'failed'],
	['payout', 'not paid', 'not paid'],
	['automatic', 'paid', 'paid'],
	['automatic', 'failed', 'failed'],
] as const)(
	'a %s that is %s to the protocol is %s in the table, and back',
	(kind, status, word) => {
		const cells = toTableCells({ ...CELLS, status, kind });
		const [paymentId, withdrawalId] = kind === 'charge' ? ['id-1', null] : [null, 'id-1'];

		expect(cells).toMatchObject({ status: word, paymentId, withdrawalId });
		expect(toStoredCells(stored(cells))).toMatchObject({ status, withdrawalId: 'id-1' });
	},
);

it.each([
	['charge', ' Not Created ', 'refused'],
	['charge', 'created', 'paid'],
	['charge', 'not paid', 'not paid'],
	// Those words belong to charges.
	['payout', 'created', 'created'],
	['payout', 'not created', 'not created'],
])('of a %s that a person calls %j the protocol reads %s', (kind, word, status) => {
	const cells = { ...toTableCells({ ...CELLS, kind }), status: word };
	expect(toStoredCells(stored(cells)).status).toBe(status);
});

it.each([
	[null, 'payout'],
	[' Charge ', 'Charge'],
	['chrage', 'chrage'],
])('the kind %j is read as %s', (kind, read) => {
	expect(toStoredCells(stored({ ...toTableCells({ ...CELLS, kind: 'charge' }), kind })).kind).toBe(
		read,
	);
});

it.each([
	['is missing', { content: undefined }, 'Column content is missing'],
	['has another type', { amount: '50.02' }, 'Column amount has the type string, not number'],
])('says which column of the table %s', (_, changed, message) => {
	const row = stored({ ...toTableCells(CELLS), ...changed });
	expect(() => toStoredCells(row)).toThrow(message);
});
