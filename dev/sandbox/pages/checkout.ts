import { formatBoleto } from '@brazilian-utils/brazilian-utils';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { renderSVG } from 'uqr';
import { z } from 'zod';
import { chooseMethod, scheduleOutcome, setPaymentStatus } from '../lifecycle/payments';
import { boletoLine, brCode } from '../documents/codes';
import { formatBrl } from '../values/money';
import { STATUS_NAMES } from '../documents/receipt';
import { isOpen } from '../rules/payment';
import type { Payment } from '../store/types';
import { brazilianDateTime } from '../values/time';
import type { World } from '../world';
import { html, Html } from './html';
import { layout } from './layout';

const choice = z.object({
	action: z.enum(['pay', 'decline', 'expire']),
	method: z.enum(['PIX', 'CREDIT', 'DEBIT', 'BOLETO']).optional(),
});
type Choice = z.output<typeof choice>;

const isUndecided = ({ status }: Payment): boolean => status === 'PENDING_METHOD_SELECTION';

const PAGE = { isForCustomers: true };

function options(payment: Payment): Array<[NonNullable<Choice['method']>, string]> {
	const all: Array<[NonNullable<Choice['method']>, string]> = [];
	if (payment.methods.includes('PIX')) all.push(['PIX', 'PIX']);
	if (payment.methods.includes('CARD')) {
		all.push(['CREDIT', 'Cartão de crédito, à vista'], ['DEBIT', 'Cartão de débito']);
	}
	if (payment.methods.includes('BOLETO')) all.push(['BOLETO', 'Boleto']);
	return all;
}

function choices(payment: Payment): Html {
	return html`<fieldset>
		<legend>Como você quer pagar?</legend>
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
	</fieldset>`;
}

function form(payment: Payment): Html {
	return html`<form method="post" action="/checkout/${payment.id}">
		${isUndecided(payment) ? choices(payment) : html``}
		<button class="primary" name="action" value="pay">Pagar</button>
		<button name="action" value="decline">Recusar</button>
		<button name="action" value="expire">Deixar expirar</button>
	</form>`;
}

function instructions(payment: Payment): Html {
	if (payment.status !== 'NEW') return html``;
	if (payment.paymentMethod === 'PIX') {
		const code = brCode(payment.amountCents, payment.txId);
		return html`<h2>Pague com PIX</h2>
			<p>Aponte a câmera do aplicativo do seu banco para o código:</p>
			${new Html(renderSVG(code, { ecc: 'M', border: 4 }))}
			<p>Ou copie e cole:</p>
			<p><code id="pix-code">${code}</code></p>`;
	}
	if (payment.paymentMethod !== 'BOLETO') return html``;
	return html`<h2>Pague o boleto</h2>
		<p>Linha digitável:</p>
		<p><code id="boleto-line">${formatBoleto(boletoLine(payment))}</code></p>`;
}

function page(payment: Payment, error = ''): string {
	const { status, paidAt } = payment;
	return layout(
		'Pagamento',
		html`<h1>Pagamento</h1>
			<p>${payment.description}</p>
			<p class="amount">${formatBrl(payment.amountCents)}</p>
			<p>Vencimento: ${brazilianDateTime(payment.expiresAt)}</p>
			<p>Situação: ${STATUS_NAMES[status]} (<strong id="status">${status}</strong>)</p>
			${paidAt === null ? html`` : html`<p>Pago em ${brazilianDateTime(paidAt)}</p>`}
			${error === '' ? html`` : html`<p role="alert">${error}</p>`} ${instructions(payment)}
			${isOpen(status) ? form(payment) : html``}`,
		{ ...PAGE, ...(status === 'NEW' ? { refreshSeconds: 2 } : {}) },
	);
}

function send(reply: FastifyReply, status: number, markup: string): FastifyReply {
	return reply.code(status).type('text/html; charset=utf-8').send(markup);
}

const missing = layout(
	'Pagamento',
	html`<h1>Pagamento</h1>
		<p>Este pagamento não existe.</p>`,
	PAGE,
);

/**
 * GET and POST /checkout/{paymentId}: the page of a hosted payment, and of any other that is to be paid.
 * With a test key, the choice of a method starts the cents rule; otherwise PIX and boleto are PAID at
 * once, and a card is CONFIRMED (held until it is settled).
 */
export function registerCheckout(app: FastifyInstance, world: World): void {
	app.get<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
		const payment = world.store.payments.find(request.params.id);
		return payment ? send(reply, 200, page(payment)) : send(reply, 404, missing);
	});
	app.post<{ Params: { id: string } }>('/checkout/:id', async (request, reply) => {
		const payment = world.store.payments.find(request.params.id);
		if (!payment) return send(reply, 404, missing);
		const parsed = choice.safeParse(request.body);
		if (!parsed.success) return send(reply, 400, page(payment, 'Escolha como pagar.'));
		if (!isOpen(payment.status)) {
			return send(reply, 409, page(payment, 'Este pagamento já foi decidido.'));
		}
		const { action, method } = parsed.data;
		if (action === 'decline') setPaymentStatus(world, payment, 'CANCELLED');
		else if (action === 'expire') setPaymentStatus(world, payment, 'EXPIRED');
		else if (!isUndecided(payment)) settle(world, payment);
		else if (!method || !options(payment).some(([offered]) => offered === method)) {
			return send(reply, 400, page(payment, 'Este pagamento não oferece essa forma.'));
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
	else settle(world, payment);
}

function settle(world: World, payment: Payment): void {
	setPaymentStatus(world, payment, payment.paymentMethod === 'CARD' ? 'CONFIRMED' : 'PAID');
}
