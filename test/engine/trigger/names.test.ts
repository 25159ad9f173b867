/** What an event is about, in the words of the user: from the table that the payout or charge is in. */
import { paymentPaid } from '../../e2e/support/deliveries';
import { COLUMNS } from '../../../nodes/BrlPayments/orders/tableRow';
import { stopClock } from '../../unit/nodes/BrlPaymentsTrigger/support/delivery';
import { logged } from '../support/container';
import { dataTables, emptyDataTables } from '../support/ledger';
import { NODE } from '../support/names';
import { useTriggerBench } from '../support/triggerBench';

const bench = useTriggerBench();
stopClock();

const columns = COLUMNS.map(([name, type]) => ({ name, type }));
const createTable = (name = 'BRL Payouts') => dataTables().create(name, columns);
beforeEach(() => {
	emptyDataTables();
	createTable();
});
const addRow = (cells: Record<string, string>, table?: string) => {
	const empty = Object.fromEntries(COLUMNS.map(([name]) => [name, null]));
	dataTables().addRow({ ...empty, environment: 'live', ...cells }, table);
};
const charge = (reference: string, paymentId: string, status = 'created') =>
	addRow({ reference, status, kind: 'charge', paymentId });
const payout = (reference: string, withdrawalId: string, status = 'paid', kind = 'payout') =>
	addRow({ reference, status, kind, withdrawalId });
/** A payout that was made without a reference. */
const automatic = (withdrawalId: string) =>
	payout('auto-abcdefghijklmnop', withdrawalId, 'paid', 'automatic');

const ofPayment = () => {
	const delivery = paymentPaid();
	return { delivery, id: (JSON.parse(String(delivery.body)) as { id: string }).id };
};
const ofWithdrawal = () => {
	const { delivery, id } = ofPayment();
	const body = { id, txId: `WIT${id.slice(0, 8)}`, status: 'COMPLETED', netAmount: 10.01 };
	return {
		id,
		delivery: { ...delivery, event: 'WITHDRAWAL_COMPLETED', body: JSON.stringify(body) },
	};
};
/** What the workflow gets of one event. */
const receive = async ({ delivery }: ReturnType<typeof ofPayment>, process = bench.start()) => {
	expect(await process.deliver(delivery)).toBe(200);
	const execution = bench.executions.at(-1)!;
	expect(execution.error).toBeUndefined();
	const [item] = execution.output(NODE);
	return item!.json;
};

it('a payment has its External ID, and a withdrawal its reference', async () => {
	createTable('Old BRL Payouts');
	const [payment, withdrawal] = [ofPayment(), ofWithdrawal()];
	charge('order-1', payment.id);
	charge('order-2', ofPayment().id);
	payout('NF-1', withdrawal.id);
	const old = { reference: 'NF-0', status: 'paid', withdrawalId: withdrawal.id };
	dataTables().addRow(old, 'Old BRL Payouts');

	const process = bench.start();
	expect(await receive(payment, process)).toMatchObject({ externalId: 'order-1', reference: null });
	expect(await receive(withdrawal, process)).toMatchObject({ externalId: null, reference: 'NF-1' });
	// The table is found once, then each execution reads it in one call.
	expect(dataTables().calls).toEqual(['list', 'get', 'get']);
});

it.each(['failed', ' PAID '])('a row that says "%s" names its withdrawal', async (status) => {
	const withdrawal = ofWithdrawal();
	payout('NF-1', withdrawal.id, status);

	expect(await receive(withdrawal)).toMatchObject({ reference: 'NF-1' });
});

it('a reference that has taken over the withdrawal of an automatic name is shown', async () => {
	const [late, named] = [ofWithdrawal(), ofWithdrawal()];
	for (const { id } of [late, named]) automatic(id);
	payout('NF-1', late.id);
	payout('auto-1', named.id);

	expect(await receive(late)).toMatchObject({ reference: 'NF-1' });
	// People have references that begin like this.
	expect(await receive(named)).toMatchObject({ reference: 'auto-1' });
});

it.each<[string, (id: string) => unknown]>([
	['the payout was made without a reference', (id) => automatic(id)],
	['there is no table', () => dataTables().remove()],
	['the table has no row of it', () => undefined],
	['another one may have it', (id) => payout('NF-1', id, 'in doubt')],
	['two references have it', (id) => ['NF-1', 'NF-2'].map((each) => payout(each, id))],
	['n8n has no Data Tables', () => (dataTables().isOff = true)],
	[
		'the table cannot be read',
		() => (dataTables().onStep = () => Promise.reject(new Error('no database'))),
	],
])('the event goes on without it where %s', async (_why, prepare) => {
	const withdrawal = ofWithdrawal();
	prepare(withdrawal.id);

	expect(await receive(withdrawal)).toMatchObject({ withdrawalId: withdrawal.id, reference: null });
});

it('says in the log why, and looks for a table again that was deleted', async () => {
	const process = bench.start();
	const [first, second] = [ofWithdrawal(), ofWithdrawal()];
	payout('NF-1', first.id);
	expect(await receive(first, process)).toMatchObject({ reference: 'NF-1' });
	dataTables().remove();
	createTable();
	payout('NF-2', second.id);

	expect(await receive(second, process)).toMatchObject({ reference: null });
	expect(JSON.stringify(logged)).toContain('the table BRL Payouts cannot be read');
	const third = ofWithdrawal();
	payout('NF-3', third.id);
	expect(await receive(third, process)).toMatchObject({ reference: 'NF-3' });
});
