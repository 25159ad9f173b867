/**
 * References in a real n8n on SQLite: the table that remembers them, and what people do with it. On PostgreSQL:
 * queue.test.ts.
 */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { getItems } from '../../dev/n8n/rest/executionData';
import {
	brlPayments,
	buildWorkflow,
	MANUAL,
	manualStart,
	payEachItem,
	webhookStart,
} from '../../dev/n8n/rest/workflow';
import { COLUMNS } from '../../nodes/BrlPayments/orders/tableRow';
import { killWhilePaying } from './support/kill';
import {
	AWKWARD_REFERENCES,
	booked,
	intended,
	type Invoice,
	makeInvoices,
} from './support/payouts';
import { useWorld } from './support/n8nTestEnv';

const world = useWorld();
const TABLE = 'BRL Payouts';
const CONTINUE = { onError: 'continueRegularOutput' } as const;
const REFERENCE = { reference: '={{ $json.invoice }}' };

const PAY = payEachItem(CONTINUE, {}, REFERENCE);
const operation = (name: string, parameters: INodeParameters = {}): INode =>
	brlPayments('Pay', 'withdrawal', name, { ...REFERENCE, ...parameters, options: {} }, CONTINUE);

/** A node remembers which table it has used; each time it is run, it returns its items. */
async function save(rows: readonly Invoice[], node = PAY): Promise<() => Promise<IDataObject[]>> {
	const workflow = buildWorkflow('References', [...manualStart([...rows]), node]);
	const { id } = await world.client.createWorkflow(workflow);
	return async () =>
		getItems(await world.client.runToEnd(id, MANUAL), node.name).map(({ json }) => json);
}
const run = async (rows: readonly Invoice[], node?: INode) => await (await save(rows, node))();

const codes = (items: IDataObject[]) =>
	items.map(({ error }) => (error as IDataObject | undefined)?.code);

const paidBefore = (paid: IDataObject[]) =>
	paid.map(({ id }) => expect.objectContaining({ id, alreadyPaid: true }) as IDataObject);

const expectEachOnce = (rows: readonly Invoice[]) =>
	expect(booked(world.sandbox.books.withdrawals)).toEqual(intended(rows));

it('are found as they were written, in a table beside others whose names n8n takes for a match', async () => {
	for (const name of ['BRL Payouts (copy)', 'brl payouts']) {
		await world.createTable(name, [['reference', 'string']]);
	}
	const rows = makeInvoices(AWKWARD_REFERENCES);

	const paid = await run(rows);

	expect(paid.map(({ alreadyPaid }) => alreadyPaid)).toEqual(rows.map(() => false));
	const table = await world.tableRows(TABLE);
	// In the order in which the service has answered.
	const names = table.map(({ reference }) => reference as string);
	expect(names.sort()).toEqual([...AWKWARD_REFERENCES].sort());
	for (const [column] of COLUMNS) expect(table[0]).toHaveProperty(column);
	expect(await run(rows)).toEqual(paidBefore(paid));
	expect(await run(rows, operation('getByReference'))).toMatchObject(
		paid.map(({ id, reference }) => ({
			...{ reference, status: 'paid', withdrawalId: id, withdrawal: { id } },
			history: [{ status: 'paid', withdrawalId: id }],
		})),
	);
	const others = await run(makeInvoices(['PLAIN', '50', '5%']), operation('getByReference'));
	expect(others.map(({ status }) => status)).toEqual(others.map(() => 'never sent'));
	expectEachOnce(rows);
});

it('are found in a list of more than n8n is asked for at once, and do not begin alike', async () => {
	const rows = makeInvoices(Array.from({ length: 450 }, (_, index) => `${(index * 7919) % 450}=x`));
	const table = rows.map(({ invoice }) => ({ reference: invoice, status: 'payed' }));
	await world.addTableRows(TABLE, ...table);
	const { amount, pixKey } = PAY.parameters;
	const checked = await run(rows, operation('checkBatch', { amount, pixKey }));
	// Nothing can make sense of such a row, so each says that it was found.
	const message = expect.stringMatching(/^Somebody has changed a row of /) as string;
	expect(checked).toMatchObject(rows.map(() => ({ problems: [{ message }] })));
});

it('are paid once when n8n is killed and the list is run again', async () => {
	const path = 'references-killed';
	const rows = makeInvoices(Array.from({ length: 30 }, (_, index) => `K-${index}`));
	const workflowId = await world.listen(buildWorkflow(path, [...webhookStart(path), PAY]));
	await killWhilePaying(world, workflowId, path, rows);

	const again = await world.trigger(workflowId, path, { items: [...rows].reverse() });

	const paid = getItems(await world.client.waitForExecution(again), 'Pay');
	expect(codes(paid.map(({ json }) => json))).toEqual(rows.map(() => undefined));
	expectEachOnce(rows);
});

it('leave nothing in the list of executions but those of the workflow', async () => {
	const workflow = buildWorkflow('Listed', [...manualStart(makeInvoices(['L-1', 'L-2'])), PAY]);
	const { workflowId } = await world.run(workflow);
	expect(await world.client.listExecutionsOfAllModes(workflowId)).toHaveLength(1);
});

it('are refused while the table has another name, after a power cut, and known once it has its name back', async () => {
	const pay = await save(makeInvoices(['N-1', 'N-2']));
	const paid = await pay();
	const path = (await world.tablePath(TABLE))!;
	await world.client.request('PATCH', path, { name: 'Paid so far' });
	await world.crashAndRestart();
	const description = expect.stringContaining('give it its name back') as string;
	const refusal = { error: { code: 'LEDGER_UNAVAILABLE', description } };
	expect(await pay()).toMatchObject([refusal, refusal]);

	await world.client.request('PATCH', path, { name: TABLE });
	expect(await pay()).toEqual(paidBefore(paid));
});

it('are refused once the table was deleted, also by an n8n that was killed', async () => {
	const rows = makeInvoices(['T-1', 'T-2']);
	const pay = await save(rows);
	await pay();
	await world.client.request('DELETE', (await world.tablePath(TABLE))!);
	const description = expect.stringContaining('restore the table from a backup') as string;
	const refusal = { error: { code: 'LEDGER_UNAVAILABLE', description } };

	expect(await pay()).toMatchObject([refusal, refusal]);
	await world.crashAndRestart();
	expect(await pay()).toMatchObject([refusal, refusal]);

	expectEachOnce(rows);
	expect(await world.tablePath(TABLE)).toBeUndefined();
});

it('are refused, and nothing is sent, while the tables of n8n are full', async () => {
	await world.restartWith({ N8N_DATA_TABLES_MAX_SIZE_BYTES: '1' });
	expect(codes(await run(makeInvoices(['F-1', 'F-2'])))).toEqual([
		'LEDGER_UNAVAILABLE',
		'LEDGER_UNAVAILABLE',
	]);
	expect(world.sandbox.books.withdrawals).toEqual([]);
});

it('are refused, and so are payouts without them, where n8n has no tables; rows can be checked', async () => {
	await world.restartWith({ N8N_DISABLED_MODULES: 'data-table,mcp-registry' });
	const rows = makeInvoices(['D-1', 'D-2']);
	const description = expect.stringContaining('n8n 2.3 or later') as string;
	const refusal = { error: { code: 'LEDGER_UNAVAILABLE', description } };
	const { amount, pixKey } = PAY.parameters;
	for (const node of [PAY, payEachItem(CONTINUE), operation('getByReference')]) {
		expect(await run(rows, node)).toMatchObject([refusal, refusal]);
	}
	const checked = brlPayments('Pay', 'withdrawal', 'checkBatch', { amount, pixKey, options: {} });
	expect(codes(await run(rows, checked))).toEqual([undefined, undefined]);
	expect(world.sandbox.books.withdrawals).toEqual([]);
});
