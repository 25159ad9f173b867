import { buffer } from 'node:stream/consumers';
import { formatBoleto } from '@brazilian-utils/brazilian-utils';
import PDFDocument from 'pdfkit';
import { formatBrl } from '../values/money';
import type { Payment } from '../store/rows';
import { brazilianDateTime } from '../values/time';
import { boletoLine } from './codes';

/**
 * The boleto of a payment as PDF bytes, always the same for the same payment: the file's date is that
 * of the payment, because a client may compare or hash what it downloads.
 */
export async function boletoPdf(payment: Payment): Promise<Buffer> {
	const info = { CreationDate: new Date(payment.createdAt) };
	const document = new PDFDocument({ size: 'A4', margin: 50, info });
	draw(document, payment);
	document.end();
	return await buffer(document);
}

function draw(document: PDFKit.PDFDocument, payment: Payment): void {
	const customer = payment.customer;
	document.fontSize(9).fillColor('#a00').text('EMULADOR - NENHUM DINHEIRO DE VERDADE - NÃO PAGUE');
	document.moveDown().fillColor('#000').fontSize(18).text('Boleto');
	document
		.moveDown()
		.fontSize(13)
		.text(formatBoleto(boletoLine(payment)))
		.moveDown();
	const fields: Array<[string, string]> = [
		['Valor', formatBrl(payment.amountCents)],
		['Vencimento', brazilianDateTime(payment.expiresAt)],
		['Emissão', brazilianDateTime(payment.createdAt)],
		['Pagador', customer?.name ?? '-'],
		['CPF/CNPJ do pagador', customer?.document ?? '-'],
		['Descrição', payment.description || '-'],
		['Transação', payment.txId],
	];
	document.fontSize(11);
	for (const [name, value] of fields) document.text(`${name}: ${value}`);
}
