import { path } from '../../shared/transport/path';
import { readPdf } from '../../shared/transport/schemas';
import { getOutputField, outputFile, outputFileField } from '../editor/outputFile';
import { chosenPaymentId, paymentIdField } from '../editor/pickers';
import type { ItemOperation } from '../operation';

/** GET /v1/payments/{paymentId}/boleto (docs/api.md#download-a-boleto). */
export const downloadBoleto: ItemOperation = {
	option: {
		name: 'Download Boleto',
		value: 'downloadBoleto',
		action: 'Download boleto of payment',
		description: 'Retrieve the boleto as a PDF file, for example to attach it to an e-mail',
	},
	scope: 'payments:read',
	forAgents: 'An agent receives the name of the file, not the file.',
	fields: [paymentIdField, outputFileField],
	async execute(call) {
		const paymentId = await chosenPaymentId(call);
		const field = getOutputField(call);
		const pdf = await call.get<Buffer>(path`/v1/payments/${paymentId}/boleto`, readPdf);
		const fileName = `boleto-${paymentId}.pdf`;
		return {
			json: { paymentId, fileName },
			binary: await outputFile(call, field, pdf, fileName, 'application/pdf'),
		};
	},
};
