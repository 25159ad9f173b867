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

it('makes a payment for each form, sends its link to the customer, and shows it to the colleague', async () => {
	const customers = [
		{ email: 'joao@customer.example', amount: '1.234,56', written: 'R$ 1.234,56', cents: 123_456 },
		{ email: 'rita@customer.example', amount: 'R$ 250,00', written: 'R$ 250,00', cents: 25_000 },
	];
	for (const [index, { email, amount, written, cents }] of customers.entries()) {
		const page = await fillIn(answers(email, { amount, reference: `Order ${index}` }));
		const payment = world.sandbox.books.payments[index]!;
		expect(payment).toMatchObject({
			...{ amountCents: cents, mode: 'hosted', methods: ['PIX', 'CARD'] },
			externalId: `Order ${index}`,
		});
		const link = `${world.sandbox.url}/checkout/${payment.id}`;
		const [mail] = await world.mailsTo(email, 1);
		expect(mail!.text).toContain(link);
		expect(mail!.text).toContain('Olá, João da Silva!');
		expect(mail!.text).toContain(`Para pagar ${written} referente a`);
		expect(page).toContain(link);
		expect(page).toContain(`enviado por e-mail para ${email}`);
		// What the customer sees there is the payment page.
		expect((await fetch(link)).status).toBe(200);
	}
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
