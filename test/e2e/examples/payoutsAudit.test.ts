/** The example that compares the table BRL Payouts with the service and its statement, in a real n8n. */
import { forgetPayouts } from '../../../dev/demo/examples';
import {
	brlPayments,
	buildWorkflow,
	manualStart,
	payEachItem,
} from '../../../dev/n8n/rest/workflow';
import { makePayouts, type Payout } from '../support/payouts';
import { DAY_MS, getError, useExampleWorld } from './exampleWorld';

const world = useExampleWorld();
const HOUR_MS = DAY_MS / 24;

beforeEach(async () => {
	await forgetPayouts(world.client);
	// The test says what becomes of each.
	world.sandbox.account.withdrawalCompletionDelayMs = HOUR_MS;
});

async function pay(references: readonly string[]): Promise<Payout[]> {
	const rows = makePayouts(references.length).map((payout, index) => ({
		...payout,
		invoice: references[index]!,
	}));
	const node = payEachItem({}, {}, { reference: '={{ $json.invoice }}' });
	const execution = await world.run(buildWorkflow('Pay', [...manualStart(rows), node]));
	expect(getError(execution)).toBeUndefined();
	return rows;
}

/** What the table has beside payouts. */
async function charge(orders: readonly string[]): Promise<void> {
	const node = brlPayments('Charge', 'payment', 'create', {
		...{ chargeBy: 'amount', amount: '50,02', methods: ['PIX'], mode: 'headless' },
		...{ additionalFields: { externalId: '={{ $json.order }}' }, options: {} },
	});
	const items = orders.map((order) => ({ order }));
	const execution = await world.run(buildWorkflow('Charge', [...manualStart(items), node]));
	expect(getError(execution)).toBeUndefined();
}

function completeAll(): void {
	for (const { id, status } of world.sandbox.books.withdrawals) {
		if (status !== 'FAILED') world.sandbox.setWithdrawalStatus(id, 'COMPLETED');
	}
}

it('leaves out charges, which the table has as well', async () => {
	await pay(['NF-1', 'NF-2']);
	await charge(['NF-1', 'PED-2']);
	completeAll();

	const { lines, mail } = await world.audit();

	expect(lines.map(({ referência, diferença }) => [referência, diferença]).sort()).toEqual([
		['NF-1', ''],
		['NF-2', ''],
	]);
	expect(mail.text).toContain('Referências pagas na tabela BRL Payouts: 2');
});

it('finds no difference if all three lists agree, and writes what Excel reads in Brazil', async () => {
	const [first] = await pay(['=NF;1', 'NF-2']);
	completeAll();

	const { mail, file, lines } = await world.audit();

	expect(lines.map(({ diferença }) => diferença)).toEqual(['', '']);
	expect(mail.subject).toMatch(
		/^Conferência dos pagamentos de [\d/]{10} a [\d/]{10}: 0 diferenças$/,
	);
	expect(mail.text).toContain('Saques no serviço: 2');
	expect(mail.text).toContain('Referências pagas na tabela BRL Payouts: 2');
	expect(mail.text).toContain('Extrato: comparado');
	const text = file.toString('utf8');
	expect(text).toMatch(
		/^\uFEFFreferência;situação;valor;tarifa;chave PIX;ID do saque;TxID;criado em;concluído em;no extrato;fluxo;execução;diferença\r\n/,
	);
	expect(text).toContain(`"'=NF;1";concluído;100,50;1,50;${first!.pixKey};`);
	const { id } = world.sandbox.books.withdrawals.find(({ pixKey }) => pixKey === first!.pixKey)!;
	expect(lines.find((line) => line['ID do saque'] === id)).toMatchObject({
		TxID: expect.stringMatching(/^WIT/),
		'criado em': expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/),
		'no extrato': 'sim',
		fluxo: expect.stringMatching(/^\w+$/),
		execução: expect.stringMatching(/^\d+$/),
	});
});

it('names each difference between the table, the service and the statement', async () => {
	await pay(['Agrees', 'Refused', 'Other', 'Gone', 'Open', 'Twice']);
	const find = (cents: number) =>
		world.sandbox.books.withdrawals.find(({ amountCents }) => amountCents === cents)!;
	world.sandbox.setWithdrawalStatus(find(10_151).id, 'FAILED');
	await world.editLedger('Other', { amount: 99 });
	await world.editLedger('Gone', { withdrawalId: '00000000-0000-4000-8000-000000000000' });
	await world.editLedger('Open', { status: 'sending', withdrawalId: null });
	const strange = world.sandbox.payByOtherTool({ environment: 'PRODUCTION', amountCents: 4_321 });
	const second = world.sandbox.payByOtherTool({ environment: 'PRODUCTION', amountCents: 10_555 });
	await world.addTableRow('BRL Payouts', {
		...{ reference: 'Twice', status: 'paid', withdrawalId: second.id, environment: 'live' },
	});
	completeAll();
	// Completed without a movement in the statement.
	const unstated = world.seedWithdrawal({ createdAt: Date.now(), status: 'COMPLETED' });

	const { mail, lines } = await world.audit();

	const found = lines
		.filter(({ diferença }) => diferença)
		.map((line) => [line.referência, line['ID do saque'], line.diferença]);
	const onlyInService = 'só no serviço: a tabela não conhece este saque';
	const unknown = 'não se sabe se foi pago: rode a lista de novo';
	const twice = 'a referência foi paga mais de uma vez';
	expect(found.sort()).toEqual(
		[
			['Refused', find(10_151).id, 'pago na tabela, mas o banco recusou'],
			['Other', find(10_252).id, 'outro valor na tabela: 99,00'],
			['', find(10_353).id, onlyInService],
			[
				'Gone',
				'00000000-0000-4000-8000-000000000000',
				'só na tabela: o serviço não mostra este saque',
			],
			['', find(10_454).id, onlyInService],
			['Open', '', unknown],
			['', strange.id, onlyInService],
			['Twice', find(10_555).id, twice],
			['Twice', second.id, twice],
			['', unstated.id, `${onlyInService}, não está no extrato`],
		].sort(),
	);
	expect(mail.subject).toContain(': 10 diferenças');
	expect(mail.text).toContain(`${onlyInService}: R$ 43,21`);
});

it('says of a reference that the bank refused first, and a second withdrawal paid, that it is paid', async () => {
	await pay(['Paid Later']);
	const [first] = world.sandbox.books.withdrawals;
	world.sandbox.setWithdrawalStatus(first!.id, 'FAILED');
	const second = world.sandbox.payByOtherTool({ environment: 'PRODUCTION', amountCents: 10_050 });
	await world.addTableRow('BRL Payouts', {
		...{ reference: 'Paid Later', status: 'paid', withdrawalId: second.id, environment: 'live' },
	});
	completeAll();

	const { mail, lines } = await world.audit();

	expect(
		lines
			.map((line) => [line['ID do saque'], line.referência, line.situação, line.diferença])
			.sort(),
	).toEqual(
		[
			[first!.id, 'Paid Later', 'falhou, pago por outro saque', ''],
			[second.id, 'Paid Later', 'concluído', ''],
		].sort(),
	);
	expect(mail.subject).toContain(': 0 diferenças');
});

it('compares the other two lists if the statement cannot be read', async () => {
	await pay(['NF-3']);
	completeAll();
	world.sandbox.faults.add({
		...{ method: 'GET', path: '/v1/documents/statements', kind: 'error', times: Infinity },
		code: 'FORBIDDEN',
	});

	const { mail, lines } = await world.audit();

	expect(mail.text).toContain('Extrato: não pôde ser lido, e não foi comparado');
	expect(lines.map((line) => [line['no extrato'], line.diferença])).toEqual([['', '']]);
});
