import { formatBrl } from '../values/money';
import { html } from '../pages/html';
import type { Payment } from '../store/types';
import { brazilianDateTime } from '../values/time';
import { STATUS_NAMES } from './statusNames';

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
	return html`<!doctype html>
		<html lang="pt-BR">
			<head>
				<meta charset="utf-8" />
				<title>${TITLE}</title>
			</head>
			<body>
				<h1>${TITLE}</h1>
				<table>
					${lines(payment).map(
						([name, value]) =>
							html`<tr>
								<th align="left">${name}</th>
								<td>${value}</td>
							</tr>`,
					)}
				</table>
			</body>
		</html> `.markup;
}
