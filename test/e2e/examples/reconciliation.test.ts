/** The example that reconciles a day, in a real n8n. */

import { LEDGER_NAME } from '../../../nodes/BrlPayments/ledger/findTable';
import { COLUMNS } from '../../../nodes/BrlPayments/ledger/tableRow';
import { RECONCILIATION_EXAMPLE } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { DAY_MS, getError, toDay, useExampleWorld } from './exampleWorld';

const ACCOUNTING = 'accounting@example.com';

const world = useExampleWorld();

const run = async () => await world.runExample(RECONCILIATION_EXAMPLE, 'Every Day at 06:00');

/** Runs it, and returns what it sends. */
async function report(): Promise<Mail> {
	const [mail, execution] = await world.nextMail(ACCOUNTING, run);
	expect(getError(execution)).toBeUndefined();
	return mail;
}

/** Yesterday in São Paulo, as `YYYY-MM-DD`. */
const yesterday = () => toDay(Date.now() - DAY_MS);

/** The same as Brazilians write it. */
const yesterdayInWords = () => yesterday().split('-').reverse().join('/');

it('writes the rows of yesterday and their totals, each once, also when it runs again', async () => {
	const before = Date.now() - DAY_MS;
	const wanted = Array.from({ length: 104 }, (_value, index) =>
		world.seedPayment({ submittedCents: 1_010 + index, createdAt: before, status: 'PAID' }),
	);
	wanted.push(world.seedPayment({ submittedCents: 990, createdAt: before }));
	world.seedPayment({ submittedCents: 5_555, createdAt: before - 2 * DAY_MS, status: 'PAID' });
	world.seedPayment({ submittedCents: 6_666, createdAt: before + 2 * DAY_MS, status: 'PAID' });
	const withdrawals = [
		world.seedWithdrawal({ amountCents: 20_010, createdAt: before, status: 'COMPLETED' }),
		world.seedWithdrawal({ amountCents: 30_020, createdAt: before, status: 'COMPLETED' }),
	];

	expect(getError(await run())).toBeUndefined();
	expect(getError(await run())).toBeUndefined();

	const rows = await world.tableRows('Movements by day');
	expect(rows.map(({ txId }) => txId).sort()).toEqual(
		[...wanted, ...withdrawals].map(({ txId }) => txId).sort(),
	);
	const [first] = wanted as [(typeof wanted)[0]];
	expect(rows.find(({ txId }) => txId === first.txId)).toMatchObject({
		day: yesterday(),
		kind: 'payment',
		status: 'PAID',
		method: 'PIX',
		amount: first.amountCents / 100,
		fee: first.feeCents / 100,
		net: first.netCents / 100,
		created: new Date(first.createdAt).toISOString(),
		paid: new Date(first.createdAt).toISOString(),
	});
	const paid = wanted.filter(({ status }) => status === 'PAID');
	const totals = await world.tableRows('Totals by day');
	expect(totals).toHaveLength(3);
	expect(totals).toContainEqual(
		expect.objectContaining({
			kind: 'payment',
			status: 'PAID',
			number: 104,
			amount: paid.reduce((sum, { amountCents }) => sum + amountCents, 0) / 100,
			fee: (104 * first.feeCents) / 100,
		}),
	);
	expect(totals).toContainEqual(
		expect.objectContaining({ kind: 'withdrawal', status: 'COMPLETED', number: 2, amount: 500.3 }),
	);
});

it('counts a movement once, under the status that it has now, and leaves other days alone', async () => {
	const withdrawal = world.seedWithdrawal({
		...{ amountCents: 10_000, createdAt: Date.now() - DAY_MS, status: 'PROCESSING' },
	});
	await world.addTableRow('Totals by day', { day: '2020-01-31', kind: 'payment', number: 7 });
	await run();
	withdrawal.status = 'COMPLETED';
	await run();
	const totals = await world.tableRows('Totals by day');
	const net = (10_000 + withdrawal.feeCents) / 100;
	expect(totals.filter(({ day }) => day === yesterday())).toEqual([
		expect.objectContaining({
			...{ kind: 'withdrawal', status: 'COMPLETED', number: 1, amount: 100, net },
		}),
	]);
	expect(totals).toContainEqual(expect.objectContaining({ day: '2020-01-31', number: 7 }));
});

it('reports what does not add up', async () => {
	const createdAt = Date.now() - DAY_MS;
	const missed = world.seedPayment({ createdAt, status: 'PAID' });
	const disputed = world.seedPayment({ createdAt, status: 'CHARGEBACK' });
	const fine = world.seedPayment({ createdAt, status: 'EXPIRED' });
	const failed = world.seedWithdrawal({
		createdAt,
		status: 'FAILED',
		errorMessage: 'The account is closed',
	});
	const waiting = world.seedWithdrawal({ createdAt, status: 'PROCESSING' });
	const done = world.seedWithdrawal({ createdAt, status: 'COMPLETED' });

	const mail = await report();

	expect(mail.subject).toBe(`Conciliação de ${yesterdayInWords()}: 4 diferenças`);
	for (const difference of [
		`Pago, mas nenhum evento chegou: pagamento ${missed.txId}`,
		`Contestado (CHARGEBACK): pagamento ${disputed.txId}`,
		`Não pago (The account is closed): saque ${failed.txId}`,
		`Ainda em andamento: saque ${waiting.txId}`,
	]) {
		expect(mail.text).toContain(difference);
	}
	for (const { txId } of [fine, done]) expect(mail.text).not.toContain(txId);
});

it('shows which reference a withdrawal paid, and in which execution', async () => {
	const createdAt = Date.now() - DAY_MS;
	const [failed, other] = [1, 2].map(() => world.seedWithdrawal({ createdAt, status: 'FAILED' }));
	await world.createTable(LEDGER_NAME, COLUMNS);
	await world.addTableRow(LEDGER_NAME, {
		...{ reference: 'NF-77', status: 'failed', withdrawalId: failed!.id, execution: '41' },
	});

	const mail = await report();

	expect(mail.text).toContain(`saque ${failed!.txId}, NF-77, execução 41, R$`);
	expect(mail.text).toContain(`saque ${other!.txId}, R$`);
	const rows = await world.tableRows('Movements by day');
	expect(rows.find(({ txId }) => txId === failed!.txId)).toMatchObject({
		...{ reference: 'NF-77', execution: '41' },
	});
});

it('finds events in its own table, not in one with a longer name', async () => {
	const seed = () => world.seedPayment({ createdAt: Date.now() - DAY_MS, status: 'PAID' });
	const [arrived, other] = [seed(), seed()];
	for (const [table, { txId }] of [
		['Payments received', arrived],
		['Payments received (copy)', other],
	] as const) {
		await world.createTable(table, [
			['txId', 'string'],
			['receivedAt', 'string'],
		]);
		await world.addTableRow(table, { txId, receivedAt: new Date().toISOString() });
	}
	const mail = await report();
	expect(mail.subject).toContain(': 1 diferença');
	expect(mail.text).toContain(`Pago, mas nenhum evento chegou: pagamento ${other.txId}`);
	expect(mail.text).not.toContain(arrived.txId);
});

it('reports a day without movements, too', async () => {
	const mail = await report();
	expect(mail.subject).toContain(': 0 diferenças');
	expect(mail.text).toContain('Nenhum movimento neste dia.');
});
