/** The example that notifies the team of payments and keeps a table of them, in a real n8n. */
import { NOTIFICATION_EXAMPLE } from '../../../dev/demo/examples';
import { isEnded } from '../../../dev/n8n/rest/executionData';
import { publishWorkflow } from '../../../dev/n8n/rest/publication';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { useExampleWorld } from './exampleWorld';

const TEAM = 'finance@example.com';

const world = useExampleWorld();

beforeEach(async () => {
	await world.connectEvents();
	await publishWorkflow(world.client, world.workflows[NOTIFICATION_EXAMPLE]!);
});

const seedOpen = (amountCents: number, name: string, paymentMethod: 'PIX' | 'CARD' = 'PIX') =>
	world.seedPayment({
		amountCents,
		paymentMethod,
		description: `Order of ${name}`,
		customer: { name },
	});

/** Waits until each delivery has a response, and what it has started is done. */
async function settle(): Promise<void> {
	await world.sandbox.webhooks.idle();
	await waitFor(
		async () => {
			const id = world.workflows[NOTIFICATION_EXAMPLE]!;
			return (await world.client.listExecutions(id)).every(({ status }) => isEnded(status));
		},
		{ what: 'the workflow to end', timeoutMs: 30_000 },
	);
}

const tableRows = async () => await world.tableRows('Payments received');

it('sends one message and keeps one row for each payment, and nothing for copies', async () => {
	const known = await world.countMailsTo(TEAM);
	const payments = [seedOpen(12_590, 'Maria'), seedOpen(48_000, 'Carlos')];
	for (const { id } of payments) world.sandbox.setPaymentStatus(id, 'PAID');
	await settle();
	// A replay is a delivery as well.
	for (const { id } of [...world.sandbox.webhooks.deliveries]) world.sandbox.webhooks.replay(id);
	await settle();

	const mails = (await world.mailsTo(TEAM, known + 2)).slice(known);
	expect(mails.map(({ subject }) => subject.replaceAll('\u00a0', ' ')).sort()).toEqual([
		'Paid: R$ 125,90 by Maria',
		'Paid: R$ 480,00 by Carlos',
	]);
	for (const { txId, amountCents, payer } of payments) {
		const rows = (await tableRows()).filter((row) => row.txId === txId);
		expect(rows).toEqual([
			expect.objectContaining({
				amount: amountCents / 100,
				status: 'PAID',
				method: 'PIX',
				payer: payer!.name,
				description: `Order of ${payer!.name}`,
			}),
		]);
	}
});

it('keeps one row of a card payment that is confirmed first and paid later', async () => {
	const { id, txId } = seedOpen(5_000, 'Rita', 'CARD');
	world.sandbox.setPaymentStatus(id, 'CONFIRMED');
	await settle();
	const confirmed = (await tableRows()).filter((row) => row.txId === txId);
	// The event has only the TxID: the amount comes from the current state.
	expect(confirmed).toEqual([expect.objectContaining({ status: 'CONFIRMED', amount: 50 })]);

	world.sandbox.setPaymentStatus(id, 'PAID');
	await settle();
	const paid = (await tableRows()).filter((row) => row.txId === txId);
	expect(paid).toEqual([expect.objectContaining({ status: 'PAID', amount: 50 })]);
});

it('sends the message although the current state cannot be read', async () => {
	const known = await world.countMailsTo(TEAM);
	world.sandbox.faults.add({ kind: 'status', status: 500, method: 'GET', times: Infinity });
	world.sandbox.setPaymentStatus(seedOpen(7_700, 'Davi').id, 'PAID');
	await settle();
	const [mail] = (await world.mailsTo(TEAM, known + 1)).slice(known);
	expect(mail!.subject).toContain('by Davi');
});
