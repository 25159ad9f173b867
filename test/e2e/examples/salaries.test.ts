/** The example that pays salaries, in a real n8n whose clock goes from one morning to another. */

import type { IDataObject } from 'n8n-workflow';

import { APPROVER, decisionPage, PAY } from '../../../dev/demo/payouts/approval';
import { postForm } from '../../../dev/n8n/editor/form';
import type { Mail } from '../../../dev/demo/mailbox';
import { JumpingClock } from '../../../dev/n8n/process/clock';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { getRuns, type Execution } from '../../../dev/n8n/rest/executionData';
import { use } from '../support/n8nTestEnv';
import { LEDGER_NAME } from '../../../nodes/shared/n8n/dataTable';
import { ExampleWorld, getError, MINUTE_MS } from './exampleWorld';

const SALARY_EXAMPLE = 'salaries.json';

const SECOND_APPROVER = 'second.approver@example.com';
const REPORTS = 'payroll@example.com';

/** 09:00 in São Paulo, which has had no summer time since 2019. */
const nineOn = (day: string): number => Date.parse(`${day}T09:00:00-03:00`);

/** With a clock that can be moved forward: n8n's and that of the service. */
class TimedWorld extends ExampleWorld {
	private time!: JumpingClock;

	override async start(): Promise<void> {
		this.time = await JumpingClock.open();
		// In 2030, the 5th of January is a Saturday.
		this.time.jumpTo(nineOn('2030-01-03'));
		this.clock = this.time;
		Object.assign(this.env, this.time.environment);
		await super.start();
	}

	/** Moves all clocks forward to this moment, epoch ms, and signs in again: a login lasts 7 days. */
	async goTo(moment: number): Promise<void> {
		this.time.jumpTo(moment);
		await this.client.signIn(this.owner);
	}

	override async end(): Promise<void> {
		await super.end();
		await this.time?.close();
	}
}

const world = use(new TimedWorld());

const ANA = {
	...{ nome: 'Ana Souza', documento: '390.533.447-05' },
	...{ chave_pix: 'ana@payee.example', valor: 3_850 },
};
const BRUNO = {
	...{ nome: 'Bruno Lima', documento: '529.982.247-25' },
	...{ chave_pix: 'bruno@payee.example', valor: 4_200 },
};
const CARLA = {
	...{ nome: 'Carla Dias', documento: '111.444.777-35' },
	...{ chave_pix: 'carla@payee.example', valor: 5_175.5 },
};

const EMPLOYEES = 'Funcionários';

/** What the user does after the import: chooses the table, and fills in *Your Settings*. */
async function setUp(settings: IDataObject = {}): Promise<void> {
	const value = (await world.tablePath(EMPLOYEES))!.split('/').at(-1)!;
	const dataTableId = { __rl: true, mode: 'list', value };
	await world.setUpExample(SALARY_EXAMPLE, settings, (node) =>
		node.name === 'Employees' ? { ...node, parameters: { ...node.parameters, dataTableId } } : node,
	);
}

/** Puts these rows in place of all that are in the table. */
async function fillTable(...rows: IDataObject[]): Promise<void> {
	const filters = [{ columnName: 'id', condition: 'gt', value: 0 }];
	const filter = encodeURIComponent(JSON.stringify({ type: 'and', filters }));
	const path = (await world.tablePath(EMPLOYEES))!;
	await world.client.request('DELETE', `${path}/rows?filter=${filter}`);
	await world.addTableRows(EMPLOYEES, ...rows);
}

beforeAll(async () => {
	await world.createTable(EMPLOYEES, [
		...(['nome', 'documento', 'chave_pix'] as const).map((column) => [column, 'string'] as const),
		['valor', 'number'],
	]);
}, MINUTE_MS);
beforeEach(async () => {
	await setUp();
	await world.emptyTable(LEDGER_NAME);
});

const workflow = () => world.workflows[SALARY_EXAMPLE]!;

/** PIX key and centavos of each withdrawal that was not refused by the bank. */
const paid = () =>
	world.sandbox.books.withdrawals
		.filter(({ status }) => status !== 'FAILED')
		.map(({ pixKey, amountCents }) => `${pixKey} ${amountCents}`);

/** Presses *Execute workflow*. */
const press = async () => await world.client.runWorkflow(workflow(), 'Every Morning');

async function end(executionId: string): Promise<Execution> {
	const execution = await world.client.waitForExecution(executionId);
	expect(getError(execution)).toBeUndefined();
	return execution;
}

/** How many e-mails were sent to the approvers and to those who read the report. */
const countMails = async () =>
	await Promise.all(
		[APPROVER, SECOND_APPROVER, REPORTS].map(async (each) => await world.countMailsTo(each)),
	);

/** Starts it, lets the first approver agree, and returns the report. */
async function payAll(start = press, subject = /./): Promise<Mail> {
	const [question, executionId] = await world.nextMail(APPROVER, start);
	expect(question.subject).toMatch(subject);
	const [report] = await world.nextMail(REPORTS, async () => {
		await world.answer(question, PAY);
		await end(executionId);
	});
	return report;
}

/** In which a busy machine publishes a workflow: what is published too late starts on the next day. */
const BEFORE_MS = 20_000;

/** The clock comes to 09:00 of a day; returns the execution that the schedule starts. */
async function morningOf(day: string): Promise<string> {
	await world.goTo(nineOn(day) - BEFORE_MS);
	// Timers keep real time: n8n computes the next start from the clock when it publishes.
	const publish = async () => await publishWorkflow(world.client, workflow());
	const id = await world.client.executionOf(workflow(), publish, 2 * MINUTE_MS);
	expect(await world.client.getExecution(id)).toMatchObject({ mode: 'trigger' });
	await world.client.request('POST', `/rest/workflows/${workflow()}/deactivate`, {});
	return id;
}

it(
	'pays each employee once a month, also after a weekend',
	async () => {
		const wrong = { ...BRUNO, chave_pix: 'nobody' };
		await fillTable(ANA, wrong, CARLA);
		// A Saturday, on which nobody is asked, told or paid.
		const mails = await countMails();
		const saturday = await end(await morningOf('2030-01-05'));
		expect(getRuns(saturday, 'Employees')).toEqual([]);
		expect([await countMails(), paid()]).toEqual([mails, []]);
		const january = await payAll(
			async () => await morningOf('2030-01-07'),
			/^Salários 01\/2030 a aprovar: 2 novos, R\$\s9\.025,50 \(1 recusado\)$/,
		);
		expect(january.subject).toBe('Salários 01/2030: 2 pagos, R$ 9.025,50 (1 recusado)');
		expect(january.text).toMatch(
			/^RECUSADO +linha \d+ .+Bruno Lima .+ {2}Chave PIX inválida: não é CPF.+$/m,
		);
		expect(january.text).toMatch(/^PAGO +linha \d+ +390\.533\.447-05 +Ana Souza +R\$\s3\.850,00/m);
		const inJanuary = ['ana@payee.example 385000', 'carla@payee.example 517550'];
		expect(paid().sort()).toEqual(inJanuary);

		// The corrected row is paid the next morning, and nobody else is.
		await fillTable(ANA, BRUNO, CARLA);
		const corrected = await payAll(
			async () => await morningOf('2030-01-08'),
			/^Salários 01\/2030 a aprovar: 1 novo, R\$\s4\.200,00 \(2 já pagos\)$/,
		);
		expect(corrected.subject).toBe('Salários 01/2030: 1 pago, R$ 4.200,00 (2 já pagos no mês)');
		expect(paid().sort()).toEqual([...inJanuary, 'bruno@payee.example 420000'].sort());
	},
	10 * MINUTE_MS,
);

it('above an amount a second person is asked, by a link of their own, and it pays when both agree', async () => {
	await setUp({ twoApproversAbove: '={{ 8052.99 }}' });
	await fillTable(ANA, BRUNO);
	const [first, executionId] = await world.nextMail(APPROVER, press);
	expect(first.subject).toContain('a aprovar (1ª de 2 aprovações): 2 novos, R$ 8.050,00');
	const [second] = await world.nextMail(
		SECOND_APPROVER,
		async () => await world.answer(first, PAY),
	);
	expect(second.subject).toContain('a aprovar (2ª de 2 aprovações): 2 novos');
	expect(second.html).toContain('Já aprovado por Joana (approver@example.com)');
	await world.untilStatus(executionId, 'waiting');
	const mails = await countMails();

	// The first link again, and its signature, or none, on the address of the second.
	const [firstLink, secondLink] = [first, second].map((mail) => new URL(decisionPage(mail)));
	expect(firstLink!.pathname).not.toBe(secondLink!.pathname);
	const send = async ({ pathname }: URL, search: string) =>
		await postForm(`${world.n8n.url}${pathname}${search}`, [PAY, 'Joana']);
	const again = await send(firstLink!, firstLink!.search);
	expect(again.text).toContain('No action required');
	for (const search of [firstLink!.search, '']) {
		expect(await send(secondLink!, search)).toMatchObject({ status: 401 });
	}
	expect(await world.client.getExecution(executionId)).toMatchObject({ status: 'waiting' });
	expect(await countMails()).toEqual(mails);
	expect(paid()).toEqual([]);

	await world.answer(second, PAY);
	await end(executionId);
	expect(paid().sort()).toEqual(['ana@payee.example 385000', 'bruno@payee.example 420000']);
});

it('knows an employee by the digits of the CPF, and refuses another amount in the same month', async () => {
	await fillTable(ANA, BRUNO);
	await payAll();
	const references = (await world.tableRows('BRL Payouts')).map(({ reference }) => reference);
	expect(references).toHaveLength(2);
	for (const reference of references) expect(reference).toMatch(/^[\da-f]{16} \d{4}-\d\d$/);
	const before = paid();
	const mails = await countMails();
	await fillTable({ ...ANA, documento: '39053344705' }, BRUNO);
	await end(await press());
	expect(await countMails()).toEqual(mails);
	await fillTable({ ...ANA, valor: 4_000 }, BRUNO);
	const [report] = await world.nextMail(REPORTS, async () => await end(await press()));
	expect(report.text).toMatch(
		/^RECUSADO .+Ana Souza .+ {2}Este CPF é de outro pagamento: foi pago com outro valor/m,
	);
	expect(paid()).toEqual(before);
});
