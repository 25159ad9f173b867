import { findCandidates } from '../../../../../nodes/BrlPayments/orders/absence';
import type { StoredCells } from '../../../../../nodes/BrlPayments/orders/ledger';
import type { ApiRecord } from '../../../../../nodes/shared/transport/schemas';
import { validCells } from '../../../support/cells';

const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const TAKEN = '7fa85f64-5717-4562-b3fc-2c963f66afa7';
const OTHER = { id: 'w1', amount: 7 };
const ALIKE = { id: ID, amount: 100 };

/** What a run has recorded for another order. */
const recorded: StoredCells = {
	...validCells({ reference: 'NF-2', status: 'paid', withdrawalId: TAKEN }),
	...{ id: 1, createdAt: 1, updatedAt: 1 },
};

const search = async (rows: readonly ApiRecord[], gap?: string) =>
	await findCandidates(
		{ rows, gap },
		({ amount }) => amount === 100,
		{ findWithdrawals: async () => await Promise.resolve([recorded]) },
		{ kind: 'payout', isLive: false, value: 'NF-1', isAutomatic: false },
	);

test.each<[string, readonly ApiRecord[], string[], string?]>([
	['an empty one', [], []],
	['one with others', [OTHER], []],
	['one with two that look alike', [ALIKE, OTHER, { ...ALIKE, id: 'w3' }], [ID, 'w3']],
	['one that has gaps, and a look-alike', [ALIKE], [ID], 'Rows are missing.'],
	['one with the payout of another order', [ALIKE, { ...ALIKE, id: TAKEN }], [ID]],
	['an ID that is no text', [{ ...ALIKE, id: { toString: {} } }], ['{"toString":{}}']],
])('a list says what may be the order: %s', async (_, rows, ids, gap) => {
	expect(await search(rows, gap)).toEqual(ids);
});

test('a list that has gaps does not show that the order is absent', async () => {
	expect(await search([OTHER], 'Rows are missing.')).toBeUndefined();
});
