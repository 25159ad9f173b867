import { omit } from 'lodash';
import { useBench, everythingIn } from '../support/harness';
import { logged } from '../support/container';
import type { Execution } from '../support/execution';
import { payEach } from '../support/payouts';
import { CNPJ, CPF, EMAIL, HOUR } from '../support/values';
import { CONTINUE, operation } from '../support/workflow';
import { dataTables } from '../support/ledger';

const bench = useBench();

/** Not the one that texts of this package show as an example. */
const PHONE = '+5521912345678';

const PERSONAL = [CPF, '529.982.247-25', CNPJ, '11.222.333/0001-81', EMAIL, PHONE];
const MASKED = ['***.982.247-**', '**.***.333/0001-**', 'm***@recipient.example', '+55*******5678'];

/** What n8n keeps of the node's own run: its output, its errors and hints, not the items it was given. */
const output = ({ error, ...run }: Execution) =>
	everythingIn([run.run.data.resultData.runData['BRL Payments'], getMessages(error)]);
const getMessages = (error: Execution['error']) => [
	error?.message,
	error?.description,
	error?.messages,
];

function expectNothingPersonalIn(text: string): void {
	for (const each of PERSONAL) expect(text).not.toContain(each);
}

const MASK = { maskPersonalData: true };

describe('Mask Personal Data', () => {
	const get = (options = {}) =>
		operation('payment.get', { paymentId: '={{ $json.id }}', simplify: false }, options);
	const payments = () =>
		[CPF, CNPJ].map((document, index) =>
			bench.sandbox.seed.payment({
				status: 'PAID',
				description: `for ${index === 0 ? EMAIL : '529.982.247-25'}`,
				metadata: { document, phone: PHONE, order: 52998224725 },
				payer: {
					name: 'Maria Exemplo',
					document,
					documentType: index === 0 ? 'CPF' : 'CNPJ',
					institutionName: null,
					institutionIspb: null,
				},
			}),
		);

	it('masks outputs, and leaves ids, names and numbers', async () => {
		const [first, second] = payments();
		const items = [{ id: first!.id }, { id: second!.id }];

		const plain = await bench.run(get(), items);
		const run = await bench.run(get(MASK), items);

		expect(plain.json.map(({ payer }) => payer.document)).toEqual([CPF, CNPJ]);
		expect(run.json.map(({ payer }) => payer.document)).toEqual([MASKED[0], MASKED[1]]);
		expect(run.json.map(({ description }) => description)).toEqual([
			`for ${MASKED[2]}`,
			`for ${MASKED[0]}`,
		]);
		expect(
			run.json.map(({ id, txId, amount, metadata, payer, methodData }) => [
				...[id, txId, amount, metadata.order, metadata.phone, payer.name, methodData],
			]),
		).toEqual(
			plain.json.map(({ id, txId, amount, payer, methodData }) => [
				...[id, txId, amount, 52998224725, MASKED[3], payer.name, methodData],
			]),
		);
		expect(run.sources).toEqual([0, 1]);
		expectNothingPersonalIn(output(run).replace(/order: 52998224725/g, ''));
	});

	it.each(['html', 'text'])('masks a receipt in %s', async (format) => {
		const items = payments().map(({ id, txId }) => ({ id, txId }));
		const parameters = { format, paymentId: '={{ $json.id }}' };

		const run = await bench.run(operation('document.getReceipt', parameters, MASK), items);

		expect(run.json.map(({ content }) => content)).toEqual([
			expect.stringContaining(MASKED[0]!),
			expect.stringContaining(MASKED[1]!),
		]);
		expect(run.json[0]!.content).toContain(items[0]!.txId);
		expectNothingPersonalIn(output(run));
	});

	it('masks customers, lists and checked batches', async () => {
		bench.sandbox.seed.customer({ externalId: 'a', email: EMAIL, document: CPF, phone: PHONE });
		bench.sandbox.seed.withdrawal({ pixKey: EMAIL });
		bench.sandbox.seed.withdrawal({ pixKey: CNPJ });

		const customer = await bench.run(
			operation('customer.getByExternalId', { externalId: 'a' }, MASK),
			[{}],
		);
		const list = await bench.run(operation('withdrawal.getAll', { returnAll: true }, MASK), [{}]);
		const check = { ...payEach(MASK), operation: 'checkBatch' };
		const batch = await bench.run(check, [
			{ amount: 20, pixKey: PHONE },
			{ amount: 20, pixKey: CPF },
		]);

		const [document, , email, phone] = MASKED;
		expect(customer.json[0]).toMatchObject({ email, document, phone });
		expect(list.json.map(({ pixKey }) => pixKey).sort()).toEqual([MASKED[1], MASKED[2]]);
		expect(batch.json.map(({ pixKey }) => pixKey)).toEqual([MASKED[3], MASKED[0]]);
		for (const each of [customer, list, batch]) expectNothingPersonalIn(output(each));
	});
});

describe('with or without it', () => {
	const pay = payEach({}, { amount: '20,00', recipientDocument: '={{ $json.document }}' });
	// Each is wrong in one digit, or in its form.
	const mistyped = [
		{ pixKey: '52998224726', document: '' },
		{ pixKey: '11222333000182', document: '' },
		{ pixKey: 'maria@recipient.example@', document: '' },
		{ pixKey: EMAIL, document: '529.982.247-26' },
		{ pixKey: '+55 21 91234-567 8x', document: '' },
	];
	const parts = ['52998224726', '11222333000182', 'maria@', '529.982.247-26', '91234'];

	it('no error of this package quotes a document, an address or a key', async () => {
		const run = await bench.run(pay, mistyped, CONTINUE);
		const errors = run.json.map(({ error }) => JSON.stringify(error));

		expect(errors).toHaveLength(mistyped.length);
		expect(errors[0]).toContain('a CPF with wrong check digits');
		for (const part of parts) expect(errors.join()).not.toContain(part);
		const { error } = await bench.run(pay, mistyped.slice(0, 2));
		expect(error?.message).toContain('a CPF with wrong check digits');
		expect(everythingIn(getMessages(error))).not.toContain('52998224726');
	});

	it('nor does one that repeats the words of the server', async () => {
		bench.sandbox.faults.add({
			...{ method: 'POST', times: Infinity, kind: 'error', code: 'INVALID_PIX_KEY' },
			details: { [EMAIL]: `the key ${PHONE} of 529.982.247-25 is closed`, pixKey: CNPJ },
		});
		const items = [
			{ pixKey: CPF, document: '' },
			{ pixKey: EMAIL, document: CNPJ },
		];

		const failed = await bench.run(pay, items);
		const gone = await bench.run(pay, items, CONTINUE);

		expect(failed.error?.description).toContain('The server said');
		for (const masked of MASKED) expect(failed.error?.description).toContain(masked);
		expectNothingPersonalIn(everythingIn(getMessages(failed.error)));
		expectNothingPersonalIn(JSON.stringify(gone.errors));
	});

	it('nor does the table BRL Payouts, or what is said of payouts that it knows', async () => {
		const rows = [CPF, CNPJ, EMAIL, PHONE].map((pixKey, index) => ({
			...{ pixKey, amount: 20 + index, invoice: `NF of ${pixKey}` },
		}));
		const create = payEach({ duplicateGuard: 'always' });
		const { ids } = await bench.run(create, rows);
		const late = { ...create, reference: '={{ $json.invoice }}' };
		const stopped = [
			await bench.run(create, rows, CONTINUE),
			await bench.run(late, rows, CONTINUE),
		];
		const failed = await bench.run(create, [...rows, { ...rows[0], amount: 0 }]);
		bench.clock.advance(25 * HOUR);
		const named = await bench.run(late, rows, { ...CONTINUE, lost: 'dropAfter' });
		const other = rows.map((row) => ({ ...row, amount: 30 }));
		stopped.push(named, await bench.run(late, other, CONTINUE));
		const settle = { resource: 'withdrawal', operation: 'settleReference', outcome: 'paid' };
		const items = ids.map((id, index) => ({ id, reference: `NF-${index}` }));
		await bench.run(
			{ ...settle, reference: '={{ $json.reference }}', withdrawalId: '={{ $json.id }}' },
			items,
		);

		for (const { errors } of stopped) {
			expect(errors).not.toContain(undefined);
			for (const error of errors) {
				expectNothingPersonalIn(
					`${error?.message} ${error?.description} ${JSON.stringify(error?.order)}`,
				);
			}
		}
		expectNothingPersonalIn(everythingIn(getMessages(failed.error)));
		const cells = dataTables().rows();
		expect(new Set(cells.map(({ kind }) => kind))).toEqual(new Set(['automatic', 'payout']));
		for (const row of cells) expectNothingPersonalIn(JSON.stringify(omit(row, 'reference')));
		for (const masked of MASKED) expect(JSON.stringify(cells)).toContain(masked);
	});

	it('n8n logs none of the items', async () => {
		const before = logged.length;
		bench.lose('dropAfter', undefined, 1);
		const items = [
			{ pixKey: CPF, document: '' },
			{ pixKey: EMAIL, document: CNPJ },
			{ pixKey: PHONE, document: CPF },
		];
		await bench.run(pay, items);
		await bench.run(pay, mistyped, CONTINUE);
		await bench.run(pay, mistyped);

		expect(logged.length).toBeGreaterThan(before);
		expectNothingPersonalIn(everythingIn(logged));
		for (const part of parts) expect(everythingIn(logged)).not.toContain(part);
	});
});
