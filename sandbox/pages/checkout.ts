import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Dialect } from '../dialects';
import { chooseMethod, scheduleOutcome, setPaymentStatus } from '../lifecycle/payments';
import { formatBrl } from '../money';
import type { Payment } from '../store/types';
import type { World } from '../world';
import { html, type Html } from './html';
import { layout } from './layout';

const choice = z.object({
	action: z.enum(['pay', 'decline', 'expire']),
	method: z.enum(['PIX', 'CREDIT', 'DEBIT', 'BOLETO']).optional(),
});
type Choice = z.output<typeof choice>;

function options(payment: Payment): Array<[NonNullable<Choice['method']>, string]> {
	const all: Array<[NonNullable<Choice['method']>, string]> = [];
	if (payment.methods.includes('PIX')) all.push(['PIX', 'PIX']);
	if (payment.methods.includes('CARD')) {
		all.push(['CREDIT', 'Credit card, one instalment'], ['DEBIT', 'Debit card']);
	}
	if (payment.methods.includes('BOLETO')) all.push(['BOLETO', 'Boleto']);
	return all;
}

function form(payment: Payment): Html {
	return html`<form method="post" action="/checkout/${payment.id}">
		<fieldset>
			<legend>How do you want to pay?</legend>
			${options(payment).map(
				([value, label], index) =>
					html`<label
						><input
							type="radio"
							name="method"
							value="${value}"
							${index === 0 ? html` checked` : html``}
						/>
						${label}</label
					> `,
			)}
		</fieldset>
		<button class="primary" name="action" value="pay">Pay</button>
		<button name="action" value="decline">Decline</button>
		<button name="action" value="expire">Let expire</button>
	</form>`;
}

function back(payment: Payment, { checkoutUrls }: Dialect): Html {
	const isPaid = payment.status === 'PAID' || payment.status === 'CONFIRMED';
	const isCompletion = isPaid === (checkoutUrls.leadsTo === 'completionAfterPaying');
	const { completionUrl, returnUrl } = payment;
	const target = isCompletion ? (completionUrl ?? returnUrl) : returnUrl;
	return target === null ? html`` : html`<p><a href="${target}">Back to the shop</a></p>`;
}

function page(payment: Payment, dialect: Dialect, error = ''): string {
	const selecting = payment.status === 'PENDING_METHOD_SELECTION';
	return layout(
		'Checkout',
		html`<h1>Checkout</h1>
			<p>${payment.description}</p>
			<p class="amount">${formatBrl(payment.amountCents)}</p>
			<p>Status: <strong id="status">${payment.status}</strong></p>
			${error === '' ? html`` : html`<p role="alert">${error}</p>`}
			${selecting ? form(payment) : html``} ${back(payment, dialect)} `,
		payment.status === 'NEW' ? { narrow: true, refreshSeconds: 2 } : { narrow: true },
	);
}

function send(reply: FastifyReply, status: number, markup: string): FastifyReply {
	return reply.code(status).type('text/html; charset=utf-8').send(markup);
}

function hosted(world: World, id: string): Payment | undefined {
	const payment = world.store.payments.find(id);
	return payment?.mode === 'hosted' ? payment : undefined;
}

const missing = layout(
	'Checkout',
	html`<h1>Checkout</h1>
		<p>There is no such payment.</p>`,
	{
		narrow: true,
	},
);

/**
 * GET and POST /checkout/{paymentId}. With a test key paying starts the cents rule; with a live key
 * PIX and boleto are PAID at once, and a card is CONFIRMED (held until it is settled).
 */
export function registerCheckout(app: FastifyInstance, world: World): void {
	app.get<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
		const payment = hosted(world, request.params.id);
		return payment ? send(reply, 200, page(payment, world.dialect)) : send(reply, 404, missing);
	});
	app.post<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
		const payment = hosted(world, request.params.id);
		if (!payment) return send(reply, 404, missing);
		const parsed = choice.safeParse(request.body);
		if (!parsed.success)
			return send(reply, 400, page(payment, world.dialect, 'Choose how to pay.'));
		if (payment.status !== 'PENDING_METHOD_SELECTION') {
			return send(reply, 409, page(payment, world.dialect, 'This payment is already decided.'));
		}
		const { action, method } = parsed.data;
		if (action === 'decline') setPaymentStatus(world, payment, 'CANCELLED');
		else if (action === 'expire') setPaymentStatus(world, payment, 'EXPIRED');
		else if (!method || !options(payment).some(([offered]) => offered === method)) {
			return send(
				reply,
				400,
				page(payment, world.dialect, 'This payment does not offer that method.'),
			);
		} else pay(world, payment, method);
		// Redirected, so that reloading the page does not pay again.
		return reply.redirect(`/checkout/${payment.id}`, 303);
	});
}

function pay(world: World, payment: Payment, method: NonNullable<Choice['method']>): void {
	const card = method === 'CREDIT' || method === 'DEBIT';
	const funding = method === 'CREDIT' ? 'credit' : method === 'DEBIT' ? 'debit' : null;
	chooseMethod(world, payment, card ? 'CARD' : method, funding);
	if (payment.environment === 'SANDBOX') scheduleOutcome(world, payment);
	else setPaymentStatus(world, payment, card ? 'CONFIRMED' : 'PAID');
}
