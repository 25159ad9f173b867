/** The example that turns a form into a payment link and an e-mail, in a real n8n. */
import { LINK_EXAMPLE } from '../../../dev/demo/examples';
import { submitForm } from '../../../dev/n8n/editor/form';
import { waitFor } from '../../../dev/n8n/process/waitFor';
import { useExampleWorld } from './exampleWorld';

const world = useExampleWorld();

let form: string;
beforeAll(async () => {
	form = await world.openForm(LINK_EXAMPLE);
}, 60_000);

const answers = (
	email: string,
	changes: { document?: string; amount?: string; reference?: string } = {},
) => [
	'João da Silva',
	email,
	changes.document ?? '390.533.447-05',
	changes.amount ?? '1.234,56',
	changes.reference ?? `Order of ${email}`,
];

/** Sends the form as a browser does, up to the last page; returns its text. */
async function fillIn(given: string[]): Promise<string> {
	const { formWaitingUrl } = JSON.parse(await submitForm(form, given)) as {
		formWaitingUrl: string;
	};
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	await waitFor(async () => (await (await fetch(status)).text()).trim() === 'form-waiting', {
		what: 'the last page of the form',
		timeoutMs: 30_000,
	});
	const page = await (await fetch(formWaitingUrl)).text();
	return page.replaceAll('&#x2F;', '/').replaceAll('&#x3D;', '=');
}

it('makes a payment for each form, and sends its link to the customer named there', async () => {
	await fillIn(answers('joao@customer.example', { reference: 'Order 77' }));
	await fillIn(answers('rita@customer.example', { reference: 'Order 78' }));
	const { payments } = world.sandbox.books;
	expect(payments.map(({ externalId }) => externalId)).toEqual(['Order 77', 'Order 78']);
	for (const [index, email] of ['joao@customer.example', 'rita@customer.example'].entries()) {
		const payment = payments[index]!;
		expect(payment).toMatchObject({ amountCents: 123_456, mode: 'hosted' });
		expect(payment.methods).toEqual(['PIX', 'CARD']);
		const [mail] = await world.mailsTo(email, 1);
		const link = `${world.sandbox.url}/checkout/${payment.id}`;
		expect(mail!.text).toContain(link);
		expect(mail!.text).toContain('Olá, João da Silva!');
		expect(mail!.text.replaceAll('\u00a0', ' ')).toContain('Para pagar R$ 1.234,56 referente a');
		// What the customer sees there is the payment page.
		expect((await fetch(link)).status).toBe(200);
	}
});

it('writes the amount as it is charged, however it was entered', async () => {
	await fillIn(answers('eva@customer.example', { amount: 'R$ 250,00' }));
	const [mail] = await world.mailsTo('eva@customer.example', 1);
	expect(mail!.text.replaceAll('\u00a0', ' ')).toContain('Para pagar R$ 250,00 referente a');
	expect(world.sandbox.books.payments).toMatchObject([{ amountCents: 25_000 }]);
});

it('shows the link to the colleague as well', async () => {
	const page = await fillIn(answers('ana@customer.example'));
	expect(page).toContain(`${world.sandbox.url}/checkout/${world.sandbox.books.payments[0]!.id}`);
	expect(page).toContain('enviado por e-mail para ana@customer.example');
});

it('returns the same link for a form that is sent twice', async () => {
	const first = await fillIn(answers('bia@customer.example'));
	const second = await fillIn(answers('bia@customer.example'));
	expect(world.sandbox.books.payments).toHaveLength(1);
	const link = `${world.sandbox.url}/checkout/${world.sandbox.books.payments[0]!.id}`;
	expect([first, second]).toEqual([expect.stringContaining(link), expect.stringContaining(link)]);
});

it('shows the colleague why there is no link, and writes to no one', async () => {
	const page = await fillIn(answers('caio@customer.example', { document: '390.533.447-06' }));
	expect(page).toContain('O link de pagamento não foi criado');
	expect(page).toContain('CPF');
	expect(world.sandbox.books.payments).toHaveLength(0);
	expect(await world.countMailsTo('caio@customer.example')).toBe(0);
});
