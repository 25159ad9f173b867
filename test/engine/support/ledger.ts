import { knownTableIds } from '../../../nodes/BrlPayments/orders/findTable';
import { FakeDataTables } from '../../support/dataTables';

let now = (): number => Date.now();
let current = new FakeDataTables(() => now());

/** The data tables of the emulated n8n, over all executions of a test. */
export function dataTables(): FakeDataTables {
	return current;
}

/** n8n was started again: what it had in memory of tables is gone. */
export function restart(): void {
	knownTableIds.clear();
}

/** @param clock of n8n's database, epoch ms */
export function useClock(clock: () => number): void {
	now = clock;
}

export function emptyDataTables(): void {
	current = new FakeDataTables(() => now());
	restart();
}
