/** The example that keeps a table of disputes, in a real n8n. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { DISPUTE_EXAMPLE } from '../../../dev/demo/examples';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import type { Payment } from '../../../dev/sandbox';
import {
	DAY_MS,
	getError,
	legible,
	POLL_EVERY_2_SECONDS,
	toDay,
	useExampleWorld,
} from './exampleWorld';

const TEAM = 'finance@example.com';

const world = useExampleWorld();

/** Publishes the example, as it is or changed; from then on, its trigger receives. */
async function listen(trigger: INodeParameters = {}): Promise<void> {
	await world.connectEvents(DISPUTE_EXAMPLE);
	await world.setUpNode(DISPUTE_EXAMPLE, 'Dispute Event', trigger);
	await publishWorkflow(world.client, world.workflows[DISPUTE_EXAMPLE]!);
}

const settle = async () => await world.settle(DISPUTE_EXAMPLE);

const runDaily = async () =>
	expect(getError(await world.runExample(DISPUTE_EXAMPLE, 'Every Day at 08:00'))).toBeUndefined();

const seedPaid = (amountCents: number, name: string, paymentMethod: 'PIX' | 'CARD') => {
	const payment = world.seedPayment({
		...{ amountCents, paymentMethod, description: `Pedido de ${name}` },
		customer: { name, document: '39053344705', documentType: 'CPF' },
	});
	world.sandbox.setPaymentStatus(payment.id, 'PAID');
	return payment;
};

const rowsOf = async ({ id }: Payment): Promise<IDataObject[]> =>
	(await world.tableRows('Disputes')).filter(({ paymentId }) => paymentId === id);

/** The e-mails about a payment, the oldest first; waits for this many, and finds no more. */
async function mailsAbout({ txId }: Payment, count: number): Promise<string[]> {
	await world.mailsTo(TEAM, count);
	const mails = (await world.mailbox.mails())
		.filter(({ text }) => text.includes(txId))
		.map(({ subject, text }) => legible(`${subject}\n${text}`));
	expect(mails).toHaveLength(count);
	return mails;
}

it('opens a row for each dispute, once, and closes each when it is over', async () => {
	await listen();
	const claimed = seedPaid(12_590, 'Maria', 'PIX');
	const disputed = seedPaid(48_000, 'Carlos', 'CARD');

	world.sandbox.setPaymentStatus(claimed.id, 'MED_FROZEN');
	world.sandbox.setPaymentStatus(disputed.id, 'CHARGEBACK');
	await settle();
	for (const { id } of [...world.sandbox.webhooks.deliveries]) {
		world.sandbox.webhooks.replay(id);
		world.sandbox.webhooks.resend(id);
	}
	await settle();
	await runDaily();

	const deadline = toDay(Date.now() + 7 * DAY_MS);
	for (const [payment, kind, payer] of [
		[claimed, 'MED', 'Maria'],
		[disputed, 'chargeback', 'Carlos'],
	] as const) {
		expect(await rowsOf(payment)).toMatchObject([
			{
				...{ kind, status: 'aberta', outcome: '', deadline, payer, closedAt: '' },
				...{ txId: payment.txId, amount: payment.amountCents / 100, receipt: '' },
				...{ payerDocument: '39053344705', description: `Pedido de ${payer}` },
			},
		]);
	}
	const [mail] = await mailsAbout(claimed, 1);
	const day = deadline.split('-').reverse().join('/');
	expect(mail).toContain(`Contestação (MED) de R$ 125,90 de Maria: responder até ${day}`);
	expect(mail).toContain(
		'O serviço não dá o comprovante enquanto o pagamento está em contestação.',
	);
	await mailsAbout(disputed, 1);

	// The MED is refused, and sends an event. The chargeback is won, which sends none of the three.
	world.sandbox.setPaymentStatus(claimed.id, 'PAID');
	world.sandbox.setPaymentStatus(disputed.id, 'PAID');
	await settle();
	await runDaily();
	await runDaily();

	for (const payment of [claimed, disputed]) {
		expect(await rowsOf(payment)).toMatchObject([
			{
				...{ status: 'encerrada', outcome: 'o dinheiro ficou com você', deadline },
				receipt: expect.stringContaining(payment.txId),
			},
		]);
		const [, closed] = await mailsAbout(payment, 2);
		expect(closed).toContain('encerrada, o dinheiro ficou com você');
		expect(closed).toContain('Comprovante de pagamento');
	}
});

it('keeps the row closed if the beginning of a dispute arrives after its end', async () => {
	await listen();
	const payments = [seedPaid(5_000, 'Rita', 'PIX'), seedPaid(6_000, 'Davi', 'PIX')];
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'MED_FROZEN');
	await settle();
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'REFUNDED');
	await settle();
	const begun = world.sandbox.webhooks.deliveries.filter(({ event }) => event === 'MED_RECEIVED');
	expect(begun).toHaveLength(2);

	for (const { id } of begun) world.sandbox.webhooks.resend(id);
	await settle();

	for (const payment of payments) {
		expect(await rowsOf(payment)).toMatchObject([
			{ status: 'encerrada', outcome: 'devolvido ao pagador' },
		]);
		await mailsAbout(payment, 2);
	}
});

it('opens a second dispute about the same payment', async () => {
	await listen();
	const payment = seedPaid(7_000, 'Caio', 'CARD');
	world.sandbox.setPaymentStatus(payment.id, 'CHARGEBACK');
	await settle();
	world.sandbox.setPaymentStatus(payment.id, 'PAID');
	await runDaily();
	world.sandbox.setPaymentStatus(payment.id, 'CHARGEBACK');
	await settle();
	const rows = await rowsOf(payment);
	expect(rows.map(({ status }) => status).sort()).toEqual(['aberta', 'encerrada']);
	await mailsAbout(payment, 3);
});

it('closes no row of a MED by a status that the payment had before, too', async () => {
	world.sandbox.dialect.medStatus.during = 'PAID';
	await listen();
	const payment = seedPaid(8_000, 'Eva', 'PIX');
	world.sandbox.setPaymentStatus(payment.id, 'MED_FROZEN');
	await settle();
	await runDaily();
	expect(await rowsOf(payment)).toMatchObject([{ status: 'aberta' }]);
	world.sandbox.setPaymentStatus(payment.id, 'PAID');
	await settle();
	expect(await rowsOf(payment)).toMatchObject([{ status: 'encerrada' }]);
});

it('finds by polling alone what is in dispute, and each morning what is over', async () => {
	await listen({ receiveBy: 'polling', pollTimes: POLL_EVERY_2_SECONDS });
	const payments = [seedPaid(9_100, 'Gil', 'PIX'), seedPaid(9_200, 'Lia', 'CARD')];
	world.sandbox.setPaymentStatus(payments[0]!.id, 'MED_FROZEN');
	world.sandbox.setPaymentStatus(payments[1]!.id, 'CHARGEBACK');
	await waitFor(
		async () => (await Promise.all(payments.map(rowsOf))).every(({ length }) => length === 1),
		{ what: 'a row for each dispute', timeoutMs: 30_000 },
	);
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	await runDaily();
	for (const payment of payments) {
		expect(await rowsOf(payment)).toMatchObject([{ status: 'encerrada' }]);
		await mailsAbout(payment, 2);
	}
});
