/** The example that tells before the payouts that the money is missing, in a real n8n with a clock. */
import type { IDataObject } from 'n8n-workflow';

import { BALANCE_EXAMPLE, forgetPayouts } from '../../../dev/demo/examples';
import type { Mail } from '../../../dev/demo/mailbox';
import { buildWorkflow, manualStart, payEachItem } from '../../../dev/n8n/rest/workflow';
import { use } from '../support/n8nTestEnv';
import { ChosenTable } from './chosenTable';
import { getError, MINUTE_MS } from './exampleWorld';
import { TimedWorld } from './timedWorld';

const RECIPIENT = 'finance@example.com';
const at = (hour: string): number => Date.parse(`2030-01-30T${hour}:05:00-03:00`);

const world = use(new TimedWorld(at('14')));

const LIST = [
	{ payOn: '2030-01-31', reference: 'NF-1', pixKey: 'ana@payee.example', amount: '1.250,00' },
	{ payOn: '31/01/2030', reference: 'NF-2', pixKey: 'bia@payee.example', amount: '750,50' },
	// Of another day.
	{ payOn: '2030-02-01', reference: 'NF-3', pixKey: 'caio@payee.example', amount: '9.000,00' },
];

let table: ChosenTable;
beforeAll(async () => {
	const columns = ['payOn', 'reference', 'pixKey', 'amount'] as const;
	table = await ChosenTable.make(
		world,
		'Payouts by day',
		columns.map((column) => [column, 'string']),
	);
}, MINUTE_MS);
beforeEach(async () => {
	await table.chooseIn(BALANCE_EXAMPLE, 'List of Payouts');
	await forgetPayouts(world.client);
});

const check = async () => {
	expect(getError(await world.runExample(BALANCE_EXAMPLE, 'Every Hour'))).toBeUndefined();
};

/** What three checks in a row send. */
async function readMails(): Promise<Mail[]> {
	const known = await world.countMailsTo(RECIPIENT);
	for (let hour = 0; hour < 3; hour += 1) await check();
	const count = await world.countMailsTo(RECIPIENT);
	const mails = await world.mailsTo(RECIPIENT, count);
	return mails.slice(known);
}

/** The only one of them. */
async function readMail(): Promise<Mail> {
	const mails = await readMails();
	expect(mails).toHaveLength(1);
	return mails[0]!;
}

const of = (amount: string, more: IDataObject = {}) =>
	LIST.map((row) => ({ ...row, amount, ...more }));

it('says once what is missing for the list of tomorrow, and again when the list has changed', async () => {
	await table.fill(LIST);
	world.sandbox.account.balanceCents = 180_000;
	const mail = await readMail();
	expect(mail.subject).toBe('Pagamentos de 31/01/2030: saldo insuficiente');
	// 1,250.00 + 750.50 + 2 fees of 1.50 - 1,800.00.
	expect(mail.text).toContain(
		'Saldo: faltam R$ 203,50. A pagar: R$ 2.000,50, mais R$ 3,00 de tarifas. Disponível: R$ 1.800,00.',
	);
	// A smaller balance is the same news; a longer list is not.
	world.sandbox.account.balanceCents = 100_000;
	expect(await readMails()).toEqual([]);
	await table.fill([
		...LIST,
		{ ...LIST[0]!, reference: 'NF-4', pixKey: 'davi@payee.example', amount: '10,00' },
	]);
	const again = await readMail();
	expect(again.text).toContain('Saldo: faltam R$ 1.015,00.');
});

it.each([
	['the money is enough, to the centavo', LIST, 200_350],
	['nothing is due on that day', LIST.slice(2), 0],
	['the list is empty', [], 0],
] as Array<[string, IDataObject[], number]>)('is quiet when %s', async (_case, rows, cents) => {
	await table.fill(rows);
	world.sandbox.account.balanceCents = cents;
	expect(await readMails()).toEqual([]);
});

it('leaves out what was paid before', async () => {
	await table.fill(LIST);
	const [first] = LIST;
	const pay = payEachItem({}, {}, { reference: '={{ $json.reference }}' });
	const description = 'Lunch';
	await world.run(buildWorkflow('Pay one', [...manualStart([{ ...first, description }]), pay]));
	expect(world.sandbox.books.withdrawals).toHaveLength(1);
	world.sandbox.account.balanceCents = 70_000;
	const mail = await readMail();
	expect(mail.text).toContain('Saldo: faltam R$ 52,00. A pagar: R$ 750,50, mais R$ 1,50');
});

it('counts rows whose amount cannot be read', async () => {
	await table.fill(
		LIST.map((row, index) => ({ ...row, amount: ['100,00', 'mil'][index] ?? '1,00' })),
	);
	world.sandbox.account.balanceCents = 1_000;
	const mail = await readMail();
	expect(mail.text).toContain('Saldo: faltam R$ 91,50.');
	expect(mail.text).toContain('Linhas sem valor legível, que não estão na soma: 1');
});

it('compares the limit of tomorrow, whatever today has used', async () => {
	await table.fill(LIST);
	world.seedWithdrawal({ createdAt: world.now(), amountCents: 150_000, status: 'COMPLETED' });
	world.sandbox.account.dayLimitCents = 200_350;
	expect(await readMails()).toEqual([]);
	world.sandbox.account.dayLimitCents = 200_000;
	const mail = await readMail();
	expect(mail.subject).toBe('Pagamentos de 31/01/2030: limite insuficiente');
	expect(mail.text).toContain(
		'Limite diurno: faltam R$ 3,50. A pagar: R$ 2.000,50, mais R$ 3,00 de tarifas. O limite permite R$ 2.000,00.',
	);
});

it('compares the night limit at night, when the payouts are made at night', async () => {
	await table.chooseIn(BALANCE_EXAMPLE, 'List of Payouts', { payAt: '={{ 5 }}' });
	await table.fill(of('300,00'));
	world.sandbox.account.nightLimitCents = 40_000;
	expect(await readMails()).toEqual([]);
	await world.goTo(at('21'));
	const mail = await readMail();
	expect(mail.text).toContain('Os pagamentos de 31/01/2030, às 5h, não caberão na conta.');
	expect(mail.text).toContain('Limite noturno: faltam R$ 203,00.');
});

it('looks at the list of today until its hour has come', async () => {
	await world.goTo(at('14') + 17 * 60 * MINUTE_MS);
	await table.fill(of('200,00'));
	world.sandbox.account.balanceCents = 10_000;
	// 07:05 on the 31st.
	const today = await readMail();
	expect(today.subject).toBe('Pagamentos de 31/01/2030: saldo insuficiente');
	await world.goTo(world.now() + 2 * 60 * MINUTE_MS);
	const tomorrow = await readMail();
	expect(tomorrow.subject).toBe('Pagamentos de 01/02/2030: saldo insuficiente');
});

it('says both when balance and limit are missing, in one e-mail', async () => {
	await table.fill(of('400,00', { payOn: '2030-02-01' }));
	Object.assign(world.sandbox.account, { balanceCents: 1_000, dayLimitCents: 2_000 });
	const mail = await readMail();
	expect(mail.subject).toBe('Pagamentos de 01/02/2030: saldo insuficiente e limite insuficiente');
});
