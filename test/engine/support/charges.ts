/** Charges that are to be made once per External ID. */
import type { IDataObject, Workflow } from 'n8n-workflow';
import type { Execution } from './execution';
import type { EngineHarness } from './harness';
import { dataTables } from './ledger';
import { buildWorkflow, CONTINUE, type Parameters } from './workflow';

/** Two charges that look alike: only their External IDs differ. */
export const ORDERS: IDataObject[] = [
	{ amount: 50.02, order: 'PED-1' },
	{ amount: 50.02, order: 'PED-2' },
];
export const ONCE = { 'PED-1': 1, 'PED-2': 1 };

export const chargeEach = (options: Parameters = {}, more: Parameters = {}): Parameters => ({
	resource: 'payment',
	operation: 'create',
	chargeBy: 'amount',
	amount: '={{ $json.amount }}',
	methods: ['PIX'],
	mode: 'headless',
	customer: {},
	externalId: '={{ $json.order }}',
	options,
	...more,
});

/** A workflow with a node of its own that charges. */
export const charging = (options: Parameters = {}, more: Parameters = {}): Workflow =>
	buildWorkflow({ parameters: chargeEach(options, more), ...CONTINUE });

/** How many charges that somebody can pay, or has paid, each External ID has. */
export function chargesOf({ sandbox }: Pick<EngineHarness, 'sandbox'>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { externalId, status } of sandbox.books.payments) {
		if (externalId === null || status === 'EXPIRED' || status === 'CANCELLED') continue;
		counts[externalId] = (counts[externalId] ?? 0) + 1;
	}
	return counts;
}

/** Every charge that is shown is the one that the books have for its External ID. */
export function expectTrueCharges(
	{ sandbox }: EngineHarness,
	orders: readonly IDataObject[],
	...executions: Execution[]
): void {
	const made: string[] = [];
	for (const { json } of executions) {
		for (const [index, { id, error, alreadyCreated }] of json.entries()) {
			if (error) continue;
			const booked = sandbox.books.payments.find((one) => one.id === id);
			expect(booked?.externalId).toBe(orders[index]?.order);
			if (alreadyCreated === false) made.push(String(id));
		}
	}
	expect(new Set(made).size).toBe(made.length);
}

/** A person edits the row of an External ID that has a status. */
export function enterInTable(order: string, status: string, cells: IDataObject): void {
	const row = dataTables()
		.rows()
		.find((one) => one.reference === order && one.status === status);
	if (row === undefined) throw new Error(`${order} has no row with the status ${status}`);
	dataTables().editRow(row.id, cells as Record<string, string>);
}
