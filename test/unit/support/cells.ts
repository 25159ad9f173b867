import type { Cells } from '../../../nodes/BrlPayments/orders/ledger';

/** A row of the ledger as the node writes it: one attempt at a payout. Tests change one aspect. */
export const validCells = (changed: Partial<Cells> = {}): Cells => ({
	...{ reference: 'NF-1042', status: 'sending', amount: 12.5, pixKey: null, withdrawalId: null },
	...{ sentAt: '2026-06-01T12:00:00.000Z', environment: 'test', kind: 'payout', generation: 2 },
	...{ apiKey: 'key', content: 'content', run: 'run-1', root: 'root-1' },
	...{ workflow: null, execution: null, details: null },
	...changed,
});
