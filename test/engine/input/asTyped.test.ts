/** Lists as people really have them: what is read, what is refused, and that nobody is paid twice. */
import type { IDataObject } from 'n8n-workflow';
import { READ_KEYS, REFUSED_KEYS, TYPED_KEYS } from '../../support/pixKeys';
import { chargeEach, chargesOf, charging } from '../support/charges';
import { usePayouts } from '../support/money';
import { INVOICES, payEach, referenced } from '../support/payouts';
import { CPF, EMAIL } from '../support/values';
import { CONTINUE } from '../support/workflow';
import { sent } from '../support/wire';

const bench = usePayouts();
const [ONE, TWO] = INVOICES as [IDataObject, IDataObject];
const TYPED = { pixKeyType: '={{ $json.type }}' };

const payKeys = async (rows: IDataObject[]) => await bench.run(payEach({}, TYPED), rows, CONTINUE);
const checkKeys = async (rows: IDataObject[]) =>
	await bench.run({ ...payEach({}, TYPED), operation: 'checkBatch' }, rows);
/** Each row has an amount of its own, so that none is the copy of another. */
const toRows = (keys: ReadonlyArray<readonly [key: unknown, type: string]>) =>
	keys.map(([pixKey, type], index) => ({ amount: 10 + index, pixKey, type }) as IDataObject);

describe('Check Batch and Create agree', () => {
	it('on every key that is read, and the service takes it as it is shown', async () => {
		const typed = TYPED_KEYS.map(([given, type, value]) => [given, type, value, type] as const);
		const keys = [
			...READ_KEYS.map(([given, value, type]) => [given, '', value, type] as const),
			...typed,
		];
		const rows = toRows(keys.map(([given, type]) => [given, type]));

		const checked = await checkKeys(rows);
		const paid = await payKeys(rows);

		expect(checked.json.map(({ ok, problems }) => [ok, problems] as unknown)).toEqual(
			rows.map(() => [true, []]),
		);
		expect(checked.json.map(({ pixKeyType }) => pixKeyType as unknown)).toEqual(
			keys.map(([, , , type]) => type),
		);
		expect(paid.codes).toEqual(rows.map(() => undefined));
		const booked = bench.sandbox.books.withdrawals.map(({ amountCents, pixKey }) => [
			amountCents,
			pixKey,
		]);
		expect(booked.sort(([one], [other]) => Number(one) - Number(other))).toEqual(
			keys.map(([, , value], index) => [1_000 + index * 100, value]),
		);
	});

	it('on every key that is refused, for the same reason', async () => {
		const keys = REFUSED_KEYS.flatMap(([, , given]) => given).filter(
			(key) => key !== undefined && key !== null,
		);
		const rows = toRows([
			...keys.map((key) => [key, ''] as const),
			[CPF, 'Telefone'],
			[EMAIL, 'conta'],
		]);

		const checked = await checkKeys(rows);
		const paid = await payKeys(rows);

		expect(rows.length).toBeGreaterThan(50);
		for (const [index, { ok, problems }] of checked.json.entries()) {
			const key = rows[index]?.pixKey;
			expect([key, ok]).toEqual([key, false]);
			expect(problems[0].message).toContain(paid.errors[index]?.message.split(' [')[0]);
		}
		expect(bench.sandbox.books.withdrawals).toEqual([]);
	});
});

it('PIX Key Type is never sent, and takes the words of a column', async () => {
	const run = await payKeys([
		{ amount: 20, pixKey: '41998765432', type: 'Celular' },
		{ amount: 30, pixKey: '734.120.659-43', type: 'telefone' },
		{ amount: 40, pixKey: '11987654021', type: 'chave CPF' },
	]);

	expect(run.codes).toEqual([undefined, 'INVALID_INPUT', undefined]);
	expect(run.errors[1]?.message).toContain('PIX Key Type is Phone, but the PIX key is a CPF');
	expect(
		sent(bench)
			.filter((line) => line.startsWith('POST'))
			.sort(),
	).toEqual([
		'POST /v1/withdrawals {"amount":20,"destination":{"pixKey":"+5541998765432"}}',
		'POST /v1/withdrawals {"amount":40,"destination":{"pixKey":"11987654021"}}',
	]);
});

it('a reference with what nobody sees is not paid again, and found by Get by Reference and Settle Reference', async () => {
	await bench.start(referenced(), INVOICES);
	const again = await bench.start(referenced(), [{ ...ONE, invoice: '\ufeff NF\u00ad-1' }, TWO]);
	expect(again.paidBefore).toEqual([true, true]);
	expect(await bench.getReference('\u200bNF-1')).toMatchObject({
		reference: 'NF-1',
		status: 'paid',
	});
	const settled = await bench.settle('NF\u2060-2', 'paid', bench.idOf('NF-2'));
	expect(JSON.stringify(settled)).not.toContain('never sent');
});

it('no External ID that has lost a character is charged, with Once per External ID or without', async () => {
	const rows = [
		{ amount: 50.02, order: 'N\ufffd 1' },
		{ amount: 50.02, order: 'PED-2' },
	];
	for (const options of [{}, { oncePerExternalId: false }]) {
		const run = await bench.run(chargeEach(options), rows, CONTINUE);
		expect(run.codes).toEqual(['INVALID_INPUT', undefined]);
		expect(run.errors[0]?.message).toContain('External ID has lost a character');
	}
});

it('an External ID with what nobody sees is the same', async () => {
	const other = { amount: 50.02, order: 'PED-2' };
	await bench.start(charging(), [{ amount: 50.02, order: 'PED-1' }, other]);

	const again = await bench.start(charging(), [{ amount: 50.02, order: 'PED\u00ad-1' }, other]);

	expect(again.createdBefore).toEqual([true, true]);
	expect(chargesOf(bench)).toEqual({ 'PED-1': 1, 'PED-2': 1 });
});

it('an External ID is sent as it counts', async () => {
	const rows = [
		{ amount: 50.02, order: ' PED\u00a01\u200b' },
		{ amount: 50.02, order: 'PED-2' },
	];
	await bench.run(chargeEach({ oncePerExternalId: false }), rows);
	expect(chargesOf(bench)).toEqual({ 'PED 1': 1, 'PED-2': 1 });
});
