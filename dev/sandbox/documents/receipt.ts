import { formatBrl } from '../money';
import { html } from '../pages/html';
import type { Payment } from '../store/types';
import { brazilianDateTime } from '../time';

function lines(payment: Payment): Array<[string, string]> {
	const fields: Array<[string, string]> = [
		['Payment', payment.id],
		['Transaction', payment.txId],
		['Status', payment.status],
		['Method', payment.paymentMethod],
		['Amount', formatBrl(payment.amountCents)],
		['Fee', formatBrl(payment.feeCents)],
		['Net', formatBrl(payment.netCents)],
		['Description', payment.description],
		['Payer', payment.payer?.name ?? ''],
		['Payer document', payment.payer?.document ?? ''],
		['Paid at (Brasília)', payment.paidAt === null ? '' : brazilianDateTime(payment.paidAt)],
	];
	return fields.filter(([, value]) => value !== '');
}

const TITLE = 'Payment receipt (emulator, no real money)';

export function receiptText(payment: Payment): string {
	return [TITLE, '', ...lines(payment).map(([name, value]) => `${name}: ${value}`), ''].join('\n');
}

export function receiptHtml(payment: Payment): string {
	return html`<!doctype html>
		<html lang="en">
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
