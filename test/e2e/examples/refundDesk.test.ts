/** The example in which a refund is asked for, decided and made, in a real n8n. */
import { APPROVER } from '../../../dev/demo/payouts/approval';
import { REFUND_EXAMPLE } from '../../../dev/demo/examples';
import { submitForm } from '../../../dev/n8n/editor/form';
import type { Mail } from '../../../dev/demo/mailbox';
import { useExampleWorld } from './exampleWorld';

const world = useExampleWorld();

let form: string;
beforeAll(async () => {
	form = await world.openForm(REFUND_EXAMPLE);
}, 60_000);

const ask = async (payment: string, email: string) =>
	await submitForm(form, [payment, 'Order cancelled', email]);

async function askAndBeAsked(payment: string, email: string): Promise<Mail> {
	const known = await world.countMailsTo(APPROVER);
	await ask(payment, email);
	return await world.question(known);
}

it('refunds payments that are found by ID and by TxID, after a yes', async () => {
	const byId = world.seedPayment({ status: 'PAID', amountCents: 12_590, description: 'Order 1' });
	const byTxId = world.seedPayment({ status: 'CONFIRMED', amountCents: 48_000 });
	const first = await askAndBeAsked(` ${byId.id} `, 'ana@desk.example');
	const second = await askAndBeAsked(byTxId.txId, 'bia@desk.example');
	for (const word of ['Order 1', 'Order cancelled', 'ana@desk.example', byId.txId]) {
		expect(first.html).toContain(word);
	}
	expect(world.sandbox.books.refunds).toHaveLength(0);

	await world.answer(first, 'Devolver');
	const [toAna] = await world.mailsTo('ana@desk.example', 1);
	await world.answer(second, 'Devolver');
	const [toBia] = await world.mailsTo('bia@desk.example', 1);
	expect(toAna!.subject).toBe('Devolução de R$ 125,90 a caminho');
	expect(toBia!.subject).toBe('Devolução de R$ 480,00 a caminho');
	const refunds = world.sandbox.books.refunds.map(({ paymentId, amountCents, reason }) => ({
		paymentId,
		amountCents,
		reason,
	}));
	expect(refunds).toEqual([
		{ paymentId: byId.id, amountCents: 12_590, reason: 'Order cancelled' },
		{ paymentId: byTxId.id, amountCents: 48_000, reason: 'Order cancelled' },
	]);
});

it('refunds nothing when the answer is no', async () => {
	const { id } = world.seedPayment({ status: 'PAID' });
	await world.answer(await askAndBeAsked(id, 'no@desk.example'), 'Não devolver');
	const [mail] = await world.mailsTo('no@desk.example', 1);
	expect(mail!.text).toContain('Recusada por Joana');
	expect(world.sandbox.books.refunds).toHaveLength(0);
});

it('refuses the second of two requests that were both approved, and says why', async () => {
	const { id } = world.seedPayment({ status: 'PAID' });
	const questions = [
		await askAndBeAsked(id, 'twice@desk.example'),
		await askAndBeAsked(id, 'twice@desk.example'),
	];
	await world.answer(questions[0]!, 'Devolver');
	await world.mailsTo('twice@desk.example', 1);
	await world.answer(questions[1]!, 'Devolver');
	const mails = await world.mailsTo('twice@desk.example', 2);
	expect(mails[1]!.subject).toContain('Devolução recusada');
	expect(mails[1]!.text).toMatch(/refund/i);
	expect(mails[1]!.text).toContain('Nenhum dinheiro saiu.');
	expect(world.sandbox.books.refunds).toHaveLength(1);
});

it('asks no one about a payment that cannot be refunded, or that is not there', async () => {
	const known = await world.countMailsTo(APPROVER);
	await ask(world.seedPayment({ status: 'REFUNDED' }).id, 'back@desk.example');
	await ask(world.seedPayment({ status: 'EXPIRED' }).txId, 'expired@desk.example');
	await ask('3fa85f64-5717-4562-b3fc-2c963f66afa6', 'missing@desk.example');
	await ask('PAY-what', 'wrong@desk.example');
	const text = async (email: string) => (await world.mailsTo(email, 1))[0]!.text;
	expect(await text('back@desk.example')).toContain('ele já foi devolvido');
	expect(await text('expired@desk.example')).toContain(
		'A situação deste pagamento é expirado (EXPIRED)',
	);
	const subject = async (email: string) => (await world.mailsTo(email, 1))[0]!.subject;
	expect(await subject('missing@desk.example')).toContain('Pagamento não encontrado');
	expect(await subject('wrong@desk.example')).toContain('Pagamento não encontrado');
	expect(await world.countMailsTo(APPROVER)).toBe(known);
	expect(world.sandbox.books.refunds).toHaveLength(0);
});

it('says in capitals when it is not known whether it was made, and what to do', async () => {
	const { id, txId } = world.seedPayment({ status: 'PAID' });
	world.sandbox.faults.add({
		kind: 'dropAfter',
		method: 'POST',
		path: `/v1/payments/${id}/refund`,
		times: Infinity,
	});
	await world.answer(await askAndBeAsked(id, 'lost@desk.example'), 'Devolver');
	const [mail] = await world.mailsTo('lost@desk.example', 1);
	expect(mail!.subject).toBe(`NÃO SE SABE se foi devolvido: ${txId}`);
	expect(mail!.text).toContain('Consulte o pagamento antes de fazer qualquer coisa');
	expect(mail!.text).toContain('Não devolva o dinheiro de outra forma');
	expect(mail!.text).not.toMatch(/recusada|Nenhum dinheiro saiu/i);
	expect(world.sandbox.books.refunds).toHaveLength(1);
});
