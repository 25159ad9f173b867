import { formatBrl } from '../values/money';
import { html, plainPage } from '../pages/html';
import type { Payment, PaymentStatus } from '../store/types';
import { brazilianDateTime } from '../values/time';

export const STATUS_NAMES: Record<PaymentStatus, string> = {
	NEW: 'aguardando pagamento',
	PENDING_METHOD_SELECTION: 'aguardando a forma de pagamento',
	PROCESSING: 'em processamento',
	CONFIRMED: 'confirmado',
	PAID: 'pago',
	CANCELLED: 'cancelado',
	EXPIRED: 'expirado',
	REFUNDED: 'devolvido',
	PARTIAL_REFUND: 'devolvido em parte',
	CHARGEBACK: 'contestado',
	MED_FROZEN: 'bloqueado',
};

function lines(payment: Payment): Array<[string, string]> {
	const fields: Array<[string, string]> = [
		['Pagamento', payment.id],
		['Transação', payment.txId],
		['Situação', `${STATUS_NAMES[payment.status]} (${payment.status})`],
		['Forma de pagamento', payment.paymentMethod],
		['Valor', formatBrl(payment.amountCents)],
		['Tarifa', formatBrl(payment.feeCents)],
		['Valor líquido', formatBrl(payment.netCents)],
		['Descrição', payment.description],
		['Pagador', payment.payer?.name ?? ''],
		['CPF/CNPJ do pagador', payment.payer?.document ?? ''],
		['Pago em (Brasília)', payment.paidAt === null ? '' : brazilianDateTime(payment.paidAt)],
	];
	return fields.filter(([, value]) => value !== '');
}

const TITLE = 'Comprovante de pagamento (emulador, nenhum dinheiro de verdade)';

export function receiptText(payment: Payment): string {
	return [TITLE, '', ...lines(payment).map(([name, value]) => `${name}: ${value}`), ''].join('\n');
}

export function receiptHtml(payment: Payment): string {
	const rows = lines(payment).map(
		([name, value]) =>
			html`<tr>
				<th align="left">${name}</th>
				<td>${value}</td>
			</tr>`,
	);
	return plainPage(
		'pt-BR',
		TITLE,
		html`<table>
			${rows}
		</table>`,
	);
}
