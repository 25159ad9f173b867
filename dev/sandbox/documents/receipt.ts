import { formatBrl } from '../values/money';
import type { Payment } from '../store/rows';
import { brazilianDateTime } from '../values/time';
import { render, type Format } from './render';

export function receipt(payment: Payment, format: Format): string {
	const fields: Array<[string, string]> = [
		['Pagamento', payment.id],
		['Transação', payment.txId],
		['Situação', payment.status],
		['Forma de pagamento', payment.paymentMethod],
		['Valor', formatBrl(payment.amountCents)],
		['Tarifa', formatBrl(payment.feeCents)],
		['Valor líquido', formatBrl(payment.netCents)],
		['Descrição', payment.description],
		['Pagador', payment.payer?.name ?? ''],
		['CPF/CNPJ do pagador', payment.payer?.document ?? ''],
		['Pago em (Brasília)', payment.paidAt === null ? '' : brazilianDateTime(payment.paidAt)],
	];
	const known = fields.filter(([, value]) => value !== '');
	return render(
		format,
		'Comprovante de pagamento',
		known.map(([name, value]) => `${name}: ${value}`),
	);
}
