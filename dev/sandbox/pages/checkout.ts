import type { FastifyInstance, FastifyReply } from 'fastify';
import { chooseMethod, scheduleOutcome, setPaymentStatus } from '../lifecycle/payments';
import { formatBrl } from '../values/money';
import { isOpen } from '../rules/payment';
import type { Payment } from '../store/rows';
import { brazilianDateTime } from '../values/time';
import type { World } from '../world';
import { html, type Html } from './html';
import { layout } from './layout';

/** What a payer can choose on the page of a hosted payment. */
const CHOICES = {
	PIX: { label: 'PIX', method: 'PIX', funding: null },
	CREDIT: { label: 'cartão de crédito', method: 'CARD', funding: 'credit' },
	DEBIT: { label: 'cartão de débito', method: 'CARD', funding: 'debit' },
	BOLETO: { label: 'boleto', method: 'BOLETO', funding: null },
} as const;

type Choice = keyof typeof CHOICES;

/** The actions that a payer has to pay, each with its label. */
function waysToPay({ status, methods }: Payment): Map<string, string> {
	if (status !== 'PENDING_METHOD_SELECTION') return new Map([['pay', 'Pagar']]);
	const offered = Object.entries(CHOICES).filter(([, { method }]) => methods.includes(method));
	return new Map(offered.map(([choice, { label }]) => [choice, `Pagar com ${label}`]));
}

function form(payment: Payment): Html {
	return html`<form method="post" action="/checkout/${payment.id}">
		${[...waysToPay(payment)].map(
			([action, label]) =>
				html`<button class="primary" name="action" value="${action}">${label}</button> `,
		)}
		<button name="action" value="decline">Recusar</button>
		<button name="action" value="expire">Deixar expirar</button>
	</form>`;
}

function page(payment: Payment, error = ''): string {
	const { status, paidAt } = payment;
	return layout(
		'Pagamento',
		html`<h1>Pagamento</h1>
			<p>${payment.description}</p>
			<p class="amount">${formatBrl(payment.amountCents)}</p>
			<p>Vencimento: ${brazilianDateTime(payment.expiresAt)}</p>
			<p>Situação: <strong id="status">${status}</strong></p>
			${paidAt === null ? html`` : html`<p>Pago em ${brazilianDateTime(paidAt)}</p>`}
			${error === '' ? html`` : html`<p role="alert">${error}</p>`}
			${isOpen(status) ? form(payment) : html``}`,
		{ isForCustomers: true, ...(status === 'NEW' ? { refreshSeconds: 2 } : {}) },
	);
}

function send(reply: FastifyReply, status: number, markup: string): FastifyReply {
	return reply.code(status).type('text/html; charset=utf-8').send(markup);
}

const missing = layout(
	'Pagamento',
	html`<h1>Pagamento</h1>
		<p>Este pagamento não existe.</p>`,
	{ isForCustomers: true },
);

interface Request {
	Params: { id: string };
	Body: { action?: string };
}

/**
 * GET and POST /checkout/{paymentId}: the page of a hosted payment, and of any other that is to be paid.
 * With a test key, the choice of a method starts the cents rule; otherwise PIX and boleto are PAID at
 * once, and a card is CONFIRMED (held until it is settled).
 */
export function registerCheckout(app: FastifyInstance, world: World): void {
	app.get<Request>('/checkout/:id', async (request, reply) => {
		const payment = world.store.payments.find(request.params.id);
		return payment ? send(reply, 200, page(payment)) : send(reply, 404, missing);
	});
	app.post<Request>('/checkout/:id', async ({ params, body }, reply) => {
		const payment = world.store.payments.find(params.id);
		if (!payment) return send(reply, 404, missing);
		if (!isOpen(payment.status)) {
			return send(reply, 409, page(payment, 'Este pagamento já foi decidido.'));
		}
		const { action = '' } = body;
		if (action === 'decline') setPaymentStatus(world, payment, 'CANCELLED');
		else if (action === 'expire') setPaymentStatus(world, payment, 'EXPIRED');
		else if (waysToPay(payment).has(action)) pay(world, payment, action);
		else return send(reply, 400, page(payment, 'Escolha como pagar.'));
		// Redirected, so that reloading the page does not pay again.
		return reply.redirect(`/checkout/${payment.id}`, 303);
	});
}

function pay(world: World, payment: Payment, action: string): void {
	if (action !== 'pay') {
		const { method, funding } = CHOICES[action as Choice];
		chooseMethod(world, payment, method, funding);
		if (payment.environment === 'SANDBOX') return scheduleOutcome(world, payment);
	}
	setPaymentStatus(world, payment, payment.paymentMethod === 'CARD' ? 'CONFIRMED' : 'PAID');
}
